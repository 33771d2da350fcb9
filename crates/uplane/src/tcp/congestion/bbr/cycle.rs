//! The cycle of ProbeBW (§5.3.3): down, cruise, refill, up.

use super::{Ack, BETA, Bbr, LOSS_THRESH, State, is_too_high};
use crate::tcp::congestion::controller::Lost;
use crate::unit::{Duration, Instant};

/// State of the ProbeBW cycle.
#[derive(Clone, Debug)]
pub(super) struct Cycle {
    /// `BBR.ack_phase`
    pub(super) ack_phase: AckPhase,
    /// `BBR.cycle_stamp`
    stamp: Instant,
    /// `BBR.bw_probe_wait`
    wait: Duration,
    /// `BBR.rounds_since_bw_probe`
    pub(super) rounds_since_probe: u64,
    /// `BBR.bw_probe_samples`
    pub(super) probe_samples: bool,
    /// `BBR.bw_probe_up_rounds`
    up_rounds: u32,
    /// `BBR.bw_probe_up_acks`
    up_acks: u64,
    /// `BBR.probe_up_cnt`
    up_count: u64,
}

/// Phase of the cycle that incoming acknowledgements belong to (§5.3.3.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AckPhase {
    Init,
    Refilling,
    ProbeStarting,
    ProbeFeedback,
    ProbeStopping,
}

impl Default for Cycle {
    fn default() -> Self {
        Self {
            ack_phase: AckPhase::Init,
            stamp: Instant::ZERO,
            wait: Duration::ZERO,
            rounds_since_probe: 0,
            probe_samples: false,
            up_rounds: 0,
            up_acks: 0,
            up_count: u64::MAX,
        }
    }
}

impl Bbr {
    /// `BBRUpdateProbeBWCyclePhase` (§5.3.3.6)
    pub(super) fn update_cycle(&mut self, ack: &Ack) {
        if !self.full.reached {
            return;
        }
        self.adapt_long_term_model(ack);
        let goes_down = self.state == State::ProbeBwUp && self.is_time_to_go_down(ack.rate);
        match self.state {
            State::ProbeBwDown | State::ProbeBwCruise if self.is_time_to_probe(ack.now) => {
                self.start_probe_bw_refill(ack.total);
            }
            State::ProbeBwDown if self.is_time_to_cruise(ack.inflight) => {
                self.state = State::ProbeBwCruise;
            }
            State::ProbeBwRefill if self.rounds.start => {
                self.cycle.probe_samples = true;
                self.rounds.begin(ack.total);
                self.start_probe_bw_up(ack.rate);
            }
            State::ProbeBwUp if goes_down => self.start_probe_bw_down(ack.now, ack.total),
            _ => {}
        }
    }

    /// `BBRStartProbeBW_DOWN`
    pub(super) fn start_probe_bw_down(&mut self, now: Instant, total: u64) {
        self.model.reset_congestion_signals();
        self.cycle.up_count = u64::MAX;
        self.pick_probe_wait(now, total);
        self.cycle.stamp = now;
        self.cycle.ack_phase = AckPhase::ProbeStopping;
        self.rounds.begin(total);
        self.state = State::ProbeBwDown;
    }

    /// `BBRStartProbeBW_REFILL`
    fn start_probe_bw_refill(&mut self, total: u64) {
        self.model.reset_short_term();
        (self.cycle.up_rounds, self.cycle.up_acks) = (0, 0);
        self.cycle.ack_phase = AckPhase::Refilling;
        self.rounds.begin(total);
        self.state = State::ProbeBwRefill;
    }

    /// `BBRStartProbeBW_UP`, at this delivery rate.
    pub(super) fn start_probe_bw_up(&mut self, rate: f64) {
        self.cycle.ack_phase = AckPhase::ProbeStarting;
        self.full.begin(rate);
        self.state = State::ProbeBwUp;
        self.raise_slope();
    }

    /// `BBRPickProbeWait` (§5.3.3.5.3): draws a wait of 2 to 3 s, and starts the count of rounds at
    /// 0 or 1.
    fn pick_probe_wait(&mut self, now: Instant, total: u64) {
        let seed = (now - Instant::ZERO).as_nanos().wrapping_mul(SPREAD) ^ total;
        let drawn = mix(seed);
        self.cycle.rounds_since_probe = drawn & 1;
        self.cycle.wait = Duration::from_millis(2000 + (drawn >> 1) % 1001);
    }

