//! The transmitting UM RLC entity (TS 36.322 §4.2.1.2.2, §5.1.2.1).
//!
//! In: the SDUs that wait, grants. Out: one UMD PDU per call, as long as the grant allows.

use super::Config;
use crate::ran::rlc::buffer::{BufferStatus, TransmissionBuffer};
use crate::ran::rlc::flight::Flight;
use crate::ran::rlc::lte::header::{Layout, Packing};
use crate::ran::rlc::pdu::DataPdu;
use crate::ran::rlc::sn::Sn;
use crate::unit::Bytes;

/// Builds UMD PDUs from SDUs.
#[derive(Clone, Debug)]
pub struct Transmitter {
    layout: Layout,
    /// `VT(US)`
    vt_us: Sn,
}

impl Transmitter {
    /// Creates a transmitter that has sent nothing.
    pub fn new(config: &Config) -> Self {
        Self { layout: config.sn_length.layout(), vt_us: Sn::zero(config.sn_length.bits()) }
    }

    /// Builds one PDU of at most `grant` bytes. Returns `None` if nothing waits, or not one byte
    /// fits.
    #[inline(always)]
    pub fn build(
        &mut self,
        grant: Bytes,
        buffer: &mut TransmissionBuffer,
        flight: &mut Flight,
    ) -> Option<DataPdu> {
        let mut packing = Packing::new(self.layout, grant);
        let data = packing.fill(buffer, flight)?;
        let sn = self.vt_us;
        self.vt_us = sn.plus(1);
        let header = packing.header();
        Some(DataPdu {
            sn,
            data,
            header,
            poll: false,
            segment: None,
            retransmission: false,
            epoch: 0,
            second: false,
        })
    }

    /// Returns the data that waits (TS 36.322 §4.5).
    pub fn buffer_status(&self, buffer: &TransmissionBuffer) -> BufferStatus {
        let new = buffer.bytes();
        let headers = match buffer.elements() {
            0 => Bytes::ZERO,
            elements => self.layout.header(elements),
        };
        BufferStatus { new, headers, ..BufferStatus::default() }
    }

    /// Restarts sequence numbers at zero. SDUs in the buffer stay there.
    pub(in crate::ran::rlc) fn reset(&mut self) {
        self.vt_us = self.vt_us.to_zero();
    }
}
