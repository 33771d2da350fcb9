//! The transmitting UM RLC entity (TS 38.322 §5.2.2.1).
//!
//! In: the SDUs that wait, grants. Out: one UMD PDU per call: a whole SDU, or as much of one as
//! fits.

use super::Config;
use crate::ran::rlc::buffer::{BufferStatus, Overhead, TransmissionBuffer};
use crate::ran::rlc::flight::Flight;
use crate::ran::rlc::nr::Headers;
use crate::ran::rlc::pdu::DataPdu;
use crate::ran::rlc::sn::Sn;
use crate::ran::rlc::span::Span;
use crate::unit::Bytes;

/// Builds UMD PDUs from SDUs.
#[derive(Clone, Debug)]
pub struct Transmitter {
    headers: Headers,
    sub_header: Bytes,
    /// `TX_Next`
    tx_next: Sn,
    /// The SDU that is partly sent.
    sdu: Span,
}

impl Transmitter {
    /// Creates a transmitter that has sent nothing.
    pub fn new(config: &Config) -> Self {
        Self {
            headers: config.sn_length.headers(),
            sub_header: config.sub_header,
            tx_next: Sn::zero(config.sn_length.bits()),
            sdu: Span::default(),
        }
    }

    /// Builds one PDU of at most `grant` bytes. Returns `None` if nothing waits, or not one byte
    /// fits.
    pub fn build(
        &mut self,
        grant: Bytes,
        buffer: &mut TransmissionBuffer,
        flight: &mut Flight,
    ) -> Option<DataPdu> {
        let rest = buffer.next_sdu(flight, &mut self.sdu)?;
        let (data, header, segment) = self.headers.cut(self.sdu, rest, grant)?;
        buffer.take(data.length().0, flight);
        let sn = self.tx_next;
        if segment.is_some_and(|segment| segment.lsf) {
            self.tx_next = sn.plus(1);
        }
        Some(DataPdu {
            sn,
            data,
            header,
            poll: false,
            segment,
            retransmission: false,
            epoch: 0,
            second: false,
        })
    }

    /// Returns the data that waits (TS 38.322 §5.5).
    pub fn buffer_status(&self, buffer: &TransmissionBuffer) -> BufferStatus {
        let new = buffer.bytes();
        let whole = (self.headers.whole + self.sub_header) * buffer.whole();
        BufferStatus { new, headers: whole + self.rest_headers(buffer), ..BufferStatus::default() }
    }

    /// Returns the overhead of packets that are begun now, beyond their own bytes.
    pub fn overhead(&self, buffer: &TransmissionBuffer) -> Overhead {
        self.headers.overhead(self.rest_headers(buffer))
    }

    /// Returns the headers of the rest of an SDU that is partly sent, in bytes.
    fn rest_headers(&self, buffer: &TransmissionBuffer) -> Bytes {
        if buffer.rest().is_zero() {
            return Bytes::ZERO;
        }
        self.headers.segment_at(1) + self.sub_header
    }

    /// Restarts sequence numbers at zero. SDUs in the buffer stay there.
    pub(in crate::ran::rlc) fn reset(&mut self) {
        self.tx_next = self.tx_next.to_zero();
    }
}
