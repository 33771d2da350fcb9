//! Capacity of NR resource blocks in one slot (TS 38.214 §5.1.3, §6.1.4).
//!
//! In: the table of schemes, layers, resource elements of a PRB in each slot. Out: transport block
//! sizes and coded bits of a number of resource blocks.
//!
//! Left out: slots with fewer resource elements because of synchronisation signals and channel
//! state reference signals (2 % at most), and CQI thresholds of LDPC codes: UEs report by those of
//! LTE's codes, which are up to 0.6 dB higher; the outer loop corrects that.

use super::mcs::{CodeRate, McsTable};
use super::transport_block::{code_blocks, transport_block_size};
use crate::ran::phy::cqi::CqiTable;
use crate::ran::phy::{CodeBlocks, Layers, Mcs, Modulation, TransportBlockSize};

/// Resource blocks of one direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sizing {
    /// The table that defines the meaning of an MCS.
    pub table: McsTable,
    /// Number of layers of a block.
    pub layers: Layers,
    /// `N'_RE`: number of resource elements for data in a PRB, on one layer, for each slot of a
    /// period that starts at slot 0.
    pub res_per_prb: Box<[u32]>,
}

impl Sizing {
    /// Returns the number of resource elements for data on `prbs` PRBs of `slot`, on one layer.
    #[inline]
    pub fn elements(&self, slot: u64, prbs: u32) -> u32 {
        let slots = &*self.res_per_prb;
        let per_prb =
            if let [alike] = slots { *alike } else { slots[(slot % slots.len() as u64) as usize] };
        prbs * per_prb
    }

    fn scheme(&self, mcs: Mcs) -> (Modulation, CodeRate) {
        self.table.scheme(mcs).expect("a scheme of new blocks")
    }

    /// Returns the transport block size of `mcs` on `prbs` PRBs of `slot`: zero in a slot without
    /// resource elements for data.
    ///
    /// # Panics
    /// If the scheme is for retransmissions only.
    pub fn block_size(&self, slot: u64, prbs: u32, mcs: Mcs) -> TransportBlockSize {
        let (modulation, code_rate) = self.scheme(mcs);
        match self.elements(slot, prbs) {
            0 => TransportBlockSize::default(),
            elements => transport_block_size(elements, modulation, code_rate, self.layers.count()),
        }
    }

    /// Returns `G`, the number of coded bits that `prbs` PRBs of `slot` carry.
    pub fn coded_bits(&self, slot: u64, prbs: u32, modulation: Modulation) -> u32 {
        self.elements(slot, prbs) * self.layers.count() * modulation.bits()
    }

    /// Returns the code blocks of a transport block whose first transmission uses `mcs`.
    pub fn code_blocks(&self, size: TransportBlockSize, mcs: Mcs) -> CodeBlocks {
        code_blocks(size, self.scheme(mcs).1)
    }

    /// Returns the table of channel quality indicators that matches the schemes (TS 38.214 Tables
    /// 5.2.2.1-2 to -4). Except for the last one, they are those of LTE.
    pub const fn cqi_table(&self) -> CqiTable {
        match self.table {
            McsTable::Qam256 => CqiTable::Qam256,
            McsTable::LowEfficiency => CqiTable::LowEfficiency,
            _ => CqiTable::Qam64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `"DDDSU 10:2:2"` with one symbol of control and one of DM-RS: 144 elements in downlink
    /// slots, and 96 in special ones.
    #[test]
    fn each_slot_has_its_own_blocks() {
        let res_per_prb = Box::new([144, 144, 144, 96, 0]);
        let sizing = Sizing { table: McsTable::Qam256, layers: Layers::Four, res_per_prb };
        let mcs = Mcs::new(27).expect("the highest");
        let sizes = [0, 3, 4, 5, 8].map(|slot| sizing.block_size(slot, 273, mcs).bits());
        assert_eq!(sizes, [1_179_864, 770_568, 0, 1_179_864, 770_568]);
        assert_eq!(sizing.coded_bits(3, 273, Modulation::Qam256), 96 * 273 * 4 * 8);
    }
}
