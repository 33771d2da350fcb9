//! The receiving half of a connection.
//!
//! In: segments with data or a FIN. Out: data in order, and whether an acknowledgement is due.
//!
//! The offered window is computed in `window`, the feedback of marks in `marks`.

mod marks;
mod window;

use super::ack_schedule::{AckSchedule, AckTiming};
use super::ecn::EcnReceiver;
use super::effect::Effect;
use super::profile::Profile;
use super::ranges::Range;
use super::reader::Reader;
use super::reassembly::Reassembly;
use super::timer::Clock;
use super::window_tuning::WindowTuning;
use crate::net::{Cause, Packet, SackBlocks, SequenceNumber};
use crate::sim::Outbox;
use crate::unit::{Bytes, Instant};

/// The receiving half of a connection.
#[derive(Clone, Debug)]
pub(super) struct Receiver {
    /// `RCV.NXT`
    nxt: u64,
    /// Position of the first byte of data.
    start: u64,
    /// `RCV.WND` when everything is read: `RCV.BUFF`.
    window: u64,
    /// An application that reads slowly, if it does.
    reader: Option<Box<Reader>>,
    /// Growth of the window, if it is tuned.
    tuning: Option<Box<WindowTuning>>,
    /// `Rcv.Wind.Shift` (RFC 7323 §2.3)
    shift: u8,
    /// Position of the peer's FIN.
    fin: Option<u64>,
    reassembly: Reassembly,
    schedule: AckSchedule,
    required_ack: RequiredAck,
    /// Duplicate range to report (RFC 2883).
    duplicate: Option<Range>,
    /// `Last.ACK.sent` (RFC 7323 §4.3)
    last_ack_sent: u64,
    arrivals: Arrivals,
    /// Feedback of marks, if both ends agreed on ECN.
    ecn: Option<Box<EcnReceiver>>,
}

/// Acknowledgement that must leave now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RequiredAck {
    /// No acknowledgement must leave.
    Nothing,
    /// Any acknowledgement, which data may carry.
    Any,
    /// A pure acknowledgement, since a sender counts only these as duplicates (RFC 5681 §2).
    Pure,
}

/// Counts of received data.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Arrivals {
    /// Bytes received at least once, without duplicates.
    pub(super) unique: Bytes,
    /// Bytes delivered in order to the application.
    pub(super) delivered: Bytes,
    /// Times of the first and the last data segment.
    pub(super) first_and_last: Option<(Instant, Instant)>,
}

impl Receiver {
    /// Returns a receiver before any segment of the peer.
    pub(super) fn new(profile: &Profile) -> Self {
        let most = profile.receive_buffer.0;
        let tuned = profile.receive_buffer_tuning;
        let tuning = tuned.then(|| Box::new(WindowTuning::new(most, profile.mss.0)));
        Self {
            nxt: 0,
            start: 0,
            window: tuning.as_ref().map_or(most, |tuning| tuning.first_window()),
            tuning,
            reader: None,
            shift: if profile.window_scaling { shift_for(profile.receive_buffer.0) } else { 0 },
            fin: None,
            reassembly: Reassembly::default(),
            schedule: AckSchedule::new(profile.acks, Clock::new(profile.timer_tick)),
            required_ack: RequiredAck::Nothing,
            duplicate: None,
            last_ack_sent: 0,
            arrivals: Arrivals::default(),
            ecn: None,
        }
    }

    /// Processes the peer's SYN at position `syn`.
    pub(super) fn on_syn(&mut self, now: Instant, syn: u64, scaled: bool) {
        self.start = syn + 1;
        self.nxt = self.start;
        self.last_ack_sent = self.nxt;
        if !scaled {
            self.shift = 0;
        }
        // The window is the amount that the window field can state.
        self.window = u64::from(self.window_field()) << self.shift;
        if let Some(tuning) = &mut self.tuning {
            tuning.begin(now, self.nxt, u64::from(u16::MAX) << self.shift);
        }
        if let Some(reader) = &mut self.reader {
            reader.begin(self.nxt, self.window);
        }
    }

    /// Starts the compression of SACKs: both ends agreed on SACK.
    pub(super) fn on_sack_agreed(&mut self) {
        self.schedule.on_sack_agreed();
    }

    /// Returns the position of the first byte of data.
    pub(super) fn start(&self) -> u64 {
        self.start
    }

    /// `RCV.NXT`
    pub(super) fn nxt(&self) -> u64 {
        self.nxt
    }

    /// Returns the position of a sequence number of the peer.
    pub(super) fn position(&self, number: SequenceNumber) -> u64 {
        number.expand(self.nxt)
    }

