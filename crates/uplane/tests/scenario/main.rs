//! Scenario files, their runs, their tables.

mod bases;
mod footprint;
mod messages;
mod tables;
mod whole_runs;
