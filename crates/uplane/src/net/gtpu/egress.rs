//! The end of a GTP-U tunnel: reassembles packets, adds processing time, and forwards the users'
//! packets.
//!
//! In: tunnelled packets and fragments of them. Out: the users' packets, in the order in which they
//! became complete.
//!
//! The node has one processor, which takes fragments and packets one after another; the wait for it
//! is processing time, too. A packet that was not fragmented costs `per_packet` only.
//!
//! Left out: a limit for the queue of the processor. An overload therefore increases the delay
//! without drops.

use std::collections::VecDeque;

use super::decapsulate;
use crate::net::ip::{Insertion, Reassembly};
use crate::net::ledger::Cause;
use crate::net::packet::Packet;
use crate::net::tally::{Count, DropCause, Tally};
use crate::sim::Outbox;
use crate::unit::{Duration, Instant};

/// The processing times of a tunnel's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Processing time of each fragment.
    pub per_fragment: Duration,
    /// Processing time of each complete packet.
    pub per_packet: Duration,
    /// Time that fragments wait for the others, see [`crate::net::ip::REASSEMBLY_TIMEOUT`].
    pub reassembly_timeout: Duration,
}

/// The effects of a tunnel's end.
#[derive(Debug)]
pub enum Effect {
    /// A user's packet, removed from the tunnel.
    Deliver(Box<Packet>),
    /// A fragment was dropped, with the cause.
    Drop(Box<Packet>, DropCause),
}

/// The end of a tunnel, with its processor.
#[derive(Clone, Debug)]
pub struct Egress {
    config: Config,
    reassembly: Reassembly,
    /// Time until which the processor is busy.
    busy_until: Instant,
    /// Complete packets in processing, first to last.
    work: VecDeque<Work>,
    tally: Tally,
}

#[derive(Clone, Debug)]
struct Work {
    done: Instant,
    packet: Box<Packet>,
    /// Count of the packets or fragments that were received for this packet.
    entered: Count,
}

impl Egress {
    /// Creates the end of a tunnel, idle.
    pub fn new(config: Config) -> Self {
        Self {
            config,
            reassembly: Reassembly::new(config.reassembly_timeout),
            busy_until: Instant::ZERO,
            work: VecDeque::new(),
            tally: Tally::default(),
        }
    }

    /// Removes the tunnel of a packet and returns `true`, if that takes no time now. Otherwise the
    /// caller has to use [`Egress::on_packet`].
    #[inline]
    pub fn passes(&mut self, now: Instant, packet: &mut Packet) -> bool {
        let takes_time = !self.config.per_packet.is_zero() || self.busy_until > now;
        if takes_time || packet.tunnel.is_none() {
            return false;
        }
        let length = packet.length;
        let mut came = Count::default();
        came.add(length);
        self.tally.enter(length);
        decapsulate(packet);
        packet.ledger.charge(Cause::Processing, now);
        self.tally.join(came, packet.length);
        true
    }

    /// Takes a tunnelled packet or a fragment of one.
    pub fn on_packet(&mut self, now: Instant, packet: Box<Packet>, out: &mut Outbox<Effect>) {
        self.tally.enter(packet.length);
        if packet.tunnel.is_some() {
            let mut entered = Count::default();
            entered.add(packet.length);
            self.process(now, packet, entered, out);
        } else {
            self.take_fragment(now, packet, out);
        }
        self.wait(out);
    }

    /// Delivers packets whose processing is complete, and drops fragments that have waited too
    /// long.
    pub fn on_timer(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        while self.first_done().is_some_and(|done| done <= now) {
            let work = self.work.pop_front().expect("the first to be done is there");
            self.deliver(work.packet, work.entered, out);
        }
        while let Some(fragments) = self.reassembly.expire(now) {
            fragments.for_each(|fragment| self.drop(fragment, DropCause::Incomplete, out));
        }
        self.wait(out);
    }

    /// Returns the counts of received packets and fragments, with their tunnel.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Counts the packets and fragments inside, one by one.
    pub fn held(&self) -> Count {
        let mut sum = self.reassembly.held();
        self.work.iter().for_each(|work| sum += work.entered);
        sum
    }

    fn take_fragment(&mut self, now: Instant, fragment: Box<Packet>, out: &mut Outbox<Effect>) {
        self.busy_until = now.max(self.busy_until) + self.config.per_fragment;
        match self.reassembly.insert(now, fragment) {
            Insertion::Complete(whole, fragments) => self.process(now, whole, fragments, out),
            Insertion::Waiting => {}
            Insertion::Duplicate(fragment) => self.drop(fragment, DropCause::Duplicate, out),
        }
    }

    #[inline(always)]
    fn process(
        &mut self,
        now: Instant,
        mut packet: Box<Packet>,
        entered: Count,
        out: &mut Outbox<Effect>,
    ) {
        let done = now.max(self.busy_until) + self.config.per_packet;
        self.busy_until = done;
        decapsulate(&mut packet);
        packet.ledger.charge(Cause::Processing, done);
        if done <= now {
            self.deliver(packet, entered, out);
        } else {
            self.work.push_back(Work { done, packet, entered });
        }
    }

    #[inline(always)]
    fn deliver(&mut self, packet: Box<Packet>, entered: Count, out: &mut Outbox<Effect>) {
        self.tally.join(entered, packet.length);
        out.emit(Effect::Deliver(packet));
    }

    fn wait(&self, out: &mut Outbox<Effect>) {
        let due = [self.first_done(), self.reassembly.deadline()];
        out.wake(due.into_iter().flatten().min());
    }

    fn first_done(&self) -> Option<Instant> {
        self.work.front().map(|work| work.done)
    }

    fn drop(&mut self, fragment: Box<Packet>, cause: DropCause, out: &mut Outbox<Effect>) {
        self.tally.drop(cause, fragment.length);
        out.emit(Effect::Drop(fragment, cause));
    }
}

/// An end that takes no time, and waits for fragments as long as a host does.
impl Default for Config {
    fn default() -> Self {
        Self {
            per_fragment: Duration::ZERO,
            per_packet: Duration::ZERO,
            reassembly_timeout: crate::net::ip::REASSEMBLY_TIMEOUT,
        }
    }
}
