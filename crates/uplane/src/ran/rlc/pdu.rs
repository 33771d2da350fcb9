//! What crosses the air between two RLC entities (TS 36.322 §6.2.1).
//!
//! In: what a transmitter or a receiver decided. Out: the same, with exact lengths.
//!
//! Left out: the bits. FI, E and LI fields follow from the SDU boundaries in the data field; only
//! their length counts, and it is in [`DataPdu::header`].

use super::sn::Sn;
use super::span::Span;
use crate::unit::Bytes;

/// An RLC PDU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pdu {
    /// UMD PDU, AMD PDU or AMD PDU segment.
    Data(DataPdu),
    /// STATUS PDU.
    Status(StatusPdu),
}

/// A UMD PDU, an AMD PDU, or a segment of an AMD PDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataPdu {
    /// `SN`
    pub sn: Sn,
    /// The data field, as a span of the stream.
    pub data: Span,
    /// Length of the header.
    pub header: Bytes,
    /// `P`: a STATUS report is requested (acknowledged mode).
    pub poll: bool,
    /// What tells an AMD PDU segment from an AMD PDU.
    pub segment: Option<Resegmented>,
    /// These bytes were sent before. No field of the header; it is for counting.
    pub retransmission: bool,
    /// How often the bearer had been re-established when this was built. No field of the header.
    pub(super) epoch: u32,
    /// The second entity of a bearer has built it, which has a logical channel of its own: the LCID
    /// of the MAC says so.
    pub(super) second: bool,
}

/// The fields that only an AMD PDU segment has (TS 36.322 §6.2.1.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resegmented {
    /// `SO`: where the segment begins in the data field of the AMD PDU.
    pub so: u32,
    /// `LSF`: it contains the last byte of the AMD PDU.
    pub lsf: bool,
}

/// A STATUS PDU (TS 36.322 §6.2.1.6).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusPdu {
    /// `ACK_SN`: all before it is received, except what `nacks` say.
    pub ack_sn: Sn,
    /// What is missing, in increasing order.
    pub nacks: Vec<Nack>,
    /// Length of the PDU.
    pub size: Bytes,
    /// `t-StatusProhibit` had held it back. No field of the header: its sender knows.
    pub held_back: bool,
    /// As [`DataPdu`]'s.
    pub(super) epoch: u32,
    /// Likewise.
    pub(super) second: bool,
}

/// One missing AMD PDU, or one missing portion of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nack {
    /// `NACK_SN`
    pub sn: Sn,
    /// The missing portion; none when the whole AMD PDU is missing.
    pub portion: Option<Portion>,
}

/// A portion of an AMD PDU's data field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Portion {
    /// `SOstart`: its first byte.
    pub so_start: u32,
    /// `SOend`: its last byte; none for the special value "to the last byte of the AMD PDU".
    pub so_end: Option<u32>,
}

impl DataPdu {
    /// Length of the whole PDU.
    pub fn size(&self) -> Bytes {
        self.header + self.data.length()
    }

    /// The position in the stream at which the data field of the whole AMD or UMD PDU begins.
    pub(super) fn origin(&self) -> u64 {
        self.data.from - self.segment.map_or(0, |segment| u64::from(segment.so))
    }
}

impl Pdu {
    /// Length of the whole PDU, which is what the MAC puts into its transport block.
    pub fn size(&self) -> Bytes {
        match self {
            Self::Data(data) => data.size(),
            Self::Status(status) => status.size,
        }
    }

    pub(super) fn is_of_second(&self) -> bool {
        match self {
            Self::Data(data) => data.second,
            Self::Status(status) => status.second,
        }
    }

    pub(super) fn epoch(&self) -> u32 {
        match self {
            Self::Data(data) => data.epoch,
            Self::Status(status) => status.epoch,
        }
    }
}
