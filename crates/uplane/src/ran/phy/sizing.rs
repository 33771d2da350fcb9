//! Capacity of the resource blocks of a slot, in each generation. This is one of the three files in
//! which the cell of any generation chooses between generations.
//!
//! In: PRBs of a slot, a scheme. Out: transport block sizes, coded bits, code blocks.
//!
//! Left out: the identity of the PRBs. The caller knows it and gives their SINRs.

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
    /// LTE: a table by PRBs, and turbo code. All slots are equal.
    Lte(lte::Sizing),
    /// NR: a formula by resource elements, and LDPC code. Each slot has its own sizes.
    Nr(nr::Sizing),
}

/// Modulation and coding of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scheme {
    /// `I_MCS`, in the table of its [`Sizing`].
    pub mcs: Mcs,
    /// Modulation of the scheme.
    pub modulation: Modulation,
}

/// The resources of one transport block.
#[derive(Clone, Copy, Debug)]
pub struct Allocation<'a> {
    /// Capacity of the resource blocks.
    pub sizing: &'a Sizing,
    /// Slot of the transmission on the air.
    pub slot: u64,
    /// Number of physical resource blocks, at least one.
    pub prbs: u32,
}

impl Sizing {
    /// Returns an allocation of `prbs` PRBs of `slot`.
    pub const fn allocate(&self, slot: u64, prbs: u32) -> Allocation<'_> {
        Allocation { sizing: self, slot, prbs }
    }

    /// Returns the numbers of LTE, in an LTE cell; a scenario changes them.
    pub const fn lte_mut(&mut self) -> Option<&mut lte::Sizing> {
        match self {
            Self::Lte(sizing) => Some(sizing),
            Self::Nr(_) => None,
        }
    }

    /// Returns the sizes of the same resource blocks in slots of `tti`.
    #[must_use]
    pub fn in_slots_of(&self, tti: Duration) -> Self {
        match self {
            Self::Lte(sizing) => Self::Lte(lte::Sizing { tti, ..*sizing }),
            Self::Nr(sizing) => Self::Nr(sizing.clone()),
        }
    }

    /// Returns the scheme of `mcs`. `None` if it is for retransmissions only.
    pub fn scheme(&self, mcs: Mcs) -> Option<Scheme> {
        let modulation = match self {
            Self::Lte(sizing) => sizing.table.scheme(mcs)?.0,
            Self::Nr(sizing) => sizing.table.scheme(mcs)?.0,
        };
        Some(Scheme { mcs, modulation })
    }

    /// Returns the highest scheme of new blocks.
    pub fn highest(&self) -> Mcs {
        match self {
            Self::Lte(sizing) => sizing.table.highest(),
            Self::Nr(sizing) => sizing.table.highest(),
        }
    }

    /// Returns the number of layers of a block.
    pub const fn layers(&self) -> Layers {
        match self {
            Self::Lte(sizing) => sizing.layers,
            Self::Nr(sizing) => sizing.layers,
        }
    }

    /// Returns the table of the channel quality indicators that UEs report for these schemes.
    pub const fn cqi_table(&self) -> CqiTable {
        match self {
            Self::Lte(sizing) => sizing.table.cqi_table(),
            Self::Nr(sizing) => sizing.cqi_table(),
        }
    }

    /// Returns the channel code of long blocks.
    pub const fn code(&self) -> ChannelCode {
        match self {
            Self::Lte(_) => ChannelCode::Turbo,
            Self::Nr(_) => ChannelCode::LdpcGraph1,
        }
    }

    /// Returns the code blocks of a transport block whose first transmission uses `mcs`.
    pub fn code_blocks(&self, size: TransportBlockSize, mcs: Mcs) -> CodeBlocks {
        match self {
            Self::Lte(_) => lte::code_blocks(size),
            Self::Nr(sizing) => sizing.code_blocks(size, mcs),
        }
    }
}

impl Allocation<'_> {
    /// Returns the transport block size of `mcs` on these resources.
    ///
    /// # Panics
    /// If the scheme is for retransmissions only.
    #[inline(always)]
    pub fn block_size(&self, mcs: Mcs) -> TransportBlockSize {
        match self.sizing {
            Sizing::Lte(sizing) => sizing.block_size(self.prbs, mcs),
            Sizing::Nr(sizing) => sizing.block_size(self.slot, self.prbs, mcs),
        }
    }

    /// Returns the number of resource elements for data, on one layer. Together with the scheme, it
    /// determines the block.
    #[inline(always)]
    pub fn elements(&self) -> u32 {
        match self.sizing {
            Sizing::Lte(sizing) => sizing.elements(self.prbs),
            Sizing::Nr(sizing) => sizing.elements(self.slot, self.prbs),
        }
    }

    /// Returns `G`, the number of coded bits that these resources carry.
    #[inline(always)]
    pub fn coded_bits(&self, modulation: Modulation) -> u32 {
        match self.sizing {
            Sizing::Lte(sizing) => sizing.coded_bits(self.prbs, modulation),
            Sizing::Nr(sizing) => sizing.coded_bits(self.slot, self.prbs, modulation),
        }
    }
}
