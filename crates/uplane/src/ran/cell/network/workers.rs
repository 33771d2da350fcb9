//! Who works on the parts of a network at the same time.
//!
//! In: parts, each with a task. Out: the same parts, in the same order, when all tasks are done.
//!
//! The core has no threads: as random numbers are handed to an entity, they are handed to a network
//! by whoever has some ([`super::Network::employ`]). What a network does is the same with any
//! number of them.

use std::fmt;

use super::Part;

/// Threads, or whatever else can work on several parts at once.
pub trait Workers: fmt::Debug + Send {
    /// Parts that are worked on at the same time, at least one.
    fn count(&self) -> usize;

    /// Calls [`Part::work`] once for each part, and returns when all have returned. A panic in one
    /// of them is passed on.
    fn work(&mut self, parts: &mut Vec<Box<Part>>);
}
