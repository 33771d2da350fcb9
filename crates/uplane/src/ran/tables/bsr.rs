//! Buffer size levels: the rounding of the bytes that a UE reports (TS 36.321 §6.1.3.1, TS 38.321
//! §6.1.3.1).
//!
//! In: bytes waiting in a logical channel group. Out: the index in the buffer status report, and
//! the number of bytes that an eNB assumes for an index.
//!
//! Left out: the extended levels (TS 36.321 Table 6.1.3.1-2), for UEs that report above 150 kB.
//! This matters for larger uplink buffers: the eNB sees 150 kB until less is left.

use crate::unit::Bytes;

/// Returns the index of the smallest level that holds `waiting` bytes.
pub fn index(waiting: Bytes) -> u8 {
    UPPER.partition_point(|&upper| u64::from(upper) < waiting.0) as u8
}

/// Returns the maximum number of bytes of level `index`. The last level has no upper end; an eNB
/// takes its lower end, 150 000 bytes.
///
/// # Panics
/// Above index 63: the field has six bits.
pub fn upper(index: u8) -> Bytes {
    assert!(index <= LAST, "buffer size index {index}");
    Bytes(u64::from(UPPER[usize::from(index.min(LAST - 1))]))
}

/// The index for more than 150 000 bytes.
pub const LAST: u8 = 63;

/// TS 36.321 Table 6.1.3.1-1: upper ends of the levels 0 to 62, in bytes.
#[expect(clippy::unreadable_literal, reason = "as the standard prints them")]
const UPPER: [u32; LAST as usize] = [
    0, 10, 12, 14, 17, 19, 22, 26, 31, 36, 42, 49, 57, 67, 78, 91, 107, 125, 146, 171, 200, 234,
    274, 321, 376, 440, 515, 603, 706, 826, 967, 1132, 1326, 1552, 1817, 2127, 2490, 2915, 3413,
    3995, 4677, 5476, 6411, 7505, 8787, 10287, 12043, 14099, 16507, 19325, 22624, 26487, 31009,
    36304, 42502, 49759, 58255, 68201, 79846, 93479, 109439, 128125, 150000,
];

/// The levels of one table of NR: upper ends, starting with index 0. The last index means more than
/// the last upper end, and a base station takes it for that value.
#[derive(Debug)]
pub struct Scale(&'static [u32]);

/// Five bits (TS 38.321 Table 6.1.3.1-1).
pub static SHORT: Scale = Scale(&[
    0, 10, 14, 20, 28, 38, 53, 74, 102, 142, 198, 276, 384, 535, 745, 1038, 1446, 2014, 2806, 3909,
    5446, 7587, 10_570, 14_726, 20_516, 28_581, 39_818, 55_474, 77_284, 107_669, 150_000,
]);
/// Eight bits (TS 38.321 Table 6.1.3.1-2).
pub static LONG: Scale = Scale(&include!("../../../data/ts38321_bsr_long.rs"));

impl Scale {
    /// Returns the index of the smallest level that holds `waiting` bytes.
    pub fn index(&self, waiting: Bytes) -> usize {
        self.0.partition_point(|&upper| u64::from(upper) < waiting.0)
    }

    /// Returns the number of bytes that a base station reads if a UE reports `waiting` bytes.
    pub fn read(&self, waiting: Bytes) -> Bytes {
        let last = self.0.len() - 1;
        Bytes(u64::from(self.0[self.index(waiting).min(last)]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::math;

    /// TS 36.321 §6.1.3.1: a level holds its upper end; one byte more is the next level.
    #[test]
    fn a_level_ends_with_its_upper_boundary() {
        for index in 0..LAST {
            assert_eq!(super::index(upper(index)), index);
            assert_eq!(super::index(upper(index) + Bytes(1)), index + 1);
        }
    }

    /// TS 36.321 Table 6.1.3.1-1: an empty buffer is index 0, above 150 000 bytes is index 63.
    #[test]
    fn both_ends_have_their_own_index() {
        assert_eq!(index(Bytes::ZERO), 0);
        assert_eq!(index(Bytes(1)), 1);
        assert_eq!(index(Bytes(10_000_000)), LAST);
        assert_eq!(upper(LAST), Bytes(150_000));
    }

    /// TS 38.321 Tables 6.1.3.1-1, -2
    #[test]
    fn levels_of_nr_are_those_of_the_tables() {
        let amounts = [52, 1461, 100_000].map(Bytes);
        assert_eq!(amounts.map(|waiting| SHORT.index(waiting)), [6, 17, 29]);
        assert_eq!(amounts.map(|waiting| LONG.index(waiting)), [26, 80, 147]);
        assert_eq!((SHORT.0.len(), LONG.0.len()), (31, 254));
        assert!(SHORT.0.is_sorted() && LONG.0.is_sorted());
        assert_eq!((SHORT.index(Bytes(150_001)), SHORT.read(Bytes(1 << 40))), (31, Bytes(150_000)));
        assert_eq!(LONG.index(Bytes(81_338_369)), 254);
        assert_eq!([0, 1, 10, 11].map(|n| SHORT.read(Bytes(n))), [0, 10, 10, 14].map(Bytes));
    }

    /// The levels are a geometric series from 10 to 150 000 bytes, each rounded up.
    #[test]
    fn the_table_is_a_geometric_series() {
        for index in 1..LAST {
            let series = 10.0 * math::pow(15_000.0, f64::from(index - 1) / 61.0);
            assert_eq!(upper(index).0, (series - 1e-9).ceil() as u64, "index {index}");
        }
    }
}
