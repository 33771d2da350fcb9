//! One end of a connection (RFC 9293).
//!
//! In: calls of the application (`connect`, `write`, …), packets, ICMP messages of routers, its
//! timer. Out: [`Effect`]s, and when to call `on_timer`.
//!
//! Six files: this one holds the state and processes calls of the application and the timer,
//! `opening` has the handshake, `fast_open` data sent and accepted before its end, `input`
//! processes segments, `output` makes them, `closing` ends the connection.
//!
//! Each call ends in `flush`: everything that may be sent now is sent, then the acknowledgement
//! that is still due, then the timers are set. So the order of effects is: deliveries, data,
//! acknowledgement; except that a duplicate acknowledgement leaves before data.

mod closing;
mod fast_open;
mod input;
mod opening;
mod output;

use self::fast_open::FastOpen;
pub use self::fast_open::Known;
use self::opening::Handshake;
use super::challenge::ChallengeLimit;
use super::effect::{CloseReason, Effect};
use super::limits::{Limit, Waits};
use super::profile::{self, Profile};
use super::receiver::{Receiver, RequiredAck};
use super::segment_size::SegmentSize;
use super::sender::Sender;
use super::state::State;
use super::statistics::{Marks, Statistics};
use super::timer::{Clock, Timer, Timers};
use super::timestamps::TimestampOption;
use crate::net::waits::Shares;
use crate::net::{Body, Cause, Packet, Segment, Stock};
use crate::sim::Outbox;
use crate::unit::{Bitrate, Bytes, Instant};

/// One end of a connection.
#[derive(Debug)]
pub struct Connection {
    profile: Box<Profile>,
    state: State,
    handshake: Handshake,
    /// RFC 7413, where the profile has it.
    fast_open: Option<Box<FastOpen>>,
    sender: Sender,
    receiver: Receiver,
    timestamps: TimestampOption,
    size: SegmentSize,
    timers: Timers,
    clock: Clock,
    /// Time at which the connection opened, and the sender's waits until then, by cause.
    opened: Option<(Instant, Waits)>,
    pure_acks: u64,
    challenges: ChallengeLimit,
    stock: Stock,
}

impl Connection {
    /// Returns a closed connection whose SYN will have the number `isn`. The number only decides
    /// when sequence numbers wrap around.
    pub fn new(profile: &Profile, isn: u32) -> Self {
        let syn = FIRST_ROUND + u64::from(isn);
        Self {
            profile: Box::new(profile.clone()),
            state: State::Closed,
            handshake: Handshake::new(syn),
            fast_open: (profile.fast_open != profile::FastOpen::Off)
                .then(|| Box::new(FastOpen::new())),
            sender: Sender::new(profile, syn),
            receiver: Receiver::new(profile),
            timestamps: TimestampOption::default(),
            size: SegmentSize::new(profile, None, false),
            timers: Timers::new(),
            clock: Clock::new(profile.timer_tick),
            opened: None,
            pure_acks: 0,
            challenges: ChallengeLimit::default(),
            stock: Stock::default(),
        }
    }

    /// Active open: sends the SYN. A SYN that can carry data waits for the application's first
    /// write, or for [`Connection::send_syn`].
    pub fn connect(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        self.sender.limits().advance(now);
        if self.state == State::Closed {
            self.state = State::SynSent;
            if self.waits_for_write() {
                out.emit(Effect::Writable);
            } else {
                self.transmit_syn(now, out);
            }
        }
        self.flush(now, out);
    }

    /// Passive open: waits for a SYN.
    pub fn listen(&mut self) {
        if self.state == State::Closed {
            self.state = State::Listen;
        }
    }

    /// Opens without a handshake: both ends must do so, with profiles that agree on the options.
    /// Numbers begin at zero on both sides.
    pub fn open_established(&mut self, now: Instant) {
        *self = Self::new(&self.profile, 0);
        self.sender.limits().advance(now);
        self.assume_handshake(now);
    }

    /// Lets the application here read at this rate, not at once. Call it before any data arrives.
    pub fn read_slowly(&mut self, rate: Bitrate) {
        self.receiver.read_slowly(rate, self.profile.mss.0);
    }

    /// Writes `bytes` for the application. Writes after closing are ignored.
    pub fn write(&mut self, now: Instant, bytes: Bytes, out: &mut Outbox<Effect>) {
        self.sender.limits().advance(now);
        self.sender.write(bytes);
        self.open_by_write(now, out);
        self.flush(now, out);
    }

