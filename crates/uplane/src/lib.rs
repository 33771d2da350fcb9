//! Transport protocols over cellular user planes, in virtual time.
//!
//! A guided tour. Each module may use those before it:
//!
//! 1. [`mod@unit`]: typed quantities. No plain number crosses a module boundary.
//! 2. [`sim`]: the agenda (the order in which entities are called), the outbox (the effects of one
//!    call), named random streams, the run loop.
//! 3. [`record`]: everything a run can report, each table declared once.
//! 4. [`net`]: the packet with its latency ledger, links, queue disciplines, IP, GTP-U.
//! 5. [`tcp`], [`mod@quic`], [`ran`], [`app`]: transports, radios, applications. They are
//!    independent of each other.
//! 6. [`scenario`]: text to types, types to a wired simulation.
//!
//! A packet goes app → tcp → links → gtpu → radio and up on the other side. Each of these is an
//! entity that takes input by `on_*(now, …)` and writes its effects to an [`sim::Outbox`]: no
//! callbacks, no shared pointers, no clock, no files, no threads.

pub mod app;
pub mod net;
pub mod quic;
pub mod ran;
pub mod record;
pub mod scenario;
pub mod sim;
pub mod tcp;
pub mod unit;
