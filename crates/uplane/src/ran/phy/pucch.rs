//! The uplink's control channel of each generation: one of the three files in which the cell of any
//! generation chooses between generations.
//!
//! In: how many UEs a cell has. Out: resource blocks that data cannot have, the period of requests.

use super::lte::pucch;

pub use super::lte::pucch::{Dimensions, Shortage};

/// What a cell's control channel is like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pucch {
    /// TS 36.211 §5.4
    Lte(pucch::Config),
}

impl Pucch {
    /// The channel for `ues` simulated UEs.
    ///
    /// # Errors
    /// When there is too little of what the configuration fixes.
    pub fn dimensions(&self, ues: u32) -> Result<Dimensions, Shortage> {
        match self {
            Self::Lte(config) => config.dimensions(ues),
        }
    }

    /// Resource blocks of the band.
    pub const fn band(&self) -> u32 {
        match self {
            Self::Lte(config) => config.band,
        }
    }
}
