//! Transport block sizes (TS 36.213 §7.1.7.2).
//!
//! In: `I_TBS`, PRBs, layers. Out: the size of a transport block in bits.
//!
//! Left out: three and four layers of one block (TS 36.213 Tables 7.1.7.2.4-1, 7.1.7.2.5-1); four
//! layers are two blocks on two layers each.

use super::numerology::SUBFRAME;
use crate::ran::tables::csv;
use crate::unit::{Bytes, Duration};

/// `I_TBS`: a row of TS 36.213 Table 7.1.7.2.1-1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TbsIndex(u8);

/// The size of a transport block in bits, without its CRC; whole bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TransportBlockSize(u32);

/// Spatial layers that one transport block is mapped to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layers {
    /// 1
    #[default]
    One,
    /// 2
    Two,
}

impl TbsIndex {
    /// 26A, which may replace 26.
    pub const A26: Self = Self(27);

    /// `None` above 33.
    pub const fn new(index: u8) -> Option<Self> {
        match index {
            0..=26 => Some(Self(index)),
            // 26A has the row in between.
            27..=33 => Some(Self(index + 1)),
            _ => None,
        }
    }
}

impl TransportBlockSize {
    /// A block of `bits` bits; `None` unless these are whole bytes.
    pub const fn from_bits(bits: u32) -> Option<Self> {
        if bits.is_multiple_of(8) { Some(Self(bits)) } else { None }
    }

    /// TS 36.213 §7.1.7.2.1, §7.1.7.2.2
    ///
    /// # Panics
    /// Unless 1 ≤ `prbs` ≤ 110.
    #[inline(always)]
    pub fn of(index: TbsIndex, prbs: u32, layers: Layers) -> Self {
        assert!((1..=MAX_PRBS).contains(&prbs), "{prbs} PRBs");
        let one_layer = |prbs: u32| ONE_LAYER[usize::from(index.0)][prbs as usize - 1];
        Self(match layers {
            Layers::One => one_layer(prbs),
            Layers::Two if 2 * prbs <= MAX_PRBS => one_layer(2 * prbs),
            Layers::Two => two_layers(one_layer(prbs)),
        })
    }

    /// The size in bits.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The size in bytes.
    pub const fn bytes(self) -> Bytes {
        Bytes(self.0 as u64 / 8)
    }

    /// What this size of a 1 ms subframe becomes in a transmission time interval of another length:
    /// in proportion, whole bytes, at least one.
    pub fn scaled(self, tti: Duration) -> Self {
        let subframe = SUBFRAME.as_nanos();
        if tti.as_nanos() == subframe {
            return self;
        }
        let bytes = (self.bytes().0 * tti.as_nanos() + subframe / 2) / subframe;
        Self(8 * bytes.max(1) as u32)
    }
}

impl Layers {
    /// How many.
    pub const fn count(self) -> u32 {
        self as u32 + 1
    }
}

/// TS 36.213 Table 7.1.7.2.2-1
fn two_layers(one_layer: u32) -> u32 {
    let row = TWO_LAYERS
        .binary_search_by_key(&one_layer, |&[one, _]| one)
        .expect("every size above 55 PRBs has its translation");
    TWO_LAYERS[row][1]
}

const MAX_PRBS: u32 = 110;

static ONE_LAYER: [[u32; MAX_PRBS as usize]; 36] = {
    let cells: [[&str; 111]; 36] = csv::cells(include_str!("../../../data/ts36213_tbs.csv"));
    let mut sizes = [[0; MAX_PRBS as usize]; 36];
    let mut row = 0;
    while row < 36 {
        let mut prbs = 1;
        while prbs <= MAX_PRBS as usize {
            sizes[row][prbs - 1] = csv::integer(cells[row][prbs]);
            prbs += 1;
        }
        row += 1;
    }
    sizes
};

static TWO_LAYERS: [[u32; 2]; 120] = {
    let cells: [[&str; 2]; 120] =
        csv::cells(include_str!("../../../data/ts36213_tbs_two_layer.csv"));
    let mut sizes = [[0; 2]; 120];
    let mut row = 0;
    while row < 120 {
        sizes[row] = [csv::integer(cells[row][0]), csv::integer(cells[row][1])];
        row += 1;
    }
    sizes
};

#[cfg(test)]
mod tests {
    use super::*;

    fn size(index: u8, prbs: u32, layers: Layers) -> u32 {
        TransportBlockSize::of(TbsIndex::new(index).expect("an index"), prbs, layers).bits()
    }

    /// TS 36.213 Table 7.1.7.2.1-1, including the 328 bits that stand out at (6, 1).
    #[test]
    fn sizes_are_those_of_the_table() {
        assert_eq!(size(0, 1, Layers::One), 16);
        assert_eq!(size(6, 1, Layers::One), 328);
        assert_eq!(size(26, 110, Layers::One), 75_376);
        assert_eq!(size(33, 100, Layers::One), 97_896);
    }

    #[test]
    fn every_size_is_whole_bytes_and_grows_with_index_and_prbs() {
        assert!(ONE_LAYER.iter().flatten().all(|bits| bits % 8 == 0));
        // Row 6 starts with its exception.
        assert!(ONE_LAYER.iter().all(|row| row[1..].is_sorted()));
        // 26 stands above 27, which starts the rows of 256QAM.
        for prbs in 2..=MAX_PRBS {
            for indices in [0..=26, 27..=33] {
                assert!(indices.map(|index| size(index, prbs, Layers::One)).is_sorted());
            }
        }
    }

    /// TS 36.213 §7.1.7.2.2: doubled PRBs up to 55, translated above.
    #[test]
    fn two_layers_carry_about_twice_as_much() {
        assert_eq!(size(26, 55, Layers::Two), size(26, 110, Layers::One));
        assert_eq!(size(26, 100, Layers::Two), 149_776);
        for index in 0..=33 {
            for prbs in 56..=MAX_PRBS {
                let (one, two) = (size(index, prbs, Layers::One), size(index, prbs, Layers::Two));
                let ratio = f64::from(two) / f64::from(one);
                assert!((ratio - 2.0).abs() < 0.05, "I_TBS {index}, {prbs} PRBs: {ratio}");
            }
        }
    }

    #[test]
    fn a_shorter_interval_carries_its_share_in_whole_bytes() {
        let size = TransportBlockSize::from_bits(21_000).expect("whole bytes");
        assert_eq!(size.scaled(Duration::from_millis(1)).bits(), 21_000);
        assert_eq!(size.scaled(Duration::from_micros(500)).bits(), 10_504);
        assert_eq!(size.scaled(Duration::from_micros(100)).bits(), 2_104);
        assert_eq!(TransportBlockSize(16).scaled(Duration::from_micros(100)).bits(), 8);
    }

    #[test]
    fn a_block_is_whole_bytes() {
        assert_eq!(TransportBlockSize::from_bits(17), None);
    }
}