    /// RFC 9293 §3.10.7.4, first step: returns `true` if any of `length` numbers starting at `seq`
    /// lies in the window.
    ///
    /// An empty segment may also be at the right edge: a peer whose last window update was lost
    /// acknowledges there.
    pub(super) fn accepts(&self, seq: u64, length: u64) -> bool {
        let edge = self.edge();
        if length == 0 {
            return self.nxt <= seq && seq <= edge;
        }
        seq < edge && seq + length > self.nxt
    }

    /// RFC 7323 §4.3: returns `true` if the segment begins at or before the last acknowledgement
    /// sent.
    pub(super) fn covers_last_ack(&self, seq: u64) -> bool {
        seq <= self.last_ack_sent
    }

    /// Processes an unacceptable segment with `length` bytes, starting at `seq`.
    pub(super) fn on_unacceptable(&mut self, now: Instant, seq: u64, length: u64) {
        if length > 0 {
            self.note_arrival(now);
        }
        self.note_duplicate(seq, seq + length);
        self.required_ack = RequiredAck::Pure;
    }

    /// Processes an acceptable segment with `length` bytes, starting at `seq`.
    #[inline(always)]
    pub(super) fn on_data(
        &mut self,
        now: Instant,
        seq: u64,
        length: u64,
        packet: Box<Packet>,
        out: &mut Outbox<Effect>,
    ) {
        self.note_arrival(now);
        let before = self.nxt;
        let new_range = Range { left: seq.max(self.nxt), right: (seq + length).min(self.edge()) };
        self.note_duplicate(seq, new_range.left.min(seq + length));
        if new_range.left >= new_range.right {
            self.required_ack = RequiredAck::Pure;
        } else if new_range.left == self.nxt && self.reassembly.is_empty() {
            self.nxt = new_range.right;
            self.deliver(now, packet, Bytes(new_range.length()), out);
            self.arrivals.unique += Bytes(new_range.length());
            self.on_in_order(now);
        } else {
            self.on_around_gap(now, new_range, packet, out);
        }
        if self.nxt > before
            && let Some(tuning) = &mut self.tuning
        {
            let unread = self.reader.as_ref().map_or(0, |reader| reader.held());
            tuning.on_read(now, self.nxt - unread);
        }
    }

    /// Processes PSH of the segment just received: it ends the data that its sender had written.
    pub(super) fn on_push(&mut self) {
        if self.schedule.is_due_at_push() {
            self.require_ack(RequiredAck::Any);
        }
    }

    /// Notes the peer's FIN at position `fin`.
    pub(super) fn on_fin(&mut self, fin: u64) {
        self.fin.get_or_insert(fin);
        if fin > self.nxt {
            // RFC 5681 §4.2: the FIN is out of order.
            self.require_ack(RequiredAck::Pure);
        }
    }

    /// Accepts the peer's FIN if it is next.
    pub(super) fn take_fin(&mut self, now: Instant) -> bool {
        let next = self.fin == Some(self.nxt);
        if next {
            self.nxt += 1;
            if self.schedule.on_fin(now, self.nxt) == AckTiming::Now {
                self.require_ack(RequiredAck::Any);
            }
        }
        next
    }

    /// Requires at least this acknowledgement now.
    pub(super) fn require_ack(&mut self, ack: RequiredAck) {
        self.required_ack = self.required_ack.max(ack);
    }

    /// Returns the acknowledgement that must leave now.
    pub(super) fn required_ack(&self) -> RequiredAck {
        self.required_ack
    }

    /// Returns the time of the next delayed or held acknowledgement.
    pub(super) fn ack_due(&self) -> Option<Instant> {
        self.schedule.due()
    }

    /// Processes the expiry of a delayed acknowledgement: it must be pure if it carries SACK
    /// blocks.
    pub(super) fn on_ack_due(&mut self, now: Instant) {
        let blocks = self.schedule.blocks_due().is_some_and(|at| at <= now);
        self.require_ack(if blocks { RequiredAck::Pure } else { RequiredAck::Any });
    }

    /// Returns the position that a held acknowledgement acknowledges, if one is due.
    pub(super) fn take_held(&mut self, now: Instant) -> Option<u64> {
        let held = self.schedule.take_held(now)?;
        self.last_ack_sent = held;
        Some(held)
    }

    /// Returns the SACK blocks of an acknowledgement with room for `room` blocks; reports a
    /// duplicate once.
    pub(super) fn take_report(&mut self, room: usize) -> SackBlocks {
        if self.duplicate.is_none() && self.reassembly.is_empty() {
            return SackBlocks::default();
        }
        self.schedule.on_blocks_sent();
        let duplicate = self.duplicate.take();
        self.reassembly.report(duplicate, room)
    }

