//! CUBIC (RFC 9438): the window is a cubic function of the time since the last loss.
//!
//! In: acknowledgements and losses. Out: bytes of growth, and the threshold after a loss.
//!
//! Windows are in segments here, as in the specification, and times in seconds.

use super::controller::{AckSample, Start};
use super::loss_based::{Avoidance, LossBased};
use crate::tcp::profile::{CubicRule, Profile};
use crate::unit::{Duration, Instant, math};

/// State of CUBIC (RFC 9438).
#[derive(Clone, Debug, Default)]
pub(super) struct Cubic {
    /// `W_max`
    w_max: f64,
    /// `cwnd_prior`
    cwnd_prior: f64,
    epoch: Option<Epoch>,
    /// Growth below one byte, for the next acknowledgement.
    carry: f64,
    /// The variant of Linux is used.
    linux: bool,
    /// The shortest round-trip time.
    shortest: Option<Duration>,
}

/// One stage of congestion avoidance.
#[derive(Clone, Copy, Debug)]
struct Epoch {
    start: Instant,
    /// `K`
    k: f64,
    /// `W_max` of this stage: the window at which the curve is flat.
    origin: f64,
    /// `W_est`
    w_est: f64,
}

/// The controller of a new connection.
pub(super) fn new(start: &Start, profile: &Profile) -> LossBased<Cubic> {
    let linux = profile.cubic == CubicRule::Linux;
    LossBased::new(start, profile, Cubic { linux, ..Cubic::default() })
}

impl Cubic {
    fn begin(&self, now: Instant, cwnd: f64) -> Epoch {
        // RFC 9438 §4.2, figure 2; without a larger window to return to, K is zero (§4.8, §4.10).
        let gap = (self.w_max - cwnd).max(0.0);
        let k = math::cbrt(gap / C);
        Epoch { start: now, k, origin: self.w_max.max(cwnd), w_est: cwnd }
    }

    /// RFC 9438: the growth of an acknowledgement, in segments.
    fn rfc9438(epoch: &Epoch, acked: f64, window: f64, t: f64, rtt: f64) -> f64 {
        if epoch.w_cubic(t) < epoch.w_est {
            return epoch.w_est - window;
        }
        // §4.2 bounds the target, §4.4 and §4.5 step towards it.
        let target = epoch.w_cubic(t + rtt).clamp(window, 1.5 * window);
        (target - window) / window * acked
    }

    /// Linux: the growth by the cubic curve, one shortest round trip ahead, or by Reno's, whichever
    /// is steeper. Before the first loss, when the path is unknown, at least a twentieth of the
    /// window each round trip.
    fn linux(&self, epoch: &Epoch, acked: f64, window: f64, t: f64) -> f64 {
        let ahead = self.shortest.unwrap_or(Duration::ZERO).as_secs_f64();
        let target = epoch.w_cubic(t + ahead).max(epoch.w_est);
        let least = if self.w_max == 0.0 { 0.05 } else { 0.0 };
        acked * ((target - window) / window).clamp(least, 0.5)
    }
}

impl Epoch {
    /// `W_cubic` (RFC 9438 §4.2, figure 1).
    fn w_cubic(&self, since_start: f64) -> f64 {
        let t = since_start - self.k;
        C * t * t * t + self.origin
    }
}

impl Avoidance for Cubic {
    fn on_sample(&mut self, sample: &AckSample) {
        self.shortest = match (self.shortest, sample.latest_rtt) {
            (Some(shortest), Some(rtt)) => Some(shortest.min(rtt)),
            (shortest, rtt) => shortest.or(rtt),
        };
    }

    fn increase(&mut self, acked: u64, cwnd: u64, mss: u64, sample: &AckSample) -> u64 {
        let mss = mss as f64;
        let window = cwnd as f64 / mss;
        let acked = acked as f64 / mss;
        let mut epoch = self.epoch.unwrap_or_else(|| self.begin(sample.now, window));
        let t = sample.now.saturating_since(epoch.start).as_secs_f64();
        let rtt = sample.srtt.unwrap_or(Duration::ZERO).as_secs_f64();
        // RFC 9438 §4.3: as fast as Reno would be; once past the old window, exactly as fast.
        let alpha = match (self.linux, epoch.w_est < self.cwnd_prior) {
            (true, _) => LINUX_ALPHA,
            (false, true) => ALPHA,
            (false, false) => 1.0,
        };
        epoch.w_est += alpha * acked / window;
        self.epoch = Some(epoch);
        let growth = if self.linux {
            self.linux(&epoch, acked, window, t)
        } else {
            Self::rfc9438(&epoch, acked, window, t, rtt)
        };
        self.carry += growth.max(0.0) * mss;
        let whole = self.carry.floor();
        self.carry -= whole;
        whole as u64
    }

