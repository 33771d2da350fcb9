//! From text to a wired simulation.
