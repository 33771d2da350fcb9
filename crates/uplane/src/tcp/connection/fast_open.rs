//! TCP Fast Open (RFC 7413): data in the SYN, and answers before the handshake ends.
//!
//! In: data about the peer from an earlier connection, the cookie that this end grants, the
//! application's first write, the options of both SYNs. Out: a SYN with a cookie and data; data for
//! the application before the handshake has ended; data for later connections.
//!
//! *Client.* With a known cookie the SYN waits for the first write, and carries as much of it as
//! fits. Data of a SYN is not in flight: bytes that the SYN-ACK does not acknowledge are treated as
//! never sent, leave at once as ordinary data, and are no sign of congestion. A retransmitted SYN
//! has neither data nor option, as in Linux (§4.1.3.1 wants a client to fall back).
//!
//! *Server.* A SYN with the granted cookie opens this end while the handshake continues: data of
//! the SYN is delivered, and answers leave behind the SYN-ACK, as the initial window allows
//! (§4.2.2). While the SYN-ACK is retransmitted nothing else leaves; after a timeout that lowers
//! the initial window (`syns_lost_before_one_segment`) all data sent counts as lost.
//!
//! *A SYN that arrives twice* (§6.1) is known by its number while this connection exists: its data
//! is delivered once. Replays to a second connection do not occur: each connection has its own
//! endpoint, which answers a SYN after its end with a reset.
//!
//! Left out: the limit of pending requests (§5.1), since nothing floods a server here. A cache of
//! failures (§4.1.3.1): a client asks the same server again, as Linux does before three timeouts in
//! a row; this matters if SYNs with data are dropped on purpose. Data in our SYN-ACK (§4.2.2 allows
//! it; it follows at once), though data in the peer's is accepted; a FIN in a SYN, which must be
//! retransmitted; a FIN before the handshake has ended, which waits for its end: captures differ.

use super::super::effect::{Effect, Learned};
use super::super::segment_size::SegmentSize;
use super::super::state::State;
use super::super::statistics::FastOpenOutcome;
use super::super::timer::Timer;
use super::opening::Agreed;
use super::{Connection, header};
use crate::net::{Cookie, Packet, Segment};
use crate::sim::Outbox;
use crate::unit::{Bytes, Instant};

/// A client's knowledge of a server from an earlier connection (RFC 7413 §4.1.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// Cookie that the server granted.
    pub cookie: Cookie,
    /// Segment size that the server announced, if it did.
    pub mss: Option<Bytes>,
}

/// Fast Open state of one end.
#[derive(Clone, Debug)]
pub(super) struct FastOpen {
    known: Option<Known>,
    /// Cookie that this end grants to its peer, and that the peer has to show.
    grants: Option<Cookie>,
    /// The option of our SYN-ACK.
    answer: Option<Cookie>,
    /// The SYN waits for the application's first write.
    waits: bool,
    /// This end is open though our SYN is not acknowledged.
    is_open: bool,
    /// Path MTU that a router reported for a SYN with too much data.
    path_mtu: Option<Bytes>,
    outcome: FastOpenOutcome,
}

impl FastOpen {
    pub(super) fn new() -> Self {
        let (waits, is_open, outcome) = (false, false, FastOpenOutcome::None);
        let (known, grants, answer, path_mtu) = (None, None, None, None);
        Self { known, grants, answer, waits, is_open, path_mtu, outcome }
    }
}

impl Connection {
    /// Sets the knowledge of the peer. Call it before `connect`; without effect if the profile has
    /// no Fast Open.
    pub fn remember(&mut self, known: Known) {
        if let Some(fast) = &mut self.fast_open {
            fast.known = Some(known);
        }
    }

    /// Sets the cookie that this end grants; data in a SYN with it are accepted. Call it before
    /// `listen`; without effect if the profile has no Fast Open.
    pub fn grant(&mut self, cookie: Cookie) {
        if let Some(fast) = &mut self.fast_open {
            fast.grants = Some(cookie);
        }
    }

    /// True while the SYN waits for the application's first write.
    pub fn awaits_write(&self) -> bool {
        self.fast_open.as_ref().is_some_and(|fast| fast.waits)
    }

    /// Sends a SYN that waits for the application's first write, with its cookie alone: the
    /// application has nothing to write first.
    pub fn send_syn(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        self.sender.limits().advance(now);
        self.open_by_write(now, out);
        self.flush(now, out);
    }

    /// Sends the SYN if it has waited for a write.
    pub(super) fn open_by_write(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        if self.awaits_write() && self.state == State::SynSent {
            self.transmit_syn(now, out);
        }
    }

    /// Returns `true` if the SYN shall wait for the application's first write: the cookie is known.
    pub(super) fn waits_for_write(&mut self) -> bool {
        let Some(fast) = &mut self.fast_open else { return false };
        fast.waits = fast.known.is_some();
        fast.waits
    }

    /// Returns `true` while this end is open by a cookie alone.
    pub(super) fn is_open_early(&self) -> bool {
        self.state == State::SynReceived && self.fast_open.as_ref().is_some_and(|it| it.is_open)
    }

    /// Returns the outcome of Fast Open.
    pub(super) fn fast_open_outcome(&self) -> FastOpenOutcome {
        self.fast_open.as_ref().map_or(FastOpenOutcome::None, |fast| fast.outcome)
    }

