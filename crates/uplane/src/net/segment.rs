//! The TCP header on the network (RFC 9293 §3.1).
//!
//! In: the decisions of a sender. Out: a header for receivers, packet filters and ACK filters.
//!
//! Left out: checksum, urgent pointer and reserved bits. They do not matter in a run: corrupted
//! segments are lost ones, and no application sends urgent data.

use super::byte_counters::ByteCounters;
use super::cookie::Cookie;
use crate::unit::{Bytes, Duration};

/// A 32-bit sequence number. It has no order of its own, only a distance from a base, and a
/// position in the stream (RFC 9293 §3.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SequenceNumber(pub u32);

/// The header of one segment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    /// The sequence number (`SEG.SEQ`).
    pub seq: SequenceNumber,
    /// The acknowledgement number (`SEG.ACK`), meaningful with [`Flags::ACK`].
    pub ack: SequenceNumber,
    /// Control bits of the header.
    pub flags: Flags,
    /// The window field as sent, before scaling (RFC 7323 §2.2).
    pub window: u16,
    /// Length of the TCP payload.
    pub payload: Bytes,
    /// The maximum segment size option (RFC 9293 §3.7.1).
    pub mss: Option<u16>,
    /// The window scale option (RFC 7323 §2).
    pub window_scale: Option<u8>,
    /// The SACK-permitted option (RFC 2018 §2).
    pub sack_permitted: bool,
    /// The timestamps option (RFC 7323 §3).
    pub timestamps: Option<Timestamps>,
    /// The SACK option (RFC 2018 §3).
    pub sack: SackBlocks,
    /// The Fast Open option (RFC 7413 §4.1.1).
    pub fast_open: Option<Cookie>,
    /// The AccECN option (RFC 9768 §3.2.3); boxed, since few segments have one.
    pub byte_counters: Option<Box<ByteCounters>>,
}

/// The control bits of a segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(pub u16);

/// The timestamps option (RFC 7323 §3.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timestamps {
    /// The value of the sender's clock (`TSval`).
    pub value: u32,
    /// The echoed value (`TSecr`).
    pub echo: u32,
}

/// Up to four SACK blocks `[left, right)` (RFC 2018 §3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SackBlocks {
    blocks: [(SequenceNumber, SequenceNumber); 4],
    count: u8,
}

impl SequenceNumber {
    /// Returns the number of the byte `offset` positions after number zero.
    pub const fn from_offset(offset: u64) -> Self {
        Self(offset as u32)
    }

    /// Returns the position in the stream nearest to `near` that has this number.
    pub const fn expand(self, near: u64) -> u64 {
        let distance = self.0.wrapping_sub(near as u32).cast_signed();
        near.saturating_add_signed(distance as i64)
    }

    /// Returns the distance of this number from `base`, which is negative if this number is before
    /// it.
    pub const fn offset_from(self, base: Self) -> i32 {
        self.0.wrapping_sub(base.0).cast_signed()
    }
}

impl Flags {
    /// The sender has no more data.
    pub const FIN: Self = Self(1);
    /// Synchronise sequence numbers.
    pub const SYN: Self = Self(2);
    /// The connection is reset.
    pub const RST: Self = Self(4);
    /// Pushes data to the receiving application.
    pub const PSH: Self = Self(8);
    /// The acknowledgement field is significant.
    pub const ACK: Self = Self(16);
    /// The urgent pointer is significant.
    pub const URG: Self = Self(32);
    /// ECN echo (RFC 3168 §6.1).
    pub const ECE: Self = Self(64);
    /// Congestion window reduced (RFC 3168 §6.1).
    pub const CWR: Self = Self(128);
    /// Accurate ECN (RFC 9768 §3.1.1), formerly the `NS` bit of RFC 3540.
    pub const AE: Self = Self(256);

    /// Returns `true` if all bits of `other` are set.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns `true` if any bit of `other` is set.
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the bits of both.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the ACE field: `AE`, `CWR` and `ECE` as one number (RFC 9768 §3.2.1).
    pub const fn ace(self) -> u8 {
        (self.0 >> 6 & 7) as u8
    }

