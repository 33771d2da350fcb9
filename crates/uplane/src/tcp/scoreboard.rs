//! The SACK scoreboard of a sender, and the losses that it shows (RFC 6675 §4).
//!
//! In: SACK blocks. Out: marks on the flight.

use super::flight::Flight;
use super::ranges::{Range, RangeSet};
use crate::net::SackBlocks;

/// One end's knowledge of the data that the other end has.
#[derive(Clone, Debug)]
pub(super) struct Scoreboard {
    /// Ranges received above the cumulative acknowledgement.
    sacked: RangeSet,
    /// `DupThresh` (RFC 6675 §2)
    duplicate_threshold: u32,
    /// All missing segments that end before this position were marked as lost.
    marked_below: u64,
}

/// Report of one acknowledgement's SACK blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SackUpdate {
    /// Payload of segments that SACK reports for the first time.
    pub(super) arrived: u64,
    /// A block reported data beyond the acknowledgement, old or new.
    pub(super) has_blocks: bool,
    /// The duplicate range that the first block reported (RFC 2883 §4).
    pub(super) duplicate: Option<Range>,
}

impl Scoreboard {
    pub(super) fn new(duplicate_threshold: u32) -> Self {
        Self { sacked: RangeSet::default(), duplicate_threshold, marked_below: 0 }
    }

    /// Returns `true` if no data above the cumulative acknowledgement is known to have arrived.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.sacked.is_empty()
    }

    /// Returns the position after the last byte known to have arrived.
    pub(super) fn end(&self) -> Option<u64> {
        self.sacked.end()
    }

    /// RFC 6675 §4, `Update`: processes the blocks of an acknowledgement up to `una`; all sent data
    /// ends at `nxt`.
    pub(super) fn update(
        &mut self,
        blocks: &SackBlocks,
        una: u64,
        nxt: u64,
        flight: &mut Flight,
    ) -> SackUpdate {
        self.sacked.trim_below(una);
        let duplicate = duplicate(blocks, una);
        let mut update = SackUpdate { duplicate, ..SackUpdate::default() };
        for (left, right) in blocks.iter().skip(usize::from(duplicate.is_some())) {
            let block = Range { left: left.expand(una).max(una), right: right.expand(una) };
            // RFC 2018 §3: blocks report received data, so none lies beyond the data sent.
            if block.left < block.right && block.right <= nxt {
                update.has_blocks = true;
                update.arrived += self.note(block, flight);
            }
        }
        update
    }

    fn note(&mut self, block: Range, flight: &mut Flight) -> u64 {
        // An acknowledgement repeats old blocks; only new ones are of interest.
        let known = self.sacked.around(block.left);
        if known.is_some_and(|known| known.right >= block.right) {
            return 0;
        }
        // Start at the first position that was unknown.
        let left = known.map_or(block.left, |known| known.right);
        self.sacked.insert(block);
        flight.mark_sacked(Range { left, ..block }, &self.sacked)
    }

    /// RFC 6675 §4, `IsLost`: marks segments as lost that have `DupThresh` received ranges above
    /// them, or more than `DupThresh − 1` segments' worth of received bytes.
    #[inline(always)]
    pub(super) fn detect_losses(&mut self, mss: u64, flight: &mut Flight) {
        let Some(position) = self.lost_below(mss) else { return };
        if position > self.marked_below {
            flight.mark_lost_between(self.marked_below, position);
            self.marked_below = position;
        }
    }

    /// Returns the position below which everything missing is lost.
    fn lost_below(&self, mss: u64) -> Option<u64> {
        let (mut ranges, mut bytes) = (0, 0);
        let above = self.sacked.iter().rev().find(|range| {
            ranges += 1;
            bytes += range.length();
            ranges >= self.duplicate_threshold
                || bytes > u64::from(self.duplicate_threshold - 1) * mss
        });
        above.map(|range| range.left)
    }

    /// Resets the scoreboard: the receiver has dropped its data out of order (RFC 2018 §8).
    pub(super) fn reset(&mut self, flight: &mut Flight) {
        self.sacked.clear();
        flight.clear_sacked();
    }
}

