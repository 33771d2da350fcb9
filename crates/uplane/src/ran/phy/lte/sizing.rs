//! Capacity of LTE resource blocks in one transmission time interval.
//!
//! In: the table of schemes, the resource elements left by control and reference signals, layers,
//! the TTI. Out: transport block sizes and coded bits of a number of resource blocks.
//!
//! Left out: subframes with fewer resource elements than others, such as those with broadcast
//! channels.

use super::mcs::McsTable;
use super::transport_block::transport_block_size;
use crate::ran::phy::resource_grid::SUBFRAME;
use crate::ran::phy::{Layers, Mcs, Modulation, TransportBlockSize};
use crate::unit::Duration;

/// Resource blocks of one direction, equal in all slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizing {
    /// The table that defines the meaning of an MCS.
    pub table: McsTable,
    /// Number of resource elements for data in one PRB and 1 ms subframe, on one layer.
    pub res_per_prb: u32,
    /// Subcarrier spacing in multiples of 15 kHz. Symbols are shorter by this factor, and a given
    /// time has more of them.
    pub spacing: u32,
    /// Number of layers of a block.
    pub layers: Layers,
    /// Length of the transmission. All sizes scale in proportion if it is not 1 ms.
    pub tti: Duration,
}

impl Sizing {
    /// Returns plain subframes with one layer.
    pub const fn subframe(table: McsTable, res_per_prb: u32) -> Self {
        Self { table, res_per_prb, spacing: 1, layers: Layers::One, tti: SUBFRAME }
    }

    /// Returns the transport block size of `mcs` on `prbs` PRBs.
    ///
    /// # Panics
    /// If the scheme is for retransmissions only.
    #[inline(always)]
    pub fn block_size(&self, prbs: u32, mcs: Mcs) -> TransportBlockSize {
        let (_, index) = self.table.scheme(mcs).expect("a scheme of new blocks");
        transport_block_size(index, prbs, self.layers).scaled(self.scale())
    }

    /// Returns the number of resource elements for data on `prbs` PRBs of 1 ms, on one layer.
    pub const fn elements(&self, prbs: u32) -> u32 {
        prbs * self.res_per_prb
    }

    /// Returns `G`, the number of coded bits that `prbs` PRBs carry.
    pub const fn coded_bits(&self, prbs: u32, modulation: Modulation) -> u32 {
        let bits = self.elements(prbs) * self.layers.count() * modulation.bits();
        let (tti, subframe) = (self.scale().as_nanos(), SUBFRAME.as_nanos());
        if tti == subframe { bits } else { (bits as u64 * tti / subframe) as u32 }
    }

    /// Returns the time in which subcarriers 15 kHz apart have the same number of symbols as the
    /// TTI.
    const fn scale(&self) -> Duration {
        Duration::from_nanos(self.tti.as_nanos() * self.spacing as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: Sizing = Sizing::subframe(McsTable::Pdsch64Qam, 138);

    #[test]
    fn a_subframe_carries_all_its_resource_elements() {
        assert_eq!(WHOLE.coded_bits(50, Modulation::Qam64), 50 * 138 * 6);
        let two = Sizing { layers: Layers::Two, ..WHOLE };
        assert_eq!(two.coded_bits(50, Modulation::Qpsk), 50 * 138 * 4);
    }

    #[test]
    fn half_a_subframe_carries_half_of_the_block_on_half_of_the_bits() {
        let half = Sizing { tti: Duration::from_micros(500), ..WHOLE };
        let mcs = Mcs::new(22).expect("I_TBS 20");
        // Half of 2865 bytes, rounded up to whole bytes.
        assert_eq!(WHOLE.block_size(50, mcs).bits(), 8 * 2865);
        assert_eq!(half.block_size(50, mcs).bits(), 8 * 1433);
        assert_eq!(
            2 * half.coded_bits(50, Modulation::Qam16),
            WHOLE.coded_bits(50, Modulation::Qam16)
        );
    }

    #[test]
    fn subcarriers_twice_as_far_apart_carry_as_much_in_half_the_time() {
        let fast = Sizing { spacing: 2, tti: Duration::from_micros(500), ..WHOLE };
        assert_eq!(fast.block_size(50, Mcs::LOWEST), WHOLE.block_size(50, Mcs::LOWEST));
        assert_eq!(fast.coded_bits(50, Modulation::Qpsk), WHOLE.coded_bits(50, Modulation::Qpsk));
    }
}
