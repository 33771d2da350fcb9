//! The uplink control channel of each generation. This is one of the three files in which the cell
//! of any generation chooses between generations.
//!
//! In: the number of UEs of a cell. Out: resource blocks that cannot carry data, the SR period.

use super::lte::pucch;

pub use super::lte::pucch::{Dimensions, Shortage};

/// The configuration of a cell's PUCCH.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pucch {
    /// LTE's PUCCH (TS 36.211 §5.4).
    Lte(pucch::Config),
}

impl Pucch {
    /// Computes the dimensions of the channel for `ues` simulated UEs.
    ///
    /// # Errors
    /// If a fixed number of the configuration is too small.
    pub fn dimensions(&self, ues: u32) -> Result<Dimensions, Shortage> {
        match self {
            Self::Lte(config) => config.dimensions(ues),
        }
    }

    /// Returns the number of resource blocks of the band.
    pub const fn band(&self) -> u32 {
        match self {
            Self::Lte(config) => config.band,
        }
    }
}
