//! Links, paths, applications.

mod applications;
mod edges;
mod properties;
mod replay;
mod send_buffer;
mod slow_reader;

#[path = "../shared/runs.rs"]
mod runs;
