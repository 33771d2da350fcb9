//! Segments received out of order, kept until the gap before them is filled.
//!
//! In: segments beyond the next expected byte. Out: these segments in order, once the gap is
//! filled.

use std::collections::VecDeque;

use super::ranges::{Range, RangeSet};
use crate::net::{Packet, SackBlocks, SequenceNumber};
use crate::unit::Bytes;

/// Data that a receiver holds out of order.
#[derive(Clone, Debug, Default)]
pub(super) struct Reassembly {
    ranges: RangeSet,
    /// Sorted ascending by position.
    held: VecDeque<Held>,
    /// A position in each range, the most recently changed first (RFC 2018 §4).
    recent: VecDeque<u64>,
}

/// A segment received out of order.
#[derive(Clone, Debug)]
struct Held {
    start: u64,
    packet: Box<Packet>,
    /// The bytes that this packet was the first to deliver.
    new: Bytes,
}

impl Reassembly {
    /// Returns `true` while nothing is out of order.
    pub(super) fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Returns the number of ranges out of order.
    pub(super) fn ranges(&self) -> usize {
        self.ranges.count()
    }

    /// Keeps a segment with the data of `range`, unless all of it was received before; returns the
    /// number of new bytes.
    pub(super) fn insert(&mut self, range: Range, packet: Box<Packet>) -> u64 {
        let new = self.ranges.insert(range);
        if new == 0 {
            return 0;
        }
        let held = Held { start: range.left, packet, new: Bytes(new) };
        let place = self.held.partition_point(|other| other.start <= range.left);
        self.held.insert(place, held);
        self.recent.push_front(range.left);
        self.recent.truncate(REMEMBERED);
        new
    }

    /// Returns the end of the data without a gap, if everything before `nxt` has been received.
    pub(super) fn contiguous_end(&self, nxt: u64) -> u64 {
        self.ranges.around(nxt).map_or(nxt, |range| range.right)
    }

    /// Removes and returns the next segment before `nxt`; all of them are in order.
    pub(super) fn take_before(&mut self, nxt: u64) -> Option<(Box<Packet>, Bytes)> {
        if self.held.front()?.start >= nxt {
            self.ranges.trim_below(nxt);
            return None;
        }
        let held = self.held.pop_front()?;
        if self.held.is_empty() {
            self.ranges.trim_below(nxt);
        }
        Some((held.packet, held.new))
    }

    /// Returns the range around `position`.
    pub(super) fn around(&self, position: u64) -> Option<Range> {
        self.ranges.around(position)
    }

    /// RFC 2018 §4: returns the block with the newest segment first, then the other recent ones. A
    /// `duplicate` to report precedes them (RFC 2883 §4).
    pub(super) fn report(&self, duplicate: Option<Range>, room: usize) -> SackBlocks {
        let mut blocks: [Option<Range>; MAXIMUM_BLOCKS] = [None; MAXIMUM_BLOCKS];
        let mut count = 0;
        let most = MAXIMUM_BLOCKS.min(room.saturating_sub(usize::from(duplicate.is_some())));
        let newest = duplicate.map(|twice| twice.left);
        for position in newest.into_iter().chain(self.recent.iter().copied()) {
            if count >= most {
                break;
            }
            let is_in = |block: &Range| block.left <= position && position < block.right;
            // Most positions lie in a block that this report has already.
            if !blocks[..count].iter().flatten().any(is_in)
                && let Some(block) = self.around(position)
            {
                blocks[count] = Some(block);
                count += 1;
            }
        }
        let mut report = SackBlocks::default();
        for block in duplicate.into_iter().chain(blocks.into_iter().flatten()) {
            let edges = [block.left, block.right].map(SequenceNumber::from_offset);
            report.push(edges[0], edges[1]);
        }
        report
    }
}

/// Number of blocks in the option space of a header without timestamps (RFC 2018 §3).
const MAXIMUM_BLOCKS: usize = 4;
/// More ranges than one report can name, since several positions may lie in one range.
const REMEMBERED: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::{Body, Segment};
    use crate::unit::Instant;

    fn packet() -> Box<Packet> {
        Box::new(Packet::plain(Body::Tcp(Segment::default()), Bytes(40), Instant::ZERO))
    }

    fn holding(ranges: &[(u64, u64)]) -> Reassembly {
        let mut reassembly = Reassembly::default();
        for &(left, right) in ranges {
            reassembly.insert(Range { left, right }, packet());
        }
        reassembly
    }

    fn report(reassembly: &Reassembly, duplicate: Option<(u64, u64)>) -> Vec<(u32, u32)> {
        let duplicate = duplicate.map(|(left, right)| Range { left, right });
        let blocks = reassembly.report(duplicate, 3);
        blocks.iter().map(|(left, right)| (left.0, right.0)).collect()
    }

    /// RFC 2018 §4, and its examples in §7: the newest segment's block is first.
    #[test]
    fn the_newest_block_is_reported_first() {
        let held = holding(&[(5500, 6000), (6500, 7000), (7500, 8000), (8500, 9000)]);
        assert_eq!(report(&held, None), [(8500, 9000), (7500, 8000), (6500, 7000)]);
        let held = holding(&[(5500, 6000), (6500, 7000), (6000, 6500)]);
        assert_eq!(report(&held, None), [(5500, 7000)]);
    }

    /// RFC 2883 §4: the duplicate is first, then the block that contains it.
    #[test]
    fn a_duplicate_is_reported_before_its_block() {
        let held = holding(&[(5500, 6500), (8000, 8500)]);
        assert_eq!(report(&held, Some((5500, 6000))), [(5500, 6000), (5500, 6500), (8000, 8500)]);
        assert_eq!(report(&held, Some((100, 200))), [(100, 200), (8000, 8500), (5500, 6500)]);
    }

    #[test]
    fn each_byte_counts_for_its_first_segment() {
        let mut held = holding(&[(100, 200), (300, 400), (150, 350), (300, 400)]);
        assert_eq!(held.contiguous_end(100), 400);
        let new: Vec<u64> =
            std::iter::from_fn(|| held.take_before(400)).map(|(_, new)| new.0).collect();
        assert_eq!(new, [100, 100, 100]);
        assert!(held.is_empty());
    }
}
