//! What resource blocks of NR carry in one slot (TS 38.214 §5.1.3, §6.1.4).
//!
//! In: the table of schemes, layers, resource elements of a PRB in each slot. Out: transport block
//! sizes and coded bits of a number of resource blocks.
//!
//! Left out: slots with less than others for synchronisation signals and channel state reference
//! signals (2 % at most), and CQI thresholds of LDPC codes: UEs report by those of LTE's codes,
//! which are up to 0.6 dB higher; the outer loop corrects that.

use super::mcs::{CodeRate, McsTable};
use super::transport_block::{code_blocks, transport_block_size};
use crate::ran::phy::cqi::CqiTable;
use crate::ran::phy::{CodeBlocks, Layers, Mcs, Modulation, TransportBlockSize};

/// Resource blocks of one direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sizing {
    /// What an MCS means.
    pub table: McsTable,
    /// Layers a block is mapped to.
    pub layers: Layers,
    /// `N'_RE`: resource elements for data in a PRB of each slot, on one layer, again and again
    /// from slot 0 on.
    pub res_per_prb: Box<[u32]>,
}

impl Sizing {
    /// Resource elements for data on `prbs` PRBs of `slot`, on one layer.
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

    /// The transport block of `mcs` on `prbs` PRBs of `slot`; none, with no bits, in a slot without
    /// any for data.
    ///
    /// # Panics
    /// When the scheme is for retransmissions only.
    pub fn block_size(&self, slot: u64, prbs: u32, mcs: Mcs) -> TransportBlockSize {
        let (modulation, code_rate) = self.scheme(mcs);
        match self.elements(slot, prbs) {
            0 => TransportBlockSize::default(),
            elements => transport_block_size(elements, modulation, code_rate, self.layers.count()),
        }
    }

    /// `G`: coded bits that `prbs` PRBs of `slot` carry.
    pub fn coded_bits(&self, slot: u64, prbs: u32, modulation: Modulation) -> u32 {
        self.elements(slot, prbs) * self.layers.count() * modulation.bits()
    }

    /// The code blocks of a transport block that is sent with `mcs` for the first time.
    pub fn code_blocks(&self, size: TransportBlockSize, mcs: Mcs) -> CodeBlocks {
        code_blocks(size, self.scheme(mcs).1)
    }

    /// The table of channel quality indicators that goes with the schemes (TS 38.214
    /// Tables 5.2.2.1-2 to -4); but the last they are those of LTE.
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

    /// `"DDDSU 10:2:2"` with one symbol of control and one of DM-RS: 144 elements in downlink slots,
    /// 96 in special ones.
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