    /// RFC 9438 §4.6 and §4.7
    fn on_loss(&mut self, cwnd: u64, flight: u64, mss: u64, gentle: bool) -> u64 {
        let window = cwnd as f64 / mss as f64;
        let beta = if self.linux { LINUX_BETA } else { BETA };
        self.w_max = if window < self.w_max { window * (1.0 + beta) / 2.0 } else { window };
        self.cwnd_prior = window;
        self.epoch = None;
        self.carry = 0.0;
        let beta = if gentle { BETA_ECN } else { beta };
        (flight as f64 * beta) as u64
    }

    /// RFC 9438 §4.8: the stage after a timeout begins at the plateau.
    fn on_timeout(&mut self) {
        self.w_max = 0.0;
        self.epoch = None;
    }

    /// RFC 9438 §4.9. Linux restores only the window (`tcp_reno_undo_cwnd`): `W_max` keeps its
    /// value after the reduction, and the curve restarts.
    fn undo(&mut self, before: Self) {
        if !self.linux {
            *self = before;
        }
    }

    /// RFC 9438 §5.8: time in which the application sent nothing does not count.
    fn on_pause(&mut self, pause: Duration) {
        if let Some(epoch) = &mut self.epoch {
            epoch.start += pause;
        }
    }
}

/// `C` (RFC 9438 §5.1), in segments per second cubed.
const C: f64 = 0.4;
/// `β_cubic` (RFC 9438 §4.6)
const BETA: f64 = 0.7;
/// `β_cubic` of Linux: of 60 segments, exactly 42 remain.
const LINUX_BETA: f64 = 717.0 / 1024.0;
/// `α_cubic` of Linux, in integer arithmetic: `8 · 1741 / 3 / 307 = 15` eighths of a window for a
/// segment.
const LINUX_ALPHA: f64 = 8.0 / 15.0;
/// `β_ecn` for CUBIC (RFC 8511 §3).
const BETA_ECN: f64 = 0.85;
/// `α_cubic` (RFC 9438 §4.3)
const ALPHA: f64 = 3.0 * (1.0 - BETA) / (1.0 + BETA);

#[cfg(test)]
mod tests {
    use super::*;

    const MSS: u64 = 1000;

    /// Runs one acknowledgement of the whole window each `rtt` for `rounds`, and returns the
    /// windows.
    fn rounds(cubic: &mut Cubic, mut cwnd: u64, rtt: Duration, rounds: u64) -> Vec<u64> {
        (0..rounds)
            .map(|round| {
                let now = Instant::ZERO + rtt * round;
                let sample = AckSample { now, srtt: Some(rtt), ..AckSample::default() };
                cwnd += cubic.increase(cwnd, cwnd, MSS, &sample);
                cwnd
            })
            .collect()
    }

    /// RFC 9438 §4.6: the threshold is 0.7 of the flight.
    #[test]
    fn a_loss_leaves_seven_tenths() {
        assert_eq!(Cubic::default().on_loss(100 * MSS, 100 * MSS, MSS, false), 70 * MSS);
    }

    /// Linux leaves `cwnd * 717 / 1024` (`cubictcp_recalc_ssthresh`), in whole segments.
    #[test]
    fn loss_leaves_whole_segments_like_linux() {
        for (window, left) in [(20, 14), (29, 20), (42, 29), (60, 42), (86, 60), (1000, 700)] {
            let mut cubic = Cubic { linux: true, ..Cubic::default() };
            let threshold = cubic.on_loss(window * 1448, window * 1448, 1448, false);
            assert_eq!(threshold / 1448, left, "{window}");
        }
    }

