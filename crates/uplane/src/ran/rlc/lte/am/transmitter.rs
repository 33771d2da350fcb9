//! The transmitting side of an AM RLC entity (TS 36.322 §5.1.3.1, §5.2.1, §5.2.2).
//!
//! In: SDUs, grants, STATUS PDUs, time. Out: one AMD PDU or AMD PDU segment a call, as long as the
//! grant allows; the news that one PDU was sent again too often.
//!
//! Two rules where the letter leaves room:
//! - `RETX_COUNT` grows at most once per STATUS PDU, however many portions of one AMD PDU are
//!   reported missing in it, as TS 38.322 §5.3.2 says and TS 36.322 §5.2.1 means.
//! - A STATUS PDU overtaken by a newer one does not take an acknowledgement back.

use std::collections::VecDeque;

use super::Config;
use super::poll::Polling;
use super::retransmission::{Pending, RetransmissionBuffer};
use crate::ran::rlc::buffer::{BufferStatus, TransmissionBuffer};
use crate::ran::rlc::flight::Flight;
use crate::ran::rlc::lte::header::{Layout, Packing};
use crate::ran::rlc::pdu::{DataPdu, Nack, Resegmented, StatusPdu};
use crate::ran::rlc::sn::Sn;
use crate::ran::rlc::span::Span;
use crate::unit::{Bytes, Instant};

/// Makes AMD PDUs of SDUs and repeats them until they are acknowledged.
#[derive(Clone, Debug)]
pub struct Transmitter {
    layout: Layout,
    segment_layout: Layout,
    /// `AM_Window_Size`
    window: usize,
    max_retx_threshold: u32,
    /// `VT(A)`: the first PDU not yet acknowledged. `VT(S)` is as many numbers on as PDUs were
    /// `sent`.
    vt_a: Sn,
    /// The PDUs from `VT(A)` up to `VT(S)`.
    sent: VecDeque<Amd>,
    /// Where SDUs end in the PDUs sent: for the headers of segments.
    sdu_ends: VecDeque<u64>,
    retransmission: RetransmissionBuffer,
    polling: Polling,
    pub(in crate::ran::rlc) buffer: TransmissionBuffer,
}

/// Upper layers are told that `maxRetxThreshold` is reached (TS 36.322 §5.2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkFailure;

/// An AMD PDU that was sent.
#[derive(Clone, Copy, Debug)]
struct Amd {
    data: Span,
    header: Bytes,
    /// `RETX_COUNT`; none before the PDU is first considered for retransmission.
    retx_count: Option<u32>,
    acknowledged: bool,
}

impl Transmitter {
    /// A transmitter that has sent nothing.
    pub fn new(config: &Config) -> Self {
        Self {
            layout: config.layout(),
            segment_layout: config.segment_layout(),
            window: config.sn_length.window() as usize,
            max_retx_threshold: config.max_retx_threshold,
            vt_a: Sn::zero(config.sn_length.bits()),
            sent: VecDeque::new(),
            sdu_ends: VecDeque::new(),
            retransmission: RetransmissionBuffer::default(),
            polling: Polling::new(config),
            buffer: TransmissionBuffer::new(config.buffer),
        }
    }

    /// One PDU of at most `grant` bytes: what must be sent again goes before what is new
    /// (TS 36.322 §5.1.3.1.1).
    pub fn build(&mut self, now: Instant, grant: Bytes, flight: &mut Flight) -> Option<DataPdu> {
        match self.retransmission.first() {
            Some(pending) => self.build_again(now, grant, pending),
            None => self.build_new(now, grant, flight),
        }
    }

    /// What waits (TS 36.322 §4.5), without the STATUS PDU of the other side.
    pub fn buffer_status(&self) -> BufferStatus {
        let mut headers: Bytes = self.retransmission.iter().map(|p| self.header_again(p)).sum();
        if !self.is_stalled() && !self.buffer.is_empty() {
            headers += self.layout.header(self.buffer.elements());
        }
        BufferStatus {
            status: Bytes::ZERO,
            retransmission: self.retransmission.bytes(),
            new: self.buffer.bytes(),
            headers,
            stalled: self.is_stalled(),
        }
    }

