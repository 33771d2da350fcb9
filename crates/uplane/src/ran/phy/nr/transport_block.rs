//! Transport block sizes of NR by formula, and their LDPC code blocks (TS 38.214 §5.1.3.2, TS
//! 38.212 §5.2.2).
//!
//! In: resource elements, modulation, code rate, layers. Out: transport block size, code blocks.
//! Decoding is common to LTE and NR ([`crate::ran::phy::block_error`]).
//!
//! Left out: limited-buffer rate matching.

use super::mcs::CodeRate;
use crate::ran::phy::{ChannelCode, CodeBlocks, Modulation, TransportBlockSize};

/// Returns the number of resource elements of a PDSCH or PUSCH allocation that count for the
/// transport block size (TS 38.214 §5.1.3.2): `symbols` of the slot, less `dmrs` and `overhead` in
/// each PRB, at most 156 per PRB.
pub const fn resource_elements(prbs: u32, symbols: u32, dmrs: u32, overhead: u32) -> u32 {
    let per_prb = 12 * symbols - dmrs - overhead;
    prbs * if per_prb < 156 { per_prb } else { 156 }
}

/// Returns the transport block size (TS 38.214 §5.1.3.2).
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

/// Returns the code blocks of a transport block (TS 38.212 §6.2.2, §7.2.2 and the segmentation of
/// §5.2.2).
pub fn code_blocks(size: TransportBlockSize, code_rate: CodeRate) -> CodeBlocks {
    let Segmentation { code, count, bits, lifting_size } = Segmentation::of(size.bits(), code_rate);
    // Filler bits are known and in no circular buffer: they are all but `K'` of its first `K` bits.
    // All bits behind those are parity bits: 44 and 40 times the lifting size (TS 38.212 §5.3.2,
    // §5.4.2.1).
    let parity = if code == ChannelCode::LdpcGraph1 { 44 } else { 40 };
    let buffer = bits + f64::from(parity * lifting_size);
    CodeBlocks::equal(code, count, bits).with_buffer(buffer)
}

/// The segmentation of a transport block into code blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segmentation {
    /// The LDPC base graph of the code blocks.
    pub code: ChannelCode,
    /// `C`: number of code blocks.
    pub count: u32,
    /// `K'`: number of bits of a code block with its CRCs, without filler bits.
    pub bits: f64,
    /// `Z_c`: lifting size.
    pub lifting_size: u32,
}

impl Segmentation {
    /// Segments a transport block of `bits` bits (TS 38.212 §5.2.2).
    pub fn of(bits: u32, code_rate: CodeRate) -> Self {
        let is_short = bits <= 292 || (bits <= 3824 && code_rate.is_at_most_67_hundredths());
        let graph2 = is_short || is_low(code_rate);
        let (code, longest) =
            if graph2 { (ChannelCode::LdpcGraph2, 3840) } else { (ChannelCode::LdpcGraph1, 8448) };
        let with_crc = bits + if bits > 3824 { 24 } else { 16 };
        let count = if with_crc <= longest { 1 } else { with_crc.div_ceil(longest - 24) };
        let block_crcs = if count > 1 { 24 * count } else { 0 };
        let columns = match (graph2, with_crc) {
            (false, _) => 22,
            (true, ..=192) => 6,
            (true, ..=560) => 8,
            (true, ..=640) => 9,
            (true, _) => 10,
        };
        let all = with_crc + block_crcs;
        let lifting_size = lifting_size(all.div_ceil(count).div_ceil(columns));
        Self { code, count, bits: f64::from(all) / f64::from(count), lifting_size }
    }
}

/// Returns the smallest lifting size that is not less than `least`.
fn lifting_size(least: u32) -> u32 {
    // A block is not longer than its graph allows.
    LIFTING_SIZES[LIFTING_SIZES.partition_point(|&size| size < least)]
}

/// Returns whether `R ≤ 1/4`.
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