    /// RFC 9438 §4.2 and §5.1: from 700 of 1000 segments, K = cbrt(300/0.4) = 9.0856 s; the curve
    /// is back at 1000 segments then, and at 1000 + 0.4·1³ a second later.
    #[test]
    fn window_regains_its_size_after_k_seconds() {
        let mut cubic = Cubic::default();
        cubic.on_loss(1000 * MSS, 1000 * MSS, MSS, false);
        let rtt = Duration::from_millis(100);
        let windows = rounds(&mut cubic, 700 * MSS, rtt, 102);
        // The window follows the curve one round trip ahead.
        let at = |secs: f64| windows[(secs / 0.1) as usize - 1] as f64 / MSS as f64;
        let curve =
            |secs: f64| 1000.0 + 0.4 * (secs - 9.0856_f64) * (secs - 9.0856) * (secs - 9.0856);
        for secs in [2.0, 5.0, 9.0, 10.0] {
            assert!((at(secs) - curve(secs)).abs() < 0.1, "{} {}", at(secs), curve(secs));
        }
    }

    /// RFC 9438 §4.3: on a short path the cubic curve is too slow, and the window grows like Reno's
    /// with the same average: α = 3·0.3/1.7 = 0.529 segments a round trip.
    #[test]
    fn cubic_equals_reno_on_short_paths() {
        let mut cubic = Cubic::default();
        cubic.on_loss(20 * MSS, 20 * MSS, MSS, false);
        let windows = rounds(&mut cubic, 14 * MSS, Duration::from_millis(1), 11);
        let grown = windows[10] as f64 / MSS as f64 - 14.0;
        assert!((grown - 11.0 * ALPHA).abs() < 0.01, "{grown}");
    }

    /// RFC 9438 §4.7: a loss below the old maximum releases bandwidth: 80·(1 + 0.7)/2 = 68.
    #[test]
    fn fast_convergence_lowers_the_plateau() {
        let mut cubic = Cubic::default();
        cubic.on_loss(100 * MSS, 100 * MSS, MSS, false);
        cubic.on_loss(80 * MSS, 80 * MSS, MSS, false);
        assert!((cubic.w_max - 68.0).abs() < 1e-9);
    }

    /// RFC 9438 §4.8: after a timeout K is zero, and the plateau is the window at which slow start
    /// ended.
    #[test]
    fn curve_after_a_timeout_begins_at_its_plateau() {
        let mut cubic = Cubic::default();
        cubic.on_loss(100 * MSS, 100 * MSS, MSS, false);
        cubic.on_timeout();
        rounds(&mut cubic, 70 * MSS, Duration::from_millis(100), 1);
        let epoch = cubic.epoch.expect("an epoch has begun");
        assert!(epoch.k.abs() < 1e-12 && (epoch.origin - 70.0).abs() < 1e-9);
    }

    /// RFC 9438 §4.2, `target`: however far the curve is ahead, a round trip adds half a window at
    /// most.
    #[test]
    fn window_grows_by_at_most_half_a_round() {
        let mut cubic = Cubic::default();
        rounds(&mut cubic, 10 * MSS, Duration::from_secs(100), 1);
        let windows = rounds(&mut cubic, 10 * MSS, Duration::from_secs(100), 2);
        assert_eq!(windows[1], windows[0] * 3 / 2);
    }

    /// RFC 9438 §4.9; Linux keeps the window of the reduction, so the minimum growth before the
    /// first loss ends.
    #[test]
    fn undone_reduction_leaves_its_plateau_in_linux() {
        for (linux, plateau) in [(false, 0.0), (true, 100.0)] {
            let mut cubic = Cubic { linux, ..Cubic::default() };
            let before = cubic.clone();
            cubic.on_loss(100 * MSS, 100 * MSS, MSS, false);
            cubic.undo(before);
            assert!((cubic.w_max - plateau).abs() < 1e-12 && cubic.epoch.is_none());
        }
    }

    /// RFC 9438 §5.8
    #[test]
    fn application_pause_does_not_move_the_curve() {
        let mut cubic = Cubic::default();
        cubic.on_loss(100 * MSS, 100 * MSS, MSS, false);
        rounds(&mut cubic, 70 * MSS, Duration::from_millis(100), 1);
        let before = cubic.epoch.expect("an epoch has begun").start;
        cubic.on_pause(Duration::from_secs(5));
        assert_eq!(cubic.epoch.expect("it goes on").start, before + Duration::from_secs(5));
    }
}
