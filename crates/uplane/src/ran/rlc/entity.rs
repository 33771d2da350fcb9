//! The two ends of one direction of a bearer, whatever its mode: the one file that knows the modes.
//!
//! In: what [`super::path`] and [`super::bearer`] ask. Out: the answer of the mode.

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
    /// Unacknowledged: what is lost is gone, what arrives is in order.
    Um(um::Config),
    /// Acknowledged: what is lost is sent again.
    Am(am::Config),
    /// Unacknowledged, of NR.
    NrUm(nr::um::Config),
    /// Acknowledged, of NR.
    NrAm(nr::am::Config),
}

/// The transmitting end.
#[derive(Clone, Debug)]
pub enum Transmitter {
    /// Unacknowledged mode.
    Um(um::Transmitter),
    /// Acknowledged mode.
    Am(am::Transmitter),
    /// Unacknowledged mode of NR.
    NrUm(nr::um::Transmitter),
    /// Acknowledged mode of NR.
    NrAm(nr::am::Transmitter),
}

/// The receiving end.
#[derive(Clone, Debug)]
pub enum Receiver {
    /// Unacknowledged mode.
    Um(um::Receiver),
    /// Acknowledged mode of any generation.
    Am(AmReceiver),
    /// Unacknowledged mode of NR.
    NrUm(nr::um::Receiver),
}

impl Default for Config {
    /// LTE's unacknowledged mode.
    fn default() -> Self {
        Self::Um(um::Config::default())
    }
}

impl Config {
    /// True where what is lost is sent again.
    pub const fn is_acknowledged(&self) -> bool {
        matches!(self, Self::Am(_) | Self::NrAm(_))
    }

    /// The same of a second entity, for which PDCP has another one: that SDUs were sent too often
    /// is reported, and no failure of the radio link (TS 38.331 §5.3.10.3).
    #[must_use]
    pub(super) fn of_second(&self) -> Self {
        match self {
            Self::NrAm(config) => {
                Self::NrAm(nr::am::Config { max_retx_threshold: u32::MAX, ..config.clone() })
            }
            other => other.clone(),
        }
    }

    /// How many bytes of SDUs may wait at the transmitter; any number for `None`.
    pub const fn buffer(&self) -> Option<Bytes> {
        match self {
            Self::Um(config) => config.buffer,
            Self::Am(config) => config.buffer,
            Self::NrUm(config) => config.buffer,
            Self::NrAm(config) => config.buffer,
        }
    }

    /// How many bits a sequence number has.
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
    /// A transmitter that has sent nothing.
    pub fn new(config: &Config) -> Self {
        match config {
            Config::Um(config) => Self::Um(um::Transmitter::new(config)),
            Config::Am(config) => Self::Am(am::Transmitter::new(config)),
            Config::NrUm(config) => Self::NrUm(nr::um::Transmitter::new(config)),
            Config::NrAm(config) => Self::NrAm(nr::am::Transmitter::new(config)),
        }
    }

    /// One data PDU of at most `grant` bytes.
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

    /// What waits, without the STATUS PDU of the other side.
    pub fn buffer_status(&self, buffer: &TransmissionBuffer) -> BufferStatus {
        match self {
            Self::Um(um) => um.buffer_status(buffer),
            Self::Am(am) => am.buffer_status(buffer),
            Self::NrUm(um) => um.buffer_status(buffer),
            Self::NrAm(am) => am.buffer_status(buffer),
        }
    }

    /// What packets that are begun now cost beside their bytes.
    pub fn overhead(&self, buffer: &TransmissionBuffer) -> Overhead {
        match self {
            Self::Um(_) | Self::Am(_) => Overhead::CONCATENATED,
            Self::NrUm(um) => um.overhead(buffer),
            Self::NrAm(am) => am.overhead(buffer),
        }
    }

    /// What waits, as in [`Transmitter::buffer_status`] but without headers, and with it true where
    /// the other side may have a STATUS PDU to send too.
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

    /// True where what is lost is sent again.
    pub(super) const fn is_acknowledged(&self) -> bool {
        matches!(self, Self::Am(_) | Self::NrAm(_))
    }

