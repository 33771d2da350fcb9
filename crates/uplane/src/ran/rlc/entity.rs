//! The two ends of one direction of a bearer, in any mode. This file alone dispatches on the mode.
//!
//! In: calls of [`super::path`] and [`super::bearer`]. Out: the results of the configured mode.

use super::acknowledged::receiver::Receiver as AmReceiver;
use super::buffer::{BufferStatus, Overhead, TransmissionBuffer};
use super::flight::Flight;
use super::lte::{am, um};
use super::nr;
use super::passed::Passed;
use super::pdu::{DataPdu, StatusPdu};
use super::span::Span;
use crate::unit::{Bytes, Instant};

pub(super) use super::acknowledged::window::LinkFailure;

/// The mode of one direction of a bearer, with its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Config {
    /// Unacknowledged mode of LTE: lost PDUs are not retransmitted; delivery is in order.
    Um(um::Config),
    /// Acknowledged mode of LTE: lost PDUs are retransmitted.
    Am(am::Config),
    /// Unacknowledged mode of NR.
    NrUm(nr::um::Config),
    /// Acknowledged mode of NR.
    NrAm(nr::am::Config),
}

/// The transmitting end of one direction.
#[derive(Clone, Debug)]
pub enum Transmitter {
    /// Unacknowledged mode of LTE.
    Um(um::Transmitter),
    /// Acknowledged mode of LTE.
    Am(am::Transmitter),
    /// Unacknowledged mode of NR.
    NrUm(nr::um::Transmitter),
    /// Acknowledged mode of NR.
    NrAm(nr::am::Transmitter),
}

/// The receiving end of one direction.
#[derive(Clone, Debug)]
pub enum Receiver {
    /// Unacknowledged mode of LTE.
    Um(um::Receiver),
    /// Acknowledged mode of LTE and NR.
    Am(AmReceiver),
    /// Unacknowledged mode of NR.
    NrUm(nr::um::Receiver),
}

impl Default for Config {
    /// Returns LTE's unacknowledged mode.
    fn default() -> Self {
        Self::Um(um::Config::default())
    }
}

impl Config {
    /// Returns `true` in acknowledged mode: lost PDUs are retransmitted.
    pub const fn is_acknowledged(&self) -> bool {
        matches!(self, Self::Am(_) | Self::NrAm(_))
    }

    /// Returns the configuration for the second entity of a duplicated bearer. It never reports
    /// that `maxRetxThreshold` is reached, because that is no failure of the radio link (TS 38.331
    /// §5.3.10.3).
    #[must_use]
    pub(super) fn of_second(&self) -> Self {
        match self {
            Self::NrAm(config) => {
                Self::NrAm(nr::am::Config { max_retx_threshold: u32::MAX, ..config.clone() })
            }
            other => other.clone(),
        }
    }

    /// Returns the maximum number of SDU bytes that may wait at the transmitter. `None`: unlimited.
    pub const fn buffer(&self) -> Option<Bytes> {
        match self {
            Self::Um(config) => config.buffer,
            Self::Am(config) => config.buffer,
            Self::NrUm(config) => config.buffer,
            Self::NrAm(config) => config.buffer,
        }
    }

    /// Returns the number of bits of a sequence number.
    pub const fn sn_bits(&self) -> u8 {
        match self {
            Self::Um(config) => config.sn_length.bits(),
            Self::Am(config) => config.sn_length.bits(),
            Self::NrUm(config) => config.sn_length.bits(),
            Self::NrAm(config) => config.sn_length.bits(),
        }
    }
}

impl Transmitter {
    /// Creates a transmitter that has sent nothing.
    pub fn new(config: &Config) -> Self {
        match config {
            Config::Um(config) => Self::Um(um::Transmitter::new(config)),
            Config::Am(config) => Self::Am(am::Transmitter::new(config)),
            Config::NrUm(config) => Self::NrUm(nr::um::Transmitter::new(config)),
            Config::NrAm(config) => Self::NrAm(nr::am::Transmitter::new(config)),
        }
    }

