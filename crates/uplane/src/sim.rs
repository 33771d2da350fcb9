//! The event core: the order of calls, the effects of one call, random streams, the run loop.
//!
//! In: entities, each with the time of its next call. Out: calls in the order of (time, sequence)
//! and in no other, so a run is deterministic.
//!
//! Left out: priorities between simultaneous events other than the order of arming.

mod agenda;
mod outbox;
mod random;
mod run;

pub use agenda::{Agenda, EntityId};
pub use outbox::{Outbox, Wake};
pub use random::{Stream, Streams};
pub use run::{Progress, RunLoop, World, run};