    /// Processes the departure of an acknowledgement of everything received.
    pub(super) fn on_ack_sent(&mut self) {
        self.required_ack = RequiredAck::Nothing;
        self.schedule.on_sent();
        if self.reassembly.is_empty() {
            self.schedule.on_blocks_sent();
        }
        self.last_ack_sent = self.nxt;
        if let Some(reader) = &mut self.reader {
            let announced = reader.window(self.nxt) >> self.shift << self.shift;
            reader.on_window_sent(self.nxt, announced);
        }
    }

    /// Returns the counts of received data.
    pub(super) fn arrivals(&self) -> Arrivals {
        self.arrivals
    }

    /// RFC 5681 §4.2: acknowledges a segment that is out of order or fills a gap at once; unless
    /// acknowledgements of out-of-order data are compressed.
    fn on_around_gap(
        &mut self,
        now: Instant,
        new_range: Range,
        packet: Box<Packet>,
        out: &mut Outbox<Effect>,
    ) {
        self.schedule.on_gap();
        let before = self.reassembly.ranges();
        let new = self.reassembly.insert(new_range, packet);
        if new == 0 {
            self.duplicate = Some(new_range);
            self.required_ack = RequiredAck::Pure;
            return;
        }
        self.arrivals.unique += Bytes(new);
        let fills = new_range.left == self.nxt;
        self.nxt = self.reassembly.contiguous_end(self.nxt);
        while let Some((packet, new)) = self.reassembly.take_before(self.nxt) {
            self.deliver(now, packet, new, out);
        }
        // Acknowledge at once if there is a new range, and one acknowledgement cannot report all.
        let many = self.reassembly.ranges() > before.max(REPORTED);
        let waits = !self.reassembly.is_empty()
            && self.schedule.on_out_of_order(now, self.nxt) == AckTiming::Later;
        if many || !waits {
            self.require_ack(if fills { RequiredAck::Any } else { RequiredAck::Pure });
        }
    }

    #[inline]
    fn on_in_order(&mut self, now: Instant) {
        if self.schedule.on_in_order(now, self.nxt) == AckTiming::Now {
            self.require_ack(RequiredAck::Any);
        }
    }

    #[inline(always)]
    fn deliver(
        &mut self,
        now: Instant,
        mut packet: Box<Packet>,
        new: Bytes,
        out: &mut Outbox<Effect>,
    ) {
        if let Some(reader) = &mut self.reader {
            packet.ledger.charge(Cause::InOrderWait, now);
            reader.push(now, packet, new);
        } else {
            self.hand_over(now, Cause::InOrderWait, packet, new, out);
        }
    }

    /// Delivers a packet to the application; `cause` was the last reason for it to wait.
    #[inline(always)]
    fn hand_over(
        &mut self,
        now: Instant,
        cause: Cause,
        mut packet: Box<Packet>,
        new: Bytes,
        out: &mut Outbox<Effect>,
    ) {
        packet.ledger.charge(cause, now);
        self.arrivals.delivered += new;
        out.emit(Effect::Deliver { packet, new });
    }

    fn note_arrival(&mut self, now: Instant) {
        let first = self.arrivals.first_and_last.map_or(now, |(first, _)| first);
        self.arrivals.first_and_last = Some((first, now));
    }

    /// RFC 2883 §4: notes data below the next expected byte as a duplicate.
    fn note_duplicate(&mut self, left: u64, right: u64) {
        let left = left.max(self.start);
        if left < right && right <= self.nxt {
            self.duplicate = Some(Range { left, right });
        }
    }
}

/// Returns the minimum shift with which a 16-bit field can state `window` (RFC 7323 §2.3: at most
/// 14).
fn shift_for(window: u64) -> u8 {
    (0..MAXIMUM_SHIFT)
        .find(|&shift| u16::try_from(window >> shift).is_ok())
        .unwrap_or(MAXIMUM_SHIFT)
}

const MAXIMUM_SHIFT: u8 = 14;
/// Number of ranges that fit beside timestamps in an acknowledgement (RFC 2018 §3).
const REPORTED: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 9293 §3.10.7.4, first step, for a window of 1000, starting at 5000.
    #[test]
    fn segment_with_one_byte_in_window_is_acceptable() {
        let receiver = Receiver { nxt: 5_000, window: 1_000, ..Receiver::new(&Profile::rfc()) };
        for (seq, length) in [(4_990, 11), (5_999, 10), (6_000, 0), (5_000, 0)] {
            assert!(receiver.accepts(seq, length), "{length} from {seq} on");
        }
        for (seq, length) in [(4_990, 10), (6_000, 1), (6_001, 0), (4_999, 0)] {
            assert!(!receiver.accepts(seq, length), "{length} from {seq} on");
        }
    }
}
