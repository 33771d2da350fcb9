//! Scenario files, their runs, their tables.

mod bases;
mod footprint;
mod messages;
mod tables;
mod unused;
mod whole_runs;
