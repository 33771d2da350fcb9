//! The window that a receiver offers, and the application that reads what fills it.
//!
//! In: segments that came, what the application has read. Out: the window field, the right edge,
//! and an acknowledgement when reading opens the window.
//!
//! The window is the receive buffer, or grows towards it (`window_tuning`). The application reads
//! at once, so that the window never closes, or slowly ([`Reader`]).

use super::super::effect::Effect;
use super::super::reader::Reader;
use super::super::window_tuning::Trip;
use super::{Owed, Receiver};
use crate::net::Cause;
use crate::sim::Outbox;
use crate::unit::{Bitrate, Duration, Instant};

impl Receiver {
    /// The application reads at this rate from now on; nothing has come yet.
    pub(in crate::tcp) fn read_slowly(&mut self, rate: Bitrate, mss: u64) {
        self.reader = Some(Box::new(Reader::new(rate, mss, self.nxt, self.window)));
    }

    /// When the application has read more.
    pub(in crate::tcp) fn read_due(&self) -> Option<Instant> {
        self.reader.as_ref().and_then(|reader| reader.due())
    }

    /// The peer knows of a window of less than a segment, because of the application.
    pub(in crate::tcp) fn is_closed_by_reader(&self) -> bool {
        self.reader.as_ref().is_some_and(|reader| reader.is_closed(self.nxt))
    }

    /// The application has read what it can have read by now; `all` if it reads the rest at once.
    /// True when it then learns of the peer's FIN.
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
            self.owe(Owed::Any);
        }
        let takes_fin = reader.takes_fin();
        self.reader = Some(reader);
        takes_fin
    }

    /// The peer's FIN was taken: true when the application learns of it now, because it has read
    /// all before.
    pub(in crate::tcp) fn tells_fin(&mut self) -> bool {
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

    /// The shift to offer in a SYN.
    pub(in crate::tcp) fn shift(&self) -> u8 {
        self.shift
    }

    /// The window field of a segment (RFC 7323 §2.2).
    pub(in crate::tcp) fn window_field(&mut self) -> u16 {
        u16::try_from(self.open_window() >> self.shift).unwrap_or(u16::MAX)
    }

    /// The window field of a SYN, which is never scaled (RFC 7323 §2.2).
    pub(in crate::tcp) fn syn_window_field(&self) -> u16 {
        u16::try_from(self.window).unwrap_or(u16::MAX)
    }

    /// A segment with `length` bytes of data has come: the window may grow, and while it does each
    /// segment is acknowledged at once. The round trip is what the sender of this end knows of it,
    /// and what the segment shows.
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
            self.schedule.hasten();
        }
    }
}
