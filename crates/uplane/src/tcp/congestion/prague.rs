//! Prague (draft-briscoe-iccrg-prague-congestion-control-04): the window shrinks by the share of
//! marked packets, often enough to keep the queue short.
//!
//! In: acknowledgements with their number of marks (RFC 9768). Out: bytes of growth, the reduction
//! for a mark, the pacing rate. Data packets are ECT(1), so that queues for L4S accept them (RFC
//! 9331 §4.1).
//!
//! Once in a virtual round trip `alpha` moves by a sixteenth towards the share that was marked
//! (§2.4.2), and at most once in a virtual round trip a mark takes `alpha / 2` of the window.
//! Growth continues meanwhile: each byte that is delivered unmarked opens the window by `SMSS /
//! cwnd · (RTT / RTT_virt)²` bytes (§2.4.4). With `RTT_virt = max(SRTT, 25 ms)` flows with round
//! trips below 25 ms have the rate of one with 25 ms. For 500 round trips after slow start
//! `RTT_virt` is `SRTT`, so that short flows are not slowed down.
//!
//! A loss halves the window as with NewReno (RFC 9331 §4.3), less the reduction for a mark in the
//! same round trip. With a peer that does not count marks it is NewReno with ECT(0).
//!
//! Left out: detecting that a queue marks ECT(1) as if it were ECT(0) (RFC 9331 §4.3; optional in
//! the draft): behind `codel` or `red` with `ecn` it takes too much from classic flows. Windows of
//! less than two segments (RFC 9331 §4.3), which matter for dozens of flows on a slow link. CUBIC
//! after losses, which is allowed, too: it differs on long fat paths without marks. The draft was
//! read through public implementations that name its sections, not as a text.

use super::controller::{AckSample, PacingRate, Start};
use super::loss_based::{Avoidance, LossBased};
use crate::net::Ecn;
use crate::tcp::profile::Profile;
use crate::unit::{Bitrate, Bytes, Duration, Instant};

/// State of Prague for one connection.
#[derive(Clone, Debug)]
pub(super) struct Prague {
    /// The peer counts marks. If not, this control is NewReno.
    counts_marks: bool,
    /// The share of marked packets, averaged; `None` before the first mark.
    alpha: Option<f64>,
    /// The virtual round trip in which marks are counted now.
    round: Round,
    /// Virtual round trips since the first mark.
    rounds: u32,
    /// `SRTT`
    srtt: Option<Duration>,
    /// Time of the last acknowledgement.
    now: Instant,
    /// Time of the last reduction, and the bytes that it took for a mark.
    reduced: Option<(Instant, u64)>,
    /// Growth below one byte, for the next acknowledgement.
    carry: f64,
}

/// Counts of one virtual round trip.
#[derive(Clone, Copy, Debug, Default)]
struct Round {
    start: Instant,
    /// Bytes delivered in the round.
    delivered: u64,
    marked: u64,
}

/// The controller of a new connection.
pub(super) fn new(start: &Start, profile: &Profile) -> LossBased<Prague> {
    let prague = Prague {
        counts_marks: start.counts_marks,
        alpha: None,
        round: Round::default(),
        rounds: 0,
        srtt: start.rtt,
        now: Instant::ZERO,
        reduced: None,
        carry: 0.0,
    };
    LossBased::new(start, profile, prague)
}

impl Prague {
    /// `RTT_virt` (§2.4.4).
    fn virtual_rtt(&self) -> Duration {
        let srtt = self.srtt.unwrap_or(RTT_VIRT_MIN);
        if self.rounds < TRANSITION { srtt } else { srtt.max(RTT_VIRT_MIN) }
    }

    /// `alpha += g · (frac − alpha)`, once a virtual round trip (§2.4.2).
    fn update_alpha(&mut self, alpha: f64) {
        if self.now.saturating_since(self.round.start) < self.virtual_rtt() {
            return;
        }
        let Round { delivered, marked, .. } = self.round;
        if delivered > 0 {
            let share = marked.min(delivered) as f64 / delivered as f64;
            self.alpha = Some(alpha + GAIN * (share - alpha));
        }
        self.round = Round { start: self.now, ..Round::default() };
        self.rounds = self.rounds.saturating_add(1);
    }
}

