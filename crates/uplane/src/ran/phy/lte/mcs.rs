//! Modulation and coding schemes (TS 36.213 §7.1.7.1, §8.6.1).
//!
//! In: `I_MCS` and the table that the UE is configured with. Out: modulation and `I_TBS`.
//!
//! Left out: TBS indices 26A, 33A and 33B in place of the highest ones (TS 36.213 §7.1.7.2), which a UE
//! must be configured for. [`TbsIndex::A26`] is there for who wants it.

use super::transport_block::TbsIndex;
use crate::ran::phy::cqi::CqiTable;
use crate::ran::phy::{Mcs, Modulation};
use crate::ran::tables::csv;

/// Which table gives `I_MCS` its meaning.
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
    /// Modulation and `I_TBS` of a new block; `None` for the reserved values that only retransmissions
    /// use.
    pub const fn scheme(self, mcs: Mcs) -> Option<(Modulation, TbsIndex)> {
        let (modulation, index) = match self {
            Self::Pdsch64Qam => PDSCH[mcs.index() as usize],
            Self::Pdsch256Qam => PDSCH[32 + mcs.index() as usize],
            Self::Pusch64Qam => PUSCH[mcs.index() as usize],
            Self::Pusch16Qam => {
                let (modulation, index) = PUSCH[mcs.index() as usize];
                let lower = matches!(modulation, Modulation::Qam64);
                (if lower { Modulation::Qam16 } else { modulation }, index)
            }
        };
        match index {
            Some(index) => Some((modulation, index)),
            None => None,
        }
    }

    /// The table of CQIs up to the same modulation (TS 36.213 §7.2.3).
    pub const fn cqi_table(self) -> CqiTable {
        match self {
            Self::Pdsch256Qam => CqiTable::Qam256,
            Self::Pdsch64Qam | Self::Pusch64Qam | Self::Pusch16Qam => CqiTable::Qam64,
        }
    }

    /// The highest scheme for a new block.
    pub const fn highest(self) -> Mcs {
        let index = match self {
            Self::Pdsch256Qam => 27,
            Self::Pdsch64Qam | Self::Pusch64Qam | Self::Pusch16Qam => 28,
        };
        Mcs::new(index).expect("below 32")
    }
}

type Scheme = (Modulation, Option<TbsIndex>);

const PDSCH: [Scheme; 64] = {
    let cells: [[&str; 4]; 64] = csv::cells(include_str!("../../../../data/ts36213_mcs_pdsch.csv"));
    let mut schemes = [(Modulation::Qpsk, None); 64];
    let mut row = 0;
    while row < 64 {
        schemes[row] = scheme(cells[row][2], cells[row][3]);
        row += 1;
    }
    schemes
};

const PUSCH: [Scheme; 32] = {
    let cells: [[&str; 4]; 32] = csv::cells(include_str!("../../../../data/ts36213_mcs_pusch.csv"));
    let mut schemes = [(Modulation::Qpsk, None); 32];
    let mut row = 0;
    while row < 32 {
        // A retransmission keeps the modulation of the first grant: the table has none for it.
        if !cells[row][2].is_empty() {
            schemes[row] = scheme(cells[row][1], cells[row][2]);
        }
        row += 1;
    }
    schemes
};

const fn scheme(order: &'static str, tbs_index: &'static str) -> Scheme {
    let modulation = Modulation::of_order(csv::integer(order));
    if tbs_index.is_empty() {
        return (modulation, None);
    }
    (modulation, TbsIndex::new(csv::integer(tbs_index) as u8))
}

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

    /// TS 36.213 Table 7.1.7.1-1: the same I_TBS is sent with both modulations at a switch.
    #[test]
    fn downlink_schemes_are_those_of_the_table() {
        check(McsTable::Pdsch64Qam, 9, Modulation::Qpsk, 9);
        check(McsTable::Pdsch64Qam, 10, Modulation::Qam16, 9);
        check(McsTable::Pdsch64Qam, 17, Modulation::Qam64, 15);
        check(McsTable::Pdsch64Qam, 28, Modulation::Qam64, 26);
    }

    /// TS 36.213 Table 7.1.7.1-1A
    #[test]
    fn the_second_downlink_table_ends_with_256qam() {
        check(McsTable::Pdsch256Qam, 0, Modulation::Qpsk, 0);
        check(McsTable::Pdsch256Qam, 20, Modulation::Qam256, 25);
        check(McsTable::Pdsch256Qam, 27, Modulation::Qam256, 33);
    }

    /// TS 36.213 §8.6.1: Q_m = 4 for I_MCS 21 to 28 when the UE cannot send 64QAM.
    #[test]
    fn an_uplink_without_64qam_sends_the_same_sizes_with_16qam() {
        check(McsTable::Pusch64Qam, 21, Modulation::Qam64, 19);
        check(McsTable::Pusch16Qam, 21, Modulation::Qam16, 19);
        check(McsTable::Pusch16Qam, 10, Modulation::Qpsk, 10);
    }

    /// TS 36.213 §7.1.7.1: I_MCS above the highest keep the size of the first transmission.
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
