//! The receiving side of an AM RLC entity (TS 36.322 §5.1.3.2, §5.2.3; TS 38.322 §5.2.3.2, §5.3.4).
//!
//! In: AMD PDUs and segments in any order, time, grants for STATUS PDUs. Out: data that is
//! complete, and STATUS PDUs.
//!
//! Numbering, timers and reports are the same in both generations; [`Delivery`] and [`Gaps`] hold
//! the differences. Names are those of LTE. NR's names: `RX_Next` for `VR(R)`, `RX_Highest_Status`
//! for `VR(MS)`, `RX_Next_Status_Trigger` for `VR(X)`, and `t-Reassembly` for `t-Reordering`.
//!
//! `VR(H)` is not stored: the reception buffer reaches from `VR(R)` up to it. `VR(MR)` is
//! `VR(R) + AM_Window_Size`.

use std::collections::VecDeque;

use super::status::{Layout, Writer};
use crate::ran::rlc::content::Content;
use crate::ran::rlc::passed::Passed;
use crate::ran::rlc::pdu::{DataPdu, StatusPdu};
use crate::ran::rlc::sn::Sn;
use crate::ran::rlc::span::Span;
use crate::unit::{Bytes, Duration, Instant};

/// The parameters of an AM receiver.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// Number of bits of a sequence number.
    pub sn_bits: u8,
    /// `AM_Window_Size`
    pub window: u32,
    /// `t-Reordering`, `t-Reassembly`
    pub t_reordering: Duration,
    /// `t-StatusProhibit`
    pub t_status_prohibit: Duration,
    /// Field lengths of STATUS PDUs.
    pub status: Layout,
    /// Rule for delivery to the upper layer.
    pub delivery: Delivery,
    /// Data that `t-Reordering` waits for.
    pub gaps: Gaps,
}

/// Rule for delivery to the upper layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// In order: data is delivered once all data before it is complete (LTE).
    InOrder,
    /// Each SDU is delivered as soon as it is complete (NR).
    EachWhole,
}

/// Data that `t-Reordering` (`t-Reassembly`) waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gaps {
    /// All data that is not complete (LTE).
    All,
    /// Data sent before data that has arrived (NR). The unsent rest of an SDU is not missing.
    BeforeWhatCame,
}

/// Puts AMD PDUs in order and reports the missing ones.
#[derive(Clone, Debug)]
pub struct Receiver {
    window: u32,
    status: Layout,
    delivery: Delivery,
    gaps: Gaps,
    /// The configured duration of `t-Reordering`.
    t_reordering: Duration,
    /// The configured duration of `t-StatusProhibit`.
    t_status_prohibit: Duration,
    /// `VR(R)`: the number after the last PDU received in sequence.
    vr_r: Sn,
    /// `VR(MS)`: the highest possible ACK_SN of a STATUS PDU.
    vr_ms: Sn,
    /// The reception buffer: received data with numbers from `VR(R)` up to `VR(H)`.
    received: VecDeque<Received>,
    /// Position in the stream at which the PDU `VR(R)` begins.
    origin: u64,
    /// `t-Reordering` and `VR(X)`, while the timer runs.
    reordering: Option<Reordering>,
    /// Expiry of `t-StatusProhibit`, while it runs.
    prohibited_until: Option<Instant>,
    /// A STATUS report was triggered and is not yet sent.
    status_triggered: bool,
    /// `t-StatusProhibit` was running when the STATUS report was triggered.
    held_back: bool,
    /// Data that the last PDU completed.
    whole: Option<Span>,
}

#[derive(Clone, Copy, Debug)]
struct Reordering {
    expires: Instant,
    /// `VR(X)`: the sequence number after that of the PDU that started the timer.
    vr_x: Sn,
}

/// The received content of one AMD PDU.
#[derive(Clone, Debug, Default)]
struct Received {
    content: Content,
    /// The PDU has a poll. The STATUS report waits until `VR(MS)` has passed the PDU.
    polled: bool,
}

impl Receiver {
    /// Creates a receiver that has received nothing.
    pub fn new(config: &Config) -> Self {
        let zero = Sn::zero(config.sn_bits);
        Self {
            window: config.window,
            status: config.status,
            delivery: config.delivery,
            gaps: config.gaps,
            t_reordering: config.t_reordering,
            t_status_prohibit: config.t_status_prohibit,
            vr_r: zero,
            vr_ms: zero,
            received: VecDeque::new(),
            origin: 0,
            reordering: None,
            prohibited_until: None,
            status_triggered: false,
            held_back: false,
            whole: None,
        }
    }

