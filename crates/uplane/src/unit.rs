//! Typed quantities: time, bytes, rates, ids, slot grids, portable mathematics.
//!
//! In: plain numbers, where text is read. Out: types with physical operators: `Bytes / Bitrate` is
//! a `Duration`, and there is no `Duration * Duration`.
//!
//! Left out: fractions of a nanosecond. A quantity derived by division is rounded once, to the
//! nearest nanosecond. A grid of slots is exact, because slots are computed and never summed.

pub mod base;
mod fraction;
mod grid;
mod id;
pub mod math;
pub mod program;
mod quantity;
pub(crate) mod range;
pub(crate) mod text;
mod time;

pub(crate) use fraction::in_lowest_terms;
pub use grid::Grid;
pub use id::{AppId, BearerId, CellId, FlowId, Host, HostId, LinkId, PacketId, UeId};
pub use quantity::{Bitrate, Bytes, Decibel, Probability};
pub use text::Limit;
pub use time::{Duration, Instant};
