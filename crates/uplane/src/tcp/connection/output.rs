//! Transmission of segments.

use super::super::effect::Effect;
use super::super::limits::Limit;
use super::super::sender::{Departure, Next};
use super::super::timer::Timer;
use super::Connection;
use crate::net::{Flags, SackBlocks, Segment, SequenceNumber};
use crate::sim::Outbox;
use crate::unit::{Bytes, Instant};

impl Connection {
    /// Sends data and the FIN as long as something may leave, and returns the reason to stop.
    pub(super) fn transmit_all(&mut self, now: Instant, out: &mut Outbox<Effect>) -> Limit {
        loop {
            let departure = match self.sender.next(now) {
                Next::Nothing(limit) => return limit,
                Next::New(length) => self.sender.send_new(now, length),
                Next::Retransmission(index) => self.sender.retransmit(now, index),
                Next::Rescue(index) => self.sender.send_rescue(now, index),
                Next::Fin => self.sender.send_fin(now),
            };
            self.transmit(now, &departure, out);
        }
    }

    /// Sends one segment of the stream, which carries every acknowledgement that is due.
    pub(super) fn transmit(
        &mut self,
        now: Instant,
        departure: &Departure,
        out: &mut Outbox<Effect>,
    ) {
        if departure.fin {
            self.state = self.state.after_fin_sent();
        }
        let length = u64::from(departure.length);
        let sack = self.blocks_beside(length);
        let base = self.acknowledging(now, self.receiver.nxt(), false);
        let mut flags = base.flags;
        for (flag, set) in [(Flags::FIN, departure.fin), (Flags::PSH, departure.push)] {
            flags = if set { flags.with(flag) } else { flags };
        }
        if let Some((_, reduced)) = departure.mark {
            flags = flags.with(reduced);
        }
        let mut segment = Segment {
            seq: SequenceNumber::from_offset(departure.start),
            flags,
            payload: Bytes(length),
            sack,
            ..base
        };
        let blocks = if sack.is_empty() { 0 } else { SACK_HEADER + SACK_BLOCK * sack.len() as u64 };
        let free = self.size.payload().saturating_sub(length + blocks);
        self.add_byte_counters(now, &mut segment, free);
        self.receiver.on_ack_sent();
        let starts = departure.restarts_timer || !self.timers.is_set(Timer::Retransmission);
        if starts && self.sender.has_flight() {
            // RFC 6298 §5.1; a window probe is not in flight.
            self.restart_retransmission_timer(now);
        }
        let mut packet = self.stock.segment(self.profile.ip, segment, departure.written());
        if let Some((field, _)) = departure.mark {
            packet.set_ecn(field);
        }
        departure.charge(&mut packet.ledger, now);
        out.emit(Effect::Transmit(packet));
    }

    /// Sends a pure acknowledgement of everything received.
    #[inline(always)]
    pub(super) fn transmit_ack(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        let mut segment = self.acknowledging(now, self.receiver.nxt(), true);
        if self.handshake.agreed_on_sack() {
            let room = if self.timestamps.enabled { 3 } else { 4 };
            segment.sack = self.receiver.take_report(room);
        }
        self.add_byte_counters(now, &mut segment, u64::MAX);
        self.receiver.on_ack_sent();
        self.pure_acks += 1;
        self.emit(now, segment, out);
    }

    /// Sends a held acknowledgement, for the data received when it was caused.
    pub(super) fn transmit_held_ack(
        &mut self,
        now: Instant,
        position: u64,
        out: &mut Outbox<Effect>,
    ) {
        let mut segment = self.acknowledging(now, position, true);
        self.add_byte_counters(now, &mut segment, u64::MAX);
        self.pure_acks += 1;
        self.emit(now, segment, out);
    }

    /// Sends a segment without data.
    #[inline(always)]
    pub(super) fn emit(&mut self, now: Instant, segment: Segment, out: &mut Outbox<Effect>) {
        out.emit(Effect::Transmit(self.stock.segment(self.profile.ip, segment, now)));
    }

    /// Returns a segment that acknowledges everything before `position`; `pure` if it carries no
    /// data.
    #[inline]
    fn acknowledging(&mut self, now: Instant, position: u64, pure: bool) -> Segment {
        Segment {
            seq: SequenceNumber::from_offset(self.sender.nxt()),
            ack: SequenceNumber::from_offset(position),
            flags: Flags::ACK.with(self.receiver.ecn_flags(pure)),
            window: self.receiver.window_field(),
            timestamps: self.timestamps.stamp(now),
            ..Segment::default()
        }
    }

    /// Adds the AccECN option, if the header and the `free` bytes beside the data have room.
    #[inline]
    fn add_byte_counters(&mut self, now: Instant, segment: &mut Segment, free: u64) {
        if !self.receiver.has_ecn() {
            return;
        }
        let room = free.min(segment.room_for_options());
        let trip = self.sender.rto().mean();
        segment.byte_counters = self.receiver.byte_counters(now, trip, room).map(Box::new);
    }

    /// Returns the SACK blocks that fit beside `length` bytes of data. Others are not lost: data
    /// out of order is also acknowledged at once, without data.
    fn blocks_beside(&mut self, length: u64) -> SackBlocks {
        if !self.handshake.agreed_on_sack() {
            return SackBlocks::default();
        }
        let free = self.size.payload().saturating_sub(length);
        match free.saturating_sub(SACK_HEADER) / SACK_BLOCK {
            0 => SackBlocks::default(),
            blocks => self.receiver.take_report(blocks.min(3) as usize),
        }
    }
}

/// The SACK option: two bytes with two of padding, and eight a block (RFC 2018 §3).
const SACK_HEADER: u64 = 4;
const SACK_BLOCK: u64 = 8;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::Profile;

    /// RFC 2018 §3: four bytes, and eight for each block. Three gaps are reported beside data if
    /// the segment has room.
    #[test]
    fn data_carries_as_many_blocks_as_fit() {
        let profile = Profile::rfc();
        let blocks = |free: u64| {
            let mut end = Connection::new(&profile, 0);
            end.open_established(Instant::ZERO);
            let mut out = Outbox::default();
            let first = end.receiver.nxt();
            for number in [1, 3, 5] {
                let segment = Segment {
                    seq: SequenceNumber::from_offset(first + 1000 * number),
                    payload: Bytes(1000),
                    ..end.acknowledging(Instant::ZERO, first, false)
                };
                let packet = end.stock.segment(profile.ip, segment, Instant::ZERO);
                end.on_packet(Instant::ZERO, packet, &mut out);
            }
            end.blocks_beside(end.size.payload() - free).len()
        };
        assert_eq!([11, 12, 19, 20, 27, 28, 100].map(blocks), [0, 1, 1, 2, 2, 3, 3]);
    }
}
