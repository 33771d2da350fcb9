//! LTE: the cells of [`super::cell`] with the numbers of the TS 36 series.
//!
//! In: a bandwidth, a profile. Out: the parameters of a cell.

#[cfg(test)]
pub mod preset;

use crate::unit::base::BaseFiles;

pub use super::cell::{
    Access, Capacity, Carrier, Cell, CellPlan, CellStatistics, Channel, Conditions, Config,
    Downlink, Groups, Network, NetworkPlan, SMALLEST_BLOCK, Tti, UeReport, Uplink, air, config,
};

/// The built-in profiles of a cell.
pub const PROFILES: BaseFiles = BaseFiles {
    key: "profile",
    usual: "system_level",
    files: &[
        ("system_level", include_str!("lte/profile/system_level.toml")),
        ("ns3_lena", include_str!("lte/profile/ns3_lena.toml")),
        ("tti_study", include_str!("lte/profile/tti_study.toml")),
        ("tti_study_small_grants", include_str!("lte/profile/tti_study_small_grants.toml")),
    ],
};
