//! Channel quality indicators: a UE's report of its SINR (TS 36.213 §7.2.3).
//!
//! In: SINRs over the band. Out: the wideband CQI, differential subband CQIs, and the SINR that an
//! eNB reads from them.
//!
//! The threshold of a CQI is the SINR at which a block of its code rate on 960 resource elements (8
//! PRBs) fails in 10 % of its first transmissions; with low spectral efficiency, in 10⁻⁵ of them
//! (TS 38.214 §5.2.2.1). The thresholds are stored, and a test recomputes them.
//!
//! Left out: measurement errors of the UE, and reports about a block on the whole band, whose
//! thresholds are up to 0.4 dB away. The outer loop corrects both.

use std::sync::OnceLock;

use super::information;
use super::modulation::Modulation::{self, Qam16, Qam64, Qam256, Qam1024, Qpsk};
use super::receiver::Receiver;
use super::sinr::Sinr;
use crate::unit::Decibel;

/// A channel quality indicator: 1 to 15, or 0 for out of range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cqi(u8);

/// The table that defines the meaning of a CQI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CqiTable {
    /// CQI table up to 64QAM (TS 36.213 Table 7.2.3-1).
    Qam64,
    /// CQI table up to 256QAM (TS 36.213 Table 7.2.3-2).
    Qam256,
    /// CQI table up to 1024QAM (TS 36.213 Table 7.2.3-4).
    Qam1024,
    /// CQI table up to 64QAM with low spectral efficiency (TS 38.214 Table 5.2.2.1-4).
    LowEfficiency,
}

/// The two bits of a subband CQI relative to the wideband CQI (TS 36.213 Table 7.2.1-2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SubbandOffset {
    /// The subband CQI is lower by one, or by more.
    Lower,
    /// Equal to the wideband CQI.
    Same,
    /// The subband CQI is higher by one.
    OneHigher,
    /// The subband CQI is higher by two, or by more.
    Higher,
}

impl Cqi {
    /// Out of range: even the lowest scheme would fail.
    pub const OUT_OF_RANGE: Self = Self(0);

    /// Returns the CQI. `None` above 15, because the field has four bits.
    pub const fn new(index: u8) -> Option<Self> {
        if index < 16 { Some(Self(index)) } else { None }
    }

    /// Returns the index of the CQI.
    pub const fn index(self) -> u8 {
        self.0
    }

    /// Returns the offset that a UE reports for a subband with CQI `self` if `wideband` is the CQI
    /// of the band.
    pub const fn offset_to(self, wideband: Self) -> SubbandOffset {
        match (self.0, wideband.0) {
            (own, band) if own < band => SubbandOffset::Lower,
            (own, band) if own == band => SubbandOffset::Same,
            (own, band) if own == band + 1 => SubbandOffset::OneHigher,
            _ => SubbandOffset::Higher,
        }
    }

    /// Returns the CQI that an eNB assumes for a subband if `self` is the CQI of the band.
    pub fn with_offset(self, offset: SubbandOffset) -> Self {
        match offset {
            SubbandOffset::Lower => Self(self.0.saturating_sub(1)),
            SubbandOffset::Same => self,
            SubbandOffset::OneHigher => Self((self.0 + 1).min(15)),
            SubbandOffset::Higher => Self((self.0 + 2).min(15)),
        }
    }
}

impl CqiTable {
    /// Returns modulation and code rate of a CQI. `None` for 0.
    pub const fn scheme(self, cqi: Cqi) -> Option<(Modulation, f64)> {
        if cqi.0 == 0 {
            return None;
        }
        let (modulation, code_rate_1024) = SCHEMES[self as usize][cqi.0 as usize - 1];
        Some((modulation, code_rate_1024 as f64 / 1024.0))
    }

    /// Returns the lowest SINR at which a UE reports `cqi`. For 0, no SINR is too low.
    pub fn threshold(self, cqi: Cqi, receiver: Receiver) -> Sinr {
        levels(self, receiver).sinrs[usize::from(cqi.0)]
    }

