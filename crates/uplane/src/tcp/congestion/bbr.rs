//! BBR, version 3 (draft-ietf-ccwg-bbr-05): the window and the pace follow a model of the path.
//!
//! In: samples of the delivery rate, of the round trip and of losses. Out: the window, and the
//! pacing rate. Names are those of the draft; the long-term model keeps what probing found, the
//! short-term model what a loss took since. Rates are in bytes a second.
//!
//! Five files: this one has the state machine, `control` the window and the pacing rate, `model`
//! the path, `cycle` the phases of ProbeBW, `round_trips` rounds, the shortest round trip and the
//! test for a full pipe.
//!
//! Random waits are computed from the start of a cycle and the bytes delivered until then, so that
//! runs can be repeated.
//!
//! Left out: an answer to marks (the draft has none, so its data is not ECT); the return to the old
//! window after the repair that follows a timeout, which acknowledgements bring about; segmentation
//! offload, though its budget is that of the draft. The draft was read through public
//! implementations that name its sections, not as a text.

mod control;
mod cycle;
mod model;
mod round_trips;

use self::cycle::{AckPhase, Cycle};
use self::model::Model;
use self::round_trips::{FullPipe, Rounds, ShortestRtt};
use super::controller::{AckSample, Controller, Lost, PacingRate, Start};
use crate::net::Ecn;
use crate::unit::{Bitrate, Bytes, Duration, Instant};

/// The state machine (§5.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Startup,
    Drain,
    ProbeBwDown,
    ProbeBwCruise,
    ProbeBwRefill,
    ProbeBwUp,
    ProbeRtt,
}

/// BBR state of one connection.
#[derive(Debug)]
pub(super) struct Bbr {
    state: State,
    /// `C.SMSS`
    mss: u64,
    /// `C.InitialCwnd`
    initial_cwnd: u64,
    /// `C.cwnd`
    cwnd: u64,
    /// `BBR.prior_cwnd`
    prior_cwnd: u64,
    /// `C.pacing_rate`
    pacing_rate: f64,
    /// Round count at the start of the current fast recovery.
    recovering_since: Option<u64>,
    /// `BBR.drain_start_round`
    drain_start: u64,
    rounds: Rounds,
    model: Model,
    full: FullPipe,
    cycle: Cycle,
    shortest: ShortestRtt,
    /// State and model before the last loss, for an undo (§5.5.11).
    undo: Option<(State, Model)>,
}

/// An acknowledgement, in the terms of the draft (`RS`, `C`).
#[derive(Clone, Copy, Debug, Default)]
struct Ack {
    now: Instant,
    /// `RS.newly_acked`
    newly_acked: u64,
    /// `C.inflight`
    inflight: u64,
    /// `RS.rtt`
    rtt: Option<Duration>,
    /// `RS.delivery_rate`
    rate: f64,
    /// `RS.delivered`
    delivered: u64,
    /// `RS.prior_delivered`
    prior_delivered: u64,
    /// `C.delivered`
    total: u64,
    /// `RS.tx_in_flight`
    tx_in_flight: u64,
    /// `RS.lost`
    lost: u64,
    /// `RS.is_app_limited`
    app_limited: bool,
}

impl Ack {
    fn of(sample: &AckSample) -> Option<Self> {
        let rate = sample.rate?;
        let seconds = rate.interval.as_secs_f64();
        (seconds > 0.0).then_some(Self {
            now: sample.now,
            newly_acked: sample.delivered,
            inflight: sample.pipe,
            rtt: sample.latest_rtt.or(sample.rtt),
            rate: rate.delivered as f64 / seconds,
            delivered: rate.delivered,
            prior_delivered: rate.prior_delivered,
            total: rate.total,
            tx_in_flight: rate.in_flight,
            lost: rate.lost,
            app_limited: rate.app_limited,
        })
    }
}

/// Returns `true` if more than `BBR.LossThresh` of the data in flight was lost
/// (`IsInflightTooHigh`, §5.5.10.2).
fn is_too_high(lost: u64, tx_in_flight: u64) -> bool {
    lost as f64 > LOSS_THRESH * tx_in_flight as f64
}

/// The controller of a new connection.
pub(super) fn new(start: &Start) -> Bbr {
    let initial_cwnd = start.initial_window.bytes(start.mss);
    // §5.6.2: the initial window per round trip, or per millisecond if the round trip is unknown.
    let rtt = start.rtt.map_or(0.001, |rtt| rtt.as_secs_f64().max(1e-6));
    Bbr {
        state: State::Startup,
        mss: start.mss,
        initial_cwnd,
        cwnd: initial_cwnd,
        prior_cwnd: 0,
        pacing_rate: STARTUP_PACING_GAIN * initial_cwnd as f64 / rtt,
        recovering_since: None,
        drain_start: 0,
        rounds: Rounds::default(),
        model: Model::default(),
        full: FullPipe::default(),
        cycle: Cycle::default(),
        shortest: ShortestRtt::default(),
        undo: None,
    }
}