    /// Closes the stream of the application: sends the FIN after everything written.
    ///
    /// Before the handshake has ended, written data and the FIN wait for its end. RFC 9293 §3.10.4
    /// would drop both in SYN-SENT; here that happens only if nothing was written.
    pub fn close(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        self.sender.limits().advance(now);
        self.sender.close();
        let unused = self.state == State::SynSent && !self.sender.has_written();
        if self.state == State::Listen || unused {
            self.end(CloseReason::Finished, out);
        }
        self.flush(now, out);
    }

    /// Aborts for the application: sends a RST and discards all data.
    pub fn abort(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        self.sender.limits().advance(now);
        if self.state.is_sending() || self.state == State::SynReceived {
            self.transmit_reset(now, out);
        }
        if self.state != State::Closed {
            self.end(CloseReason::Reset, out);
        }
        self.flush(now, out);
    }

    /// Processes a packet that carries TCP.
    #[inline(always)]
    pub fn on_packet(&mut self, now: Instant, packet: Box<Packet>, out: &mut Outbox<Effect>) {
        self.sender.limits().advance(now);
        match self.state {
            State::Closed => self.on_segment_when_closed(now, header(&packet), out),
            State::Listen => self.on_segment_in_listen(now, packet, out),
            State::SynSent => self.on_segment_in_syn_sent(now, packet, out),
            _ => self.on_segment(now, packet, out),
        }
        self.flush(now, out);
    }

    /// Recycles a packet that a host is done with: its memory is reused for the next segment that
    /// leaves here. Returns the packet if enough memory is in stock.
    #[inline(always)]
    pub fn reuse(&mut self, packet: Box<Packet>) -> Option<Box<Packet>> {
        self.stock.keep(packet)
    }

    /// Recycles a delivered data packet; keeps only a few, since the sender needs the memory more.
    #[inline(always)]
    pub fn reuse_delivered(&mut self, packet: Box<Packet>) -> Option<Box<Packet>> {
        self.stock.keep_few(packet)
    }

    /// Processes a report that a packet was longer than `mtu` (RFC 1191, RFC 8201): retransmits
    /// longer data in smaller segments.
    pub fn on_too_big(&mut self, now: Instant, mtu: Bytes, out: &mut Outbox<Effect>) {
        self.sender.limits().advance(now);
        let mtu = mtu.max(self.profile.ip.minimum_mtu());
        if self.state == State::SynSent {
            self.on_syn_too_big(now, mtu, out);
        }
        let is_open = self.state.is_sending() || self.is_open_early();
        if is_open && self.size.lower(mtu, self.profile.ip.header()) {
            self.sender.lower_mss(now, self.size.payload());
        }
        self.flush(now, out);
    }

    /// Processes the timers that are due.
    pub fn on_timer(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        self.sender.limits().advance(now);
        while let Some(timer) = self.timers.take_due(now) {
            match timer {
                Timer::Retransmission => self.on_retransmission_timer(now, out),
                Timer::Reordering => self.sender.on_reordering_timer(now),
                Timer::TailProbe => self.on_tail_probe_timer(now, out),
                Timer::Persist => self.on_persist_timer(now, out),
                Timer::Read => self.on_read(now, false, out),
                Timer::Acknowledgement => self.on_acknowledgement_timer(now, out),
                Timer::HandshakeHold => self.on_handshake_hold_over(),
                Timer::Pacing => {} // `flush` sends
                Timer::TimeWait => self.end(CloseReason::Finished, out),
            }
        }
        self.flush(now, out);
    }

    /// Returns the cause of the wait that ends at `now`, if a timer is due.
    pub fn awaited(&self, now: Instant) -> Option<Cause> {
        let timer = self.timers.first_due(now)?;
        let is_closed = timer == Timer::Read && self.receiver.is_closed_by_reader();
        Some(if is_closed { Cause::ReceiveWindow } else { timer.cause() })
    }

    /// True while a slow application here has something to read.
    pub fn is_reading(&self) -> bool {
        self.receiver.read_due().is_some()
    }

    /// Returns `true` if the timer that is due at `now` is a read by the application here.
    pub fn awaited_reading(&self, now: Instant) -> bool {
        self.timers.first_due(now) == Some(Timer::Read)
    }

    /// State of the connection (RFC 9293 §3.3.2).
    pub fn state(&self) -> State {
        self.state
    }