    /// Returns the highest CQI whose scheme fails in at most 10 % of its first transmissions, or in
    /// 10⁻⁵ of them, over resources with these SINRs, in equal shares.
    pub fn wideband(self, receiver: Receiver, sinrs: &[Sinr]) -> Cqi {
        let levels = levels(self, receiver);
        let best = sinrs.iter().fold(0.0_f64, |best, sinr| best.max(sinr.linear()));
        let mut highest = 15;
        while highest > 0 {
            let (modulation, _) = SCHEMES[self as usize][highest - 1];
            let lowest = LOWEST_OF_MODULATION[self as usize][highest - 1];
            // A mean is not above its largest term, within rounding.
            if best > 0.99 * levels.sinrs[lowest].linear() {
                let information = mean_information(modulation, sinrs);
                let needed = &levels.information[lowest..=highest];
                if let Some(above) = needed.iter().rposition(|&needed| information >= needed) {
                    return Cqi((lowest + above) as u8);
                }
            }
            highest = lowest - 1;
        }
        Cqi::OUT_OF_RANGE
    }

    /// Returns the CQI of a flat channel.
    pub fn flat(self, receiver: Receiver, sinr: Sinr) -> Cqi {
        let sinrs = &levels(self, receiver).sinrs;
        let reached = sinrs.partition_point(|&threshold| threshold <= sinr);
        Cqi((reached - 1) as u8)
    }

    /// Returns the CQI that an eNB assumes for a flat subband if `band` is the CQI of the band:
    /// [`Self::flat`], reported as a [`SubbandOffset`].
    pub fn subband(self, receiver: Receiver, band: Cqi, sinr: Sinr) -> Cqi {
        let sinrs = &levels(self, receiver).sinrs;
        let reaches = |cqi: u8| sinrs.get(usize::from(cqi)).is_some_and(|needed| *needed <= sinr);
        let Cqi(band) = band;
        if reaches(band) {
            Cqi(band + u8::from(reaches(band + 1)) + u8::from(reaches(band + 2)))
        } else {
            Cqi(band.saturating_sub(1))
        }
    }
}

fn mean_information(modulation: Modulation, sinrs: &[Sinr]) -> f64 {
    let sum: f64 = sinrs.iter().map(|&sinr| information::per_bit(modulation, sinr)).sum();
    sum / sinrs.len().max(1) as f64
}

/// Requirements of each CQI on a flat channel, starting with CQI 0.
#[derive(Clone, Copy)]
struct Levels {
    sinrs: [Sinr; 16],
    /// Information bits that arrive per coded bit.
    information: [f64; 16],
}

impl Levels {
    fn new(table: CqiTable, by_cqi: [f64; 15]) -> Self {
        let mut levels = Self { sinrs: [Sinr::ZERO; 16], information: [0.0; 16] };
        for (index, threshold) in (1..).zip(by_cqi) {
            let sinr = Decibel(threshold).into();
            let (modulation, _) = SCHEMES[table as usize][index - 1];
            levels.sinrs[index] = sinr;
            levels.information[index] = information::per_bit(modulation, sinr);
        }
        levels
    }
}

fn levels(table: CqiTable, receiver: Receiver) -> &'static Levels {
    // 120 exponentials, once: about a microsecond.
    static LEVELS: OnceLock<[[Levels; 2]; 4]> = OnceLock::new();
    let levels = LEVELS.get_or_init(|| {
        let tables =
            [CqiTable::Qam64, CqiTable::Qam256, CqiTable::Qam1024, CqiTable::LowEfficiency];
        tables.map(|table| THRESHOLDS_DB[table as usize].map(|by_cqi| Levels::new(table, by_cqi)))
    });
    &levels[table as usize][receiver as usize]
}

