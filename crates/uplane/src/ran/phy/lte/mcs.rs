//! Modulation and coding schemes (TS 36.213 §7.1.7.1, §8.6.1).
//!
//! In: `I_MCS` and the table that the UE is configured with. Out: modulation and `I_TBS`.
//!
//! Left out: TBS indices 26A, 33A and 33B instead of the highest ones (TS 36.213 §7.1.7.2), which a
//! UE must be configured for. [`TbsIndex::A26`] is provided.

use super::transport_block::TbsIndex;
use crate::ran::phy::Mcs;
use crate::ran::phy::Modulation::{self, Qam16, Qam64, Qam256, Qpsk};
use crate::ran::phy::cqi::CqiTable;

/// The table that defines the meaning of `I_MCS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum McsTable {
    /// Downlink up to 64QAM (TS 36.213 Table 7.1.7.1-1).
    Pdsch64Qam,
    /// Downlink up to 256QAM (TS 36.213 Table 7.1.7.1-1A).
    Pdsch256Qam,
    /// Uplink of a UE with 64QAM (TS 36.213 Table 8.6.1-1).
    Pusch64Qam,
    /// Uplink of a UE without 64QAM, which sends the highest schemes with 16QAM (TS 36.213 §8.6.1).
    Pusch16Qam,
}

impl McsTable {
    /// Returns modulation and `I_TBS` of a new block. `None` for the reserved values that only
    /// retransmissions use.
    #[inline(always)]
    pub fn scheme(self, mcs: Mcs) -> Option<(Modulation, TbsIndex)> {
        let &(modulation, index) = self.rows().get(usize::from(mcs.index()))?;
        let lowered = self == Self::Pusch16Qam && modulation == Qam64;
        Some((if lowered { Qam16 } else { modulation }, TbsIndex::new(index)?))
    }

    const fn rows(self) -> &'static [(Modulation, u8)] {
        match self {
            Self::Pdsch64Qam => &PDSCH_64QAM,
            Self::Pdsch256Qam => &PDSCH_256QAM,
            Self::Pusch64Qam | Self::Pusch16Qam => &PUSCH,
        }
    }

    /// Returns the table of CQIs up to the same modulation (TS 36.213 §7.2.3).
    pub const fn cqi_table(self) -> CqiTable {
        match self {
            Self::Pdsch256Qam => CqiTable::Qam256,
            Self::Pdsch64Qam | Self::Pusch64Qam | Self::Pusch16Qam => CqiTable::Qam64,
        }
    }

    /// Returns the highest scheme for a new block.
    pub const fn highest(self) -> Mcs {
        Mcs::new(self.rows().len() as u8 - 1).expect("below 32")
    }
}

/// Modulation and `I_TBS` by `I_MCS` (TS 36.213 Table 7.1.7.1-1). Higher values are reserved.
#[rustfmt::skip]
const PDSCH_64QAM: [(Modulation, u8); 29] = [
    (Qpsk, 0), (Qpsk, 1), (Qpsk, 2), (Qpsk, 3), (Qpsk, 4), (Qpsk, 5), (Qpsk, 6), (Qpsk, 7),
    (Qpsk, 8), (Qpsk, 9), (Qam16, 9), (Qam16, 10), (Qam16, 11), (Qam16, 12), (Qam16, 13),
    (Qam16, 14), (Qam16, 15), (Qam64, 15), (Qam64, 16), (Qam64, 17), (Qam64, 18), (Qam64, 19),
    (Qam64, 20), (Qam64, 21), (Qam64, 22), (Qam64, 23), (Qam64, 24), (Qam64, 25), (Qam64, 26),
];

