//! Links, paths, applications. One binary, so that it is linked once.

mod applications;
mod edges;
mod properties;
mod replay;
mod slow_reader;

#[path = "../shared/runs.rs"]
mod runs;
