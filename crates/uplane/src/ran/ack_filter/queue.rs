//! An ACK filter's view of the uplink queue of a bearer.
//!
//! In: entries at the end, packets begun at the front. Out: the oldest acknowledgement that a later
//! one supersedes.

use std::collections::VecDeque;

use crate::net::SequenceNumber;
use crate::unit::{Bytes, FlowId};

/// One packet in the uplink queue.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    flow: FlowId,
    size: Bytes,
    acknowledgement: Option<Acknowledgement>,
}

/// The acknowledgement in a packet.
#[derive(Clone, Copy, Debug)]
pub struct Acknowledgement {
    /// The acknowledgement number (`SEG.ACK`).
    pub ack: SequenceNumber,
    /// The right edge of the window: the first sequence number that the receiver would refuse.
    pub right_edge: SequenceNumber,
    /// The packet carries only this acknowledgement.
    pub pure: bool,
    /// The acknowledgement must not be dropped.
    pub protected: bool,
    /// The acknowledgement repeats the number of the one before.
    pub repeats: bool,
}

/// The queue: entries from the oldest to the newest.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    entries: VecDeque<Entry>,
}

impl Entry {
    /// Creates an entry for a packet without an acknowledgement, or with one that no filter may
    /// use.
    pub fn other(flow: FlowId, size: Bytes) -> Self {
        Self { flow, size, acknowledgement: None }
    }

    /// Creates an entry for a packet with an acknowledgement.
    pub fn acknowledgement(flow: FlowId, size: Bytes, what: Acknowledgement) -> Self {
        Self { flow, size, acknowledgement: Some(what) }
    }

    /// Returns the flow of the packet.
    pub fn flow(&self) -> FlowId {
        self.flow
    }

    /// Returns the size of the packet as an SDU.
    pub fn size(&self) -> Bytes {
        self.size
    }

    /// Returns `true` for an acknowledgement without payload and without other flags.
    pub fn is_pure(&self) -> bool {
        self.acknowledgement.is_some_and(|what| what.pure)
    }

    fn may_be_discarded(&self) -> bool {
        self.acknowledgement.is_some_and(|what| what.pure && !what.protected)
    }

    /// Returns `true` if `later`, queued behind this entry, contains all information of this one.
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
    /// Puts an entry at the end. A duplicate protects the acknowledgement that it repeats: three
    /// duplicates are a sign of loss only with the original (RFC 5681 §3.2).
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

    /// Removes the first `count` entries. Returns the number of pure acknowledgements among them.
    pub fn pop(&mut self, count: usize) -> u64 {
        self.entries.drain(..count).filter(Entry::is_pure).count() as u64
    }

    /// Removes the entry at `place`. Returns `true` if it was a pure acknowledgement.
    pub fn remove(&mut self, place: usize) -> bool {
        self.entries.remove(place).is_some_and(|entry| entry.is_pure())
    }

    /// Puts `count` unknown entries to the front.
    pub fn restore(&mut self, count: usize) {
        let unknown = Entry::other(FlowId::default(), Bytes::ZERO);
        (0..count).for_each(|_| self.entries.push_front(unknown));
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns `true` if the queue has no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the pure acknowledgements of one flow, or of all flows, from the newest to the
    /// oldest.
    pub fn pure(&self, flow: Option<FlowId>) -> impl Iterator<Item = &Entry> {
        let wanted =
            move |entry: &&Entry| entry.is_pure() && flow.is_none_or(|flow| flow == entry.flow);
        self.entries.iter().rev().filter(wanted)
    }

    /// Removes up to `most` of the oldest acknowledgements that later ones supersede, of one flow
    /// or of all. Writes their positions before any removal to `discard`, from the last to the
    /// first.
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