    /// Builds one data PDU of at most `grant` bytes.
    #[inline(always)]
    pub fn build(
        &mut self,
        now: Instant,
        grant: Bytes,
        buffer: &mut TransmissionBuffer,
        flight: &mut Flight,
    ) -> Option<DataPdu> {
        match self {
            Self::Um(um) => um.build(grant, buffer, flight),
            Self::Am(am) => am.build(now, grant, buffer, flight),
            Self::NrUm(um) => um.build(grant, buffer, flight),
            Self::NrAm(am) => am.build(now, grant, buffer, flight),
        }
    }

    /// Returns the data that waits, without the STATUS PDU of the opposite direction.
    pub fn buffer_status(&self, buffer: &TransmissionBuffer) -> BufferStatus {
        match self {
            Self::Um(um) => um.buffer_status(buffer),
            Self::Am(am) => am.buffer_status(buffer),
            Self::NrUm(um) => um.buffer_status(buffer),
            Self::NrAm(am) => am.buffer_status(buffer),
        }
    }

    /// Returns the overhead of packets that are begun now, beyond their own bytes.
    pub fn overhead(&self, buffer: &TransmissionBuffer) -> Overhead {
        match self {
            Self::Um(_) | Self::Am(_) => Overhead::CONCATENATED,
            Self::NrUm(um) => um.overhead(buffer),
            Self::NrAm(am) => am.overhead(buffer),
        }
    }

    /// Returns the data that waits, without headers and without the STATUS PDU of the opposite
    /// direction, and whether there may be such a STATUS PDU.
    #[inline(always)]
    pub(super) fn waiting(&self, buffer: &TransmissionBuffer) -> (BufferStatus, bool) {
        match self {
            Self::Um(_) | Self::NrUm(_) => {
                (BufferStatus { new: buffer.bytes(), ..BufferStatus::default() }, false)
            }
            Self::Am(am) => (am.waiting(buffer), true),
            Self::NrAm(am) => (am.waiting(buffer), true),
        }
    }

    /// Returns `true` in acknowledged mode: lost PDUs are retransmitted.
    pub(super) const fn is_acknowledged(&self) -> bool {
        matches!(self, Self::Am(_) | Self::NrAm(_))
    }

    /// Processes a STATUS PDU of the other end. In NR, calls `delivered` for each SDU that it
    /// confirms.
    pub(super) fn on_status(
        &mut self,
        status: &StatusPdu,
        delivered: impl FnMut(Span),
    ) -> Result<(), LinkFailure> {
        match self {
            Self::Um(_) | Self::NrUm(_) => {
                unreachable!("only acknowledged mode sends STATUS PDUs")
            }
            Self::Am(am) => am.on_status(status),
            Self::NrAm(am) => am.on_status(status, delivered),
        }
    }

    /// Returns the time of the next `on_timer`.
    pub fn next_timer(&self) -> Option<Instant> {
        match self {
            Self::Um(_) | Self::NrUm(_) => None,
            Self::Am(am) => am.next_timer(),
            Self::NrAm(am) => am.next_timer(),
        }
    }

    /// Handles an expired timer.
    pub(super) fn on_timer(
        &mut self,
        now: Instant,
        buffer: &TransmissionBuffer,
    ) -> Result<(), LinkFailure> {
        match self {
            Self::Um(_) | Self::NrUm(_) => Ok(()),
            Self::Am(am) => am.on_timer(now, buffer),
            Self::NrAm(am) => am.on_timer(now, buffer),
        }
    }

    /// Resets the transmitter; sequence numbers restart at zero.
    pub(super) fn reset(&mut self, config: &Config) {
        match (&mut *self, config) {
            (Self::Am(am), Config::Am(config)) => am.reset(config),
            (Self::Um(um), Config::Um(_)) => um.reset(),
            (Self::NrAm(am), Config::NrAm(config)) => am.reset(config),
            (Self::NrUm(um), Config::NrUm(_)) => um.reset(),
            _ => unreachable!("an end has the mode of its bearer"),
        }
    }
}

