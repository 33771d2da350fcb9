//! The two ends of one direction of a bearer, whatever its mode.

use super::buffer::{BufferStatus, TransmissionBuffer};
use super::flight::Flight;
use super::pdu::DataPdu;
use super::{Config, am, um};
use crate::unit::{Bytes, Instant};

/// The transmitting end.
#[derive(Clone, Debug)]
pub enum Transmitter {
    /// Unacknowledged mode.
    Um(um::Transmitter),
    /// Acknowledged mode.
    Am(am::Transmitter),
}

/// The receiving end.
#[derive(Clone, Debug)]
pub enum Receiver {
    /// Unacknowledged mode.
    Um(um::Receiver),
    /// Acknowledged mode.
    Am(am::Receiver),
}

impl Transmitter {
    /// A transmitter that has sent nothing.
    pub fn new(config: &Config) -> Self {
        match config {
            Config::Um(config) => Self::Um(um::Transmitter::new(config)),
            Config::Am(config) => Self::Am(am::Transmitter::new(config)),
        }
    }

    /// One data PDU of at most `grant` bytes.
    #[inline(always)]
    pub fn build(&mut self, now: Instant, grant: Bytes, flight: &mut Flight) -> Option<DataPdu> {
        match self {
            Self::Um(um) => um.build(grant, flight),
            Self::Am(am) => am.build(now, grant, flight),
        }
    }

    /// What waits, without the STATUS PDU of the other side.
    pub fn buffer_status(&self) -> BufferStatus {
        match self {
            Self::Um(um) => um.buffer_status(),
            Self::Am(am) => am.buffer_status(),
        }
    }

    /// The SDUs not yet sent.
    pub fn buffer(&self) -> &TransmissionBuffer {
        match self {
            Self::Um(um) => &um.buffer,
            Self::Am(am) => &am.buffer,
        }
    }

    pub(super) fn buffer_mut(&mut self) -> &mut TransmissionBuffer {
        match self {
            Self::Um(um) => &mut um.buffer,
            Self::Am(am) => &mut am.buffer,
        }
    }

    /// When it wants to be called.
    pub fn next_timer(&self) -> Option<Instant> {
        match self {
            Self::Um(_) => None,
            Self::Am(am) => am.next_timer(),
        }
    }
}

impl Receiver {
    /// A receiver that has received nothing.
    pub fn new(config: &Config) -> Self {
        match config {
            Config::Um(config) => Self::Um(um::Receiver::new(config)),
            Config::Am(config) => Self::Am(am::Receiver::new(config)),
        }
    }

    /// Takes a PDU into the reception buffer; false when it is discarded.
    pub fn place(&mut self, now: Instant, pdu: &DataPdu) -> bool {
        match self {
            Self::Um(um) => um.place(pdu),
            Self::Am(am) => am.place(now, pdu),
        }
    }

    /// When it wants to be called.
    pub fn next_timer(&self) -> Option<Instant> {
        match self {
            Self::Um(um) => um.next_timer(),
            Self::Am(am) => am.next_timer(),
        }
    }
}
