//! The receiving side of an AM RLC entity (TS 36.322 §5.1.3.2, §5.2.3; TS 38.322 §5.2.3.2, §5.3.4).
//!
//! In: AMD PDUs and segments in any order, time, grants for STATUS PDUs. Out: what is whole, and
//! STATUS PDUs.
//!
//! Both generations number, wait and report in the same way; [`Delivery`] and [`Gaps`] have the
//! differences. Names are those of LTE; NR calls `VR(R)` `RX_Next`, `VR(MS)` `RX_Highest_Status`,
//! `VR(X)` `RX_Next_Status_Trigger`, and `t-Reordering` `t-Reassembly`.
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

/// The parameters of a receiver.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// Bits of sequence numbers.
    pub sn_bits: u8,
    /// `AM_Window_Size`
    pub window: u32,
    /// `t-Reordering`, `t-Reassembly`
    pub t_reordering: Duration,
    /// `t-StatusProhibit`
    pub t_status_prohibit: Duration,
    /// Of STATUS PDUs.
    pub status: Layout,
    /// When it hands data up.
    pub delivery: Delivery,
    /// What it waits for.
    pub gaps: Gaps,
}

/// When data are handed up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// When all before is whole (LTE).
    InOrder,
    /// Each SDU when it is whole (NR).
    EachWhole,
}

/// What the timer for missing PDUs waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gaps {
    /// All that is not whole (LTE).
    All,
    /// What was sent before something that has come (NR): a rest that is still to be sent is not
    /// missing.
    BeforeWhatCame,
}

/// Puts AMD PDUs in order and reports which are missing.
#[derive(Clone, Debug)]
pub struct Receiver {
    window: u32,
    status: Layout,
    delivery: Delivery,
    gaps: Gaps,
    /// The configured length of `t-Reordering`.
    t_reordering: Duration,
    /// The configured length of `t-StatusProhibit`.
    t_status_prohibit: Duration,
    /// `VR(R)`: the number after the last PDU received in sequence.
    vr_r: Sn,
    /// `VR(MS)`: the highest number that a STATUS PDU may acknowledge up to.
    vr_ms: Sn,
    /// What was received with numbers from `VR(R)` up to `VR(H)`.
    received: VecDeque<Received>,
    /// Where the PDU `VR(R)` begins in the stream.
    origin: u64,
    /// `t-Reordering`, while it runs.
    reordering: Option<Reordering>,
    /// When `t-StatusProhibit` expires, while it runs.
    prohibited_until: Option<Instant>,
    /// A STATUS report is triggered and not yet sent.
    status_triggered: bool,
    /// `t-StatusProhibit` ran when it was triggered.
    held_back: bool,
    /// What the last PDU made whole.
    whole: Option<Span>,
}

#[derive(Clone, Copy, Debug)]
struct Reordering {
    expires: Instant,
    /// `VR(X)`: the number after that of the PDU that started the timer.
    vr_x: Sn,
}

/// What was received of one AMD PDU.
#[derive(Clone, Debug, Default)]
struct Received {
    content: Content,
    /// It asked for a STATUS report, which waits until `VR(MS)` has passed it.
    polled: bool,
}

impl Receiver {
    /// A receiver that has received nothing.
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

    /// The short way of the most frequent PDU: whole, the next one, and nothing behind it has come.
    /// None for any other, which [`Receiver::place`] and [`Receiver::on_placed`] take; for this one
    /// they would do the same.
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

