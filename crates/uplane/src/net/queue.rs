//! Queues with management, in front of a link or of a bearer: they determine the next packet, the
//! packets that are marked, and those that are dropped before the queue is full (RFC 7567).
//!
//! In: arriving packets, and each turn to send, with the time. Out: the packets that are sent;
//! dropped packets, with the cause; marks (RFC 3168).
//!
//! | file | discipline |
//! |---|---|
//! | [`codel`] | CoDel (RFC 8289) |
//! | [`fq_codel`] | FQ-CoDel (RFC 8290) |
//! | [`dual_pi2`] | DualPI2 (RFC 9332) |
//! | [`step`] | marks packets that have waited too long (TS 23.501 §5.37.3) |
//! | [`red`] | RED (Floyd and Jacobson 1993) |
//!
//! A plain first-in, first-out queue with a maximum length needs none of this: a link books its
//! departures when packets arrive ([`super::link`]), and a bearer has RLC's buffer.
//!
//! Left out: several disciplines in series, and classes of service. This matters for studies of a
//! router with traffic classes.

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

/// An item that can wait in a queue.
pub trait Waiting {
    /// Returns the length that counts against the queue's limit.
    fn length(&self) -> Bytes;
    /// Returns the packet of this item.
    fn packet(&self) -> &Packet;
    /// Returns the packet, mutable, to mark it.
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

/// The counts and drops of a discipline, in addition to the packets that it returns.
#[derive(Clone, Debug)]
pub(in crate::net) struct Facts<T> {
    /// Count of the packets that wait.
    waiting: Count,
    /// Packets that were marked since the last [`Queue::take_marked`].
    marked: Count,
    dropped: VecDeque<(T, DropCause)>,
}

impl<T: Waiting> Queue<T> {
    /// Creates an empty queue with this limit; `stream` gives its random choices.
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

    /// Queues an item, or drops one. `beside` are bytes that wait elsewhere and also count against
    /// the limit.
    pub fn enqueue(&mut self, now: Instant, item: T, beside: Bytes) {
        let Self { discipline, facts, .. } = self;
        let limit = self.limit.beside(beside);
        let has_room = limit.has_room(facts.waiting, item.length());
        facts.waiting.add(item.length());
        match discipline {
            // FQ-CoDel drops from the longest of its queues.
            Discipline::FqCodel(fq) => fq.enqueue(now, item, limit, facts),
            _ if !has_room => facts.drop(item, DropCause::Queue),
            Discipline::Codel(codel) => codel.enqueue(now, item),
            Discipline::DualPi2(dual) => dual.enqueue(now, item),
            Discipline::Step(step) => step.enqueue(now, item),
            Discipline::Red(red) => red.enqueue(now, item, facts),
        }
    }

    /// Removes the item that is sent now. Returns `None` if no item is left.
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

    /// Removes the next dropped item, and returns it with the cause.
    pub fn take_dropped(&mut self) -> Option<(T, DropCause)> {
        self.facts.dropped.pop_front()
    }

    /// Returns the count of items marked since the last call.
    pub fn take_marked(&mut self) -> Count {
        std::mem::take(&mut self.facts.marked)
    }

    /// Returns the count of items that wait.
    pub fn waiting(&self) -> Count {
        self.facts.waiting
    }

    /// Returns the arrival time of the oldest item that waits.
    pub fn oldest(&self) -> Option<Instant> {
        match &self.discipline {
            Discipline::Codel(codel) => codel.oldest(),
            Discipline::FqCodel(fq) => fq.oldest(),
            Discipline::DualPi2(dual) => dual.oldest(),
            Discipline::Step(step) => step.oldest(),
            Discipline::Red(red) => red.oldest(),
        }
    }

    /// Calls `what` for each item that waits, in no particular order.
    pub fn each(&self, what: impl FnMut(&T)) {
        match &self.discipline {
            Discipline::Codel(codel) => codel.iter().for_each(what),
            Discipline::FqCodel(fq) => fq.iter().for_each(what),
            Discipline::DualPi2(dual) => dual.iter().for_each(what),
            Discipline::Step(step) => step.iter().for_each(what),
            Discipline::Red(red) => red.iter().for_each(what),
        }
    }

    /// Calls `what` for each item that waits, mutable, for changes that do not concern the queue.
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

    /// Marks a packet. Returns `false` if its sender would not understand the mark.
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
