//! Modulation and coding schemes of NR (TS 38.214 §5.1.3.1, §6.1.4.1).
//!
//! In: `I_MCS` and the table that the UE is configured with. Out: modulation and target code rate.
//!
//! Left out: π/2-BPSK (its rows are sent as QPSK at half the code rate, which takes the same
//! resources). This matters for power-limited uplinks, by 1 to 2 dB.

use crate::ran::phy::{Mcs, Modulation};

/// The table that defines the meaning of `I_MCS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum McsTable {
    /// MCS table up to 64QAM (TS 38.214 Table 5.1.3.1-1).
    Qam64,
    /// MCS table up to 256QAM (TS 38.214 Table 5.1.3.1-2).
    Qam256,
    /// MCS table up to 64QAM with low spectral efficiency (TS 38.214 Table 5.1.3.1-3).
    LowEfficiency,
    /// Uplink with transform precoding (TS 38.214 Table 6.1.4.1-1).
    Transform,
    /// Uplink with transform precoding and low spectral efficiency (TS 38.214 Table 6.1.4.1-2).
    TransformLowEfficiency,
}

/// A target code rate, exact: the tables have multiples of 1/2048.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CodeRate(u32);

impl McsTable {
    /// Returns modulation and target code rate of a new block. `None` for the reserved values that
    /// only retransmissions use.
    pub fn scheme(self, mcs: Mcs) -> Option<(Modulation, CodeRate)> {
        let (order, rate) = MCS[self as usize][usize::from(mcs.index())]?;
        Some(match order {
            1 => (Modulation::Qpsk, CodeRate(rate as u32)),
            _ => (Modulation::of_order(order), CodeRate((2.0 * rate) as u32)),
        })
    }
}

impl McsTable {
    /// Returns the highest scheme of new blocks.
    pub fn highest(self) -> Mcs {
        let all = (0..32).filter_map(Mcs::new);
        all.filter(|&mcs| self.scheme(mcs).is_some()).max().expect("a table has schemes")
    }
}

impl CodeRate {
    /// Returns the code rate `R` = `numerator`/2048.
    pub const fn from_2048ths(numerator: u32) -> Self {
        Self(numerator)
    }

    /// Returns `R` in 2048ths.
    pub const fn in_2048ths(self) -> u32 {
        self.0
    }

    /// Returns whether `R ≤ 0.67`, exactly.
    pub const fn is_at_most_67_hundredths(self) -> bool {
        100 * self.0 <= 67 * 2048
    }

    /// Returns the rate as a plain number.
    pub const fn value(self) -> f64 {
        self.0 as f64 / 2048.0
    }
}

/// Modulation order and target code rate times 1024, by table and `I_MCS`.
static MCS: [[Option<(u32, f64)>; 32]; 5] = include!("../../../../data/ts38214_mcs.rs");

#[cfg(test)]
mod tests {
    use super::*;

    /// TS 38.214 Tables 5.1.3.1-1 to -3, 6.1.4.1-1, -2
    #[test]
    fn schemes_are_those_of_the_tables() {
        let scheme = |table: McsTable, mcs| table.scheme(Mcs::new(mcs).expect("a scheme"));
        let expect = |modulation, halves| Some((modulation, CodeRate(halves)));
        assert_eq!(scheme(McsTable::Qam64, 0), expect(Modulation::Qpsk, 240));
        assert_eq!(scheme(McsTable::Qam64, 28), expect(Modulation::Qam64, 1896));
        assert_eq!(scheme(McsTable::Qam256, 20), expect(Modulation::Qam256, 1365));
        assert_eq!(scheme(McsTable::LowEfficiency, 0), expect(Modulation::Qpsk, 60));
        // π/2-BPSK at 240/1024 takes as many resources as QPSK at 120/1024.
        assert_eq!(scheme(McsTable::Transform, 0), expect(Modulation::Qpsk, 240));
        for table in [McsTable::Qam64, McsTable::Qam256, McsTable::TransformLowEfficiency] {
            assert_eq!(scheme(table, 31), None);
        }
    }
}
