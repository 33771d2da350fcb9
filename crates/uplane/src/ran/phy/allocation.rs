//! What a transport block is sent on: PRBs, layers, a transmission time interval.
//!
//! In: the scheduler's decision. Out: transport block size and coded bits of it.
//!
//! Left out: which PRBs these are; the caller knows and gives their SINRs.

use super::modulation::Modulation;
use super::numerology::SUBFRAME;
use super::transport_block::{Layers, TbsIndex, TransportBlockSize};
use crate::unit::Duration;

/// Resources of one transport block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// Physical resource blocks, 1 to 110.
    pub prbs: u32,
    /// Resource elements for data in one PRB and 1 ms subframe, on one layer.
    pub res_per_prb: u32,
    /// Layers the block is mapped to.
    pub layers: Layers,
    /// Length of the transmission. Everything scales in proportion when it is not 1 ms.
    pub tti: Duration,
}

impl Allocation {
    /// PRBs of a plain subframe on one layer.
    pub const fn subframe(prbs: u32, res_per_prb: u32) -> Self {
        Self { prbs, res_per_prb, layers: Layers::One, tti: SUBFRAME }
    }

    /// The transport block that `index` means on these resources.
    pub fn block_size(&self, index: TbsIndex) -> TransportBlockSize {
        TransportBlockSize::of(index, self.prbs, self.layers).scaled(self.tti)
    }

    /// `G`: coded bits that these resources carry.
    pub const fn coded_bits(&self, modulation: Modulation) -> u32 {
        let bits = self.prbs * self.res_per_prb * self.layers.count() * modulation.bits();
        let (tti, subframe) = (self.tti.as_nanos(), SUBFRAME.as_nanos());
        if tti == subframe { bits } else { (bits as u64 * tti / subframe) as u32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subframe_carries_all_its_resource_elements() {
        let whole = Allocation::subframe(50, 138);
        assert_eq!(whole.coded_bits(Modulation::Qam64), 50 * 138 * 6);
        assert_eq!(
            Allocation { layers: Layers::Two, ..whole }.coded_bits(Modulation::Qpsk),
            50 * 138 * 4
        );
    }

    #[test]
    fn half_a_subframe_carries_half_of_the_block_on_half_of_the_bits() {
        let whole = Allocation::subframe(50, 138);
        let half = Allocation { tti: Duration::from_micros(500), ..whole };
        let index = TbsIndex::new(20).expect("an index");
        // Half of 2865 bytes, rounded up to whole ones.
        assert_eq!(whole.block_size(index).bits(), 8 * 2865);
        assert_eq!(half.block_size(index).bits(), 8 * 1433);
        assert_eq!(2 * half.coded_bits(Modulation::Qam16), whole.coded_bits(Modulation::Qam16));
    }
}