impl Bbr {
    /// `BBRUpdateModelAndState` (§5.2.3)
    fn update_model_and_state(&mut self, ack: &Ack) {
        self.rounds.update(ack, self.cwnd, self.mss);
        self.model.update_latest_delivery_signals(ack);
        let probing = self.is_probing_bw();
        self.model.update_congestion_signals(ack, self.cwnd, probing);
        let is_first = !self.full.reached;
        self.model.update_ack_aggregation(ack, self.cwnd, &self.rounds, is_first);
        if self.rounds.start {
            self.cycle.rounds_since_probe += 1;
        }
        self.full.check(ack, self.rounds.start);
        self.check_startup_done(ack);
        self.check_drain_done(ack);
        self.update_cycle(ack);
        self.shortest.update(ack);
        self.check_probe_rtt(ack);
        self.model.advance_latest_delivery_signals(ack);
        self.model.bound_bw();
    }

    /// `BBRIsProbingBW`: in these states the probe itself is expected to cause losses.
    fn is_probing_bw(&self) -> bool {
        matches!(self.state, State::Startup | State::ProbeBwRefill | State::ProbeBwUp)
    }

    /// `BBRCheckStartupDone` (§5.3.1)
    fn check_startup_done(&mut self, ack: &Ack) {
        self.check_startup_high_loss(ack);
        if self.state == State::Startup && self.full.reached {
            self.state = State::Drain;
            self.drain_start = self.rounds.count;
        }
    }

    /// §5.3.1.3: Startup ends after a round trip in recovery with more than the threshold lost, in
    /// at least six ranges.
    fn check_startup_high_loss(&mut self, ack: &Ack) {
        if !self.model.loss_round_start {
            return;
        }
        let ranges = std::mem::take(&mut self.model.lost_ranges);
        let a_round = self.recovering_since.is_some_and(|since| self.rounds.count > since);
        let is_high = is_too_high(ack.lost, ack.tx_in_flight);
        if !self.full.reached && a_round && is_high && ranges >= STARTUP_FULL_LOSS_COUNT {
            self.full.reached = true;
            self.model.inflight_longterm = self.bdp(1.0).max(self.model.inflight_latest);
        }
    }

    /// `BBRCheckDrainDone` (§5.3.2)
    fn check_drain_done(&mut self, ack: &Ack) {
        let is_drained = ack.inflight <= self.inflight(1.0);
        let is_long = self.rounds.count > self.drain_start + DRAIN_ROUNDS;
        if self.state == State::Drain && (is_drained || is_long) {
            self.start_probe_bw_down(ack.now, ack.total);
        }
    }

    /// `BBRCheckProbeRTT` (§5.3.4.3)
    fn check_probe_rtt(&mut self, ack: &Ack) {
        if self.state == State::ProbeRtt {
            self.handle_probe_rtt(ack);
        } else if self.shortest.expired && !self.shortest.idle_restart {
            self.save_cwnd();
            self.state = State::ProbeRtt;
            self.shortest.done_at = None;
            self.cycle.ack_phase = AckPhase::ProbeStopping;
            self.rounds.begin(ack.total);
        }
        if ack.delivered > 0 {
            self.shortest.idle_restart = false;
        }
    }

    /// `BBRHandleProbeRTT`
    fn handle_probe_rtt(&mut self, ack: &Ack) {
        if self.shortest.done_at.is_some() {
            self.shortest.round_done |= self.rounds.start;
            if self.shortest.round_done {
                self.check_probe_rtt_done(ack.now, ack.total);
            }
        } else if ack.inflight <= self.probe_rtt_cwnd() {
            self.shortest.done_at = Some(ack.now + PROBE_RTT_DURATION);
            self.shortest.round_done = false;
            self.rounds.begin(ack.total);
        }
    }

    /// `BBRCheckProbeRTTDone` and `BBRExitProbeRTT` (§5.3.4.4)
    fn check_probe_rtt_done(&mut self, now: Instant, total: u64) {
        if self.shortest.done_at.is_none_or(|done| now <= done) {
            return;
        }
        self.shortest.stamp = now;
        self.cwnd = self.cwnd.max(self.prior_cwnd);
        self.model.reset_short_term();
        if self.full.reached {
            self.start_probe_bw_down(now, total);
            self.state = State::ProbeBwCruise;
        } else {
            self.state = State::Startup;
        }
    }

