//! Scenario files, their runs, their tables.

mod bases;
mod messages;
mod tables;
mod whole_runs;
