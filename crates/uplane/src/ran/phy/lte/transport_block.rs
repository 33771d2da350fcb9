//! Transport block sizes of LTE (TS 36.213 §7.1.7.2), and code block segmentation for the turbo
//! code (TS 36.212 §5.1).
//!
//! In: `I_TBS`, PRBs, layers. Out: the size of a transport block in bits; its code blocks.
//!
//! Left out: three and four layers of one block (TS 36.213 Tables 7.1.7.2.4-1, 7.1.7.2.5-1); four
//! layers are two blocks on two layers each. Also left out: the two sizes K+ and K− of
//! segmentation, and filler bits. All code blocks are equal, which differs by less than 1 %.

use crate::ran::phy::{ChannelCode, CodeBlocks, Layers, TransportBlockSize};

/// `I_TBS`: a row of TS 36.213 Table 7.1.7.2.1-1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TbsIndex(u8);

impl TbsIndex {
    /// Index 26A, which may replace 26.
    pub const A26: Self = Self(27);

    /// Returns the index. `None` above 33.
    pub const fn new(index: u8) -> Option<Self> {
        match index {
            0..=26 => Some(Self(index)),
            // 26A has the row between 26 and 27.
            27..=33 => Some(Self(index + 1)),
            _ => None,
        }
    }
}

/// Returns the size of a block of `index` on `prbs` PRBs of a 1 ms subframe (TS 36.213 §7.1.7.2.1,
/// §7.1.7.2.2).
///
/// # Panics
/// Unless 1 ≤ `prbs` ≤ 110.
#[inline(always)]
pub fn transport_block_size(index: TbsIndex, prbs: u32, layers: Layers) -> TransportBlockSize {
    assert!((1..=MAX_PRBS).contains(&prbs), "{prbs} PRBs");
    let one_layer = |prbs: u32| ONE_LAYER[usize::from(index.0)][prbs as usize - 1];
    let bits = match layers {
        Layers::One => one_layer(prbs),
        Layers::Two if 2 * prbs <= MAX_PRBS => one_layer(2 * prbs),
        Layers::Two => two_layers(one_layer(prbs)),
        Layers::Three | Layers::Four => unreachable!("LTE's blocks have two layers at most"),
    };
    TransportBlockSize::of_whole_bytes(bits)
}

/// Returns the code blocks of a transport block (TS 36.212 §5.1.1, §5.1.2).
pub fn code_blocks(size: TransportBlockSize) -> CodeBlocks {
    let with_crc = size.bits() + CRC;
    let count = if with_crc <= MAX_TURBO { 1 } else { with_crc.div_ceil(MAX_TURBO - CRC) };
    let block_crcs = if count > 1 { count * CRC } else { 0 };
    let bits = f64::from(with_crc + block_crcs) / f64::from(count);
    CodeBlocks::equal(ChannelCode::Turbo, count, bits)
}

/// Number of bits of the CRC of a transport block or code block (TS 36.212 §5.1.1).
const CRC: u32 = 24;
/// `Z`: number of bits of the longest turbo code block (TS 36.212 §5.1.2).
const MAX_TURBO: u32 = 6144;

/// Returns the size on two layers (TS 36.213 Table 7.1.7.2.2-1).
fn two_layers(one_layer: u32) -> u32 {
    let row = TWO_LAYERS
        .binary_search_by_key(&one_layer, |&[one, _]| one)
        .expect("every size above 55 PRBs has its translation");
    TWO_LAYERS[row][1]
}

const MAX_PRBS: u32 = 110;

static ONE_LAYER: [[u32; MAX_PRBS as usize]; 36] = include!("../../../../data/ts36213_tbs.rs");

#[expect(clippy::unreadable_literal, reason = "as the standard prints them")]
static TWO_LAYERS: [[u32; 2]; 120] = include!("../../../../data/ts36213_tbs_two_layer.rs");

#[cfg(test)]
mod tests {
    use super::*;

    fn size(index: u8, prbs: u32, layers: Layers) -> u32 {
        transport_block_size(TbsIndex::new(index).expect("an index"), prbs, layers).bits()
    }

    /// TS 36.213 Table 7.1.7.2.1-1, including the exceptional 328 bits at (6, 1).
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
        // 26 is above 27, which starts the rows of 256QAM.
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

    fn turbo(bits: u32) -> CodeBlocks {
        code_blocks(TransportBlockSize::from_bits(bits).expect("whole bytes"))
    }

    /// TS 36.212 §5.1.2: one block up to 6144 bits with CRC, without a second CRC.
    #[test]
    fn a_block_is_cut_above_6144_bits() {
        assert_eq!(turbo(6120).count(), 1);
        assert!((turbo(6120).bits() - 6144.0).abs() < 1e-9);
        assert_eq!(turbo(6128).count(), 2);
        assert!((turbo(6128).bits() - f64::from(6128 + 24 + 48) / 2.0).abs() < 1e-9);
        assert_eq!(turbo(75_376).count(), 13);
    }
}
