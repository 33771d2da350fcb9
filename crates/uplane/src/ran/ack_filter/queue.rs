//! The uplink queue of a bearer, as an ACK filter sees it.
//!
//! In: entries at the end, packets begun at the front. Out: the oldest acknowledgement that a later
//! one makes needless.

use std::collections::VecDeque;

use crate::net::SequenceNumber;
use crate::unit::{Bytes, FlowId};

/// One queued packet.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    flow: FlowId,
    size: Bytes,
    acknowledgement: Option<Acknowledgement>,
}

/// What a packet acknowledges.
#[derive(Clone, Copy, Debug)]
pub struct Acknowledgement {
    /// `SEG.ACK`
    pub ack: SequenceNumber,
    /// The first number that the receiver would not take.
    pub right_edge: SequenceNumber,
    /// It carries nothing else.
    pub pure: bool,
    /// It must not be taken out.
    pub protected: bool,
    /// It has the number of the one before.
    pub repeats: bool,
}

/// Entries from the oldest to the newest.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    entries: VecDeque<Entry>,
}

impl Entry {
    /// A packet that is no acknowledgement, or one of a kind that no filter may use.
    pub fn other(flow: FlowId, size: Bytes) -> Self {
        Self { flow, size, acknowledgement: None }
    }

    /// A packet that acknowledges.
    pub fn acknowledgement(flow: FlowId, size: Bytes, what: Acknowledgement) -> Self {
        Self { flow, size, acknowledgement: Some(what) }
    }

    /// Its flow.
    pub fn flow(&self) -> FlowId {
        self.flow
    }

    /// Its size as an SDU.
    pub fn size(&self) -> Bytes {
        self.size
    }

    /// True for an acknowledgement without payload and flags.
    pub fn is_pure(&self) -> bool {
        self.acknowledgement.is_some_and(|what| what.pure)
    }

    fn may_be_discarded(&self) -> bool {
        self.acknowledgement.is_some_and(|what| what.pure && !what.protected)
    }

    /// True when `later`, queued behind it, tells the sender all that this one does.
    fn is_superseded_by(&self, later: &Self) -> bool {
        let (Some(own), Some(other)) = (self.acknowledgement, later.acknowledgement) else {
            return false;
        };
        self.flow == later.flow
            && other.ack.offset_from(own.ack) > 0
            && other.right_edge.offset_from(own.right_edge) >= 0
    }
}

impl Queue {
    /// Puts an entry at the end. A duplicate protects what it repeats: three of a number are a sign
    /// of loss only with the original (RFC 5681 §3.2).
    pub fn push(&mut self, entry: Entry) {
        if let Some(Acknowledgement { ack, repeats: true, .. }) = entry.acknowledgement {
            for earlier in &mut self.entries {
                if let Some(what) = &mut earlier.acknowledgement {
                    what.protected |= earlier.flow == entry.flow && what.ack == ack;
                }
            }
        }
        self.entries.push_back(entry);
    }

    /// Removes the first `count` entries; says how many of them were pure acknowledgements.
    pub fn pop(&mut self, count: usize) -> u64 {
        self.entries.drain(..count).filter(Entry::is_pure).count() as u64
    }

    /// Removes the entry at `place`; true when it was a pure acknowledgement.
    pub fn remove(&mut self, place: usize) -> bool {
        self.entries.remove(place).is_some_and(|entry| entry.is_pure())
    }

    /// Puts `count` entries of which nothing is known to the front.
    pub fn restore(&mut self, count: usize) {
        let unknown = Entry::other(FlowId::default(), Bytes::ZERO);
        (0..count).for_each(|_| self.entries.push_front(unknown));
    }

    /// Entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True without entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Pure acknowledgements, from the newest to the oldest; of one flow, or of all.
    pub fn pure(&self, flow: Option<FlowId>) -> impl Iterator<Item = &Entry> {
        let wanted =
            move |entry: &&Entry| entry.is_pure() && flow.is_none_or(|flow| flow == entry.flow);
        self.entries.iter().rev().filter(wanted)
    }

    /// Removes the `most` oldest acknowledgements that later ones make needless, of one flow or of
    /// all. Writes their places, counted before anything was removed, to `discard`, from the last
    /// to the first.
    pub fn discard(&mut self, most: usize, flow: Option<FlowId>, discard: &mut Vec<usize>) {
        if most == 0 {
            return;
        }
        let needless = self.entries.iter().enumerate().filter(|(place, entry)| {
            let mut later = self.entries.range(place + 1..);
            flow.is_none_or(|flow| flow == entry.flow)
                && entry.may_be_discarded()
                && later.any(|later| entry.is_superseded_by(later))
        });
        discard.extend(needless.map(|(place, _)| place).take(most));
        discard.reverse();
        for place in discard.iter() {
            self.entries.remove(*place);
        }
    }
}