    /// `BBRIsTimeToProbeBW`: the wait has passed, or Reno would have grown as much (§5.3.3.5.1).
    fn is_time_to_probe(&self, now: Instant) -> bool {
        let reno_rounds = (self.target_inflight() / self.mss).min(MAX_RENO_ROUNDS);
        now > self.cycle.stamp + self.cycle.wait || self.cycle.rounds_since_probe >= reno_rounds
    }

    /// `BBRIsTimeToCruise`
    fn is_time_to_cruise(&self, inflight: u64) -> bool {
        inflight <= self.with_headroom() && inflight <= self.inflight(1.0)
    }

    /// `BBRIsTimeToGoDown`
    fn is_time_to_go_down(&mut self, rate: f64) -> bool {
        if self.rounds.is_cwnd_limited() && self.cwnd >= self.model.inflight_longterm {
            // The window limits the rate, not the path.
            self.full.begin(rate);
            return false;
        }
        self.full.now
    }

    /// `BBRInflightWithHeadroom`
    pub(super) fn with_headroom(&self) -> u64 {
        let most = self.model.inflight_longterm;
        if most == u64::MAX {
            return most;
        }
        let headroom = ((HEADROOM * most as f64) as u64).max(self.mss);
        most.saturating_sub(headroom).max(self.min_pipe_cwnd())
    }

    /// `BBRAdaptLongTermModel`
    fn adapt_long_term_model(&mut self, ack: &Ack) {
        if self.rounds.start {
            match self.cycle.ack_phase {
                AckPhase::ProbeStarting => self.cycle.ack_phase = AckPhase::ProbeFeedback,
                AckPhase::ProbeStopping => {
                    self.cycle.ack_phase = AckPhase::Init;
                    self.cycle.probe_samples = false;
                    if !matches!(self.state, State::Drain | State::ProbeRtt) && !ack.app_limited {
                        self.model.advance_max_bw_filter();
                    }
                }
                _ => {}
            }
        }
        if is_too_high(ack.lost, ack.tx_in_flight) || self.model.inflight_longterm == u64::MAX {
            return;
        }
        self.model.inflight_longterm = self.model.inflight_longterm.max(ack.tx_in_flight);
        if self.state == State::ProbeBwUp {
            self.probe_upward(ack.newly_acked);
        }
    }

    /// `BBRProbeInflightLongtermUpward`
    fn probe_upward(&mut self, newly_acked: u64) {
        if !self.rounds.is_cwnd_limited() || self.cwnd < self.model.inflight_longterm {
            return;
        }
        self.cycle.up_acks += newly_acked;
        let steps = self.cycle.up_acks / self.cycle.up_count;
        self.cycle.up_acks -= steps * self.cycle.up_count;
        self.model.inflight_longterm += steps;
        if self.rounds.start {
            self.raise_slope();
        }
    }

    /// `BBRRaiseInflightLongtermSlope`: growth of one segment in the first round, doubled in each
    /// further round.
    fn raise_slope(&mut self) {
        let growth = self.mss << self.cycle.up_rounds;
        self.cycle.up_rounds = (self.cycle.up_rounds + 1).min(MAX_UP_ROUNDS);
        self.cycle.up_count = (self.cwnd / growth).max(1);
    }

    /// `BBRHandleInflightTooHigh` (§5.5.10.2)
    pub(super) fn handle_inflight_too_high(&mut self, now: Instant, at: u64, app_limited: bool) {
        self.cycle.probe_samples = false;
        if !app_limited {
            let least = (BETA * self.target_inflight() as f64) as u64;
            self.model.inflight_longterm = at.max(least);
        }
        if self.state == State::ProbeBwUp {
            self.start_probe_bw_down(now, self.model.delivered);
        }
    }
}

/// `BBRInflightAtLoss` (§5.5.10.2): data in flight when the losses passed the threshold.
pub(super) fn inflight_at_loss(lost: &Lost) -> u64 {
    let before = lost.in_flight.saturating_sub(lost.bytes);
    let lost_before = lost.since_sent.saturating_sub(lost.bytes);
    let prefix = (LOSS_THRESH * before as f64 - lost_before as f64) / (1.0 - LOSS_THRESH);
    before + prefix.max(0.0) as u64
}

/// splitmix64's output function.
fn mix(seed: u64) -> u64 {
    let z = (seed ^ (seed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
/// `BBR.Headroom` (§2.5)
const HEADROOM: f64 = 0.15;
/// §5.3.3.5.1
const MAX_RENO_ROUNDS: u64 = 63;
const MAX_UP_ROUNDS: u32 = 30;
