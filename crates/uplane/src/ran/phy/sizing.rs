//! What the resource blocks of a slot carry, in each generation: one of the three files in which
//! the cell of any generation chooses between generations.
//!
//! In: PRBs of a slot, a scheme. Out: transport block sizes, coded bits, code blocks.
//!
//! Left out: which PRBs these are; the caller knows and gives their SINRs.

use super::code_block::{ChannelCode, CodeBlocks};
use super::cqi::CqiTable;
use super::lte;
use super::mcs::Mcs;
use super::modulation::Modulation;
use super::nr;
use super::transport_block::{Layers, TransportBlockSize};
use crate::unit::Duration;

/// The sizes of one generation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sizing {
    /// A table by PRBs, and turbo code; all slots are alike.
    Lte(lte::Sizing),
    /// A formula by resource elements, and LDPC code; each slot has its own.
    Nr(nr::Sizing),
}

/// Modulation and coding of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scheme {
    /// `I_MCS`, in the table of its [`Sizing`].
    pub mcs: Mcs,
    /// The modulation that it means.
    pub modulation: Modulation,
}

/// What one transport block is sent on.
#[derive(Clone, Copy, Debug)]
pub struct Allocation<'a> {
    /// What the resource blocks are worth.
    pub sizing: &'a Sizing,
    /// The slot on the air.
    pub slot: u64,
    /// Physical resource blocks, at least one.
    pub prbs: u32,
}

impl Sizing {
    /// So many PRBs of a slot.
    pub const fn allocate(&self, slot: u64, prbs: u32) -> Allocation<'_> {
        Allocation { sizing: self, slot, prbs }
    }

    /// The numbers of LTE, where it is that; a scenario changes them.
    pub const fn lte_mut(&mut self) -> Option<&mut lte::Sizing> {
        match self {
            Self::Lte(sizing) => Some(sizing),
            Self::Nr(_) => None,
        }
    }

    /// The same resource blocks in slots of `tti`.
    #[must_use]
    pub fn in_slots_of(&self, tti: Duration) -> Self {
        match self {
            Self::Lte(sizing) => Self::Lte(lte::Sizing { tti, ..*sizing }),
            Self::Nr(sizing) => Self::Nr(sizing.clone()),
        }
    }

    /// The scheme of `mcs`; none when it is for retransmissions only.
    pub fn scheme(&self, mcs: Mcs) -> Option<Scheme> {
        let modulation = match self {
            Self::Lte(sizing) => sizing.table.scheme(mcs)?.0,
            Self::Nr(sizing) => sizing.table.scheme(mcs)?.0,
        };
        Some(Scheme { mcs, modulation })
    }

    /// The highest scheme of new blocks.
    pub fn highest(&self) -> Mcs {
        match self {
            Self::Lte(sizing) => sizing.table.highest(),
            Self::Nr(sizing) => sizing.table.highest(),
        }
    }

    /// Layers a block is mapped to.
    pub const fn layers(&self) -> Layers {
        match self {
            Self::Lte(sizing) => sizing.layers,
            Self::Nr(sizing) => sizing.layers,
        }
    }

    /// The table of the channel quality indicators that UEs report for it.
    pub const fn cqi_table(&self) -> CqiTable {
        match self {
            Self::Lte(sizing) => sizing.table.cqi_table(),
            Self::Nr(sizing) => sizing.cqi_table(),
        }
    }

    /// The code of long blocks.
    pub const fn code(&self) -> ChannelCode {
        match self {
            Self::Lte(_) => ChannelCode::Turbo,
            Self::Nr(_) => ChannelCode::LdpcGraph1,
        }
    }

    /// The code blocks of a transport block that is sent with `mcs` for the first time.
    pub fn code_blocks(&self, size: TransportBlockSize, mcs: Mcs) -> CodeBlocks {
        match self {
            Self::Lte(_) => lte::code_blocks(size),
            Self::Nr(sizing) => sizing.code_blocks(size, mcs),
        }
    }
}

impl Allocation<'_> {
    /// The transport block of `mcs` on these resources.
    ///
    /// # Panics
    /// When the scheme is for retransmissions only.
    #[inline(always)]
    pub fn block_size(&self, mcs: Mcs) -> TransportBlockSize {
        match self.sizing {
            Sizing::Lte(sizing) => sizing.block_size(self.prbs, mcs),
            Sizing::Nr(sizing) => sizing.block_size(self.slot, self.prbs, mcs),
        }
    }

    /// Resource elements for data, on one layer: they and the scheme decide about the block.
    #[inline(always)]
    pub fn elements(&self) -> u32 {
        match self.sizing {
            Sizing::Lte(sizing) => sizing.elements(self.prbs),
            Sizing::Nr(sizing) => sizing.elements(self.slot, self.prbs),
        }
    }

    /// `G`: coded bits that these resources carry.
    #[inline(always)]
    pub fn coded_bits(&self, modulation: Modulation) -> u32 {
        match self.sizing {
            Sizing::Lte(sizing) => sizing.coded_bits(self.prbs, modulation),
            Sizing::Nr(sizing) => sizing.coded_bits(self.slot, self.prbs, modulation),
        }
    }
}
