//! The transmitting side of an AM RLC entity (TS 36.322 §5.1.3.1, §5.2.1, §5.2.2).
//!
//! In: SDUs that wait, grants, STATUS PDUs, time. Out: one AMD PDU or AMD PDU segment per call, as
//! long as the grant allows; the event that a PDU has reached `maxRetxThreshold`.

use std::collections::VecDeque;

use super::Config;
use crate::ran::rlc::acknowledged::poll::Polling;
use crate::ran::rlc::acknowledged::retransmission::Pending;
use crate::ran::rlc::acknowledged::window::{LinkFailure, Window};
use crate::ran::rlc::buffer::{BufferStatus, TransmissionBuffer};
use crate::ran::rlc::flight::Flight;
use crate::ran::rlc::lte::header::{Layout, Packing};
use crate::ran::rlc::pdu::{DataPdu, Resegmented, StatusPdu};
use crate::ran::rlc::span::Span;
use crate::unit::{Bytes, Instant};

/// Builds AMD PDUs from SDUs and retransmits them until they are acknowledged.
#[derive(Clone, Debug)]
pub struct Transmitter {
    layout: Layout,
    segment_layout: Layout,
    /// The PDUs from `VT(A)` up to `VT(S)`.
    window: Window,
    /// Positions in the stream at which SDUs in the window end, for the headers of segments.
    sdu_ends: VecDeque<u64>,
    polling: Polling,
}

impl Transmitter {
    /// Creates a transmitter that has sent nothing.
    pub fn new(config: &Config) -> Self {
        let bits = config.sn_length.bits();
        Self {
            layout: config.layout(),
            segment_layout: config.segment_layout(),
            window: Window::new(bits, config.sn_length.window(), config.max_retx_threshold),
            sdu_ends: VecDeque::new(),
            polling: Polling::new(&config.polling()),
        }
    }

    /// Builds one PDU of at most `grant` bytes: retransmissions before new data (TS 36.322
    /// §5.1.3.1.1).
    pub fn build(
        &mut self,
        now: Instant,
        grant: Bytes,
        buffer: &mut TransmissionBuffer,
        flight: &mut Flight,
    ) -> Option<DataPdu> {
        match self.window.retransmission.first() {
            Some(pending) => self.build_again(now, grant, pending, buffer),
            None => self.build_new(now, grant, buffer, flight),
        }
    }

    /// Returns the data that waits (TS 36.322 §4.5), without the STATUS PDU of the opposite
    /// direction.
    pub fn buffer_status(&self, buffer: &TransmissionBuffer) -> BufferStatus {
        let status = self.waiting(buffer);
        let mut headers = Bytes::ZERO;
        if !status.retransmission.is_zero() {
            headers = self.window.retransmission.iter().map(|p| self.header_again(p)).sum();
        }
        if !status.stalled && !buffer.is_empty() {
            headers += self.layout.header(buffer.elements());
        }
        BufferStatus { headers, ..status }
    }

    /// Returns the data that waits, without headers.
    #[inline]
    pub(in crate::ran::rlc) fn waiting(&self, buffer: &TransmissionBuffer) -> BufferStatus {
        BufferStatus {
            status: Bytes::ZERO,
            retransmission: self.window.retransmission.bytes(),
            new: buffer.bytes(),
            headers: Bytes::ZERO,
            stalled: self.window.is_full(),
        }
    }

    /// Processes a STATUS PDU of the other end (TS 36.322 §5.1.3.1.1, §5.2.1, §5.2.2.2).
    pub fn on_status(&mut self, status: &StatusPdu) -> Result<(), LinkFailure> {
        let (passed, outcome) = self.window.on_status(status, &mut self.polling, |_| ());
        if let Some(passed) = passed {
            while self.sdu_ends.front().is_some_and(|&end| end <= passed) {
                self.sdu_ends.pop_front();
            }
        }
        outcome
    }

    /// Returns the expiry of `t-PollRetransmit`, if it runs.
    pub fn next_timer(&self) -> Option<Instant> {
        self.polling.next_timer()
    }

    /// Polls again if a poll had no answer, with a retransmitted PDU if necessary (TS 36.322
    /// §5.2.2.3).
    pub fn on_timer(
        &mut self,
        now: Instant,
        buffer: &TransmissionBuffer,
    ) -> Result<(), LinkFailure> {
        let idle = buffer.is_empty() && self.window.retransmission.is_empty();
        if !self.polling.on_timer(now) || !(idle || self.window.is_full()) {
            return Ok(());
        }
        self.window.repeat_highest()
    }

    /// Resets the window; sequence numbers restart at zero. SDUs in the buffer stay there.
    pub(in crate::ran::rlc) fn reset(&mut self, config: &Config) {
        self.window.clear();
        self.sdu_ends.clear();
        self.polling = Polling::new(&config.polling());
    }

    fn build_new(
        &mut self,
        now: Instant,
        grant: Bytes,
        buffer: &mut TransmissionBuffer,
        flight: &mut Flight,
    ) -> Option<DataPdu> {
        if self.window.is_full() {
            return None;
        }
        let mut packing = Packing::new(self.layout, grant);
        let data = packing.fill(buffer, flight)?;
        self.sdu_ends.extend(flight.ends_in(data));
        let header = packing.header();
        let sn = self.window.push(data, header);
        self.polling.count(data.length());
        let poll = self.decide_poll(now, buffer);
        Some(DataPdu {
            sn,
            data,
            header,
            poll,
            segment: None,
            retransmission: false,
            epoch: 0,
            second: false,
        })
    }

    /// Retransmits an AMD PDU whole if it fits, else as much of it as fits (TS 36.322 §5.2.1).
    fn build_again(
        &mut self,
        now: Instant,
        grant: Bytes,
        pending: Pending,
        buffer: &TransmissionBuffer,
    ) -> Option<DataPdu> {
        let Pending { sn, data } = pending;
        let (amd, whole) = (self.window.data_of(sn), self.window.header_of(sn));
        let (data, header, segment) = if data == amd && whole + amd.length() <= grant {
            (data, whole, None)
        } else {
            let (data, header) = self.cut_again(data, grant)?;
            let so = (data.from - amd.from) as u32;
            (data, header, Some(Resegmented { so, lsf: data.to == amd.to }))
        };
        self.window.retransmission.take(data);
        let poll = self.decide_poll(now, buffer);
        Some(DataPdu {
            sn,
            data,
            header,
            poll,
            segment,
            retransmission: true,
            epoch: 0,
            second: false,
        })
    }

    /// Returns the longest beginning of `data` that fits as an AMD PDU segment, and the length of
    /// its header.
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

    /// Returns the positions at which the data field elements of this part of a PDU end.
    fn element_ends(&self, data: Span) -> impl Iterator<Item = u64> + '_ {
        let first = self.sdu_ends.partition_point(|&end| end <= data.from);
        let inside = self.sdu_ends.range(first..).copied().take_while(move |&end| end < data.to);
        inside.chain([data.to])
    }

    /// Returns the header length of a pending portion, if it is sent in one piece.
    fn header_again(&self, pending: Pending) -> Bytes {
        if pending.data == self.window.data_of(pending.sn) {
            self.window.header_of(pending.sn)
        } else {
            self.segment_layout.header(self.element_ends(pending.data).count() as u64)
        }
    }

    fn decide_poll(&mut self, now: Instant, buffer: &TransmissionBuffer) -> bool {
        let emptied = buffer.is_empty() && self.window.retransmission.is_empty();
        self.polling.decide(now, emptied || self.window.is_full(), self.window.next().minus(1))
    }
}