impl Receiver {
    /// Creates a receiver that has received nothing.
    pub fn new(config: &Config) -> Self {
        match config {
            Config::Um(config) => Self::Um(um::Receiver::new(config)),
            Config::Am(config) => Self::Am(AmReceiver::new(&config.reception())),
            Config::NrUm(config) => Self::NrUm(nr::um::Receiver::new(config)),
            Config::NrAm(config) => Self::Am(AmReceiver::new(&config.reception())),
        }
    }

    /// Takes a PDU that makes the stream complete up to its end. Returns `None` if the PDU needs
    /// [`Receiver::place`] instead.
    #[inline(always)]
    pub(super) fn take_next(&mut self, now: Instant, pdu: &DataPdu) -> Option<Passed> {
        match self {
            Self::Um(um) => um.take_next(pdu).map(Passed::UpTo),
            Self::Am(am) => am.take_next(now, pdu),
            Self::NrUm(_) => None,
        }
    }

    /// Puts a PDU into the reception buffer. Returns `false` if it is discarded.
    pub fn place(&mut self, now: Instant, pdu: &DataPdu) -> bool {
        match self {
            Self::Um(um) => um.place(pdu),
            Self::Am(am) => am.place(now, pdu),
            Self::NrUm(um) => um.place(pdu),
        }
    }

    /// Returns the segment that [`Receiver::place`] has refused and whose SDU will never be
    /// complete.
    pub(super) fn take_late(&mut self) -> Option<Span> {
        match self {
            Self::Um(_) | Self::Am(_) => None,
            Self::NrUm(um) => um.take_late(),
        }
    }

    /// Moves the window after [`Receiver::place`]. Calls `passed` with the data that is complete.
    #[inline(always)]
    pub(super) fn on_placed(
        &mut self,
        now: Instant,
        pdu: &DataPdu,
        mut passed: impl FnMut(Passed),
    ) {
        match self {
            Self::Um(um) => um.on_placed(now, |whole| passed(Passed::UpTo(whole))),
            Self::Am(am) => am.on_placed(now, pdu.sn, passed),
            Self::NrUm(um) => um.on_placed(now, pdu.segment.is_some(), passed),
        }
    }

    /// Returns the length of the STATUS PDU that is due now.
    #[inline(always)]
    pub(super) fn status_size(&self, now: Instant) -> Bytes {
        match self {
            Self::Um(_) | Self::NrUm(_) => Bytes::ZERO,
            Self::Am(am) => am.status_size(now),
        }
    }

    /// Builds the STATUS PDU that is due, in at most `grant` bytes.
    #[inline(always)]
    pub(super) fn build_status(&mut self, now: Instant, grant: Bytes) -> Option<StatusPdu> {
        match self {
            Self::Um(_) | Self::NrUm(_) => None,
            Self::Am(am) => am.build_status(now, grant),
        }
    }

    /// Returns the time of the next `on_timer`.
    pub fn next_timer(&self) -> Option<Instant> {
        match self {
            Self::Um(um) => um.next_timer(),
            Self::Am(am) => am.next_timer(),
            Self::NrUm(um) => um.next_timer(),
        }
    }

    /// Handles an expired timer.
    pub(super) fn on_timer(&mut self, now: Instant, mut passed: impl FnMut(Passed)) {
        match self {
            Self::Um(um) => um.on_timer(now, |whole| passed(Passed::UpTo(whole))),
            Self::Am(am) => am.on_timer(now),
            Self::NrUm(um) => um.on_timer(now, passed),
        }
    }

    /// Returns the data behind a gap, which is reassembled at a re-establishment (TS 36.322 §5.4),
    /// as spans without a gap. In NR there is none: SDUs are delivered as soon as they are
    /// complete.
    pub(super) fn behind_gaps(&self) -> Vec<Span> {
        match self {
            Self::Um(um) => Span::joined(um.behind_gaps()),
            Self::Am(am) => Span::joined(am.behind_gaps()),
            Self::NrUm(_) => Vec::new(),
        }
    }

    /// Resets the receiver: sequence numbers restart at zero, and the stream continues at `origin`.
    pub(super) fn reset(&mut self, origin: u64) {
        match self {
            Self::Um(um) => um.reset(),
            Self::Am(am) => am.reset(origin),
            Self::NrUm(um) => um.reset(),
        }
    }
}