/// Modulation and `I_TBS` by `I_MCS` (TS 36.213 Table 7.1.7.1-1A).
#[rustfmt::skip]
const PDSCH_256QAM: [(Modulation, u8); 28] = [
    (Qpsk, 0), (Qpsk, 2), (Qpsk, 4), (Qpsk, 6), (Qpsk, 8), (Qam16, 10), (Qam16, 11), (Qam16, 12),
    (Qam16, 13), (Qam16, 14), (Qam16, 15), (Qam64, 16), (Qam64, 17), (Qam64, 18), (Qam64, 19),
    (Qam64, 20), (Qam64, 21), (Qam64, 22), (Qam64, 23), (Qam64, 24), (Qam256, 25), (Qam256, 27),
    (Qam256, 28), (Qam256, 29), (Qam256, 30), (Qam256, 31), (Qam256, 32), (Qam256, 33),
];

/// Modulation and `I_TBS` by `I_MCS` (TS 36.213 Table 8.6.1-1).
#[rustfmt::skip]
const PUSCH: [(Modulation, u8); 29] = [
    (Qpsk, 0), (Qpsk, 1), (Qpsk, 2), (Qpsk, 3), (Qpsk, 4), (Qpsk, 5), (Qpsk, 6), (Qpsk, 7),
    (Qpsk, 8), (Qpsk, 9), (Qpsk, 10), (Qam16, 10), (Qam16, 11), (Qam16, 12), (Qam16, 13),
    (Qam16, 14), (Qam16, 15), (Qam16, 16), (Qam16, 17), (Qam16, 18), (Qam16, 19), (Qam64, 19),
    (Qam64, 20), (Qam64, 21), (Qam64, 22), (Qam64, 23), (Qam64, 24), (Qam64, 25), (Qam64, 26),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(table: McsTable, mcs: u8, modulation: Modulation, tbs_index: u8) {
        let expected = (modulation, TbsIndex::new(tbs_index).expect("an index"));
        assert_eq!(
            table.scheme(Mcs::new(mcs).expect("an index")),
            Some(expected),
            "{table:?} {mcs}"
        );
    }

    /// TS 36.213 Table 7.1.7.1-1: where the modulation changes, the same I_TBS is sent with both.
    #[test]
    fn downlink_schemes_are_those_of_the_table() {
        check(McsTable::Pdsch64Qam, 9, Qpsk, 9);
        check(McsTable::Pdsch64Qam, 10, Qam16, 9);
        check(McsTable::Pdsch64Qam, 17, Qam64, 15);
        check(McsTable::Pdsch64Qam, 28, Qam64, 26);
    }

    /// TS 36.213 Table 7.1.7.1-1A
    #[test]
    fn the_second_downlink_table_ends_with_256qam() {
        check(McsTable::Pdsch256Qam, 0, Qpsk, 0);
        check(McsTable::Pdsch256Qam, 20, Qam256, 25);
        check(McsTable::Pdsch256Qam, 27, Qam256, 33);
    }

    /// TS 36.213 §8.6.1: Q_m = 4 for I_MCS 21 to 28 if the UE cannot send 64QAM.
    #[test]
    fn an_uplink_without_64qam_sends_the_same_sizes_with_16qam() {
        check(McsTable::Pusch64Qam, 21, Qam64, 19);
        check(McsTable::Pusch16Qam, 21, Qam16, 19);
        check(McsTable::Pusch16Qam, 10, Qpsk, 10);
    }

    /// TS 36.213 §7.1.7.1: reserved values of I_MCS keep the size of the first transmission.
    #[test]
    fn reserved_schemes_carry_no_new_block() {
        for table in [
            McsTable::Pdsch64Qam,
            McsTable::Pdsch256Qam,
            McsTable::Pusch64Qam,
            McsTable::Pusch16Qam,
        ] {
            let highest = table.highest();
            assert!(highest.descending().all(|mcs| table.scheme(mcs).is_some()));
            let reserved = (highest.index() + 1..32).filter_map(Mcs::new);
            assert!(reserved.map(|mcs| table.scheme(mcs)).all(|scheme| scheme.is_none()));
        }
    }
}
