//! The numbers of LTE (TS 36.211, 36.212, 36.213).
//!
//! In: bandwidth, schemes, allocations. Out: resource blocks, sizes, code blocks, control channels.
//!
//! | file | content |
//! |---|---|
//! | [`numerology`] | resource blocks, and the resource elements left for data |
//! | [`mcs`], [`transport_block`], [`sizing`] | number of bits, and their code blocks |
//! | [`pdcch`], [`pucch`] | the control channels |

pub mod mcs;
pub mod numerology;
pub mod pdcch;
pub mod pucch;
pub mod sizing;
pub mod transport_block;

pub use mcs::McsTable;
pub use numerology::{AntennaPorts, Bandwidth, Cfi};
pub use sizing::Sizing;
pub use transport_block::{TbsIndex, code_blocks, transport_block_size};