    /// Returns the option of our first SYN, or of the SYN-ACK that answers one, and the SYN's
    /// amount of data.
    pub(super) fn fast_open_of_syn(&mut self, is_answer: bool) -> (Option<Cookie>, Bytes) {
        let Some(fast) = &mut self.fast_open else { return (None, Bytes::ZERO) };
        fast.waits = false;
        if is_answer {
            return (fast.answer, Bytes::ZERO);
        }
        let Some(Known { cookie, mss }) = fast.known else {
            return (Some(Cookie::REQUEST), Bytes::ZERO);
        };
        // RFC 7413 §4.1.3: at most one segment of the size that the peer accepts.
        let room = SegmentSize::new(&self.profile, mss, false).payload_of_syn();
        (Some(cookie), Bytes(self.sender.send_in_syn(room)))
    }

    /// Processes a report that our SYN with data was too long: the SYN is retransmitted at once
    /// without data, as on Linux (RFC 7413 §4.1.3.1 counts that among the failures to fall back
    /// after).
    pub(super) fn on_syn_too_big(&mut self, now: Instant, mtu: Bytes, out: &mut Outbox<Effect>) {
        if self.sender.sent_in_syn() == 0 {
            return;
        }
        if let Some(fast) = &mut self.fast_open {
            fast.path_mtu = Some(mtu);
        }
        if !self.handshake.was_retransmitted() {
            self.transmit_syn(now, out);
        }
    }

    /// Returns the path MTU that a router reported for our SYN.
    pub(super) fn path_mtu_of_syn(&self) -> Option<Bytes> {
        self.fast_open.as_ref().and_then(|fast| fast.path_mtu)
    }

    /// Processes a SYN-ACK that acknowledges `acked` bytes of our SYN (RFC 7413 §4.2.2, client).
    pub(super) fn on_fast_open_answer(
        &mut self,
        segment: &Segment,
        acked: u64,
        out: &mut Outbox<Effect>,
    ) {
        let was_retransmitted = self.handshake.was_retransmitted();
        let sent = self.sender.sent_in_syn();
        let Some(fast) = &mut self.fast_open else { return };
        let cookie = segment.fast_open.filter(|cookie| !cookie.is_request());
        let is_taken = acked > 0 || (sent == 0 && cookie.is_none());
        fast.outcome = match fast.known {
            _ if was_retransmitted && acked == 0 => FastOpenOutcome::Fallback,
            None => FastOpenOutcome::Asked,
            Some(_) if is_taken => FastOpenOutcome::Accepted,
            Some(_) => FastOpenOutcome::Refused,
        };
        let mss = segment.mss.map(|mss| Bytes(u64::from(mss)));
        if cookie.is_some() || mss.is_some() {
            out.emit(Effect::Learned(Box::new(Learned { cookie, mss })));
        }
    }

    /// Processes a SYN (RFC 7413 §4.2.2, server): accepts its data if its cookie is valid, and
    /// grants a cookie if the SYN asks for one or has another.
    pub(super) fn on_fast_open_request(
        &mut self,
        now: Instant,
        packet: Box<Packet>,
        out: &mut Outbox<Effect>,
    ) {
        let shown = header(&packet).fast_open;
        let Some(fast) = &mut self.fast_open else { return };
        let (Some(shown), Some(granted)) = (shown, fast.grants) else { return };
        if shown == granted {
            (fast.is_open, fast.outcome) = (true, FastOpenOutcome::Accepted);
            self.open_early(now, packet, out);
        } else {
            // §4.1.2: a cookie from before a change of the key is replaced.
            fast.answer = Some(granted);
            let asks = shown.is_request();
            fast.outcome = if asks { FastOpenOutcome::Asked } else { FastOpenOutcome::Refused };
        }
    }

    /// Opens this end, and delivers the data of its SYN: the cookie proves the peer's address.
    fn open_early(&mut self, now: Instant, packet: Box<Packet>, out: &mut Outbox<Effect>) {
        let segment = header(&packet);
        let length = segment.payload.0;
        let syn = self.receiver.position(segment.seq);
        // RFC 7323 §2.2: the window of a SYN is not scaled.
        let first = (syn, u64::from(segment.window));
        self.open(now, Agreed { sample: None, lost_syns: 0, first, reflected: None, acked: 0 });
        self.state = State::SynReceived;
        self.sender.hold_fin();
        out.emit(Effect::Writable);
        if length > 0 {
            self.receiver.on_data(now, syn + 1, length, packet, out);
        }
    }

    /// Completes the handshake of an end that was open before: our SYN is acknowledged.
    pub(super) fn finish_early(&mut self, now: Instant, agreed: &Agreed, out: &mut Outbox<Effect>) {
        if let Some(fast) = &mut self.fast_open {
            fast.is_open = false;
        }
        self.state = State::Established;
        self.sender.on_handshake_over(agreed.sample, self.handshake.has_timed_out());
        if let Some(flags) = agreed.reflected {
            self.sender.on_reflection(flags);
        }
        self.timers.stop(Timer::Retransmission);
        if self.sender.has_flight() {
            self.restart_retransmission_timer(now);
        }
        out.emit(Effect::Connected);
    }
}
