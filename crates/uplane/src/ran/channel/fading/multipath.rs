//! A tapped delay line whose taps are sums of sinusoids (after Zheng and Xiao 2003).
//!
//! In: a power-delay profile, a Doppler shift, the parts of a band. Out: the complex response of a part
//! at an instant.
//!
//! A tap is the sum of ten waves that arrive from all around, each from a random angle within its
//! tenth of the circle. Averaged over UEs the correlation in time is J₀(2π·f_d·τ) exactly, and that in
//! frequency the transform of the profile.
//!
//! Time is cut into updates, and the taps are computed from the number of the update. A response costs
//! one complex product per tap.

use super::complex::Complex;
use super::oscillator::{self, Oscillator};
use crate::ran::channel::band::Band;
use crate::ran::channel::profile::{Profile, Tap};
use crate::ran::channel::quantity::Hertz;
use crate::sim::Stream;
use crate::unit::{Duration, Instant, math};

/// What UEs with the same band, profile and speed share.
#[derive(Clone, Debug)]
pub(super) struct DelayLine {
    taps: usize,
    /// Turns per update.
    doppler: f64,
    update: Duration,
    /// By part, then tap: how the delay turns the tap there, times its amplitude.
    phasors: Vec<Complex>,
}

/// The waves of one UE.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// By branch, tap, wave.
    waves: Vec<Oscillator>,
    /// The update of `taps`.
    update: Option<u64>,
    /// By branch, then tap: unit power each.
    taps: Vec<Complex>,
}

/// How long the taps may be taken as constant: a twelfth of the fastest turn, at most 5 ms, in whole
/// slots and at least one.
pub fn update_period(doppler: Hertz, slot: Duration) -> Duration {
    let twelfth = 1.0 / (12.0 * doppler.0).max(1.0 / LONGEST_UPDATE.as_secs_f64());
    let slots = Duration::from_secs_f64(twelfth).as_nanos() / slot.as_nanos();
    slot * slots.max(1)
}

impl DelayLine {
    pub(super) fn new(band: &Band, profile: Profile, doppler: Hertz, update: Duration) -> Self {
        assert!(!update.is_zero(), "updates without time between");
        let taps = profile.taps();
        let phasor = |centre: Hertz, tap: &Tap| {
            let angle = -std::f64::consts::TAU * centre.0 * tap.delay.as_secs_f64();
            Complex { re: math::cos(angle), im: math::sin(angle) }.scaled(tap.share.sqrt())
        };
        let phasors =
            band.centres().flat_map(|centre| taps.iter().map(move |tap| phasor(centre, tap)));
        let phasors = phasors.collect();
        let doppler = doppler.0 * update.as_secs_f64();
        Self { taps: taps.len(), doppler, update, phasors }
    }

    pub(super) fn draw(&self, branches: usize, stream: &mut Stream) -> State {
        let taps = branches * self.taps;
        let mut waves = Vec::with_capacity(taps * WAVES);
        for _ in 0..taps {
            waves.extend((0..WAVES).map(|wave| {
                // α = (2πm + θ)/M, θ uniform over the circle.
                let arrival = (wave as f64 + stream.uniform()) / WAVES as f64;
                let along = math::cos(std::f64::consts::TAU * arrival);
                Oscillator::new(self.doppler * along, stream.uniform())
            }));
        }
        State { waves, update: None, taps: vec![Complex::ZERO; taps] }
    }
}

impl State {
    pub(super) fn refresh(&mut self, line: &DelayLine, now: Instant) {
        let update = now.as_nanos() / line.update.as_nanos();
        if self.update == Some(update) {
            return;
        }
        self.update = Some(update);
        let circle = oscillator::circle();
        let amplitude = 1.0 / (WAVES as f64).sqrt();
        for (tap, waves) in self.taps.iter_mut().zip(self.waves.as_chunks::<WAVES>().0) {
            let sum =
                waves.iter().fold(Complex::ZERO, |sum, wave| sum.plus(wave.at(update, circle)));
            *tap = sum.scaled(amplitude);
        }
    }

    #[inline]
    pub(super) fn response(&self, line: &DelayLine, branch: usize, part: usize) -> Complex {
        let taps = &self.taps[branch * line.taps..][..line.taps];
        let phasors = &line.phasors[part * line.taps..][..line.taps];
        let products = taps.iter().zip(phasors).map(|(tap, phasor)| tap.times(*phasor));
        products.fold(Complex::ZERO, Complex::plus)
    }
}

/// `M`: waves of one tap.
const WAVES: usize = 10;
const LONGEST_UPDATE: Duration = Duration::from_millis(5);
