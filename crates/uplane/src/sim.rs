//! The event core: who is due next, what one call wants, random streams, the run loop.
//!
//! In: entities that say when they want to be called again. Out: calls in the order of
//! (time, sequence), which is the complete definition of determinism here.
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
