//! Workers that process the parts of a network at the same time.
//!
//! In: parts, each with a task. Out: these parts, in their order, when all tasks are done.
//!
//! The core has no threads: like random numbers, they are handed in, by [`super::Network::employ`].
//! Results do not depend on their number.

use std::fmt;

use super::Part;

/// Threads, or another way to process several parts at once.
pub trait Workers: fmt::Debug + Send {
    /// Number of parts that are processed at the same time, at least one.
    fn count(&self) -> usize;

    /// Calls [`Part::work`] once for each part, and returns when all calls have returned. Passes a
    /// panic on.
    fn work(&mut self, parts: &mut Vec<Box<Part>>);
}