    /// Takes the most frequent PDU on a fast path: a whole PDU that is the next one, while nothing
    /// behind it has arrived. Returns `None` for any other PDU, which [`Receiver::place`] and
    /// [`Receiver::on_placed`] take. Both paths give the same result.
    #[inline(always)]
    pub(in crate::ran::rlc) fn take_next(&mut self, now: Instant, pdu: &DataPdu) -> Option<Passed> {
        let is_next = pdu.sn == self.vr_r && pdu.segment.is_none() && pdu.data.from >= self.origin;
        if !is_next || !self.received.is_empty() || self.reordering.is_some() {
            return None;
        }
        self.vr_r = self.vr_r.plus(1);
        self.vr_ms = self.vr_r;
        self.origin = pdu.data.to;
        if pdu.poll {
            self.trigger_status(now);
        }
        Some(match self.delivery {
            Delivery::InOrder => Passed::UpTo(Span::new(0, self.origin)),
            Delivery::EachWhole => Passed::Sdu(pdu.data),
        })
    }

    /// Puts a PDU into the reception buffer. Returns `false` if it is discarded: outside of the
    /// window, or without new data (TS 36.322 §5.1.3.2.2). Its poll counts in any case (§5.2.3).
    pub fn place(&mut self, now: Instant, pdu: &DataPdu) -> bool {
        // The second half of the condition holds only if a PDU was under way for a whole cycle of
        // sequence numbers.
        if !pdu.sn.is_within(self.vr_r, self.window) || pdu.origin() < self.origin {
            if pdu.poll {
                self.trigger_status(now);
            }
            return false;
        }
        let place = pdu.sn.offset_from(self.vr_r) as usize;
        if place >= self.received.len() {
            self.received.resize_with(place + 1, Received::default);
        }
        let (placed, whole) = self.received[place].content.add(pdu);
        self.whole = whole;
        if pdu.poll {
            if placed && place >= self.status_end() {
                self.received[place].polled = true;
            } else {
                self.trigger_status(now);
            }
        }
        placed
    }

    /// Moves the window and the timer after [`Receiver::place`] (TS 36.322 §5.1.3.2.3). Calls
    /// `passed` with the data that is now complete.
    #[inline(always)]
    pub(in crate::ran::rlc) fn on_placed(
        &mut self,
        now: Instant,
        x: Sn,
        passed: impl FnOnce(Passed),
    ) {
        self.advance_vr_ms(now);
        let until = if x == self.vr_r { Some(self.advance_vr_r()) } else { None };
        match (self.delivery, until, self.whole) {
            (Delivery::InOrder, Some(until), _) => passed(Passed::UpTo(Span::new(0, until))),
            (Delivery::EachWhole, _, Some(whole)) => passed(Passed::Sdu(whole)),
            _ => {}
        }
        if self.reordering.is_some_and(|timer| self.is_settled(timer.vr_x)) {
            self.reordering = None;
        }
        if self.reordering.is_none() && self.is_missing_from(0) {
            self.start_reordering(now);
        }
    }

    /// Returns the next expiry: that of `t-Reordering`, or that of `t-StatusProhibit` if a report
    /// waits for it.
    pub fn next_timer(&self) -> Option<Instant> {
        let reordering = self.reordering.map(|timer| timer.expires);
        let status = self.prohibited_until.filter(|_| self.status_triggered);
        reordering.into_iter().chain(status).min()
    }

    /// Handles expired timers (TS 36.322 §5.1.3.2.4).
    pub fn on_timer(&mut self, now: Instant) {
        self.end_prohibition(now);
        let Some(timer) = self.reordering.take_if(|timer| timer.expires <= now) else { return };
        self.vr_ms = timer.vr_x;
        self.advance_vr_ms(now);
        // §5.2.3: after a move of VR(MS).
        self.trigger_status(now);
        if self.is_missing_from(self.status_end()) {
            self.start_reordering(now);
        }
    }

    /// Returns the length of the STATUS PDU that is due now, or 0 if none is due (TS 36.322 §4.5).
    pub fn status_size(&self, now: Instant) -> Bytes {
        if !self.status_is_due(now) {
            return Bytes::ZERO;
        }
        let writer = Writer::new(self.status, Bytes(u64::MAX)).expect("the grant is endless");
        self.write_nacks(writer).size()
    }

    /// Builds the STATUS PDU that is due, cut to the grant. Returns `None` if no STATUS PDU is due,
    /// or if the grant is too short for one without NACKs (TS 36.322 §5.2.3).
    #[inline(always)]
    pub fn build_status(&mut self, now: Instant, grant: Bytes) -> Option<StatusPdu> {
        if self.status_is_due(now) { self.build_due_status(now, grant) } else { None }
    }

    fn build_due_status(&mut self, now: Instant, grant: Bytes) -> Option<StatusPdu> {
        let writer = self.write_nacks(Writer::new(self.status, grant)?);
        let held_back = std::mem::take(&mut self.held_back);
        self.status_triggered = false;
        self.prohibited_until = Some(now + self.t_status_prohibit);
        // ACK_SN: the next PDU that is not received and not reported as missing.
        let mut ack = writer.last().map_or(0, |last| last.offset_from(self.vr_r) as usize + 1);
        while ack < self.status_end() && self.received[ack].content.is_all() {
            ack += 1;
        }
        Some(writer.finish(self.vr_r.plus(ack as u32), held_back))
    }