    /// `BBRSaveCwnd` (§5.6.4.4)
    fn save_cwnd(&mut self) {
        let is_whole = self.recovering_since.is_none() && self.state != State::ProbeRtt;
        self.prior_cwnd = if is_whole { self.cwnd } else { self.prior_cwnd.max(self.cwnd) };
    }
}

impl Controller for Bbr {
    fn cwnd(&self) -> u64 {
        self.cwnd
    }

    fn is_in_slow_start(&self) -> bool {
        self.state == State::Startup
    }

    fn pacing_rate(&self) -> Option<PacingRate> {
        let rate = Bitrate::from_bps((self.pacing_rate * 8.0).max(1.0) as u64)?;
        Some(PacingRate { rate, quantum: Bytes(self.quantum()) })
    }

    fn wants_losses(&self) -> bool {
        true
    }

    /// The draft has no answer to marks.
    fn field(&self) -> Ecn {
        Ecn::NotEct
    }

    fn answers_marks(&self) -> bool {
        true
    }

    fn on_mss(&mut self, mss: u64) {
        self.mss = mss;
    }

    /// `BBRHandleRestartFromIdle` (§5.4.1)
    fn on_sent(&mut self, now: Instant, _bytes: u64, flight: u64) {
        if flight > 0 || self.model.delivered == 0 {
            return;
        }
        self.shortest.idle_restart = true;
        self.model.restart_aggregation(now);
        match self.state {
            State::ProbeRtt => self.check_probe_rtt_done(now, self.model.delivered),
            State::Startup | State::Drain => {}
            _ => self.set_pacing_rate(1.0),
        }
    }

    /// `BBRHandleLostPacket` (§5.5.10.2)
    fn on_lost(&mut self, now: Instant, lost: &Lost) {
        if !self.model.loss_in_round {
            self.undo = Some((self.state, self.model.clone()));
        }
        self.model.note_loss(lost);
        let is_high = is_too_high(lost.since_sent, lost.in_flight);
        if self.cycle.probe_samples && is_high {
            let at_loss = cycle::inflight_at_loss(lost);
            self.handle_inflight_too_high(now, at_loss, lost.app_limited);
        }
    }

    /// `BBRUpdateOnACK` (§5.2.3)
    fn on_ack(&mut self, sample: &AckSample) {
        self.model.delivered += sample.delivered;
        if let Some(ack) = Ack::of(sample) {
            self.update_model_and_state(&ack);
            self.set_pacing_rate(self.pacing_gain());
        }
        self.set_cwnd(sample.delivered, self.model.delivered);
    }

    fn on_recovery_begin(&mut self, _flight: u64) {
        self.save_cwnd();
        self.recovering_since = Some(self.rounds.count);
    }

    /// `BBRRestoreCwnd` (§5.6.4.4)
    fn on_recovery_end(&mut self) {
        self.recovering_since = None;
        self.cwnd = self.cwnd.max(self.prior_cwnd);
        self.bound_cwnd();
    }

    /// `BBROnEnterRTO` (§5.6.4.4): nothing is in flight then.
    fn on_timeout(&mut self, _flight: u64, _repeated: bool) {
        self.save_cwnd();
        self.recovering_since = None;
        self.cwnd = self.mss;
    }

    /// `BBRHandleSpuriousLossDetection` (§5.5.11.2)
    fn on_spurious_reduction(&mut self) {
        self.cwnd = self.cwnd.max(self.prior_cwnd);
        let Some((state, model)) = self.undo.take() else { return };
        self.model.undo(&model);
        self.full.reset();
        if self.state != State::ProbeRtt && self.state != state {
            match state {
                State::Startup => self.state = State::Startup,
                State::ProbeBwUp => self.start_probe_bw_up(self.model.bw_latest),
                _ => {}
            }
        }
    }
}

/// `4 ln 2`: the rate doubles each round trip (§5.6.1).
const STARTUP_PACING_GAIN: f64 = 2.773;
/// `BBR.LossThresh` (§2.5)
const LOSS_THRESH: f64 = 0.02;
/// `BBR.Beta` (§2.5)
const BETA: f64 = 0.7;
/// `BBR.StartupFullLossCnt` (§5.3.1.3)
const STARTUP_FULL_LOSS_COUNT: u32 = 6;
/// Drain lasts no longer (§5.3.2).
const DRAIN_ROUNDS: u64 = 3;
/// `BBR.ProbeRTTDuration` (§2.13)
const PROBE_RTT_DURATION: Duration = Duration::from_millis(200);

#[cfg(test)]
mod tests;
