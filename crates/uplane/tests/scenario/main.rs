//! Scenario files, their runs, their tables. One binary, so that it is linked once.

mod bases;
mod messages;
mod tables;
mod whole_runs;