    /// Puts a PDU into the reception buffer, or discards it: false when it is outside of the
    /// window, or nothing in it is new (TS 36.322 §5.1.3.2.2). A poll in it counts in any case
    /// (§5.2.3).
    pub fn place(&mut self, now: Instant, pdu: &DataPdu) -> bool {
        // The second half of the condition never holds, unless a PDU was on its way for a whole
        // cycle of sequence numbers.
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

    /// After [`Receiver::place`]: moves the window and the timer (TS 36.322 §5.1.3.2.3). `passed`
    /// is called for what is whole now.
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

    /// When something is to be done: `t-Reordering` expires, or `t-StatusProhibit` while a report
    /// waits for it.
    pub fn next_timer(&self) -> Option<Instant> {
        let reordering = self.reordering.map(|timer| timer.expires);
        let status = self.prohibited_until.filter(|_| self.status_triggered);
        reordering.into_iter().chain(status).min()
    }

    /// Does what it is time for (TS 36.322 §5.1.3.2.4).
    pub fn on_timer(&mut self, now: Instant) {
        self.end_prohibition(now);
        let Some(timer) = self.reordering.take_if(|timer| timer.expires <= now) else { return };
        self.vr_ms = timer.vr_x;
        self.advance_vr_ms(now);
        // §5.2.3: after VR(MS) was moved.
        self.trigger_status(now);
        if self.is_missing_from(self.status_end()) {
            self.start_reordering(now);
        }
    }

    /// The length of the STATUS PDU that would be sent now (TS 36.322 §4.5).
    pub fn status_size(&self, now: Instant) -> Bytes {
        if !self.status_is_due(now) {
            return Bytes::ZERO;
        }
        let writer = Writer::new(self.status, Bytes(u64::MAX)).expect("the grant is endless");
        self.write_nacks(writer).size()
    }

    /// The STATUS PDU that is due, cut to the grant; none when none is due, or the grant is shorter
    /// than one without NACKs (TS 36.322 §5.2.3).
    #[inline(always)]
    pub fn build_status(&mut self, now: Instant, grant: Bytes) -> Option<StatusPdu> {
        if self.status_is_due(now) { self.build_due_status(now, grant) } else { None }
    }

    fn build_due_status(&mut self, now: Instant, grant: Bytes) -> Option<StatusPdu> {
        let writer = self.write_nacks(Writer::new(self.status, grant)?);
        let held_back = std::mem::take(&mut self.held_back);
        self.status_triggered = false;
        self.prohibited_until = Some(now + self.t_status_prohibit);
        // The next PDU not received that is not said to be missing.
        let mut ack = writer.last().map_or(0, |last| last.offset_from(self.vr_r) as usize + 1);
        while ack < self.status_end() && self.received[ack].content.is_all() {
            ack += 1;
        }
        Some(writer.finish(self.vr_r.plus(ack as u32), held_back))
    }

    /// What has come and was not handed up, since data before it are missing, in order: what is
    /// reassembled at a re-establishment (TS 36.322 §5.4). Nothing where each SDU is handed up.
    pub(in crate::ran::rlc) fn behind_gaps(&self) -> impl Iterator<Item = Span> {
        let waits = self.delivery == Delivery::InOrder;
        self.received.iter().filter(move |_| waits).flat_map(|slot| slot.content.spans()).copied()
    }

    /// Forgets everything and begins again with number zero, from `origin` on in the stream.
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

    /// Forgets `t-StatusProhibit` when it has expired.
    fn end_prohibition(&mut self, now: Instant) {
        if self.prohibited_until.is_some_and(|until| until <= now) {
            self.prohibited_until = None;
        }
    }

    fn status_is_due(&self, now: Instant) -> bool {
        self.status_triggered && self.prohibited_until.is_none_or(|until| until <= now)
    }

    /// `VR(MS)` as a place in the reception buffer.
    fn status_end(&self) -> usize {
        self.vr_ms.offset_from(self.vr_r) as usize
    }

    /// Moves `VR(MS)` to the first PDU from there on that is not complete. Polls that it passes
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

    /// Moves `VR(R)` to the first PDU that is not complete; how far the stream is whole.
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

    /// `VR(X) = VR(R)`, or outside of the window and not `VR(MR)`; or nothing is missing before it.
    fn is_settled(&self, vr_x: Sn) -> bool {
        let x = vr_x.offset_from(self.vr_r);
        x == 0 || x > self.window || (x == 1 && !self.is_gap(0))
    }

    /// True when something from this place of the reception buffer on is waited for.
    #[inline(always)]
    fn is_missing_from(&self, place: usize) -> bool {
        match self.received.len() - place {
            0 => false,
            1 => self.is_gap(place),
            _ => true,
        }
    }

    /// True when what is at this place, the last one, is waited for.
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

    /// Writes what is missing from `VR(R)` up to `VR(MS)`, until the grant is full.
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