/// RFC 2883 §4: the first block reports a duplicate if it lies below the cumulative acknowledgement
/// or within the second block.
fn duplicate(blocks: &SackBlocks, una: u64) -> Option<Range> {
    let mut blocks = blocks.iter().map(|(left, right)| (left.expand(una), right.expand(una)));
    let (left, right) = blocks.next()?;
    let within = |(second, end): (u64, u64)| second <= left && right <= end;
    let is_old = right <= una || blocks.next().is_some_and(within);
    is_old.then_some(Range { left, right })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::SequenceNumber;
    use crate::tcp::limits::Waits;
    use crate::unit::Instant;

    const MSS: u64 = 100;

    /// Returns ten segments, starting at position 1000.
    fn setting() -> (Scoreboard, Flight) {
        let mut flight = Flight::default();
        for number in 0..10 {
            let start = 1000 + number * MSS;
            flight.push(Instant::ZERO, start, 100, false, Waits::default());
        }
        (Scoreboard::new(3), flight)
    }

    fn blocks(pairs: &[(u32, u32)]) -> SackBlocks {
        let mut blocks = SackBlocks::default();
        for &(left, right) in pairs {
            blocks.push(SequenceNumber(left), SequenceNumber(right));
        }
        blocks
    }

    fn update(pairs: &[(u32, u32)]) -> (SackUpdate, Flight) {
        let (mut scoreboard, mut flight) = setting();
        let update = scoreboard.update(&blocks(pairs), 1000, 2000, &mut flight);
        scoreboard.detect_losses(MSS, &mut flight);
        (update, flight)
    }

    /// RFC 6675 §4, `IsLost`: more than (DupThresh − 1) · SMSS bytes above.
    #[test]
    fn hole_below_three_segments_is_lost() {
        let (found, flight) = update(&[(1200, 1500)]);
        assert_eq!(found.arrived, 300);
        assert_eq!(flight.outstanding(), 500);
        let (_, flight) = update(&[(1200, 1400)]);
        assert_eq!(flight.outstanding(), 800);
    }

    /// RFC 6675 §4, `IsLost`: DupThresh discontiguous ranges above.
    #[test]
    fn hole_below_three_separate_ranges_is_lost() {
        let (_, mut flight) = update(&[(1200, 1250), (1300, 1350), (1400, 1450)]);
        assert_eq!(flight.next_lost(), Some(0));
        assert_eq!(flight.outstanding(), 800);
    }

    /// RFC 2883 §4.1 and §4.2
    #[test]
    fn a_report_of_a_duplicate_is_no_news() {
        assert_eq!(
            update(&[(900, 1000)]).0,
            SackUpdate {
                duplicate: Some(Range { left: 900, right: 1000 }),
                ..SackUpdate::default()
            }
        );
        let (update, _) = update(&[(1300, 1400), (1200, 1500)]);
        assert_eq!(
            update,
            SackUpdate {
                arrived: 300,
                has_blocks: true,
                duplicate: Some(Range { left: 1300, right: 1400 })
            }
        );
    }

    /// RFC 2018 §3: blocks report received data, so none lies beyond the data sent.
    #[test]
    fn blocks_beyond_sent_data_are_ignored() {
        assert_eq!(update(&[(1900, 2100)]).0, SackUpdate::default());
    }

    /// RFC 2018 §4: blocks are repeated in several acknowledgements.
    #[test]
    fn a_repeated_block_is_no_news() {
        let (mut scoreboard, mut flight) = setting();
        for (pairs, expected) in [
            (&[(1200, 1300)][..], 100),
            (&[(1400, 1500), (1200, 1300)], 100),
            (&[(1400, 1600), (1200, 1300)], 100),
            (&[(1200, 1600)], 100),
        ] {
            let update = scoreboard.update(&blocks(pairs), 1000, 2000, &mut flight);
            assert_eq!(update.arrived, expected);
        }
    }
}
