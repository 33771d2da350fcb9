//! The downlink control channel of NR: elements, sizes of messages, limits of a UE's monitoring (TS
//! 38.211 §7.3.2, TS 38.212 §7.3.1, TS 38.213 §10.1).
//!
//! In: the resource blocks and symbols of a CORESET. Out: control channel elements (CCEs), bits of
//! a message. The positions that a UE monitors are in [`crate::ran::mac::search_space`].
//!
//! Left out: interleaving and precoding of a CORESET, which change no count.

use crate::ran::phy::code_block::ChannelCode;
use crate::ran::phy::control::{Aggregation, Message};

/// Returns the number of CCEs of a CORESET of `prbs` PRBs and `symbols` symbols: six resource
/// element groups of one PRB and symbol each (TS 38.211 §7.3.2.2).
pub const fn cces(prbs: u32, symbols: u32) -> u32 {
    prbs / 6 * symbols
}

/// Number of coded bits of a CCE: six groups of nine QPSK symbols beside their reference signals
/// (TS 38.211 §7.3.1.3).
pub const CCE_BITS: u32 = 6 * 9 * 2;

/// A message of format 1_1 or 0_1, which has 45 to 65 bits depending on the configuration, with a
/// CRC of 24 bits (TS 38.212 §7.3.1, TS 38.211 §7.3.1.3).
pub const MESSAGE: Message = Message {
    code: ChannelCode::Polar,
    bits: 50 + 24,
    cce_bits: CCE_BITS,
    levels: &Aggregation::ALL,
};

/// Returns the number of bits of a message in format 1_0 or 0_0 about a bandwidth part of `prbs`,
/// without CRC (TS 38.212 §7.3.1.2.1).
pub const fn fallback_bits(prbs: u32) -> u32 {
    let allocations = prbs * (prbs + 1) / 2;
    28 + allocations.next_power_of_two().trailing_zeros()
}

/// Maximum numbers of candidates and of CCEs without overlap that a UE monitors in a slot, by
/// numerology `μ` (TS 38.213 Tables 10.1-2, 10.1-3).
pub const LIMITS: [(u32, u32); 4] = [(44, 56), (36, 56), (22, 48), (20, 32)];

/// `A_p`, by the number of the CORESET modulo 3 (TS 38.213 §10.1).
pub const HASH_FACTORS: [u32; 3] = [39_827, 39_829, 39_839];

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
}
