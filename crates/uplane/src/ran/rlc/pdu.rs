//! RLC PDUs: the units that cross the air between two RLC entities (TS 36.322 §6.2.1).
//!
//! In: decisions of a transmitter or a receiver. Out: PDUs with exact lengths.
//!
//! Left out: the bits. FI, E and LI fields follow from the SDU boundaries in the data field; only
//! their length counts, and it is in [`DataPdu::header`].

use super::sn::Sn;
use super::span::Span;
use crate::unit::Bytes;

/// An RLC PDU: data or status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pdu {
    /// A UMD PDU, an AMD PDU or an AMD PDU segment.
    Data(DataPdu),
    /// A STATUS PDU of acknowledged mode.
    Status(StatusPdu),
}

/// A UMD PDU, an AMD PDU, or a segment of an AMD PDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataPdu {
    /// The sequence number (`SN`).
    pub sn: Sn,
    /// The data field, as a span of the stream.
    pub data: Span,
    /// Length of the RLC header.
    pub header: Bytes,
    /// `P`: a STATUS report is requested (acknowledged mode).
    pub poll: bool,
    /// The fields of an AMD PDU segment. `None` for a whole PDU.
    pub segment: Option<Resegmented>,
    /// The data was sent before. For counts, ledgers and copies; no field of the header.
    pub retransmission: bool,
    /// Number of re-establishments of the bearer before the PDU was built. No field of the header.
    pub(super) epoch: u32,
    /// The second entity of a bearer built the PDU. No field of the RLC header: the LCID of the MAC
    /// identifies the entity.
    pub(super) second: bool,
}

/// The fields that only an AMD PDU segment has (TS 36.322 §6.2.1.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resegmented {
    /// `SO`: position of the segment in the data field of the AMD PDU, in bytes.
    pub so: u32,
    /// `LSF`: the segment contains the last byte of the AMD PDU.
    pub lsf: bool,
}

/// A STATUS PDU (TS 36.322 §6.2.1.6).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusPdu {
    /// `ACK_SN`: all PDUs with lower numbers are received, except for `nacks`.
    pub ack_sn: Sn,
    /// The missing PDUs and portions, in increasing order.
    pub nacks: Vec<Nack>,
    /// Length of the STATUS PDU.
    pub size: Bytes,
    /// `t-StatusProhibit` had delayed the STATUS PDU. The MAC of the sender reads it; no field of
    /// the header.
    pub held_back: bool,
    /// Number of re-establishments of the bearer before the PDU was built. No field of the header.
    pub(super) epoch: u32,
    /// The second entity of a bearer built the PDU. No field of the RLC header.
    pub(super) second: bool,
}

/// One missing AMD PDU, or one missing portion of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nack {
    /// The sequence number (`NACK_SN`) of the AMD PDU.
    pub sn: Sn,
    /// The missing portion. `None`: the whole AMD PDU is missing.
    pub portion: Option<Portion>,
}

/// A portion of an AMD PDU's data field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Portion {
    /// `SOstart`: the first byte of the portion.
    pub so_start: u32,
    /// `SOend`: the last byte of the portion. `None`: the special value "to the last byte of the
    /// AMD PDU".
    pub so_end: Option<u32>,
}

impl DataPdu {
    /// Returns the length of the whole PDU.
    pub fn size(&self) -> Bytes {
        self.header + self.data.length()
    }

    /// Returns the position in the stream at which the data field of the whole AMD or UMD PDU
    /// begins.
    pub(super) fn origin(&self) -> u64 {
        self.data.from - self.segment.map_or(0, |segment| u64::from(segment.so))
    }
}

impl Pdu {
    /// Returns the length of the whole PDU, which the MAC puts into its transport block.
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
