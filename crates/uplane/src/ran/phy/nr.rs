//! The numbers of NR (TS 38.104, 38.212, 38.214, 38.306): used by an NR cell instead of
//! [`super::lte`].
//!
//! In: schemes, resource elements, carriers. Out: transport block sizes, code blocks, PRBs, peak
//! rates.
//!
//! Search spaces of the downlink control channel are in [`crate::ran::mac::search_space`].

pub mod carrier;
pub mod mcs;
pub mod numerology;
pub mod pdcch;
pub mod resources;
pub mod sizing;
pub mod transport_block;

pub use carrier::{FrequencyRange, PeakRate, carrier_bandwidths, carrier_prbs};
pub use mcs::{CodeRate, McsTable};
pub use numerology::{Capability, Numerology};
pub use sizing::Sizing;
pub use transport_block::{code_blocks, resource_elements, transport_block_size};
