//! What NR does differently: sizes by formula, LDPC code blocks, its own tables (TS 38.214 §5.1.3).
//!
//! In: `I_MCS`, resource elements, layers. Out: transport block size, code blocks, peak rate. What the
//! decoder makes of them is common to LTE and NR ([`super::block_error`]).
//!
//! Left out: π/2-BPSK (its rows are sent as QPSK at half the code rate, which takes the same resources),
//! and limited-buffer rate matching. Power-limited uplinks could tell by 1 to 2 dB.

use super::code_block::{ChannelCode, CodeBlocks};
use super::mcs::Mcs;
use super::modulation::Modulation;
use super::transport_block::TransportBlockSize;
use crate::ran::tables::csv;
use crate::unit::Bitrate;

/// Which table gives `I_MCS` its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NrMcsTable {
    /// Up to 64QAM (TS 38.214 Table 5.1.3.1-1).
    Qam64,
    /// Up to 256QAM (TS 38.214 Table 5.1.3.1-2).
    Qam256,
    /// Up to 64QAM with low spectral efficiency (TS 38.214 Table 5.1.3.1-3).
    LowEfficiency,
    /// Uplink with transform precoding (TS 38.214 Table 6.1.4.1-1).
    Transform,
    /// The same with low spectral efficiency (TS 38.214 Table 6.1.4.1-2).
    TransformLowEfficiency,
}

/// A target code rate, exact: the tables have multiples of 1/2048.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CodeRate(u32);

/// Frequency range (TS 38.104 §5.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FrequencyRange {
    /// Below 7.125 GHz.
    Fr1,
    /// Above 24.25 GHz.
    Fr2,
}

/// What the peak rate of TS 38.306 §4.1.2 depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PeakRate {
    /// Layers.
    pub layers: u32,
    /// Highest modulation.
    pub modulation: Modulation,
    /// PRBs of the carrier.
    pub prbs: u32,
    /// `μ`: the subcarrier spacing is 15 kHz · 2^μ.
    pub numerology: u32,
    /// Reference and control signals, in percent: 14 and 18 downlink in FR1 and FR2, 8 and 10 uplink.
    pub overhead_percent: u32,
}

impl NrMcsTable {
    /// Modulation and target code rate of a new block; `None` for the reserved values that only
    /// retransmissions use.
    pub const fn scheme(self, mcs: Mcs) -> Option<(Modulation, CodeRate)> {
        MCS[self as usize][mcs.index() as usize]
    }
}

impl CodeRate {
    /// `R` = `numerator`/2048.
    pub const fn from_2048ths(numerator: u32) -> Self {
        Self(numerator)
    }

    /// The rate as a plain number.
    pub const fn value(self) -> f64 {
        self.0 as f64 / 2048.0
    }
}

impl PeakRate {
    /// TS 38.306 §4.1.2 for one carrier with scaling factor 1, to the nearest bit per second.
    pub fn rate(self) -> Bitrate {
        let symbols = u64::from(14_000_u32 << self.numerology);
        let bits = u64::from(self.layers * self.modulation.bits() * self.prbs * 12 * 948);
        let share = 1024 * 100;
        let per_second = bits * symbols * u64::from(100 - self.overhead_percent);
        Bitrate::from_bps((per_second + share / 2) / share).expect("a carrier carries something")
    }
}

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
    let information =
        u64::from(resource_elements * modulation.bits() * layers) * u64::from(code_rate.0);
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

/// PRBs of a carrier (TS 38.104 Tables 5.3.2-1, 5.3.2-2); `None` for a combination that does not exist.
pub fn carrier_prbs(range: FrequencyRange, bandwidth_mhz: u32, spacing_khz: u32) -> Option<u32> {
    let found = CARRIERS.iter().find(|row| row.0 == [range as u32, bandwidth_mhz, spacing_khz])?;
    Some(found.1)
}

/// `R ≤ 1/4`
const fn is_low(code_rate: CodeRate) -> bool {
    code_rate.0 <= 512
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

static MCS: [[Option<(Modulation, CodeRate)>; 32]; 5] = {
    let cells: [[&str; 5]; 160] = csv::cells(include_str!("../../../data/ts38214_mcs.csv"));
    let mut schemes = [[None; 32]; 5];
    let mut row = 0;
    while row < 160 {
        let [_, _, order, code_rate, _] = cells[row];
        if !code_rate.is_empty() {
            let order = csv::integer(order);
            // Tenths of 1/1024 are 5 to one of 1/2048.
            let halves = csv::fixed(code_rate, 1) as u32 / 5;
            schemes[row / 32][row % 32] = Some(if order == 1 {
                (Modulation::Qpsk, CodeRate(halves / 2))
            } else {
                (Modulation::of_order(order), CodeRate(halves))
            });
        }
        row += 1;
    }
    schemes
};

/// TS 38.214 Table 5.1.3.2-1
static SMALL: [u32; 93] = {
    let cells: [[&str; 2]; 93] = csv::cells(include_str!("../../../data/ts38214_tbs_small.csv"));
    let mut sizes = [0; 93];
    let mut row = 0;
    while row < 93 {
        sizes[row] = csv::integer(cells[row][1]);
        row += 1;
    }
    sizes
};

/// Range, bandwidth in MHz and subcarrier spacing in kHz; PRBs.
static CARRIERS: [([u32; 3], u32); 46] = {
    let cells: [[&str; 4]; 46] = csv::cells(include_str!("../../../data/ts38104_nrb.csv"));
    let mut carriers = [([0; 3], 0); 46];
    let mut row = 0;
    while row < 46 {
        let [range, bandwidth, spacing, prbs] = cells[row];
        let range = (range.as_bytes()[2] - b'1') as u32;
        let key = [range, csv::integer(bandwidth), csv::integer(spacing)];
        carriers[row] = (key, csv::integer(prbs));
        row += 1;
    }
    carriers
};

#[cfg(test)]
mod tests;
