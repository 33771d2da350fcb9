//! Resource blocks of an LTE carrier, and the resource elements left for data (TS 36.211 §6.2,
//! §6.10.1).
//!
//! In: channel bandwidth, control symbols, antenna ports. Out: resource blocks, resource block
//! groups, subbands, resource elements per PRB.
//!
//! Left out: the extended cyclic prefix (MBSFN, very large cells), UE-specific and CSI reference
//! signals. If the number of PRBs is odd, synchronisation signals cut a PRB in half at both ends;
//! here these halves count as whole PRBs outside, which gives 3 MHz and 5 MHz cells 0.1 % more
//! capacity.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ran::phy::resource_grid::{ResourceGrid, SUBCARRIERS, SYMBOLS};

/// Channel bandwidth of an LTE carrier (TS 36.101 Table 5.6-1).
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Default,
    Deserialize,
    Serialize,
    JsonSchema,
)]
#[schemars(rename = "LteBandwidth")]
pub enum Bandwidth {
    /// 1.4 MHz, 6 PRBs.
    #[serde(rename = "1.4 MHz")]
    Mhz1_4,
    /// 3 MHz, 15 PRBs.
    #[serde(rename = "3 MHz")]
    Mhz3,
    /// 5 MHz, 25 PRBs.
    #[serde(rename = "5 MHz")]
    Mhz5,
    /// 10 MHz, 50 PRBs.
    #[default]
    #[serde(rename = "10 MHz")]
    Mhz10,
    /// 15 MHz, 75 PRBs.
    #[serde(rename = "15 MHz")]
    Mhz15,
    /// 20 MHz, 100 PRBs.
    #[serde(rename = "20 MHz")]
    Mhz20,
}

/// Control format indicator: size of the control region (TS 36.211 §6.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cfi {
    /// CFI 1: a control region of one symbol, or of two up to 10 PRBs.
    One,
    /// CFI 2: a control region of two symbols, or of three up to 10 PRBs.
    Two,
    /// CFI 3: a control region of three symbols, or of four up to 10 PRBs.
    Three,
}

/// Number of ports with cell-specific reference signals (TS 36.211 §6.10.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AntennaPorts {
    /// One antenna port, number 0.
    One,
    /// Two antenna ports, 0 and 1.
    Two,
    /// Four antenna ports, 0 to 3.
    Four,
}

impl Bandwidth {
    /// All bandwidths, in ascending order.
    pub const ALL: [Self; 6] =
        [Self::Mhz1_4, Self::Mhz3, Self::Mhz5, Self::Mhz10, Self::Mhz15, Self::Mhz20];

    /// Returns the bandwidth with `prbs` PRBs.
    pub fn from_prbs(prbs: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|bandwidth| bandwidth.prbs() == prbs)
    }

    /// Returns `N_RB`, the number of physical resource blocks.
    pub const fn prbs(self) -> u32 {
        FACTS[self as usize].prbs
    }

    /// Returns the number of uplink resource blocks that the PUCCH takes at both edges of the band,
    /// if its size does not depend on the number of UEs.
    pub const fn pucch_prbs(self) -> u32 {
        match self {
            Self::Mhz1_4 | Self::Mhz3 => 2,
            Self::Mhz5 => 4,
            Self::Mhz10 => 6,
            Self::Mhz15 | Self::Mhz20 => 8,
        }
    }

    /// Returns `P`, the number of PRBs of one resource block group (TS 36.213 Table 7.1.6.1-1).
    pub const fn rbg_size(self) -> u32 {
        FACTS[self as usize].rbg_size
    }

    /// Returns the number of resource block groups, of which the last may be smaller.
    pub const fn rbgs(self) -> u32 {
        self.prbs().div_ceil(self.rbg_size())
    }

    /// Returns the number of PRBs of resource block group number `rbg`.
    pub const fn rbg_prbs(self, rbg: u32) -> u32 {
        part(self.prbs(), self.rbg_size(), rbg)
    }

    /// Returns the number of PRBs in resource block groups of full size.
    pub const fn prbs_of_whole_rbgs(self) -> u32 {
        self.prbs() - self.prbs() % self.rbg_size()
    }

    /// Returns `k`, the number of PRBs of one CQI subband (TS 36.213 Table 7.2.1-3). At 1.4 MHz
    /// there are no subbands, and this is the whole band.
    pub const fn subband_size(self) -> u32 {
        FACTS[self as usize].subband_size
    }

    /// Returns the number of CQI subbands, of which the last may be smaller.
    pub const fn subbands(self) -> u32 {
        self.prbs().div_ceil(self.subband_size())
    }

    /// Returns the number of PRBs of CQI subband number `subband`.
    pub const fn subband_prbs(self, subband: u32) -> u32 {
        part(self.prbs(), self.subband_size(), subband)
    }

    /// Returns the number of OFDM symbols of the control region: one more than the CFI up to 10
    /// PRBs (TS 36.212 §5.3.4).
    pub const fn control_symbols(self, cfi: Cfi) -> u32 {
        cfi as u32 + 1 + (self.prbs() <= 10) as u32
    }

    /// Returns the number of resource elements for data in one PRB and subframe of the PDSCH.
    pub const fn pdsch_res_per_prb(self, cfi: Cfi, ports: AntennaPorts) -> u32 {
        let control = self.control_symbols(cfi);
        SUBCARRIERS * (SYMBOLS - control) - ports.reference_res(control)
    }
}

impl From<Bandwidth> for ResourceGrid {
    fn from(bandwidth: Bandwidth) -> Self {
        Self {
            prbs: bandwidth.prbs(),
            group: bandwidth.rbg_size(),
            subband: bandwidth.subband_size(),
        }
    }
}

