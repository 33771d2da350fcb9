//! Counts of round trips in BBR: rounds (§5.5.1), the test for a full pipe (§5.3.1.2), and the
//! shortest round trip (§5.3.4.3).

use super::Ack;
use crate::unit::{Duration, Instant};

/// Round trips, counted by deliveries (§5.5.1).
#[derive(Clone, Debug, Default)]
pub(super) struct Rounds {
    /// `BBR.round_count`
    pub(super) count: u64,
    /// `BBR.round_start`
    pub(super) start: bool,
    /// `BBR.next_round_delivered`
    next: u64,
    /// The window was used up, in this round and in the one before.
    limited: [bool; 2],
}

impl Rounds {
    /// `BBRUpdateRound`
    pub(super) fn update(&mut self, ack: &Ack, cwnd: u64, mss: u64) {
        self.start = ack.prior_delivered >= self.next;
        if self.start {
            self.begin(ack.total);
            self.count += 1;
            self.limited = [false, self.limited[0]];
        }
        self.limited[0] |= ack.inflight + ack.newly_acked + mss > cwnd;
    }

    /// `BBRStartRound`: the next round begins with the delivery of data sent after this call.
    pub(super) fn begin(&mut self, total: u64) {
        self.next = total;
    }

    /// `C.is_cwnd_limited`
    pub(super) fn is_cwnd_limited(&self) -> bool {
        self.limited[0] || self.limited[1]
    }
}

/// Test for a full pipe (§5.3.1.2).
#[derive(Clone, Debug, Default)]
pub(super) struct FullPipe {
    /// `BBR.full_bw_reached`
    pub(super) reached: bool,
    /// `BBR.full_bw_now`
    pub(super) now: bool,
    /// `BBR.full_bw`
    rate: f64,
    /// `BBR.full_bw_count`
    pub(super) count: u32,
}

impl FullPipe {
    /// `BBRCheckFullBWReached`: the pipe is full after three rounds without a rate growth of 25 %.
    pub(super) fn check(&mut self, ack: &Ack, round_start: bool) {
        if self.now || !round_start || ack.app_limited {
            return;
        }
        if ack.rate >= 1.25 * self.rate {
            self.begin(ack.rate);
            return;
        }
        self.count += 1;
        self.now = self.count >= 3;
        self.reached |= self.now;
    }

    /// Restarts the test at this delivery rate.
    pub(super) fn begin(&mut self, rate: f64) {
        self.reset();
        self.rate = rate;
    }

    /// `BBRResetFullBW`
    pub(super) fn reset(&mut self) {
        (self.rate, self.count, self.now) = (0.0, 0, false);
    }
}

/// The shortest round trip, and the time of its next measurement (§5.3.4.3).
#[derive(Clone, Debug, Default)]
pub(super) struct ShortestRtt {
    /// `BBR.min_rtt`
    pub(super) min_rtt: Option<Duration>,
    min_rtt_stamp: Instant,
    /// `BBR.probe_rtt_min_delay`
    delay: Option<Duration>,
    /// `BBR.probe_rtt_min_stamp`
    pub(super) stamp: Instant,
    /// `BBR.probe_rtt_expired`
    pub(super) expired: bool,
    /// `BBR.probe_rtt_done_stamp`
    pub(super) done_at: Option<Instant>,
    /// `BBR.probe_rtt_round_done`
    pub(super) round_done: bool,
    /// `BBR.idle_restart`
    pub(super) idle_restart: bool,
}

impl ShortestRtt {
    /// `BBRUpdateMinRTT`
    pub(super) fn update(&mut self, ack: &Ack) {
        self.expired = self.delay.is_some() && ack.now > self.stamp + PROBE_RTT_INTERVAL;
        if let Some(rtt) = ack.rtt
            && (self.expired || self.delay.is_none_or(|delay| rtt < delay))
        {
            (self.delay, self.stamp) = (Some(rtt), ack.now);
        }
        let is_old = ack.now > self.min_rtt_stamp + MIN_RTT_FILTER_LEN;
        if let Some(delay) = self.delay
            && (is_old || self.min_rtt.is_none_or(|min| delay < min))
        {
            (self.min_rtt, self.min_rtt_stamp) = (Some(delay), self.stamp);
        }
    }
}

/// `BBR.ProbeRTTInterval` (§2.13)
const PROBE_RTT_INTERVAL: Duration = Duration::from_secs(5);
/// `BBR.MinRTTFilterLen` (§2.12)
const MIN_RTT_FILTER_LEN: Duration = Duration::from_secs(10);
