//! Control parameters of BBR (§5.6): the pacing rate, the send quantum, and the window.
//!
//! In: the model and the state. Out: gains, `C.pacing_rate`, `C.send_quantum`, `C.cwnd`.

use super::{Bbr, STARTUP_PACING_GAIN, State};

impl Bbr {
    /// `BBR.pacing_gain` (§5.6.1)
    pub(super) fn pacing_gain(&self) -> f64 {
        match self.state {
            State::Startup => STARTUP_PACING_GAIN,
            State::Drain => 0.5,
            State::ProbeBwDown => 0.9,
            State::ProbeBwUp => 1.25,
            State::ProbeBwCruise | State::ProbeBwRefill | State::ProbeRtt => 1.0,
        }
    }

    /// `BBR.cwnd_gain` (§5.6.1)
    pub(super) fn cwnd_gain(&self) -> f64 {
        match self.state {
            State::ProbeBwUp => 2.25,
            State::ProbeRtt => PROBE_RTT_CWND_GAIN,
            _ => 2.0,
        }
    }

    /// `BBRBDPMultiple` of `BBR.max_bw`
    pub(super) fn bdp(&self, gain: f64) -> u64 {
        self.bdp_of(self.model.max_bw(), gain)
    }

    pub(super) fn bdp_of(&self, rate: f64, gain: f64) -> u64 {
        let Some(rtt) = self.shortest.min_rtt else { return self.initial_cwnd };
        (gain * rate * rtt.as_secs_f64()) as u64
    }

    /// `BBRInflight` (§5.6.4.2)
    pub(super) fn inflight(&self, gain: f64) -> u64 {
        self.quantize(self.bdp(gain))
    }

    /// `BBRQuantizationBudget` (§5.6.4.2)
    fn quantize(&self, inflight: u64) -> u64 {
        let more = if self.state == State::ProbeBwUp { 2 * self.mss } else { 0 };
        inflight.max(3 * self.quantum()).max(self.min_pipe_cwnd()) + more
    }

    /// `BBRTargetInflight` (§5.3.3.5.3)
    pub(super) fn target_inflight(&self) -> u64 {
        self.bdp_of(self.model.bw, 1.0).min(self.cwnd)
    }

    /// `BBR.MinPipeCwnd` (§2.7)
    pub(super) fn min_pipe_cwnd(&self) -> u64 {
        4 * self.mss
    }

    /// `BBRProbeRTTCwnd` (§5.6.4.5)
    pub(super) fn probe_rtt_cwnd(&self) -> u64 {
        self.bdp_of(self.model.bw, PROBE_RTT_CWND_GAIN).max(self.min_pipe_cwnd())
    }

    /// `BBRSetPacingRateWithGain` (§5.6.2)
    pub(super) fn set_pacing_rate(&mut self, gain: f64) {
        let rate = gain * self.model.bw * (1.0 - PACING_MARGIN);
        if self.full.reached || rate > self.pacing_rate {
            self.pacing_rate = rate;
        }
    }

    /// `C.send_quantum` (§5.6.3): data sent in a millisecond at the pacing rate, at most
    /// [`MOST_AT_ONCE`], and at least two segments, or one below the rate [`SLOW`].
    pub(super) fn quantum(&self) -> u64 {
        let least = if self.pacing_rate < SLOW { self.mss } else { 2 * self.mss };
        ((self.pacing_rate * 0.001) as u64).min(MOST_AT_ONCE).max(least)
    }

    /// `BBRSetCwnd` (§5.6.4.6), with `delivered` bytes in all.
    pub(super) fn set_cwnd(&mut self, newly_acked: u64, delivered: u64) {
        let most = self.quantize(self.bdp(self.cwnd_gain()) + self.model.extra_acked());
        if self.full.reached {
            self.cwnd = (self.cwnd + newly_acked).min(most);
        } else if self.cwnd < most || delivered < self.initial_cwnd {
            self.cwnd += newly_acked;
        }
        self.cwnd = self.cwnd.max(self.min_pipe_cwnd());
        if self.state == State::ProbeRtt {
            self.cwnd = self.cwnd.min(self.probe_rtt_cwnd());
        }
        self.bound_cwnd();
    }

    /// `BBRBoundCwndForModel` (§5.6.4.7)
    pub(super) fn bound_cwnd(&mut self) {
        let cap = match self.state {
            State::ProbeRtt | State::ProbeBwCruise => self.with_headroom(),
            State::ProbeBwDown | State::ProbeBwRefill | State::ProbeBwUp => {
                self.model.inflight_longterm
            }
            State::Startup | State::Drain => u64::MAX,
        };
        let cap = cap.min(self.model.inflight_shortterm).max(self.min_pipe_cwnd());
        self.cwnd = self.cwnd.min(cap);
    }
}

const PROBE_RTT_CWND_GAIN: f64 = 0.5;
/// `BBR.PacingMarginPercent` (§2.3)
const PACING_MARGIN: f64 = 0.01;
/// 1.2 Mbit/s: below it one segment leaves at once (§5.6.3).
const SLOW: f64 = 150_000.0;
/// The largest quantum (§5.6.3).
const MOST_AT_ONCE: u64 = 64_000;