    /// Takes a STATUS PDU of the other end (TS 36.322 §5.1.3.1.1, §5.2.1, §5.2.2.2).
    pub fn on_status(&mut self, status: &StatusPdu) -> Result<(), LinkFailure> {
        let sent = self.sent.len() as u32;
        let acked = match status.ack_sn.offset_from(self.vt_a) {
            acked if acked <= sent => acked,
            // An older report, overtaken by one that moved VT(A) beyond its ACK_SN.
            _ => 0,
        };
        let nacks = &status.nacks;
        self.polling.on_status(|poll_sn| {
            poll_sn.is_within(self.vt_a, acked) || nacks.iter().any(|nack| nack.sn == poll_sn)
        });
        self.acknowledge(acked as usize, nacks);
        let outcome = self.reject(nacks);
        self.advance_vt_a();
        outcome
    }

    /// When `t-PollRetransmit` expires, if it runs.
    pub fn next_timer(&self) -> Option<Instant> {
        self.polling.next_timer()
    }

    /// Polls again when a poll was in vain, with a PDU repeated for it if need be (TS 36.322
    /// §5.2.2.3).
    pub fn on_timer(&mut self, now: Instant) -> Result<(), LinkFailure> {
        let idle = self.buffer.is_empty() && self.retransmission.is_empty();
        if !self.polling.on_timer(now) || !(idle || self.is_stalled()) || self.sent.is_empty() {
            return Ok(());
        }
        // The PDU VT(S) − 1, or any that is not acknowledged; VT(A) is not.
        let highest = self.sent.len() - 1;
        let place = if self.sent[highest].acknowledged { 0 } else { highest };
        self.consider(place, [self.sent[place].data])
    }

    /// Forgets what was sent and begins again with number zero; what waits goes on waiting.
    pub(in crate::ran::rlc) fn reset(&mut self, config: &Config) {
        self.vt_a = self.vt_a.to_zero();
        self.sent.clear();
        self.sdu_ends.clear();
        self.retransmission.clear();
        self.polling = Polling::new(config);
    }

    /// The transmitting window is full: `VT(S) = VT(MS)`.
    fn is_stalled(&self) -> bool {
        self.sent.len() >= self.window
    }

    fn vt_s(&self) -> Sn {
        self.vt_a.plus(self.sent.len() as u32)
    }

    fn build_new(&mut self, now: Instant, grant: Bytes, flight: &mut Flight) -> Option<DataPdu> {
        if self.is_stalled() {
            return None;
        }
        let mut packing = Packing::new(self.layout, grant);
        let data = packing.fill(&mut self.buffer, flight)?;
        self.sdu_ends.extend(flight.ends_in(data));
        let (sn, header) = (self.vt_s(), packing.header());
        self.sent.push_back(Amd { data, header, retx_count: None, acknowledged: false });
        self.polling.count(data.length());
        let poll = self.decide_poll(now);
        Some(DataPdu { sn, data, header, poll, segment: None, again: false, epoch: 0 })
    }

    /// Repeats an AMD PDU whole when it fits, else as much of it as fits (TS 36.322 §5.2.1).
    fn build_again(&mut self, now: Instant, grant: Bytes, pending: Pending) -> Option<DataPdu> {
        let Pending { sn, data } = pending;
        let amd = self.sent[sn.offset_from(self.vt_a) as usize];
        let (data, header, segment) = if data == amd.data && amd.size() <= grant {
            (data, amd.header, None)
        } else {
            let (data, header) = self.cut_again(data, grant)?;
            let so = (data.from - amd.data.from) as u32;
            (data, header, Some(Resegmented { so, lsf: data.to == amd.data.to }))
        };
        self.retransmission.take(data);
        let poll = self.decide_poll(now);
        Some(DataPdu { sn, data, header, poll, segment, again: true, epoch: 0 })
    }

    /// The longest beginning of `data` that fits as an AMD PDU segment, and its header.
    fn cut_again(&self, data: Span, grant: Bytes) -> Option<(Span, Bytes)> {
        let mut packing = Packing::new(self.segment_layout, grant);
        let mut sent = Span::new(data.from, data.from);
        for end in self.element_ends(data) {
            let taken = packing.room().min(end - sent.to);
            if taken == 0 {
                break;
            }
            packing.add(taken);
            sent.to += taken;
        }
        (!sent.is_empty()).then(|| (sent, packing.header()))
    }