impl Avoidance for Prague {
    fn answers_marks(&self) -> bool {
        self.counts_marks
    }

    fn field(&self) -> Ecn {
        if self.counts_marks { Ecn::Ect1 } else { Ecn::Ect0 }
    }

    /// Slow start ends with the first mark, whatever the delay.
    fn has_hystart(&self) -> bool {
        !self.counts_marks
    }

    /// Paces the window over a round trip, at twice that rate in slow start; a burst is 250 µs of
    /// the rate.
    fn pacing_rate(&self, cwnd: u64, mss: u64, slow_start: bool) -> Option<PacingRate> {
        if !self.counts_marks {
            return None;
        }
        let seconds = self.srtt.map_or(FIRST_RTT, |rtt| rtt.as_secs_f64().max(FIRST_RTT));
        let bits = cwnd as f64 * 8.0 / seconds * if slow_start { 2.0 } else { 1.0 };
        let rate = Bitrate::from_bps(bits.max(1.0) as u64)?;
        let burst = (bits / 8.0 * BURST) as u64;
        Some(PacingRate { rate, quantum: Bytes(burst.max(mss)) })
    }

    fn on_sample(&mut self, sample: &AckSample) {
        (self.now, self.srtt) = (sample.now, sample.srtt.or(self.srtt));
        self.round.delivered += sample.delivered;
        self.round.marked += sample.marked;
        match self.alpha {
            Some(alpha) => self.update_alpha(alpha),
            // §2.4.2: the first mark halves the window.
            None if sample.marked > 0 => {
                self.alpha = Some(1.0);
                self.round = Round { start: self.now, ..Round::default() };
            }
            None => {}
        }
    }

    /// `cwnd · alpha / 2`, at most once a virtual round trip (§2.4.2).
    fn on_marks(&mut self, cwnd: u64) -> Option<u64> {
        let alpha = self.alpha?;
        let waits = |&(at, _): &(Instant, u64)| self.now.saturating_since(at) < self.virtual_rtt();
        if self.reduced.as_ref().is_some_and(waits) {
            return None;
        }
        let less = (cwnd as f64 * alpha / 2.0) as u64;
        self.reduced = Some((self.now, less));
        Some(less)
    }

    /// One segment a virtual round trip for a flow with that round trip (§2.4.4).
    fn increase(&mut self, acked: u64, cwnd: u64, mss: u64, sample: &AckSample) -> u64 {
        let unmarked = acked.saturating_sub(sample.marked);
        let slower = match self.srtt {
            Some(srtt) if self.counts_marks => {
                (srtt.as_secs_f64() / self.virtual_rtt().as_secs_f64().max(FIRST_RTT)).min(1.0)
            }
            _ => 1.0,
        };
        self.carry += unmarked as f64 * mss as f64 / cwnd as f64 * slower * slower;
        let whole = self.carry.floor();
        self.carry -= whole;
        whole as u64
    }

    /// RFC 9331 §4.3: half of the flight, including the reduction for a mark in this round trip.
    fn on_loss(&mut self, cwnd: u64, flight: u64, _: u64, _: bool) -> u64 {
        let srtt = self.srtt.unwrap_or(RTT_VIRT_MIN);
        let taken = match self.reduced {
            Some((at, less)) if self.now.saturating_since(at) < srtt => less,
            _ => 0,
        };
        self.reduced = Some((self.now, 0));
        self.carry = 0.0;
        u64::midpoint(flight, taken).min(cwnd)
    }
}

/// `g` (§2.4.2)
const GAIN: f64 = 1.0 / 16.0;
/// Minimum of `RTT_virt` (§2.4.4).
const RTT_VIRT_MIN: Duration = Duration::from_millis(25);
/// Virtual round trips after slow start until `RTT_virt` has a minimum (`D`, §2.4.4).
const TRANSITION: u32 = 500;
/// Duration of a burst at the pacing rate, in seconds, as in Linux.
const BURST: f64 = 250e-6;
/// The assumed round trip before the first measurement, and the minimum, in seconds.
const FIRST_RTT: f64 = 1e-6;

#[cfg(test)]
mod tests;
