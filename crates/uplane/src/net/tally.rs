//! Counts of the packets that enter and leave one hop, so that no packet is lost unnoticed.
//!
//! In: each packet that enters, leaves, or is dropped, with its length at that hop. Out: the
//! balance `in = out + dropped + held`, which property tests and every run check.

use std::ops::AddAssign;
use std::slice::IterMut;

use crate::record::{Column, Field, Owner, columns, named, table};
use crate::unit::Bytes;

named! {
    /// Reason why a packet was dropped.
    pub DropCause {
        /// The queue was full.
        Queue = "queue",
        /// The link or the radio lost the packet.
        Loss = "loss",
        /// The packet exceeded the MTU of the next link and must not be fragmented.
        TooBig = "too big",
        /// A fragment of the packet was lost.
        Incomplete = "incomplete",
        /// All bytes of the packet had arrived before.
        Duplicate = "duplicate",
        /// The PDCP discard timer expired, or the packet arrived after the PDCP receiver had
        /// stopped waiting for it.
        Late = "late",
        /// An ACK filter dropped the ACK, because a later one replaces it.
        Filtered = "filtered",
        /// Active queue management dropped the packet before the queue was full (RFC 7567).
        Early = "early",
        /// The UE changed its cell, and the source cell did not forward the packet.
        Handover = "handover",
    }
}

table! {
    /// Packets at one hop in one direction, which satisfy in = out + dropped + held. The table
    /// `drops` has the reasons of drops.
    hops: pub(crate) HopRow {
        /// Name of the hop: a link, tunnel or radio.
        hop: String,
        /// Direction: `down` or `up`.
        direction: &'static str,
        /// Counters.
        tally: Tally,
        /// Number of packets (or fragments) inside the hop at the end of the run.
        held: Count,
        /// Number of ACKs (TCP segments without payload) that entered the hop.
        acks_in: u64,
        /// Bytes of ACKs (TCP segments without payload) that entered the hop, with the headers of a
        /// tunnel around them.
        ack_bytes_in: Bytes,
    }
}

table! {
    /// Packets (or fragments) of one application that one hop dropped for one reason.
    drops: pub(crate) DropRow {
        /// Application and UE.
        owner: Owner,
        /// Name of the hop: a link, tunnel, radio or host.
        hop: String,
        /// Direction: `down` or `up`.
        direction: &'static str,
        /// Reason why the hop dropped the packets.
        cause: DropCause,
        /// Number of dropped packets (or fragments).
        packets: u64,
        /// Bytes of the dropped packets (or fragments).
        bytes: Bytes,
    }
}

columns! {
    /// Packets that passed one hop in one direction.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub Tally {
        /// Number of packets (or fragments) that entered the hop.
        entered as in: Count,
        /// Number of packets (or fragments) that left the hop.
        left as out: Count,
        /// Number of packets (or fragments) that the hop dropped.
        dropped: ByCause,
        /// Number of packets (or fragments) that active queue management marked (CE, RFC 3168)
        /// instead of dropping them.
        marked: Count,
        /// Bytes on the wire or on the air, framing included; 0 if the hop does not count them.
        wire as wire_bytes: Bytes,
        /// Maximum queue length during the run, in bytes.
        queue_max as queue_max_bytes: Bytes,
    } besides {
        /// Packets and bytes by which fragmentation increases `entered`.
        cut: Count,
        /// Packets and bytes by which reassembly and the removal of a tunnel reduce the forwarded
        /// packets.
        joined: Count,
    }
}

/// Dropped packets by [`DropCause`].
pub type ByCause = [Count; DropCause::ALL.len()];

/// Number of packets and their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Number of packets.
    pub packets: u64,
    /// Sum of the packets' lengths.
    pub bytes: Bytes,
}

impl Tally {
    /// Counts a packet of this length that enters.
    pub fn enter(&mut self, length: Bytes) {
        self.entered.add(length);
    }

    /// Counts a packet of this length that leaves.
    pub fn leave(&mut self, length: Bytes) {
        self.left.add(length);
    }