    /// Returns counters and present values, for tables.
    pub fn statistics(&self, now: Instant) -> Statistics {
        let snapshot = self.sender.snapshot();
        let arrivals = self.receiver.arrivals();
        let marks = self.sender.mark_counts();
        Statistics {
            state: self.state.name(),
            counters: self.sender.counters(),
            acked: self.sender.acked(),
            marks: Marks {
                received: self.receiver.marks(),
                echoes: marks.echoes,
                reductions: marks.reductions,
            },
            pure_acks: self.pure_acks,
            cwnd: Bytes(snapshot.congestion.cwnd()),
            ssthresh: snapshot.congestion.ssthresh().map(Bytes),
            flight: snapshot.flight,
            srtt: snapshot.srtt,
            rto: snapshot.rto,
            received: arrivals.unique,
            first_arrival: arrivals.first_and_last.map(|(first, _)| first),
            last_arrival: arrivals.first_and_last.map(|(_, last)| last),
            delivered: arrivals.delivered,
            shares: self.shares(&snapshot.limits.waits_at(now)),
            limit: snapshot.limits.current().name(),
            fast_open: self.fast_open_outcome(),
        }
    }

    fn shares(&self, waits: &Waits) -> Shares {
        let Some((_, before)) = &self.opened else { return Shares::default() };
        waits.since(before).shares()
    }

    fn on_persist_timer(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        match self.sender.send_window_probe(now) {
            Some(departure) => self.transmit(now, &departure, out),
            None => self.end(CloseReason::TimedOut, out),
        }
    }

    fn on_tail_probe_timer(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        if let Some(departure) = self.sender.send_tail_probe(now) {
            self.transmit(now, &departure, out);
        }
    }

    /// Processes a read of the application, or of `all` the remaining data.
    fn on_read(&mut self, now: Instant, all: bool, out: &mut Outbox<Effect>) {
        if self.receiver.on_read(now, all, out) {
            out.emit(Effect::PeerClosed);
        }
    }

    /// RFC 6298 §5.1 and §5.3
    fn restart_retransmission_timer(&mut self, now: Instant) {
        let due = self.clock.after(now, self.sender.rto().timeout());
        self.timers.set(Timer::Retransmission, due);
    }

    fn on_acknowledgement_timer(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        match self.receiver.take_held(now) {
            Some(position) => self.transmit_held_ack(now, position, out),
            None => self.receiver.on_ack_due(now),
        }
    }

    fn on_handshake_hold_over(&mut self) {
        self.handshake.release();
        self.receiver.require_ack(RequiredAck::Any);
    }

    /// Sends what may be sent, acknowledges what must be, and sets the timers.
    fn flush(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        let may_send = (self.state.is_sending() && !self.handshake.is_held())
            || (self.is_open_early() && !self.handshake.has_timed_out());
        let limit = if may_send {
            if self.receiver.required_ack() == RequiredAck::Pure {
                self.transmit_ack(now, out);
            }
            self.transmit_all(now, out)
        } else {
            self.sender.limit_while_not_open()
        };
        let may_acknowledge = may_send || self.state == State::TimeWait;
        if may_acknowledge && self.receiver.required_ack() != RequiredAck::Nothing {
            self.transmit_ack(now, out);
        }
        self.settle(now, limit, may_acknowledge);
        out.wake(self.timers.earliest());
    }

    /// Books the time on `limit` from now on, and sets the timers that follow from the state.
    fn settle(&mut self, now: Instant, limit: Limit, may_acknowledge: bool) {
        self.sender.wait_for(now, limit);
        match self.sender.window_probe_interval(limit) {
            None => self.timers.stop(Timer::Persist),
            Some(_) if self.timers.is_set(Timer::Persist) => {}
            Some(interval) => self.timers.set(Timer::Persist, self.clock.after(now, interval)),
        }
        let release = self.sender.release().filter(|_| limit == Limit::Pacing);
        self.timers.set_or_stop(Timer::Pacing, release);
        let is_open = self.state.is_sending();
        let reordering = self.sender.reordering_due().filter(|_| is_open);
        self.timers.set_or_stop(Timer::Reordering, reordering);
        if reordering.is_some() {
            // RFC 8985 §7.2: the reordering timer finds late data before a probe would ask for it.
            self.sender.cancel_probe();
        }
        // RFC 8985 §7.2: not later than the timeout.
        let timeout = self.timers.due(Timer::Retransmission);
        let probe = self.sender.probe_due().filter(|_| is_open).map(|due| due.min(timeout));
        self.timers.set_or_stop(Timer::TailProbe, probe);
        self.timers.set_or_stop(Timer::Read, self.receiver.read_due());
        let due = self.receiver.ack_due().filter(|_| may_acknowledge);
        self.timers.set_or_stop(Timer::Acknowledgement, due);
    }
}

/// The TCP header of a packet.
fn header(packet: &Packet) -> &Segment {
    match &packet.body {
        Body::Tcp(segment) => segment,
        other => panic!("a connection got a packet without TCP: {other:?}"),
    }
}

/// Positions begin one round of 2^32 after zero, so that older numbers also have a position.
const FIRST_ROUND: u64 = 1 << 32;

#[cfg(test)]
mod tests;