/// TS 38.212 Table 5.3.2-1 in ascending order: 2, 3, 5, 7, 9, 11, 13 and 15 times powers of two.
static LIFTING_SIZES: [u32; 51] = [
    2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24, 26, 28, 30, 32, 36, 40, 44,
    48, 52, 56, 60, 64, 72, 80, 88, 96, 104, 112, 120, 128, 144, 160, 176, 192, 208, 224, 240, 256,
    288, 320, 352, 384,
];

/// TS 38.214 Table 5.1.3.2-1
static SMALL: [u32; 93] = include!("../../../../data/ts38214_tbs_small.rs");

#[cfg(test)]
mod tests {
    use super::*;

    /// TS 38.212 Table 5.3.2-1: each a·2^j of at most 384, exactly once.
    #[test]
    fn lifting_sizes_are_small_numbers_times_powers_of_two() {
        let all = [2, 3, 5, 7, 9, 11, 13, 15].into_iter().flat_map(|a| (0..8).map(move |j| a << j));
        let mut sizes: Vec<u32> = all.filter(|&size| size <= 384).collect();
        sizes.sort_unstable();
        assert_eq!(LIFTING_SIZES.to_vec(), sizes);
        for least in 0..=384 {
            let smallest = sizes.iter().copied().find(|&size| size >= least);
            assert_eq!(Some(lifting_size(least)), smallest);
        }
    }

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

    /// TS 38.214 §5.1.3.2: at most 156 resource elements of a PRB count.
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

    /// TS 38.212 §5.2.2: base graph, C, K', Z from the rows of another program.
    #[test]
    fn blocks_are_cut_and_lifted_as_another_program_does() {
        use ChannelCode::{LdpcGraph1, LdpcGraph2};
        for (size, rate_2048, code, count, bits, lifting_size) in [
            (1_277_992, 1896, LdpcGraph1, 152, 8432.0, 384),
            (1_179_864, 1896, LdpcGraph1, 141, 8392.0, 384),
            (770_568, 1896, LdpcGraph1, 92, 8400.0, 384),
            (14_344, 980, LdpcGraph1, 2, 7208.0, 352),
            (34_816, 1316, LdpcGraph1, 5, 6992.0, 320),
            (1_608, 502, LdpcGraph2, 1, 1624.0, 176),
            (24, 240, LdpcGraph2, 1, 40.0, 7),
            (352, 616, LdpcGraph2, 1, 368.0, 48),
            (6_528, 1544, LdpcGraph1, 1, 6552.0, 320),
            (704, 198, LdpcGraph2, 1, 720.0, 72),
            (1_352, 386, LdpcGraph2, 1, 1368.0, 144),
            (75_792, 1365, LdpcGraph1, 9, 8448.0, 384),
            (1_608, 100, LdpcGraph2, 1, 1624.0, 176),
        ] {
            let found = Segmentation::of(size, CodeRate::from_2048ths(rate_2048));
            assert_eq!(found, Segmentation { code, count, bits, lifting_size }, "{size}");
        }
    }

    /// TS 38.212 §5.2.2, §7.2.2: both sides of each limit.
    #[test]
    fn base_graphs_change_at_their_limits() {
        use ChannelCode::{LdpcGraph1 as One, LdpcGraph2 as Two};
        let graph = |bits: u32, rate: f64| {
            Segmentation::of(bits, CodeRate::from_2048ths((rate * 2048.0) as u32)).code
        };
        let points = [(292, 0.9), (293, 0.9), (3824, 0.67), (3825, 0.67), (10_000, 0.25)];
        assert_eq!(points.map(|(bits, rate)| graph(bits, rate)), [Two, One, Two, One, Two]);
    }

    /// TS 38.212 §5.4.2.1: with filler bits a circular buffer is shorter than 3 or 5 times its
    /// bits.
    #[test]
    fn filler_bits_are_in_no_circular_buffer() {
        let size = TransportBlockSize::from_bits(1_179_864).expect("whole bytes");
        let blocks = code_blocks(size, CodeRate::from_2048ths(1896));
        assert!((blocks.buffer_bits() - (66.0 * 384.0 - (8448.0 - 8392.0))).abs() < 1e-9);
        let size = TransportBlockSize::from_bits(24).expect("whole bytes");
        let blocks = code_blocks(size, CodeRate::from_2048ths(60));
        assert!((blocks.buffer_bits() - (50.0 * 7.0 - (70.0 - 40.0))).abs() < 1e-9);
    }

