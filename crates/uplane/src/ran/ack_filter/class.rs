//! Classification of uplink packets: acknowledgements that a filter may drop, and others.
//!
//! In: the packets of an uplink, in order. Out: for each packet, whether a filter may drop it at
//! all.
//!
//! A pure acknowledgement is a TCP segment without payload whose only flag is ACK (PSH does not
//! count). It is protected if its sender would miss it: duplicates and the acknowledgement they
//! repeat (RFC 5681 §3.2 counts them), SACK blocks (RFC 2018), window updates, a shrunken or closed
//! window (RFC 9293 §3.8.6). ECN's echoes are flags, so a segment with them is not pure (RFC 3168
//! §6.1.3). With accurate ECN the flags carry a counter of marks, so a segment is pure only while
//! that counter is 0 (RFC 9768 §3.2.1).
//!
//! Left out: options. The counters of the AccECN option are ignored, since a later acknowledgement
//! counts at least as much. MPTCP options, which a real filter must protect, do not occur in a run.

use std::collections::BTreeMap;

use super::queue::{Acknowledgement, Entry};
use crate::net::{Flags, Packet, Segment, SequenceNumber};
use crate::unit::{Bytes, FlowId};

/// The classifier of one uplink, which remembers the last acknowledgement of each flow.
#[derive(Clone, Debug, Default)]
pub struct Classifier {
    flows: BTreeMap<FlowId, Flow>,
}

#[derive(Clone, Copy, Debug)]
struct Flow {
    /// Shift of the window field (RFC 7323 §2.2).
    shift: u8,
    last: Option<Last>,
}

#[derive(Clone, Copy, Debug)]
struct Last {
    ack: SequenceNumber,
    right_edge: SequenceNumber,
}

impl Classifier {
    /// Returns the queue entry of the next packet, which has `size` bytes as an SDU.
    pub fn classify(&mut self, packet: &Packet, size: Bytes) -> Entry {
        let Some(segment) = packet.segment() else { return Entry::other(packet.flow, size) };
        let flow = self.flows.entry(packet.flow).or_default();
        if segment.flags.contains(Flags::SYN) {
            // The peer may refuse the option. Windows then seem to differ more than they do, and
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
    /// Returns a flow before its SYN: with the largest shift, which keeps most acknowledgements.
    fn default() -> Self {
        Self { shift: LARGEST_SHIFT, last: None }
    }
}

fn is_pure(segment: &Segment) -> bool {
    let flags = Flags(segment.flags.0 & !Flags::PSH.0);
    segment.payload.is_zero() && flags == Flags::ACK
}

/// Flags of segments that begin or end a connection. They supersede no earlier acknowledgement.
const UNORDERED: Flags = Flags::SYN.with(Flags::RST);
/// The largest window shift (RFC 7323 §2.3).
const LARGEST_SHIFT: u8 = 14;
