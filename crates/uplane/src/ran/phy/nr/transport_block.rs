//! Transport block sizes of NR by formula, and their LDPC code blocks (TS 38.214 §5.1.3.2, TS
//! 38.212 §5.2.2).
//!
//! In: resource elements, modulation, code rate, layers. Out: transport block size, code blocks.
//! What the decoder makes of them is common to LTE and NR ([`crate::ran::phy::block_error`]).
//!
//! Left out: limited-buffer rate matching.

use super::mcs::CodeRate;
use crate::ran::phy::{ChannelCode, CodeBlocks, Modulation, TransportBlockSize};

/// Resource elements of a PDSCH or PUSCH allocation as they count for the transport block size (TS
/// 38.214 §5.1.3.2): `symbols` of the slot, less `dmrs` and `overhead` in each PRB, at most 156.
pub const fn resource_elements(prbs: u32, symbols: u32, dmrs: u32, overhead: u32) -> u32 {
    let per_prb = 12 * symbols - dmrs - overhead;
    prbs * if per_prb < 156 { per_prb } else { 156 }
}

/// TS 38.214 §5.1.3.2
pub fn transport_block_size(
    resource_elements: u32,
    modulation: Modulation,
    code_rate: CodeRate,
    layers: u32,
) -> TransportBlockSize {
    // N_info in 2048ths of a bit, exact.
    let information = u64::from(resource_elements * modulation.bits() * layers)
        * u64::from(code_rate.in_2048ths());
    let bits = if information <= 3824 * UNIT {
        small_size(information / UNIT)
    } else {
        large_size(information, code_rate)
    };
    TransportBlockSize::from_bits(bits as u32).expect("whole bytes")
}

/// TS 38.212 §6.2.2, §7.2.2 and the segmentation of §5.2.2
pub fn code_blocks(size: TransportBlockSize, code_rate: CodeRate) -> CodeBlocks {
    let bits = size.bits();
    let graph2 = bits <= 292 || (bits <= 3824 && code_rate.value() <= 0.67) || is_low(code_rate);
    let (code, longest) =
        if graph2 { (ChannelCode::LdpcGraph2, 3840) } else { (ChannelCode::LdpcGraph1, 8448) };
    let with_crc = bits + if bits > 3824 { 24 } else { 16 };
    let count = if with_crc <= longest { 1 } else { with_crc.div_ceil(longest - 24) };
    let block_crcs = if count > 1 { 24 * count } else { 0 };
    CodeBlocks::equal(code, count, f64::from(with_crc + block_crcs) / f64::from(count))
}

/// `R ≤ 1/4`
const fn is_low(code_rate: CodeRate) -> bool {
    code_rate.in_2048ths() <= 512
}

fn small_size(information: u64) -> u64 {
    let step = 1 << information.max(1).ilog2().saturating_sub(6).max(3);
    let quantised = u32::try_from(24.max(information / step * step)).expect("at most 3824");
    let row = SMALL.partition_point(|&size| size < quantised);
    u64::from(SMALL[row])
}

fn large_size(information: u64, code_rate: CodeRate) -> u64 {
    let payload = information - 24 * UNIT;
    let step = UNIT << ((payload / UNIT).ilog2() - 5);
    // To the nearest step, ties up.
    let quantised = ((2 * payload + step) / (2 * step) * (step / UNIT)).max(3840);
    let blocks = match () {
        () if is_low(code_rate) => (quantised + 24).div_ceil(3816),
        () if quantised > 8424 => (quantised + 24).div_ceil(8424),
        () => 1,
    };
    8 * blocks * (quantised + 24).div_ceil(8 * blocks) - 24
}

const UNIT: u64 = 2048;

/// TS 38.214 Table 5.1.3.2-1
static SMALL: [u32; 93] = include!("../../../../data/ts38214_tbs_small.rs");

#[cfg(test)]
mod tests {
    use super::*;

    fn size(res: u32, modulation: Modulation, rate_1024: u32, layers: u32) -> u32 {
        let code_rate = CodeRate::from_2048ths(2 * rate_1024);
        transport_block_size(res, modulation, code_rate, layers).bits()
    }

    /// TS 38.214 §5.1.3.2, worked through by hand for each branch.
    #[test]
    fn transport_block_sizes_follow_the_formula() {
        assert_eq!(size(156 * 273, Modulation::Qam256, 948, 4), 1_277_992);
        assert_eq!(size(144 * 52, Modulation::Qam16, 490, 1), 14_344);
        assert_eq!(size(132 * 24, Modulation::Qpsk, 251, 1), 1_608);
        assert_eq!(size(120, Modulation::Qpsk, 120, 1), 24);
        assert_eq!(size(1, Modulation::Qpsk, 30, 1), 24);
    }

    /// TS 38.214 §5.1.3.2: the longest small size is 3824 bits, the shortest large one 3840.
    #[test]
    fn sizes_grow_with_the_resources_across_both_branches() {
        let sizes: Vec<u32> =
            (1..3000).map(|prbs| size(12 * prbs, Modulation::Qpsk, 449, 1)).collect();
        assert!(sizes.is_sorted());
        assert!(sizes.contains(&3824) && sizes.contains(&3840));
    }

    /// TS 38.214 §5.1.3.2: no more than 156 resource elements of a PRB count.
    #[test]
    fn a_slot_without_overhead_counts_156_elements_a_prb() {
        assert_eq!(resource_elements(10, 14, 0, 0), 1560);
        assert_eq!(resource_elements(10, 14, 12, 6), 1500);
    }

    /// TS 38.212 §7.2.2: base graph 2 for short blocks and low rates.
    #[test]
    fn short_blocks_and_low_rates_use_base_graph_2() {
        let code = |bits, rate_1024: u32| {
            let size = TransportBlockSize::from_bits(bits).expect("whole bytes");
            code_blocks(size, CodeRate::from_2048ths(2 * rate_1024)).code()
        };
        assert_eq!(code(288, 900), ChannelCode::LdpcGraph2);
        assert_eq!(code(3824, 680), ChannelCode::LdpcGraph2);
        assert_eq!(code(3824, 690), ChannelCode::LdpcGraph1);
        assert_eq!(code(3848, 500), ChannelCode::LdpcGraph1);
        assert_eq!(code(50_000, 256), ChannelCode::LdpcGraph2);
    }

    /// TS 38.212 §5.2.2: the sizes of §5.1.3.2 divide into equal blocks of whole bytes.
    #[test]
    fn large_blocks_divide_evenly() {
        let code_rate = CodeRate::from_2048ths(2 * 948);
        let size = transport_block_size(156 * 273, Modulation::Qam256, code_rate, 4);
        let blocks = code_blocks(size, code_rate);
        assert_eq!(blocks.count(), 152);
        assert!((blocks.bits() / 8.0).fract().abs() < 1e-12, "{} bits", blocks.bits());
        assert!(blocks.bits() <= 8448.0);
    }
}
