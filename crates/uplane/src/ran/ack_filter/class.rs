//! Which acknowledgements say no more than a number.
//!
//! In: the packets of an uplink, in order. Out: for each, whether a filter may take it out at all.
//!
//! A pure acknowledgement is a TCP segment without payload whose flags are ACK alone (PSH does not
//! count). It is protected when its sender would miss it: duplicates and the one they repeat (RFC
//! 5681 §3.2 counts them), SACK blocks (RFC 2018), window updates, a shrunken or closed window (RFC
//! 9293 §3.8.6). ECN's echoes are flags, so a segment with them is not pure (RFC 3168 §6.1.3). With
//! accurate ECN the flags carry a counter of marks, so a segment is pure only while that counter is
//! 0 (RFC 9768 §3.2.1).
//!
//! Left out: options. The counters of the AccECN option are not looked at, since a later
//! acknowledgement counts at least as much; no segment of a run has MPTCP's, which a real filter
//! must protect.

use std::collections::BTreeMap;

use super::queue::{Acknowledgement, Entry};
use crate::net::{Flags, Packet, Segment, SequenceNumber};
use crate::unit::{Bytes, FlowId};

/// Remembers the last acknowledgement of each flow.
#[derive(Clone, Debug, Default)]
pub struct Classifier {
    flows: BTreeMap<FlowId, Flow>,
}

#[derive(Clone, Copy, Debug)]
struct Flow {
    /// RFC 7323 §2.2: the shift of its window field.
    shift: u8,
    last: Option<Last>,
}

#[derive(Clone, Copy, Debug)]
struct Last {
    ack: SequenceNumber,
    right_edge: SequenceNumber,
}

impl Classifier {
    /// The entry of a packet of `size` bytes (as an SDU) that follows those before.
    pub fn classify(&mut self, packet: &Packet, size: Bytes) -> Entry {
        let Some(segment) = packet.segment() else { return Entry::other(packet.flow, size) };
        let flow = self.flows.entry(packet.flow).or_default();
        if segment.flags.contains(Flags::SYN) {
            // The peer may refuse the option; then windows seem to differ more than they do, and
            // more acknowledgements are kept.
            flow.shift = segment.window_scale.unwrap_or(0);
        }
        if !segment.flags.contains(Flags::ACK) || segment.flags.intersects(UNORDERED) {
            return Entry::other(packet.flow, size);
        }
        let ack = segment.ack;
        let window = u32::from(segment.window) << flow.shift;
        let right_edge = SequenceNumber(ack.0.wrapping_add(window));
        let last = flow.last.replace(Last { ack, right_edge });
        let repeats = last.is_some_and(|last| last.ack == ack);
        let shrinks = last.is_some_and(|last| right_edge.offset_from(last.right_edge) < 0);
        let pure = is_pure(segment);
        let protected = !pure || repeats || shrinks || window == 0 || !segment.sack.is_empty();
        let acknowledgement = Acknowledgement { ack, right_edge, pure, protected, repeats };
        Entry::acknowledgement(packet.flow, size, acknowledgement)
    }
}

impl Default for Flow {
    /// Until a SYN has come, the largest shift, with which most acknowledgements are kept.
    fn default() -> Self {
        Self { shift: LARGEST_SHIFT, last: None }
    }
}

fn is_pure(segment: &Segment) -> bool {
    let flags = Flags(segment.flags.0 & !Flags::PSH.0);
    segment.payload.is_zero() && flags == Flags::ACK
}

/// What begins or ends a connection makes no earlier acknowledgement needless.
const UNORDERED: Flags = Flags::SYN.with(Flags::RST);
/// RFC 7323 §2.3
const LARGEST_SHIFT: u8 = 14;