impl AntennaPorts {
    /// Returns the number of reference signals per PRB and subframe outside a control region of
    /// `control` symbols (TS 36.211 §6.10.1.2). Ports 0 and 1 send in symbols 0, 4, 7 and 11; ports
    /// 2 and 3 in symbols 1 and 8.
    const fn reference_res(self, control: u32) -> u32 {
        match (self, control) {
            (Self::One, _) => 6,
            (Self::Two, _) => 12,
            (Self::Four, ..2) => 20,
            (Self::Four, _) => 16,
        }
    }

    /// Returns the part of [`Bandwidth::pdsch_res_per_prb`] that synchronisation signals and PBCH
    /// take in each of the central six PRBs (TS 36.211 §6.6.4, §6.11).
    pub const fn sync_and_broadcast_res(self, subframe: u32) -> u32 {
        // The PBCH takes four symbols. Their reference signals are already counted.
        let broadcast = 4 * SUBCARRIERS - [2, 4, 8][self as usize];
        match subframe {
            0 => 2 * SUBCARRIERS + broadcast,
            5 => 2 * SUBCARRIERS,
            _ => 0,
        }
    }
}

/// Returns the number of resource elements for data in one PRB and subframe of the PUSCH: 12 of 14
/// symbols carry data (TS 36.211 §5.5.2), one less if the cell reserves the last one for sounding.
pub const fn pusch_res_per_prb(sounding: bool) -> u32 {
    SUBCARRIERS * (SYMBOLS - 2 - sounding as u32)
}

/// Returns the size of part number `index` if `whole` is cut into parts of `size`.
const fn part(whole: u32, size: u32, index: u32) -> u32 {
    let rest = whole - index * size;
    if rest < size { rest } else { size }
}

struct Facts {
    prbs: u32,
    rbg_size: u32,
    subband_size: u32,
}

/// Sizes by [`Bandwidth`]: TS 36.101 Table 5.6-1, TS 36.213 Tables 7.1.6.1-1 and 7.2.1-3.
const FACTS: [Facts; 6] = [
    Facts { prbs: 6, rbg_size: 1, subband_size: 6 },
    Facts { prbs: 15, rbg_size: 2, subband_size: 4 },
    Facts { prbs: 25, rbg_size: 2, subband_size: 4 },
    Facts { prbs: 50, rbg_size: 3, subband_size: 6 },
    Facts { prbs: 75, rbg_size: 4, subband_size: 8 },
    Facts { prbs: 100, rbg_size: 4, subband_size: 8 },
];

#[cfg(test)]
mod tests {
    use super::*;

    /// TS 36.101 Table 5.6-1, TS 36.213 Tables 7.1.6.1-1 and 7.2.1-3
    #[test]
    fn resource_block_groups_and_subbands_cover_the_band() {
        let groups: Vec<u32> = Bandwidth::ALL.iter().map(|b| b.rbgs()).collect();
        assert_eq!(groups, [6, 8, 13, 17, 19, 25]);
        let subbands: Vec<u32> = Bandwidth::ALL.iter().map(|b| b.subbands()).collect();
        assert_eq!(subbands, [1, 4, 7, 9, 10, 13]);
        for bandwidth in Bandwidth::ALL {
            let prbs = bandwidth.prbs();
            assert_eq!((0..bandwidth.rbgs()).map(|g| bandwidth.rbg_prbs(g)).sum::<u32>(), prbs);
            let subbands = 0..bandwidth.subbands();
            assert_eq!(subbands.map(|s| bandwidth.subband_prbs(s)).sum::<u32>(), prbs);
            assert_eq!(Bandwidth::from_prbs(prbs), Some(bandwidth));
        }
    }

    fn check_res(ports: AntennaPorts, by_control_symbols: [u32; 4]) {
        let [one, two, three, four] = by_control_symbols;
        let wide = Bandwidth::Mhz20;
        assert_eq!(wide.pdsch_res_per_prb(Cfi::One, ports), one);
        assert_eq!(wide.pdsch_res_per_prb(Cfi::Two, ports), two);
        assert_eq!(wide.pdsch_res_per_prb(Cfi::Three, ports), three);
        assert_eq!(Bandwidth::Mhz1_4.pdsch_res_per_prb(Cfi::Three, ports), four);
    }

    /// TS 36.211 §6.10.1.2
    #[test]
    fn control_region_and_reference_signals_take_their_share() {
        check_res(AntennaPorts::One, [150, 138, 126, 114]);
        check_res(AntennaPorts::Two, [144, 132, 120, 108]);
        check_res(AntennaPorts::Four, [136, 128, 116, 104]);
    }

    /// TS 36.211 §6.6.4: PBCH avoids the reference signals of four ports, whatever the number of
    /// ports of the cell.
    #[test]
    fn the_first_subframe_also_carries_the_broadcast_channel() {
        assert_eq!(AntennaPorts::Four.sync_and_broadcast_res(0), 24 + 40);
        assert_eq!(AntennaPorts::One.sync_and_broadcast_res(0), 24 + 46);
        assert_eq!(AntennaPorts::One.sync_and_broadcast_res(5), 24);
        assert_eq!(AntennaPorts::One.sync_and_broadcast_res(3), 0);
    }

    /// TS 36.211 §5.5.2, §5.5.3
    #[test]
    fn the_uplink_has_twelve_symbols_for_data_or_eleven_with_sounding() {
        assert_eq!(pusch_res_per_prb(false), 144);
        assert_eq!(pusch_res_per_prb(true), 132);
    }
}
