//! The window that a receiver offers, and the application that reads the data.
//!
//! In: received segments, and reads of the application. Out: the window field, the right edge, and
//! an acknowledgement when reading opens the window.
//!
//! The window is the receive buffer, or grows towards it (`window_tuning`). The application reads
//! at once, so that the window never closes, or slowly ([`Reader`]).

use super::super::effect::Effect;
use super::super::reader::Reader;
use super::super::window_tuning::Trip;
use super::{Receiver, RequiredAck};
use crate::net::Cause;
use crate::sim::Outbox;
use crate::unit::{Bitrate, Duration, Instant};

impl Receiver {
    /// Lets the application read at this rate; no data has been received yet.
    pub(in crate::tcp) fn read_slowly(&mut self, rate: Bitrate, mss: u64) {
        self.reader = Some(Box::new(Reader::new(rate, mss, self.nxt, self.window)));
    }

    /// Returns the time of the next read of a slow application.
    pub(in crate::tcp) fn read_due(&self) -> Option<Instant> {
        self.reader.as_ref().and_then(|reader| reader.due())
    }

    /// Returns `true` if a slow application keeps the window that the peer knows below a segment.
    pub(in crate::tcp) fn is_closed_by_reader(&self) -> bool {
        self.reader.as_ref().is_some_and(|reader| reader.is_closed(self.nxt))
    }

    /// Processes reads up to `now`; `all` if the application reads the rest at once. Returns `true`
    /// if it reaches the peer's FIN.
    pub(in crate::tcp) fn on_read(
        &mut self,
        now: Instant,
        all: bool,
        out: &mut Outbox<Effect>,
    ) -> bool {
        let Some(mut reader) = self.reader.take() else { return false };
        while let Some((packet, new)) = if all { reader.take_rest() } else { reader.take_read(now) }
        {
            self.hand_over(now, Cause::ReadWait, packet, new, out);
        }
        reader.open(self.nxt, self.window);
        // A peer that has closed needs no more window.
        let is_open = self.fin.is_none_or(|fin| fin >= self.nxt);
        if is_open && reader.is_news(self.nxt, self.window) {
            self.require_ack(RequiredAck::Any);
        }
        let reaches_fin = reader.reaches_fin();
        self.reader = Some(reader);
        reaches_fin
    }

    /// Processes the peer's FIN. Returns `true` if the application has read everything before it.
    pub(in crate::tcp) fn passes_fin(&mut self) -> bool {
        self.reader.as_mut().is_none_or(|reader| reader.on_fin())
    }

    /// `RCV.WND`
    fn open_window(&mut self) -> u64 {
        let Some(reader) = &mut self.reader else { return self.window };
        reader.open(self.nxt, self.window);
        reader.window(self.nxt)
    }

    /// The right edge of the window.
    pub(super) fn edge(&self) -> u64 {
        let window = self.reader.as_ref().map_or(self.window, |reader| reader.window(self.nxt));
        self.nxt + window
    }

    /// Returns the shift to offer in a SYN.
    pub(in crate::tcp) fn shift(&self) -> u8 {
        self.shift
    }

    /// Returns the window field of a segment (RFC 7323 §2.2).
    pub(in crate::tcp) fn window_field(&mut self) -> u16 {
        u16::try_from(self.open_window() >> self.shift).unwrap_or(u16::MAX)
    }

    /// Returns the window field of a SYN, which is never scaled (RFC 7323 §2.2).
    pub(in crate::tcp) fn syn_window_field(&self) -> u16 {
        u16::try_from(self.window).unwrap_or(u16::MAX)
    }

    /// Tunes the window for a segment with `length` bytes of data: while the window grows, each
    /// segment is acknowledged at once. `smoothed` is the round trip of this end's sender, `trip`
    /// that shown by the segment.
    #[inline]
    pub(in crate::tcp) fn tune(
        &mut self,
        length: u64,
        smoothed: Option<Duration>,
        trip: impl FnOnce() -> Trip,
    ) {
        let Some(tuning) = &mut self.tuning else {
            self.schedule.on_round_trip(smoothed);
            return;
        };
        let grown = tuning.on_data(self.window, length, trip());
        self.schedule.on_round_trip(tuning.shorter(smoothed));
        if grown > self.window {
            self.window = grown;
            self.schedule.force_quick_ack();
        }
    }
}
