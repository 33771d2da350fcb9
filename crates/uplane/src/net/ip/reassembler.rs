//! A host's reassembly of IP packets (RFC 791 §3.2, RFC 8200 §4.5).
//!
//! In: packets and fragments, in any order. Out: complete packets; fragments that have waited too
//! long are dropped. A packet that was never fragmented passes at once.
//!
//! Left out: the ICMP message "fragment reassembly time exceeded" (RFC 792): no transport here
//! reacts to it.

use super::reassembly::{Insertion, Reassembly};
use crate::net::packet::{Body, Packet};
use crate::net::tally::{Count, DropCause, Tally};
use crate::sim::Outbox;
use crate::unit::{Duration, Instant};

/// The effects of the reassembling host.
#[derive(Debug)]
pub enum Effect {
    /// A complete packet for the host.
    Deliver(Box<Packet>),
    /// A fragment was dropped, with the cause.
    Drop(Box<Packet>, DropCause),
}

/// Reassembles the packets for one host.
#[derive(Clone, Debug)]
pub struct Reassembler {
    reassembly: Reassembly,
    tally: Tally,
}

impl Reassembler {
    /// Creates a reassembler that waits `timeout` from a packet's first fragment (see
    /// [`super::REASSEMBLY_TIMEOUT`]).
    pub fn new(timeout: Duration) -> Self {
        Self { reassembly: Reassembly::new(timeout), tally: Tally::default() }
    }

    /// Takes a packet or a fragment.
    pub fn on_packet(&mut self, now: Instant, packet: Box<Packet>, out: &mut Outbox<Effect>) {
        self.tally.enter(packet.length);
        if !matches!(packet.body, Body::Fragment(_)) {
            self.tally.leave(packet.length);
            out.emit(Effect::Deliver(packet));
            return;
        }
        match self.reassembly.insert(now, packet) {
            Insertion::Complete(whole, fragments) => {
                self.tally.join(fragments, whole.length);
                out.emit(Effect::Deliver(whole));
            }
            Insertion::Waiting => {}
            Insertion::Duplicate(fragment) => self.drop(fragment, DropCause::Duplicate, out),
        }
        out.wake(self.reassembly.deadline());
    }

    /// Drops the fragments that have waited too long.
    pub fn on_timer(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        while let Some(fragments) = self.reassembly.expire(now) {
            fragments.for_each(|fragment| self.drop(fragment, DropCause::Incomplete, out));
        }
        out.wake(self.reassembly.deadline());
    }

    /// Returns the counts of received packets and fragments.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Counts the fragments inside, one by one.
    pub fn held(&self) -> Count {
        self.reassembly.held()
    }

    fn drop(&mut self, fragment: Box<Packet>, cause: DropCause, out: &mut Outbox<Effect>) {
        self.tally.drop(cause, fragment.length);
        out.emit(Effect::Drop(fragment, cause));
    }
}
