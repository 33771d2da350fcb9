//! The control channel of NR's downlink: elements, sizes of messages, search spaces (TS 38.211
//! §7.3.2, TS 38.212 §7.3.1, TS 38.213 §10.1).
//!
//! In: the resource blocks and symbols of a CORESET. Out: control channel elements (CCEs), bits of
//! a message, the CCEs of a candidate.
//!
//! Left out: interleaving and precoding of a CORESET, which change no count; common search spaces,
//! whose messages are rare.

use crate::ran::phy::code_block::ChannelCode;
use crate::ran::phy::control::{Aggregation, Message};

/// CCEs of a CORESET of so many PRBs and symbols: six resource element groups of one PRB and symbol
/// each (TS 38.211 §7.3.2.2).
pub const fn cces(prbs: u32, symbols: u32) -> u32 {
    prbs / 6 * symbols
}

/// Coded bits of a CCE: six groups of nine QPSK symbols beside their reference signals (TS 38.211
/// §7.3.1.3).
pub const CCE_BITS: u32 = 6 * 9 * 2;

/// Formats 1_1 and 0_1, which have 45 to 65 bits by what is configured, with a CRC of 24 bits (TS
/// 38.212 §7.3.1, TS 38.211 §7.3.1.3).
pub const MESSAGE: Message = Message {
    code: ChannelCode::Polar,
    bits: 50 + 24,
    cce_bits: CCE_BITS,
    levels: &Aggregation::ALL,
};

/// Bits of a message in format 1_0 or 0_0 about a bandwidth part of `prbs`, without CRC (TS 38.212
/// §7.3.1.2.1).
pub const fn fallback_bits(prbs: u32) -> u32 {
    let allocations = prbs * (prbs + 1) / 2;
    28 + allocations.next_power_of_two().trailing_zeros()
}

/// How many candidates and how many CCEs without overlap a UE looks at in a slot with numerology
/// `μ` (TS 38.213 Tables 10.1-2, 10.1-3).
pub const LIMITS: [(u32, u32); 4] = [(44, 56), (36, 56), (22, 48), (20, 32)];

/// Where a UE looks for its messages in each slot (TS 38.213 §10.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchSpace {
    /// `Y_{p,n}`
    y: u32,
    /// `A_p`
    factor: u32,
}

impl SearchSpace {
    /// The UE-specific search space of the UE with identity `rnti`, not zero, in CORESET number
    /// `coreset`, before slot 0.
    pub const fn new(rnti: u32, coreset: u32) -> Self {
        let factor = [39_827, 39_829, 39_839][coreset as usize % 3];
        Self { y: rnti, factor }
    }

    /// The next slot of a frame begins: from `Y_{p,−1} = n_RNTI` on.
    pub const fn next_slot(&mut self) {
        self.y = (self.factor as u64 * self.y as u64 % 65_537) as u32;
    }

    /// The first CCE of candidate `candidate` of `candidates` with `level` CCEs each, in a CORESET
    /// of
    /// `cces`, which has room for one.
    pub const fn first_cce(&self, level: u32, candidate: u32, candidates: u32, cces: u32) -> u32 {
        let places = cces / level;
        level * ((self.y + candidate * cces / (level * candidates)) % places)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// TS 38.211 §7.3.2.2
    #[test]
    fn a_coreset_has_a_sixth_of_its_blocks_in_each_symbol() {
        let coresets = [(273, 1), (273, 2), (106, 2), (51, 1), (24, 3)];
        assert_eq!(coresets.map(|(prbs, symbols)| cces(prbs, symbols)), [45, 90, 34, 8, 12]);
        assert_eq!(CCE_BITS, 108);
    }

    /// TS 38.212 §7.3.1.2.1
    #[test]
    fn a_fallback_message_grows_with_the_bandwidth() {
        assert_eq!([51, 106, 273].map(fallback_bits), [39, 41, 44]);
    }

    /// TS 38.213 §10.1, worked by hand: Y_0 of RNTI 1 is A itself, of CORESET 0.
    #[test]
    fn candidates_are_hashed_over_the_coreset() {
        let mut space = SearchSpace::new(1, 0);
        space.next_slot();
        assert_eq!(space.y, 39_827);
        // 45 CCEs have 11 places of four: 39 827 mod 11 is 7; candidate 1 of 4 adds 45/16 = 2.
        assert_eq!(space.first_cce(4, 0, 4, 45), 4 * 7);
        assert_eq!(space.first_cce(4, 1, 4, 45), 4 * 9);
        // And two places of sixteen: 39 827 is odd.
        assert_eq!(space.first_cce(16, 0, 1, 45), 16);
        space.next_slot();
        assert_eq!(space.y, 39_827 * 39_827 % 65_537);
    }

    /// All candidates lie inside the CORESET, and those of one level do not overlap.
    #[test]
    fn candidates_lie_inside_and_apart() {
        let mut space = SearchSpace::new(4601, 1);
        for _ in 0..2000 {
            space.next_slot();
            for (level, candidates) in [(1, 6), (2, 6), (4, 4), (8, 2), (16, 1)] {
                let firsts: Vec<u32> =
                    (0..candidates).map(|m| space.first_cce(level, m, candidates, 45)).collect();
                for (place, first) in firsts.iter().enumerate() {
                    assert!(first % level == 0 && first + level <= 45);
                    assert!(!firsts[..place].contains(first), "{level} {firsts:?}");
                }
            }
        }
    }
}