    /// Where the data field elements of this part of a PDU end.
    fn element_ends(&self, data: Span) -> impl Iterator<Item = u64> + '_ {
        let first = self.sdu_ends.partition_point(|&end| end <= data.from);
        let inside = self.sdu_ends.range(first..).copied().take_while(move |&end| end < data.to);
        inside.chain([data.to])
    }

    /// The header of a pending portion, were it sent in one piece.
    fn header_again(&self, pending: Pending) -> Bytes {
        let amd = self.sent[pending.sn.offset_from(self.vt_a) as usize];
        if pending.data == amd.data {
            amd.header
        } else {
            self.segment_layout.header(self.element_ends(pending.data).count() as u64)
        }
    }

    fn decide_poll(&mut self, now: Instant) -> bool {
        let emptied = self.buffer.is_empty() && self.retransmission.is_empty();
        self.polling.decide(now, emptied || self.is_stalled(), self.vt_s().minus(1))
    }

    /// The first `acked` PDUs are received, except those that are said to be missing.
    fn acknowledge(&mut self, acked: usize, nacks: &[Nack]) {
        let vt_a = self.vt_a;
        let places = nacks.iter().map(|nack| nack.sn.offset_from(vt_a) as usize);
        // A report overtaken by a newer one may begin before VT(A).
        let mut nacked = places.filter(|&place| place < acked).peekable();
        for (place, amd) in self.sent.iter_mut().enumerate().take(acked) {
            let mut missing = false;
            while nacked.next_if_eq(&place).is_some() {
                missing = true;
            }
            amd.acknowledged |= !missing;
        }
        if !self.retransmission.is_empty() {
            let sent = &self.sent;
            self.retransmission.retain(|sn| !sent[sn.offset_from(vt_a) as usize].acknowledged);
        }
    }

    /// Considers all that is said to be missing for retransmission.
    fn reject(&mut self, nacks: &[Nack]) -> Result<(), LinkFailure> {
        let mut outcome = Ok(());
        for of_one_pdu in nacks.chunk_by(|one, next| one.sn == next.sn) {
            let place = of_one_pdu[0].sn.offset_from(self.vt_a) as usize;
            let Some(&amd) = self.sent.get(place).filter(|amd| !amd.acknowledged) else { continue };
            let mut portions = of_one_pdu.iter().filter_map(|nack| amd.portion(nack)).peekable();
            if portions.peek().is_some() {
                outcome = outcome.and(self.consider(place, portions));
            }
        }
        outcome
    }

    /// Considers portions of an AMD PDU for retransmission.
    fn consider(
        &mut self,
        place: usize,
        portions: impl IntoIterator<Item = Span>,
    ) -> Result<(), LinkFailure> {
        let sn = self.vt_a.plus(place as u32);
        let mut pending_already = true;
        for portion in portions {
            pending_already &= !self.retransmission.add(sn, portion);
        }
        let amd = &mut self.sent[place];
        match &mut amd.retx_count {
            None => amd.retx_count = Some(0),
            Some(count) if !pending_already => *count += 1,
            Some(_) => return Ok(()),
        }
        if amd.retx_count >= Some(self.max_retx_threshold) { Err(LinkFailure) } else { Ok(()) }
    }

    /// Moves VT(A) to the first PDU that is not acknowledged.
    fn advance_vt_a(&mut self) {
        while let Some(amd) = self.sent.front().filter(|amd| amd.acknowledged) {
            let passed = amd.data.to;
            self.sent.pop_front();
            self.vt_a = self.vt_a.plus(1);
            while self.sdu_ends.front().is_some_and(|&end| end <= passed) {
                self.sdu_ends.pop_front();
            }
        }
    }
}

impl Amd {
    fn size(&self) -> Bytes {
        self.header + self.data.length()
    }

    /// The part of it that a NACK says is missing; none when it has no such part, since the report
    /// is of an earlier PDU with its number.
    fn portion(&self, nack: &Nack) -> Option<Span> {
        let Some(portion) = nack.portion else { return Some(self.data) };
        let from = self.data.from + u64::from(portion.so_start);
        let to = portion.so_end.map(|so_end| self.data.from + u64::from(so_end) + 1);
        let to = to.unwrap_or(self.data.to);
        (from < to && to <= self.data.to).then(|| Span::new(from, to))
    }
}