    /// Takes a STATUS PDU of the other end; in NR `delivered` is told of each SDU that it confirms.
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

    /// When it wants to be called.
    pub fn next_timer(&self) -> Option<Instant> {
        match self {
            Self::Um(_) | Self::NrUm(_) => None,
            Self::Am(am) => am.next_timer(),
            Self::NrAm(am) => am.next_timer(),
        }
    }

    /// Does what it is time for.
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

    /// Starts again with sequence number zero.
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
    /// A receiver that has received nothing.
    pub fn new(config: &Config) -> Self {
        match config {
            Config::Um(config) => Self::Um(um::Receiver::new(config)),
            Config::Am(config) => Self::Am(AmReceiver::new(&config.reception())),
            Config::NrUm(config) => Self::NrUm(nr::um::Receiver::new(config)),
            Config::NrAm(config) => Self::Am(AmReceiver::new(&config.reception())),
        }
    }

    /// Takes a PDU that makes all whole up to its end; none where [`Receiver::place`] has to look
    /// closer.
    #[inline(always)]
    pub(super) fn take_next(&mut self, now: Instant, pdu: &DataPdu) -> Option<Passed> {
        match self {
            Self::Um(um) => um.take_next(pdu).map(Passed::UpTo),
            Self::Am(am) => am.take_next(now, pdu),
            Self::NrUm(_) => None,
        }
    }

    /// Takes a PDU into the reception buffer; false when it is discarded.
    pub fn place(&mut self, now: Instant, pdu: &DataPdu) -> bool {
        match self {
            Self::Um(um) => um.place(pdu),
            Self::Am(am) => am.place(now, pdu),
            Self::NrUm(um) => um.place(pdu),
        }
    }

    /// What [`Receiver::place`] has refused and will never be whole.
    pub(super) fn take_late(&mut self) -> Option<Span> {
        match self {
            Self::Um(_) | Self::Am(_) => None,
            Self::NrUm(um) => um.take_late(),
        }
    }

    /// After [`Receiver::place`]: moves the window. `passed` is called for what is whole.
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

    /// The STATUS PDU that it would send now.
    #[inline(always)]
    pub(super) fn status_size(&self, now: Instant) -> Bytes {
        match self {
            Self::Um(_) | Self::NrUm(_) => Bytes::ZERO,
            Self::Am(am) => am.status_size(now),
        }
    }

    /// The STATUS PDU that it wants to send, of at most `grant` bytes.
    #[inline(always)]
    pub(super) fn build_status(&mut self, now: Instant, grant: Bytes) -> Option<StatusPdu> {
        match self {
            Self::Um(_) | Self::NrUm(_) => None,
            Self::Am(am) => am.build_status(now, grant),
        }
    }

    /// When it wants to be called.
    pub fn next_timer(&self) -> Option<Instant> {
        match self {
            Self::Um(um) => um.next_timer(),
            Self::Am(am) => am.next_timer(),
            Self::NrUm(um) => um.next_timer(),
        }
    }

    /// Does what it is time for.
    pub(super) fn on_timer(&mut self, now: Instant, mut passed: impl FnMut(Passed)) {
        match self {
            Self::Um(um) => um.on_timer(now, |whole| passed(Passed::UpTo(whole))),
            Self::Am(am) => am.on_timer(now),
            Self::NrUm(um) => um.on_timer(now, passed),
        }
    }

    /// What is reassembled at a re-establishment though data before it are missing (TS 36.322
    /// §5.4), each span as long as it is without a gap. NR hands SDUs up as they come.
    pub(super) fn behind_gaps(&self) -> Vec<Span> {
        match self {
            Self::Um(um) => Span::joined(um.behind_gaps()),
            Self::Am(am) => Span::joined(am.behind_gaps()),
            Self::NrUm(_) => Vec::new(),
        }
    }

    /// Begins again with number zero, where the stream goes on at `origin`.
    pub(super) fn reset(&mut self, origin: u64) {
        match self {
            Self::Um(um) => um.reset(),
            Self::Am(am) => am.reset(origin),
            Self::NrUm(um) => um.reset(),
        }
    }
}
