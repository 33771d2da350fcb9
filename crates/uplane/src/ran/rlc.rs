//! Radio link control (TS 36.322, TS 38.322): IP packets into transport blocks of any size, and
//! back.
//!
//! In: SDUs from PDCP, grants from the MAC, PDUs and the loss of PDUs from the air. Out: PDUs, and
//! packets in order, once, or dropped with a cause.
//!
//! The central idea: **a PDU is a span of a byte stream**. LTE's RLC concatenates SDUs in the order
//! of their arrival, and NR's sends one after the other, so the data field of each PDU, and of each
//! segment of one, is a span of the stream of all SDU bytes ever begun on this direction of this
//! bearer. A PDU is therefore a few numbers, whatever is in it, and nothing is copied or allocated
//! for it. The packets themselves stay in the [`Flight`] of their direction from their first byte
//! sent until the receiver has passed their last one in order: at each moment a packet is in the
//! transmission buffer, or in flight, or gone.
//!
//! | file | what |
//! |---|---|
//! | [`bearer`] | both ends and both directions of one bearer: what the MAC talks to |
//! | [`path`] | one direction of it, from transmitter to receiver |
//! | [`buffer`] | SDUs that wait |
//! | [`flight`] | SDUs begun and not yet passed; their ledgers |
//! | `exit` | how packets leave: in order, dropped, counted |
//! | `copies`, `sent_copies` | what became of packets that are sent twice; which of them an entity has begun |
//! | [`pdu`], [`sn`], [`span`] | what crosses the air |
//! | `entity` | both ends of it, whatever their mode |
//! | [`acknowledged`], `content` | what acknowledged modes have in common; segments |
//! | [`lte`], [`nr`] | headers and modes of each generation |
//!
//! Left out: transparent mode (no user data travels in it), the bits of headers (only their length
//! counts; captures have them), NB-IoT and sidelink variants, and PDUs with invalid fields. A
//! receiver here knows from the stream where SDUs begin and end, where a real one reads it from FI
//! and LI; they differ only where a real receiver would join parts of two SDUs after a whole cycle
//! of sequence numbers was lost, which IP would discard by its length or checksum.

pub mod acknowledged;
pub mod bearer;
pub mod buffer;
mod content;
mod copies;
mod effect;
mod entity;
mod exit;
pub mod flight;
pub mod lte;
pub mod nr;
mod passed;
mod path;
pub mod pdu;
pub(in crate::ran) mod sdu;
mod sent_copies;
pub mod sn;
pub mod span;

pub use bearer::Bearer;
pub use buffer::BufferStatus;
pub use effect::{Effect, Passage};
pub use entity::{Config, Receiver, Transmitter};
pub use flight::Flight;
pub use lte::{am, um};
pub use pdu::{DataPdu, Nack, Pdu, Resegmented, StatusPdu};
pub use sdu::Sdu;
pub use sn::Sn;
pub use span::Span;
