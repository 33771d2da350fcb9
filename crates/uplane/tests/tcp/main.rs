//! Tests of TCP and QUIC.

mod ack_filters;
mod adversarial;
mod bbr;
mod ecn;
mod fast_open;
mod linux_ecn;
mod linux_grid;
mod linux_pages;
mod linux_recovery;
mod prague;
mod quic;
mod quic_tables;
mod scripts;

#[path = "../shared/cases.rs"]
mod cases;
#[path = "../shared/runs.rs"]
mod runs;
