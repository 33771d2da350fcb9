//! LTE: the cells of [`super::cell`] with the numbers of TS 36.
//!
//! In: a bandwidth, a profile. Out: the parameters of a cell.

pub mod preset;

pub use super::cell::{
    Access, Capacity, Carrier, Cell, CellStatistics, Channel, Conditions, Config, Downlink, Groups,
    Network, SMALLEST_BLOCK, Tti, UeReport, Uplink, air, config,
};
