//! Queues with management, in front of a link or of a bearer: which packet goes next, which is
//! marked, and which is dropped before the queue is full (RFC 7567).
//!
//! In: what comes, and each turn to send, with the time. Out: what is sent; what was dropped, with
//! the cause; marks (RFC 3168).
//!
//! | file | discipline |
//! |---|---|
//! | [`codel`] | CoDel (RFC 8289) |
//! | [`fq_codel`] | FQ-CoDel (RFC 8290) |
//! | [`dual_pi2`] | DualPI2 (RFC 9332) |
//! | [`step`] | a mark for what has waited too long (TS 23.501 §5.37.3) |
//! | [`red`] | RED (Floyd and Jacobson 1993) |
//!
//! A queue that only has a length, first in, first out, needs none of this: a link books its
//! departures when packets come ([`super::link`]), and a bearer has RLC's buffer.
//!
//! Left out: several disciplines in series, and classes of service. Who studies a router with
//! traffic classes could tell.

pub mod codel;
pub mod dual_pi2;
pub mod fq_codel;
mod limit;
pub mod red;
pub mod step;
mod store;

pub use limit::QueueLimit;

use std::collections::VecDeque;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::packet::Packet;
use super::tally::{Count, DropCause};
use crate::sim::Stream;
use crate::unit::{Bytes, Instant};
use codel::Codel;
use dual_pi2::DualPi2;
use fq_codel::FqCodel;
use red::Red;
use step::Step;

/// Active queue management (AQM) of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Aqm {
    /// CoDel, controlled delay (RFC 8289): drops or marks at the head when packets have waited too
    /// long.
    Codel(codel::Config),
    /// FQ-CoDel (RFC 8290): a queue with CoDel for each flow, served round robin.
    FqCodel(fq_codel::Config),
    /// DualPI2 (RFC 9332): two queues with coupled marking, for L4S and classic traffic.
    #[serde(rename = "dualpi2")]
    DualPi2(dual_pi2::Config),
    /// Step marking (TS 23.501 §5.37.3): marks each packet that has waited longer than a threshold.
    Step(step::Config),
    /// Random early detection (Floyd and Jacobson 1993): drops or marks arriving packets at random.
    Red(red::Config),
}

/// What can wait in a queue.
pub trait Waiting {
    /// What counts against the queue's length.
    fn length(&self) -> Bytes;
    /// The packet.
    fn packet(&self) -> &Packet;
    /// The same, mutable, to mark it.
    fn packet_mut(&mut self) -> &mut Packet;
}

impl Waiting for Box<Packet> {
    fn length(&self) -> Bytes {
        self.length
    }
    fn packet(&self) -> &Packet {
        self
    }
    fn packet_mut(&mut self) -> &mut Packet {
        self
    }
}

/// A managed queue.
#[derive(Clone, Debug)]
pub struct Queue<T> {
    limit: QueueLimit,
    discipline: Discipline<T>,
    facts: Facts<T>,
}

#[derive(Clone, Debug)]
enum Discipline<T> {
    Codel(Codel<T>),
    FqCodel(FqCodel<T>),
    DualPi2(DualPi2<T>),
    Step(Step<T>),
    Red(Red<T>),
}

/// What a discipline counts besides what it returns.
#[derive(Clone, Debug)]
pub(in crate::net) struct Facts<T> {
    /// What waits.
    waiting: Count,
    /// What was marked, and is not yet taken out of here.
    marked: Count,
    dropped: VecDeque<(T, DropCause)>,
}

impl<T: Waiting> Queue<T> {
    /// An empty queue of this length; `stream` makes its random choices.
    pub fn new(aqm: Aqm, limit: QueueLimit, mut stream: Stream) -> Self {
        let discipline = match aqm {
            Aqm::Codel(config) => Discipline::Codel(Codel::new(config)),
            Aqm::FqCodel(config) => Discipline::FqCodel(FqCodel::new(config, stream.bits())),
            Aqm::DualPi2(config) => Discipline::DualPi2(DualPi2::new(config)),
            Aqm::Step(config) => Discipline::Step(Step::new(config)),
            Aqm::Red(config) => Discipline::Red(Red::new(config, stream)),
        };
        Self { limit, discipline, facts: Facts::default() }
    }