    /// Returns the flags `AE`, `CWR` and `ECE` of this number, of which the three lowest bits
    /// count.
    pub const fn of_ace(ace: u8) -> Self {
        Self((ace as u16 & 7) << 6)
    }
}

impl SackBlocks {
    /// Appends a block. A fifth one is dropped, since the option has no space for it.
    pub fn push(&mut self, left: SequenceNumber, right: SequenceNumber) {
        if let Some(block) = self.blocks.get_mut(usize::from(self.count)) {
            *block = (left, right);
            self.count += 1;
        }
    }

    /// Returns the blocks, first to last.
    pub fn iter(&self) -> impl Iterator<Item = (SequenceNumber, SequenceNumber)> + '_ {
        self.blocks[..usize::from(self.count)].iter().copied()
    }

    /// Returns `true` if there is no block.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the number of blocks.
    pub fn len(&self) -> usize {
        usize::from(self.count)
    }
}

impl Segment {
    /// Returns the length of the TCP header with its options, each padded to whole words as in
    /// common stacks.
    pub fn header_length(&self) -> Bytes {
        // SACK-permitted uses the padding of the timestamps if both are sent.
        let paired = match (self.timestamps.is_some(), self.sack_permitted) {
            (true, _) => 12,
            (false, true) => 4,
            (false, false) => 0,
        };
        let mss = if self.mss.is_some() { 4 } else { 0 };
        let window_scale = if self.window_scale.is_some() { 4 } else { 0 };
        let sack = if self.sack.is_empty() { 0 } else { 4 + 8 * self.sack.len() as u64 };
        let fast_open = self.fast_open.map_or(0, |cookie| cookie.option_length().0);
        let counters = self.byte_counters.as_ref().map_or(0, |it| it.option_length().0);
        Bytes(20 + paired + mss + window_scale + sack + fast_open + counters)
    }

    /// Returns the number of bytes left for further options (RFC 9293 §3.1: fifteen words).
    pub fn room_for_options(&self) -> u64 {
        60_u64.saturating_sub(self.header_length().0)
    }

    /// Returns the number of sequence numbers of the segment: payload, SYN and FIN (RFC 9293 §3.4,
    /// `SEG.LEN`).
    pub fn sequence_length(&self) -> u64 {
        self.payload.0
            + u64::from(self.flags.contains(Flags::SYN))
            + u64::from(self.flags.contains(Flags::FIN))
    }
}

/// The tick of timestamps: one millisecond (RFC 7323 §5.4 allows 1 ms to 1 s).
impl Timestamps {
    /// Length of one tick of the timestamp clock.
    pub const TICK: Duration = Duration::from_millis(1);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 9293 §3.4: arithmetic modulo 2^32.
    #[test]
    fn a_number_expands_to_the_nearest_position() {
        let base = (7 << 32) + 5;
        assert_eq!(SequenceNumber::from_offset(base + 10).expand(base), base + 10);
        assert_eq!(SequenceNumber::from_offset(base - 10).expand(base), base - 10);
        assert_eq!(SequenceNumber(u32::MAX).expand(0), 0);
    }

    #[test]
    fn header_lengths_are_those_on_the_wire() {
        let ts = Some(Timestamps::default());
        let plain = Segment::default();
        let syn = Segment {
            mss: Some(1460),
            window_scale: Some(7),
            sack_permitted: true,
            timestamps: ts,
            ..Segment::default()
        };
        let mut ack = Segment { timestamps: ts, ..Segment::default() };
        assert_eq!([&plain, &syn, &ack].map(|segment| segment.header_length().0), [20, 40, 32]);
        ack.sack.push(SequenceNumber(1), SequenceNumber(2));
        assert_eq!(ack.header_length(), Bytes(44));
        let longest = Some(Cookie { value: 0, length: 16 });
        let fast = |fast_open| Segment { fast_open, ..syn.clone() }.header_length().0;
        assert_eq!([fast(Some(Cookie::REQUEST)), fast(longest)], [44, 60], "the longest header");
        ack.byte_counters = Some(Box::new(ByteCounters::all(1, 0, 1, false)));
        assert_eq!((ack.header_length(), ack.room_for_options()), (Bytes(56), 4));
    }
}
