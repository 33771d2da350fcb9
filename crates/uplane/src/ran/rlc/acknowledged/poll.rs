//! Polls: requests of an AM transmitter for a STATUS report (TS 36.322 §5.2.2, TS 38.322 §5.3.3).
//!
//! In: each data PDU assembled, STATUS reports, time. Out: whether a PDU carries a poll, and the
//! expiry of `t-PollRetransmit`.

use crate::ran::rlc::sn::Sn;
use crate::unit::{Bytes, Duration, Instant};

/// The polling parameters of a transmitter.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// `pollPDU`. `None`: infinity.
    pub poll_pdu: Option<u32>,
    /// `pollByte`. `None`: infinity.
    pub poll_byte: Option<Bytes>,
    /// `t-PollRetransmit`
    pub t_poll_retransmit: Duration,
    /// Number of bits of a sequence number.
    pub sn_bits: u8,
}

/// The polling state of one transmitter.
#[derive(Clone, Debug)]
pub(in crate::ran::rlc) struct Polling {
    /// `pollPDU`
    poll_pdu: u32,
    /// `pollByte`
    poll_byte: Bytes,
    /// The configured duration of `t-PollRetransmit`.
    t_poll_retransmit: Duration,
    /// `PDU_WITHOUT_POLL`
    pdu_without_poll: u32,
    /// `BYTE_WITHOUT_POLL`
    byte_without_poll: Bytes,
    /// `POLL_SN`: the highest sequence number sent at the time of the last poll.
    poll_sn: Sn,
    /// Expiry of `t-PollRetransmit`, while it runs.
    expires: Option<Instant>,
    /// A poll is due: the next data PDU carries it.
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

    /// Counts a new AMD PDU with `data` bytes of data.
    pub(in crate::ran::rlc) fn count(&mut self, data: Bytes) {
        self.pdu_without_poll = self.pdu_without_poll.saturating_add(1);
        self.byte_without_poll += data;
        if self.pdu_without_poll >= self.poll_pdu || self.byte_without_poll >= self.poll_byte {
            self.owed = true;
        }
    }

    /// Decides whether a data PDU that leaves now carries a poll. `last`: nothing can follow the
    /// PDU, because both buffers are empty or the window is full. `highest` is VT(S) − 1.
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

    /// Stops `t-PollRetransmit` if a STATUS report comprises `POLL_SN`, that is if `comprises`
    /// returns `true` for it (§5.2.2.2).
    pub(in crate::ran::rlc) fn on_status(&mut self, comprises: impl FnOnce(Sn) -> bool) {
        if self.expires.is_some() && comprises(self.poll_sn) {
            self.expires = None;
        }
    }

    /// Returns the expiry of `t-PollRetransmit`, if it runs.
    pub(in crate::ran::rlc) fn next_timer(&self) -> Option<Instant> {
        self.expires
    }

    /// Returns `true` if `t-PollRetransmit` has expired: another poll is then due (§5.2.2.3).
    pub(in crate::ran::rlc) fn on_timer(&mut self, now: Instant) -> bool {
        let expired = self.expires.take_if(|expires| *expires <= now).is_some();
        self.owed |= expired;
        expired
    }
}