/// Modulation and code rate times 1024, by table and CQI, starting with CQI 1.
#[rustfmt::skip]
const SCHEMES: [[(Modulation, u32); 15]; 4] = [
    [
        (Qpsk, 78), (Qpsk, 120), (Qpsk, 193), (Qpsk, 308), (Qpsk, 449), (Qpsk, 602),
        (Qam16, 378), (Qam16, 490), (Qam16, 616), (Qam64, 466), (Qam64, 567), (Qam64, 666),
        (Qam64, 772), (Qam64, 873), (Qam64, 948),
    ],
    [
        (Qpsk, 78), (Qpsk, 193), (Qpsk, 449), (Qam16, 378), (Qam16, 490), (Qam16, 616),
        (Qam64, 466), (Qam64, 567), (Qam64, 666), (Qam64, 772), (Qam64, 873), (Qam256, 711),
        (Qam256, 797), (Qam256, 885), (Qam256, 948),
    ],
    [
        (Qpsk, 78), (Qpsk, 193), (Qpsk, 449), (Qam16, 378), (Qam16, 616), (Qam64, 567),
        (Qam64, 666), (Qam64, 772), (Qam64, 873), (Qam256, 711), (Qam256, 797), (Qam256, 885),
        (Qam256, 948), (Qam1024, 853), (Qam1024, 948),
    ],
    [
        (Qpsk, 30), (Qpsk, 50), (Qpsk, 78), (Qpsk, 120), (Qpsk, 193), (Qpsk, 308),
        (Qpsk, 449), (Qpsk, 602), (Qam16, 378), (Qam16, 490), (Qam16, 616), (Qam64, 466),
        (Qam64, 567), (Qam64, 666), (Qam64, 772),
    ],
];

/// The lowest CQI with the same modulation, by table and CQI, starting with CQI 1.
const LOWEST_OF_MODULATION: [[usize; 15]; 4] = {
    let mut lowest = [[1; 15]; 4];
    let mut cell = 0;
    while cell < 60 {
        let (table, place) = (cell / 15, cell % 15);
        if place > 0 {
            let (own, below) = (&SCHEMES[table][place], &SCHEMES[table][place - 1]);
            let same = own.0 as u8 == below.0 as u8;
            lowest[table][place] = if same { lowest[table][place - 1] } else { place + 1 };
        }
        cell += 1;
    }
    lowest
};

/// Thresholds in dB by table, receiver (ideal, practical) and CQI, starting with CQI 1. Computed
/// values; a test recomputes them.
#[rustfmt::skip]
const THRESHOLDS_DB: [[[f64; 15]; 2]; 4] = [
    [
        [
            -6.965, -5.173, -3.154, -1.195, 0.744, 2.674, 4.676, 6.541, 8.500, 10.433, 12.404, 14.290,
            16.060, 17.889, 19.783,
        ],
        [
            -3.491, -1.963, -0.167, 1.636, 3.468, 5.325, 7.277, 9.111, 11.050, 12.969, 14.931, 16.812,
            18.579, 20.405, 22.298,
        ],
    ],
    [
        [
            -6.965, -3.154, 0.744, 4.676, 6.541, 8.500, 10.433, 12.404, 14.290, 16.060, 17.889, 19.487,
            21.386, 23.743, 25.622,
        ],
        [
            -3.491, -0.167, 3.468, 7.277, 9.111, 11.050, 12.969, 14.931, 16.812, 18.579, 20.405, 22.002,
            23.899, 26.256, 28.134,
        ],
    ],
    [
        [
            -6.965, -3.154, 0.744, 4.676, 8.500, 12.404, 14.290, 16.060, 17.889, 19.487, 21.386, 23.743,
            25.622, 28.073, 31.132,
        ],
        [
            -3.491, -0.167, 3.468, 7.277, 11.050, 14.931, 16.812, 18.579, 20.405, 22.002, 23.899, 26.256,
            28.134, 30.585, 33.644,
        ],
    ],
    [
        [
            -8.561, -7.185, -5.851, -4.455, -2.858, -0.874, 1.055, 2.871, 4.562, 6.346, 8.247, 9.867,
            11.790, 13.650, 15.679,
        ],
        [
            -4.794, -3.674, -2.548, -1.333, 0.101, 1.936, 3.764, 5.516, 7.166, 8.919, 10.799, 12.406,
            14.319, 16.173, 18.198,
        ],
    ],
];

#[cfg(test)]
mod tests;
