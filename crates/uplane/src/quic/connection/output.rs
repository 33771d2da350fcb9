//! The output of a connection: departing datagrams with their waits, and the reason why no more
//! leave.

use super::super::crypto::TAG;
use super::super::departures::chunks;
use super::super::library::ID_LENGTH;
use super::super::stream::{FirstSent, Stream};
use super::super::wire::{self, Space};
use super::super::{Effect, Role};
use super::Connection;
use crate::net::waits::Limit;
use crate::net::{Cause, Ecn, IpVersion, Ledger, Packet, QuicDatagram};
use crate::sim::Outbox;
use crate::unit::{Bytes, Duration, Instant};

impl Connection {
    /// Sends a datagram and records its packets.
    pub(super) fn depart(
        &mut self,
        now: Instant,
        contents: Vec<u8>,
        ecn: Option<Ecn>,
        out: &mut Outbox<Effect>,
    ) {
        let packets = wire::packets(&contents, TAG, ID_LENGTH);
        let (mut first, mut data) = (None, 0);
        for packet in &packets {
            let number = self.departures.on_sent(packet);
            if let Some(log) = &mut self.log {
                log.on_sent(now, packet, number);
            }
            if packet.space == Space::Handshake && self.role == Role::Client {
                self.departures.discard(Space::Initial);
            }
            self.counters.mtu_probes += u64::from(packet.is_probe());
            for chunk in chunks(packet) {
                data += chunk.end - chunk.start;
                let sent = self.on_chunk_sent(now, chunk.id, (chunk.start, chunk.end), out);
                first = first.or(sent);
            }
        }
        self.counters.datagrams += 1;
        self.counters.data_datagrams += u64::from(data > 0);
        self.counters.sent += Bytes(contents.len() as u64);
        let ledger = first.map_or_else(|| Ledger::start(now), |first| ledger(now, &first));
        let datagram = QuicDatagram { contents, data: Bytes(data) };
        let mut packet = Packet::of_quic(IpVersion::V4, datagram, ledger);
        packet.set_ecn(ecn.filter(|_| self.profile.ecn).unwrap_or(Ecn::NotEct));
        out.emit(Effect::Transmit(packet));
    }

    /// Processes the departure of bytes of a stream. Returns the first departure of the first of
    /// them.
    fn on_chunk_sent(
        &mut self,
        now: Instant,
        id: u64,
        (start, end): (u64, u64),
        out: &mut Outbox<Effect>,
    ) -> Option<FirstSent> {
        let waits = self.limits.waits();
        let (number, stream) = self.stream_by_id(id)?;
        let again = stream.sent.min(end).saturating_sub(start);
        let sent = stream.on_sent(now, (start, end), waits);
        if std::mem::take(&mut stream.awaits_first_sent) {
            out.emit(Effect::FirstSent { stream: number });
        }
        self.counters.retransmitted += Bytes(again);
        Some(sent)
    }

    /// Returns the current reason why the connection is not sending. The library does not report
    /// it, but its rules determine it: the window is full if one more datagram would exceed it (RFC
    /// 9002 §7); else the peer's credit is used up; else the send buffer is full; else it paces.
    pub(super) fn limit(&self) -> Limit {
        let flight = self.departures.flight();
        let has_unsent = self.streams.values().any(Stream::has_unsent);
        let Some(snapshot) = self.library.snapshot().filter(|_| self.opened.is_some()) else {
            return if has_unsent { Limit::Application } else { Limit::Idle };
        };
        if !has_unsent && !self.library.has_retransmissions() {
            return if flight.is_zero() { Limit::Idle } else { Limit::Application };
        }
        if flight + snapshot.udp_payload >= snapshot.cwnd {
            return Limit::CongestionWindow;
        }
        let unsent = || self.streams.values().filter(|stream| stream.has_unsent());
        let sent: u64 = self.streams.values().map(|stream| stream.sent).sum();
        if has_unsent
            && (sent >= self.credit || unsent().all(|stream| stream.sent >= stream.credit))
        {
            return Limit::ReceiveWindow;
        }
        let is_offered = unsent().any(|stream| stream.given > stream.sent);
        if has_unsent && !is_offered { Limit::SendBuffer } else { Limit::Pacing }
    }
}

/// Returns the ledger of a datagram whose first data had the first departure `first`.
fn ledger(now: Instant, first: &FirstSent) -> Ledger {
    let waited: Duration = first.waits.total();
    let mut ledger = Ledger::start(first.at - waited);
    first.waits.charge(&mut ledger, first.at);
    ledger.charge(Cause::LossRecovery, now);
    ledger
}