    /// Returns the counts since `before`. The maximum queue length is that of the whole time.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        let mut dropped = self.dropped;
        for (count, before) in dropped.iter_mut().zip(before.dropped) {
            *count = count.less(before);
        }
        Self {
            entered: self.entered.less(before.entered),
            left: self.left.less(before.left),
            dropped,
            marked: self.marked.less(before.marked),
            wire: self.wire - before.wire,
            queue_max: self.queue_max,
            cut: self.cut.less(before.cut),
            joined: self.joined.less(before.joined),
        }
    }

    /// Counts a packet of this length that is dropped.
    pub fn drop(&mut self, cause: DropCause, length: Bytes) {
        self.dropped[cause as usize].add(length);
    }

    /// Adds the counts of another hop. The maximum queue length is the larger one of the two.
    pub fn add(&mut self, other: &Self) {
        self.entered += other.entered;
        self.left += other.left;
        self.cut += other.cut;
        self.joined += other.joined;
        for (sum, count) in self.dropped.iter_mut().zip(other.dropped) {
            *sum += count;
        }
        self.marked += other.marked;
        self.wire += other.wire;
        self.queue_max = self.queue_max.max(other.queue_max);
    }

    /// Counts a packet of this length that entered as these fragments.
    pub fn cut(&mut self, whole: Bytes, fragments: Count) {
        self.cut += fragments.less(Count { packets: 1, bytes: whole });
    }

    /// Counts a packet of this length that leaves, and that entered as `came`.
    pub fn join(&mut self, came: Count, whole: Bytes) {
        self.left += came;
        self.joined += came.less(Count { packets: 1, bytes: whole });
    }

    /// Returns the count of packets that the hop before this one forwarded, fragmented or not.
    pub fn handed_in(&self) -> Count {
        self.entered.less(self.cut)
    }

    /// Returns the count of packets that are forwarded to the hop behind this one.
    pub fn handed_on(&self) -> Count {
        self.left.less(self.joined)
    }

    /// Returns the count of all drops.
    pub fn dropped(&self) -> Count {
        together(&self.dropped)
    }

    /// Returns the count of packets that must be inside: entered − left − dropped. Panics if more
    /// left than entered. The hops themselves count the packets they hold one by one; both counts
    /// agree.
    pub fn held(&self) -> Count {
        self.entered.less(self.left).less(self.dropped())
    }
}

impl Count {
    /// Returns the difference of two counts. Panics if `other` is larger.
    #[must_use]
    pub fn less(self, other: Self) -> Self {
        let packets = self.packets.checked_sub(other.packets);
        let packets = packets.expect("more packets came out than went in");
        Self { packets, bytes: self.bytes - other.bytes }
    }

    /// Adds one packet of this length.
    pub fn add(&mut self, length: Bytes) {
        self.packets += 1;
        self.bytes += length;
    }
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        self.packets += other.packets;
        self.bytes += other.bytes;
    }
}

fn together(counts: &[Count]) -> Count {
    let mut sum = Count::default();
    for &count in counts {
        sum += count;
    }
    sum
}

/// Two columns: `packets_` and `bytes_` with the name of the field.
impl Field for Count {
    fn declare(name: &str, doc: &'static str, columns: &mut Vec<Column>) {
        u64::declare(&format!("packets_{name}"), doc, columns);
        let doc = match name {
            "in" => "Bytes of packets (or fragments) that entered the hop, IP headers included.",
            "out" => "Bytes of packets (or fragments) that left the hop, IP headers included.",
            "dropped" => "Bytes of packets (or fragments) that the hop dropped.",
            "marked" => "Bytes of packets (or fragments) that active queue management marked.",
            _ => "Bytes of packets (or fragments) inside the hop at the end of the run.",
        };
        Bytes::declare(&format!("bytes_{name}"), doc, columns);
    }
    fn push(self, columns: &mut IterMut<'_, Column>) {
        self.packets.push(columns);
        self.bytes.push(columns);
    }
}

/// Two columns for the sum over all causes.
impl Field for ByCause {
    fn declare(name: &str, doc: &'static str, columns: &mut Vec<Column>) {
        Count::declare(name, doc, columns);
    }
    fn push(self, columns: &mut IterMut<'_, Column>) {
        together(&self).push(columns);
    }
}
