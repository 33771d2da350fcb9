//! When an AM transmitter asks for a STATUS report (TS 36.322 §5.2.2, TS 38.322 §5.3.3).
//!
//! In: each data PDU assembled, STATUS reports, time. Out: whether the PDU carries a poll, and when
//! a poll had no answer.

use crate::ran::rlc::sn::Sn;
use crate::unit::{Bytes, Duration, Instant};

/// The parameters of a transmitter's polls.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// `pollPDU`; infinity for `None`.
    pub poll_pdu: Option<u32>,
    /// `pollByte`; infinity for `None`.
    pub poll_byte: Option<Bytes>,
    /// `t-PollRetransmit`
    pub t_poll_retransmit: Duration,
    /// Bits of sequence numbers.
    pub sn_bits: u8,
}

/// The polling of one transmitter.
#[derive(Clone, Debug)]
pub(in crate::ran::rlc) struct Polling {
    /// `pollPDU`
    poll_pdu: u32,
    /// `pollByte`
    poll_byte: Bytes,
    /// The configured length of `t-PollRetransmit`.
    t_poll_retransmit: Duration,
    /// `PDU_WITHOUT_POLL`
    pdu_without_poll: u32,
    /// `BYTE_WITHOUT_POLL`
    byte_without_poll: Bytes,
    /// `POLL_SN`: the highest number sent when the last poll was.
    poll_sn: Sn,
    /// When `t-PollRetransmit` expires, while it runs.
    expires: Option<Instant>,
    /// `t-PollRetransmit` expired: the next data PDU carries a poll.
    owed: bool,
}

impl Polling {
    pub(in crate::ran::rlc) fn new(config: &Config) -> Self {
        Self {
            poll_pdu: config.poll_pdu.unwrap_or(u32::MAX),
            poll_byte: config.poll_byte.unwrap_or(Bytes(u64::MAX)),
            t_poll_retransmit: config.t_poll_retransmit,
            pdu_without_poll: 0,
            byte_without_poll: Bytes::ZERO,
            poll_sn: Sn::zero(config.sn_bits),
            expires: None,
            owed: false,
        }
    }

    /// Counts a new AMD PDU with so much data.
    pub(in crate::ran::rlc) fn count(&mut self, data: Bytes) {
        self.pdu_without_poll = self.pdu_without_poll.saturating_add(1);
        self.byte_without_poll += data;
        if self.pdu_without_poll >= self.poll_pdu || self.byte_without_poll >= self.poll_byte {
            self.owed = true;
        }
    }

    /// Decides on the poll of a data PDU that leaves now. `last` says that nothing can follow it:
    /// both buffers are empty then, or the window is full. `highest` is VT(S) − 1.
    pub(in crate::ran::rlc) fn decide(&mut self, now: Instant, last: bool, highest: Sn) -> bool {
        let poll = self.owed || last;
        if poll {
            self.owed = false;
            self.pdu_without_poll = 0;
            self.byte_without_poll = Bytes::ZERO;
            self.poll_sn = highest;
            self.expires = Some(now + self.t_poll_retransmit);
        }
        poll
    }

    /// A STATUS report came about the PDUs for which `comprises` holds (§5.2.2.2).
    pub(in crate::ran::rlc) fn on_status(&mut self, comprises: impl FnOnce(Sn) -> bool) {
        if self.expires.is_some() && comprises(self.poll_sn) {
            self.expires = None;
        }
    }

    /// When `t-PollRetransmit` expires, if it runs.
    pub(in crate::ran::rlc) fn next_timer(&self) -> Option<Instant> {
        self.expires
    }

    /// True when `t-PollRetransmit` has expired: another poll is due (§5.2.2.3).
    pub(in crate::ran::rlc) fn on_timer(&mut self, now: Instant) -> bool {
        let expired = self.expires.take_if(|expires| *expires <= now).is_some();
        self.owed |= expired;
        expired
    }
}
