//! Radio link control (RLC; TS 36.322, TS 38.322): puts IP packets into transport blocks of any
//! size, and recovers them at the receiver.
//!
//! In: SDUs from PDCP, grants from the MAC, and PDUs that crossed the air or were lost. Out: PDUs;
//! packets, each delivered once and in order, or dropped with a cause.
//!
//! The central idea: **a PDU is a span of a byte stream**. The stream consists of all SDU bytes
//! ever begun in one direction of one bearer. LTE's RLC concatenates SDUs in the order of their
//! arrival, and NR's RLC sends one after the other. So the data field of each PDU, and of each PDU
//! segment, is a span of this stream. A PDU is therefore a few numbers, whatever its content, and
//! nothing is copied or allocated for it. The packets themselves stay in the [`Flight`] of their
//! direction from the first byte sent until the receiver has passed the last one in order. At each
//! moment a packet is in the transmission buffer, in flight, or gone.
//!
//! | file | content |
//! |---|---|
//! | [`bearer`] | both ends and both directions of one bearer: the interface for the MAC |
//! | [`path`] | one direction of a bearer, from transmitter to receiver |
//! | [`buffer`] | SDUs that wait for transmission |
//! | [`flight`] | SDUs begun and not yet passed by the receiver; their ledgers |
//! | `exit` | the end of a packet: in-order delivery, drops, counts |
//! | `copies`, `sent_copies` | duplicated packets: copies under way; copies that an entity has begun |
//! | [`pdu`], [`sn`], [`span`] | PDUs and their fields |
//! | `entity` | both ends of a direction, in any mode |
//! | [`acknowledged`], `content` | the common part of acknowledged modes; received segments |
//! | [`lte`], [`nr`] | headers and modes of each generation |
//!
//! Left out: transparent mode (no user data uses it), the bits of headers (only their length
//! counts; captures have them), NB-IoT and sidelink variants, and PDUs with invalid fields. The
//! receiver takes SDU boundaries from the stream; a real receiver reads them from FI and LI. The
//! two differ only if a whole cycle of sequence numbers was lost: a real receiver would then join
//! parts of two SDUs, and IP would discard the result by its length or checksum.

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