    /// TS 38.214 §5.1.3.2: sizes from two other programs.
    #[test]
    fn transport_block_sizes_are_those_of_other_programs() {
        use Modulation::{Qam16, Qam64, Qam256, Qpsk};
        for (elements, prbs, modulation, rate_2048, layers, bits) in [
            (156, 273, Qam256, 1896, 4, 1_277_992),
            (144, 273, Qam256, 1896, 4, 1_179_864),
            (96, 273, Qam256, 1896, 4, 770_568),
            (144, 273, Qam256, 1896, 2, 590_128),
            (156, 273, Qam64, 1896, 1, 237_776),
            (144, 106, Qam256, 1896, 4, 450_984),
            (144, 106, Qam64, 1134, 2, 102_416),
            (144, 217, Qam64, 1438, 3, 393_272),
            (144, 52, Qam16, 980, 1, 14_344),
            (132, 51, Qam16, 1316, 2, 34_816),
            (132, 24, Qpsk, 502, 1, 1_608),
            (120, 1, Qpsk, 240, 1, 24),
            (144, 1, Qpsk, 240, 1, 32),
            (144, 4, Qpsk, 616, 1, 352),
            (144, 10, Qam64, 1544, 1, 6_528),
            (24, 4, Qpsk, 60, 1, 24),
            (72, 50, Qpsk, 198, 1, 704),
            (132, 66, Qam64, 1746, 2, 90_176),
            (132, 264, Qam64, 1896, 2, 385_272),
            (144, 25, Qpsk, 386, 1, 1_352),
            (36, 20, Qam16, 680, 1, 984),
            (18, 50, Qpsk, 1204, 1, 1_064),
            (144, 100, Qam256, 1365, 1, 75_792),
            (144, 100, Qam256, 1833, 1, 102_416),
            (156, 106, Qpsk, 100, 1, 1_608),
        ] {
            let code_rate = CodeRate::from_2048ths(rate_2048);
            let size = transport_block_size(elements * prbs, modulation, code_rate, layers);
            assert_eq!(size.bits(), bits, "{elements} {prbs} {modulation:?} {rate_2048}");
        }
    }

    /// Sum of the blocks of a period of `"DDDSU 10:2:2"` and of a slot of 15 kHz, in Mbit/s.
    #[test]
    fn peak_rates_are_sums_of_blocks() {
        let size = |elements: u32, prbs: u32, modulation, layers| {
            let code_rate = CodeRate::from_2048ths(1896);
            f64::from(transport_block_size(elements * prbs, modulation, code_rate, layers).bits())
        };
        let down = |elements, prbs| size(elements, prbs, Modulation::Qam256, 4);
        let close = |found: f64, mbps: f64| assert!((found - mbps).abs() < 0.005, "{found}");
        close((3.0 * down(144, 273) + down(96, 273)) / 2500.0, 1724.06);
        close(down(144, 106) / 1000.0, 450.98);
        close(size(156, 273, Modulation::Qam64, 1) / 2500.0, 95.11);
    }

    /// TS 38.214 §5.1.3.2, step 4, computed by hand: the 24 bits of the CRC are subtracted from
    /// 4010 bits before the size is rounded to a multiple of 2^(11 − 5): 3986 / 64 = 62.3, so 62 ·
    /// 64, without additional bits for whole bytes.
    #[test]
    fn the_crc_is_taken_off_before_a_large_size_is_rounded() {
        let half = CodeRate::from_2048ths(1024);
        assert_eq!(large_size(4010 * UNIT, half), 3968);
        assert_eq!(large_size(4025 * UNIT, half), 4032);
    }
}
