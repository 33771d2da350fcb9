//! Tests of cells of both generations.

mod bearer_rates;
mod capture;
mod dedicated;
mod drx;
mod dual_connectivity;
mod handover;
mod idealised;
mod lena;
mod phy_outer_loop;
mod phy_published;
mod phy_rates;
mod phy_thresholds;
mod places;
mod random_access;
mod rlc_properties;
mod rlc_scripts;
mod rrc_states;
mod small_data_grants;
mod uplink_rates;

#[path = "../shared/cases.rs"]
mod cases;
#[path = "../shared/runs.rs"]
mod runs;