    /// Returns the data that has arrived behind a gap and was not delivered, in order. At a
    /// re-establishment it is reassembled (TS 36.322 §5.4). Returns nothing in NR, which delivers
    /// each SDU on its own.
    pub(in crate::ran::rlc) fn behind_gaps(&self) -> impl Iterator<Item = Span> {
        let waits = self.delivery == Delivery::InOrder;
        self.received.iter().filter(move |_| waits).flat_map(|slot| slot.content.spans()).copied()
    }

    /// Resets the receiver: sequence numbers restart at zero, and the stream continues at `origin`.
    pub(in crate::ran::rlc) fn reset(&mut self, origin: u64) {
        self.whole = None;
        let zero = self.vr_r.to_zero();
        (self.vr_r, self.vr_ms, self.origin) = (zero, zero, origin);
        self.received.clear();
        (self.reordering, self.prohibited_until) = (None, None);
        (self.status_triggered, self.held_back) = (false, false);
    }

    fn trigger_status(&mut self, now: Instant) {
        self.status_triggered = true;
        self.end_prohibition(now);
        self.held_back |= self.prohibited_until.is_some();
    }

    /// Clears `t-StatusProhibit` if it has expired.
    fn end_prohibition(&mut self, now: Instant) {
        if self.prohibited_until.is_some_and(|until| until <= now) {
            self.prohibited_until = None;
        }
    }

    fn status_is_due(&self, now: Instant) -> bool {
        self.status_triggered && self.prohibited_until.is_none_or(|until| until <= now)
    }

    /// Returns `VR(MS)` as an index of the reception buffer.
    fn status_end(&self) -> usize {
        self.vr_ms.offset_from(self.vr_r) as usize
    }

    /// Moves `VR(MS)` to the next PDU that is not complete. Polls in the PDUs that it passes
    /// trigger a STATUS report.
    fn advance_vr_ms(&mut self, now: Instant) {
        let mut polled = false;
        for slot in self.received.range(self.status_end()..) {
            if !slot.content.is_all() {
                break;
            }
            polled |= slot.polled;
            self.vr_ms = self.vr_ms.plus(1);
        }
        if polled {
            self.trigger_status(now);
        }
    }

    /// Moves `VR(R)` to the next PDU that is not complete. Returns the position up to which the
    /// stream is complete.
    fn advance_vr_r(&mut self) -> u64 {
        while let Some(&Received { content: Content::All(all), .. }) = self.received.front() {
            self.received.pop_front();
            self.vr_r = self.vr_r.plus(1);
            self.origin = all.to;
        }
        match self.received.front() {
            Some(Received { content: Content::Pieces(pieces), .. }) => pieces.whole_until(),
            _ => self.origin,
        }
    }

    /// Returns `true` if `t-Reordering` is to stop: `VR(X) = VR(R)`; or `VR(X)` is outside of the
    /// window and not `VR(MR)`; or nothing is missing before `VR(X)`.
    fn is_settled(&self, vr_x: Sn) -> bool {
        let x = vr_x.offset_from(self.vr_r);
        x == 0 || x > self.window || (x == 1 && !self.is_gap(0))
    }

    /// Returns `true` if data is missing at `place` of the reception buffer or behind it.
    #[inline(always)]
    fn is_missing_from(&self, place: usize) -> bool {
        match self.received.len() - place {
            0 => false,
            1 => self.is_gap(place),
            _ => true,
        }
    }

    /// Returns `true` if data is missing in the last PDU of the reception buffer, which is at
    /// `place`.
    fn is_gap(&self, place: usize) -> bool {
        match self.gaps {
            Gaps::All => true,
            Gaps::BeforeWhatCame => self.received[place].content.has_gap(),
        }
    }

    fn start_reordering(&mut self, now: Instant) {
        let vr_x = self.vr_r.plus(self.received.len() as u32);
        self.reordering = Some(Reordering { expires: now + self.t_reordering, vr_x });
    }

    /// Writes NACKs for the data missing from `VR(R)` up to `VR(MS)`, until the grant is full.
    fn write_nacks(&self, mut writer: Writer) -> Writer {
        let mut sn = self.vr_r;
        for slot in self.received.range(..self.status_end()) {
            let fits = match &slot.content {
                Content::Nothing => writer.push(sn, None),
                Content::Pieces(pieces) => pieces.gaps().all(|gap| writer.push(sn, Some(gap))),
                Content::All(_) => true,
            };
            if !fits {
                break;
            }
            sn = sn.plus(1);
        }
        writer
    }
}

#[cfg(test)]
mod tests;
