//! How transport protocols behave over cellular user planes, in virtual time.
//!
//! A guided tour, in the order in which the rooms may use each other:
//!
//! 1. [`mod@unit`]: typed quantities. No bare number crosses a module boundary.
//! 2. [`sim`]: the agenda (who is due next), the outbox (what one call wants to happen), named
//!    random streams, the run loop.
//! 3. [`record`]: everything a run can report, each table declared once.
//! 4. [`net`]: the packet with its latency ledger, links, IP, GTP-U.
//! 5. [`tcp`], [`mod@quic`], [`ran`], [`app`]: transports, radios, applications. They do not know
//!    each other.
//! 6. [`scenario`]: text to types, types to a wired simulation.
//!
//! A packet walks app → tcp → links → gtpu → radio and up again on the other side. Each room is an
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
