//! Tests of the cells of NR.

mod bearers;
mod carriers;
mod code_block_groups;
mod configured_grants;
mod downlink_sps;
mod duplication;
mod end_to_end;
mod low_efficiency;
mod network;
mod one_mac_entity;
mod preemption;
mod requests;
mod serving_cells;
mod small_data;
mod transport;
mod uplink_carriers;
mod urgent_blocks;

#[path = "../shared/runs.rs"]
mod runs;