    /// Takes one more, or drops something. `beside` waits elsewhere and counts against the limit
    /// too.
    pub fn enqueue(&mut self, now: Instant, item: T, beside: Bytes) {
        let Self { discipline, facts, .. } = self;
        let limit = self.limit.beside(beside);
        let has_room = limit.has_room(facts.waiting, item.length());
        facts.waiting.add(item.length());
        match discipline {
            // It drops from the longest of its queues.
            Discipline::FqCodel(fq) => fq.enqueue(now, item, limit, facts),
            _ if !has_room => facts.drop(item, DropCause::Queue),
            Discipline::Codel(codel) => codel.enqueue(now, item),
            Discipline::DualPi2(dual) => dual.enqueue(now, item),
            Discipline::Step(step) => step.enqueue(now, item),
            Discipline::Red(red) => red.enqueue(now, item, facts),
        }
    }

    /// What is sent now. None, if nothing is left.
    pub fn dequeue(&mut self, now: Instant) -> Option<T> {
        let Self { discipline, facts, .. } = self;
        let item = match discipline {
            Discipline::Codel(codel) => codel.dequeue(now, facts),
            Discipline::FqCodel(fq) => fq.dequeue(now, facts),
            Discipline::DualPi2(dual) => dual.dequeue(now, facts),
            Discipline::Step(step) => step.dequeue(now, facts),
            Discipline::Red(red) => red.dequeue(now),
        }?;
        facts.leave(item.length());
        Some(item)
    }

    /// Takes out what was dropped, one by one.
    pub fn take_dropped(&mut self) -> Option<(T, DropCause)> {
        self.facts.dropped.pop_front()
    }

    /// Takes out what was marked since the last call.
    pub fn take_marked(&mut self) -> Count {
        std::mem::take(&mut self.facts.marked)
    }

    /// What waits.
    pub fn waiting(&self) -> Count {
        self.facts.waiting
    }

    /// When the oldest of what waits came.
    pub fn oldest(&self) -> Option<Instant> {
        match &self.discipline {
            Discipline::Codel(codel) => codel.oldest(),
            Discipline::FqCodel(fq) => fq.oldest(),
            Discipline::DualPi2(dual) => dual.oldest(),
            Discipline::Step(step) => step.oldest(),
            Discipline::Red(red) => red.oldest(),
        }
    }

    /// What waits, one by one, in no order.
    pub fn each(&self, what: impl FnMut(&T)) {
        match &self.discipline {
            Discipline::Codel(codel) => codel.iter().for_each(what),
            Discipline::FqCodel(fq) => fq.iter().for_each(what),
            Discipline::DualPi2(dual) => dual.iter().for_each(what),
            Discipline::Step(step) => step.iter().for_each(what),
            Discipline::Red(red) => red.iter().for_each(what),
        }
    }

    /// The same, mutable, for changes that do not concern the queue.
    pub fn each_mut(&mut self, what: impl FnMut(&mut T)) {
        match &mut self.discipline {
            Discipline::Codel(codel) => codel.iter_mut().for_each(what),
            Discipline::FqCodel(fq) => fq.iter_mut().for_each(what),
            Discipline::DualPi2(dual) => dual.iter_mut().for_each(what),
            Discipline::Step(step) => step.iter_mut().for_each(what),
            Discipline::Red(red) => red.iter_mut().for_each(what),
        }
    }
}

impl<T> Default for Facts<T> {
    fn default() -> Self {
        Self { waiting: Count::default(), marked: Count::default(), dropped: VecDeque::new() }
    }
}

impl<T: Waiting> Facts<T> {
    /// Drops a packet although the queue is not full.
    fn drop_early(&mut self, item: T) {
        self.drop(item, DropCause::Early);
    }

    fn drop(&mut self, item: T, cause: DropCause) {
        self.leave(item.length());
        self.dropped.push_back((item, cause));
    }

    /// Marks a packet; false where its sender would not understand.
    fn mark(&mut self, item: &mut T) -> bool {
        let length = item.length();
        let understood = item.packet_mut().mark();
        if understood {
            self.marked.add(length);
        }
        understood
    }

    fn leave(&mut self, length: Bytes) {
        self.waiting = self.waiting.less(Count { packets: 1, bytes: length });
    }
}

#[cfg(test)]
pub(crate) mod testing;
