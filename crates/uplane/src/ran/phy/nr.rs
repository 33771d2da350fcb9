//! The numbers of NR (TS 38.104, 38.212, 38.214, 38.306): what a cell of NR asks instead of
//! [`super::lte`].
//!
//! In: schemes, resource elements, carriers. Out: transport block sizes, code blocks, PRBs, peak
//! rates.
//!
//! Left out: a cell that asks. Tests hold these numbers against the standards until then.

pub mod carrier;
pub mod mcs;
pub mod transport_block;

pub use carrier::{FrequencyRange, PeakRate, carrier_prbs};
pub use mcs::{CodeRate, McsTable};
pub use transport_block::{code_blocks, resource_elements, transport_block_size};
