//! The AccECN option: numbers of bytes received with each ECN field (RFC 9768 §3.2.3).
//!
//! In: the counters of a receiver. Out: as many of them as fit into a header.

use crate::unit::Bytes;

/// One to three counters of 24 bits, or an option without counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByteCounters {
    /// Bytes received as ECT(1), CE and ECT(0), or in the order ECT(0), CE and ECT(1).
    counters: [u32; 3],
    /// Number of counters in the option. Those at the end may be missing.
    count: u8,
    /// The kind is AccECN1, whose first counter is that of ECT(1).
    begins_with_ect1: bool,
}

impl ByteCounters {
    /// Returns the option with all three counters: bytes received as ECT(0), CE and ECT(1).
    pub fn all(ect0: u32, ce: u32, ect1: u32, begins_with_ect1: bool) -> Self {
        let [first, last] = if begins_with_ect1 { [ect1, ect0] } else { [ect0, ect1] };
        Self { counters: [first, ce, last].map(|it| it & MASK), count: 3, begins_with_ect1 }
    }

    /// Limits the option to its first `count` counters (RFC 9768 §3.2.3.3, full-length options
    /// preferred).
    #[must_use]
    pub fn shortened(self, count: u8) -> Self {
        Self { count: self.count.min(count), ..self }
    }

    /// Returns the number of counters of an option that fits into `room` bytes, with kind, length
    /// and padding.
    pub fn fitting(room: u64) -> u8 {
        match room {
            0..8 => 0,
            8..12 => 2,
            _ => 3,
        }
    }

    /// Returns the number of counters.
    pub fn len(&self) -> usize {
        usize::from(self.count)
    }

    /// Returns `true` if there is no counter.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the option kind: 172 for AccECN0, 174 for AccECN1.
    pub fn kind(&self) -> u8 {
        if self.begins_with_ect1 { 174 } else { 172 }
    }

    /// Returns the counters in the order on the wire.
    pub fn on_wire(&self) -> &[u32] {
        &self.counters[..self.len()]
    }

    /// Returns the counter of CE, which is the second one of both kinds.
    pub fn ce(&self) -> Option<u32> {
        self.on_wire().get(1).copied()
    }

    /// Returns the length of the option: kind, length, counters, and padding to whole words.
    pub const fn option_length(&self) -> Bytes {
        Bytes((2 + 3 * self.count as u64).next_multiple_of(4))
    }

    /// Returns the advance of a counter from `before` to `now`. `None` if it has gone back.
    pub fn advance(before: u32, now: u32) -> Option<u64> {
        let more = now.wrapping_sub(before) & MASK;
        (more <= MASK / 2).then(|| u64::from(more))
    }
}

/// Mask of a counter's 24 bits.
const MASK: u32 = 0xFF_FFFF;

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 9768 §3.2.3, figure 4 and table 5.
    #[test]
    fn the_kind_says_the_order_and_the_length_how_many() {
        let zero = ByteCounters::all(10, 20, 30, false);
        let one = ByteCounters::all(10, 20, 30, true);
        assert_eq!((zero.kind(), zero.on_wire()), (172, &[10, 20, 30][..]));
        assert_eq!((one.kind(), one.on_wire()), (174, &[30, 20, 10][..]));
        let lengths = [0, 1, 2, 3].map(|count| zero.shortened(count).option_length().0);
        assert_eq!(lengths, [4, 8, 8, 12]);
        assert_eq!((one.shortened(2).ce(), one.shortened(1).ce()), (Some(20), None));
    }

    /// RFC 9768 §3.2.1: modulo 2^24.
    #[test]
    fn a_counter_wraps_around_and_does_not_go_back() {
        assert_eq!(ByteCounters::all(1 << 24, 0, 0, false).on_wire()[0], 0);
        assert_eq!(ByteCounters::advance(MASK - 1, 3), Some(5));
        assert_eq!(ByteCounters::advance(3, 3), Some(0));
        assert_eq!(ByteCounters::advance(3, 2), None);
    }

    #[test]
    fn as_many_counters_as_fit_are_whole_words() {
        for room in 0..40 {
            let count = ByteCounters::fitting(room);
            let length = ByteCounters::all(0, 0, 0, true).shortened(count).option_length().0;
            assert!(count == 0 || length <= room, "{room}");
        }
    }
}
