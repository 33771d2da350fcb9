//! An application that reads slowly, and the window that follows from it (RFC 9293 §3.8.6.2.2).
//!
//! In: data in order. Out: this data when the application has read it, the window, and whether to
//! announce the window.
//!
//! The application takes the data segment by segment, each in the time that its bytes take at the
//! application's rate. Unread data fills the receive buffer, so the window closes. The right edge
//! moves by at least a segment or half of the buffer, so that no small windows are offered. A
//! window that reading has at least doubled is announced at once, as Linux does
//! (`tcp_cleanup_rbuf`); RFC 9293 leaves the time open.
//!
//! Left out: an application that pauses and then reads everything at once, as some players do.
//! Reads of less than a segment: the window is exact to a segment.

use std::collections::VecDeque;

use crate::net::Packet;
use crate::unit::{Bitrate, Bytes, Instant};

/// Unread data of an application.
#[derive(Clone, Debug)]
pub(super) struct Reader {
    rate: Bitrate,
    /// Maximum payload of a segment.
    mss: u64,
    /// Unread packets in order, each with its number of new bytes.
    unread: VecDeque<(Box<Packet>, Bytes)>,
    /// Amount of unread data, in bytes.
    held: u64,
    /// Time at which the first packet has been read.
    due: Option<Instant>,
    /// The right edge of the window.
    edge: u64,
    /// Right edge that the peer was last sent.
    announced: u64,
    /// The peer's FIN follows the unread data.
    closes: bool,
}

impl Reader {
    /// Returns an application that reads at `rate`; the window is `window` bytes, starting at
    /// `nxt`.
    pub(super) fn new(rate: Bitrate, mss: u64, nxt: u64, window: u64) -> Self {
        let edge = nxt + window;
        let unread = VecDeque::new();
        Self { rate, mss, unread, held: 0, due: None, edge, announced: edge, closes: false }
    }

    /// Starts the stream at `nxt`, with a window of `window` bytes.
    pub(super) fn begin(&mut self, nxt: u64, window: u64) {
        *self = Self::new(self.rate, self.mss, nxt, window);
    }

    /// `RCV.WND`
    pub(super) fn window(&self, nxt: u64) -> u64 {
        self.edge.saturating_sub(nxt)
    }

    /// Returns the unread data in bytes (`RCV.USER`).
    pub(super) fn held(&self) -> u64 {
        self.held
    }

    /// Returns the time at which the next segment has been read.
    pub(super) fn due(&self) -> Option<Instant> {
        self.due
    }

    /// Adds data received in order.
    pub(super) fn push(&mut self, now: Instant, packet: Box<Packet>, new: Bytes) {
        self.due.get_or_insert(now + new / self.rate);
        self.held += new.0;
        self.unread.push_back((packet, new));
    }

    /// Removes and returns a segment that has been read at `now`.
    pub(super) fn take_read(&mut self, now: Instant) -> Option<(Box<Packet>, Bytes)> {
        let due = self.due.filter(|&due| due <= now)?;
        let read = self.take_rest()?;
        self.due = self.unread.front().map(|&(_, next)| due + next / self.rate);
        Some(read)
    }

    /// Removes and returns the next segment, even if there was no time to read it.
    pub(super) fn take_rest(&mut self) -> Option<(Box<Packet>, Bytes)> {
        let read = self.unread.pop_front()?;
        self.held -= read.1.0;
        self.due = None;
        Some(read)
    }

    /// RFC 9293 §3.8.6.2.2: moves the right edge if that opens the window of a buffer of `buffer`
    /// bytes by half of it, or by a segment.
    pub(super) fn open(&mut self, nxt: u64, buffer: u64) {
        let edge = nxt + buffer.saturating_sub(self.held);
        if edge >= self.edge + (buffer / 2).min(self.mss) {
            self.edge = edge;
        }
    }

    /// Notes that the peer was sent a window of `window` bytes, starting at `nxt`.
    pub(super) fn on_window_sent(&mut self, nxt: u64, window: u64) {
        self.announced = nxt + window;
    }

    /// Returns `true` if the window that the peer knows has less than a segment.
    pub(super) fn is_closed(&self, nxt: u64) -> bool {
        self.announced < nxt + self.mss
    }

    /// Returns `true` if the window is at least twice the one announced last, and that one is at
    /// most half of the buffer.
    pub(super) fn is_news(&self, nxt: u64, buffer: u64) -> bool {
        let (window, known) = (self.window(nxt), self.announced.saturating_sub(nxt));
        window > known && window >= 2 * known && 2 * known <= buffer
    }

    /// Processes the peer's FIN. Returns `true` if all data before it has been read.
    pub(super) fn on_fin(&mut self) -> bool {
        self.closes = !self.unread.is_empty();
        !self.closes
    }

    /// Returns `true` once, when all data before the peer's FIN has been read.
    pub(super) fn reaches_fin(&mut self) -> bool {
        let takes = self.closes && self.unread.is_empty();
        self.closes &= !takes;
        takes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::{Body, Segment};

    /// 8 kbit/s, and a window of 4000 bytes, starting at 1000.
    fn reader() -> Reader {
        Reader::new(Bitrate::from_bps(8000).expect("a rate"), 1000, 1000, 4000)
    }

    /// RFC 9293 §3.8.6.2.2: by a segment, or by half of a buffer that holds less than two.
    #[test]
    fn right_edge_moves_by_at_least_a_segment() {
        let mut reader = reader();
        reader.held = 1500;
        reader.open(3400, 4000);
        assert_eq!(reader.window(3400), 1600, "its edge would move by 900 bytes");
        reader.open(3500, 4000);
        assert_eq!(reader.window(3500), 2500);
        let mut short = Reader::new(reader.rate, 1460, 0, 1000);
        short.held = 1;
        short.open(500, 1000);
        assert_eq!(short.window(500), 500, "by 499 bytes");
        short.held = 0;
        short.open(500, 1000);
        assert_eq!(short.window(500), 1000);
    }

    #[test]
    fn a_window_that_doubles_is_news() {
        let mut reader = reader();
        reader.edge = 4000;
        for (known, news) in [(0, true), (1500, true), (1501, false), (3000, false)] {
            reader.on_window_sent(1000, known);
            assert_eq!(reader.is_news(1000, 4000), news, "{known}");
        }
        reader.on_window_sent(1000, 1500);
        assert!(!reader.is_news(1000, 2999), "more than half of the buffer was open");
    }

    /// RFC 9293 §3.10.4: data before the FIN is read first.
    #[test]
    fn fin_is_reached_once_after_the_data() {
        let mut reader = reader();
        assert!(reader.on_fin(), "nothing is before it");
        assert!(!reader.reaches_fin());
        let data = Packet::plain(Body::Tcp(Segment::default()), Bytes(500), Instant::ZERO);
        reader.push(Instant::ZERO, Box::new(data), Bytes(500));
        assert!(!reader.on_fin());
        assert!(!reader.reaches_fin(), "500 bytes are not read");
        let due = reader.due().expect("a segment that is read");
        assert!(reader.take_read(due).is_some());
        assert!(reader.reaches_fin());
        assert!(!reader.reaches_fin(), "told already");
    }
}
