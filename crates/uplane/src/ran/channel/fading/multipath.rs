//! A tapped delay line whose taps are sums of sinusoids (after Zheng and Xiao 2003).
//!
//! In: a power-delay profile, a Doppler shift, the parts of a band. Out: the complex response of a
//! part at an instant.
//!
//! A tap is the sum of ten waves that arrive from all around, each from a random angle within its
//! tenth of the circle. Averaged over UEs, the correlation in time is J₀(2π·f_d·τ) exactly, and
//! that in frequency is the transform of the profile.
//!
//! Time is cut into updates, and the taps are computed from the number of the update. The last few
//! updates are kept, since a report refers to an update in which a block was received shortly
//! before. A response costs one complex product per tap; power gains are computed for a few parts
//! in parallel, and also kept.

use super::Antennas;
use super::complex::Complex;
use super::oscillator::{self, Oscillator};
use crate::ran::channel::band::Band;
use crate::ran::channel::profile::{Profile, Tap};
use crate::ran::channel::quantity::Hertz;
use crate::sim::Stream;
use crate::unit::{Duration, Instant, math};

/// The delay line shared by UEs with the same band, profile and speed.
#[derive(Clone, Debug)]
pub(super) struct DelayLine {
    taps: usize,
    /// Doppler shift, in turns per update.
    doppler: f64,
    update: Duration,
    /// Number of strips of [`LANES`] parts each.
    strips: usize,
    /// Rotations by a tap's delay in each part, times the tap's amplitude; by strip, then tap.
    phasors: Vec<Lanes>,
}

/// Complex numbers of a strip of neighbouring parts, for parallel arithmetic.
#[derive(Clone, Copy, Debug, Default)]
struct Lanes {
    re: [f64; LANES],
    im: [f64; LANES],
}

/// The waves and kept updates of one UE.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// The waves, by branch, tap, wave.
    waves: Vec<Oscillator>,
    /// The updates that are kept, each at the index that its number gives.
    kept: [Kept; UPDATES],
    /// Index in `kept` of the update requested last.
    place: usize,
    /// Taps by index in `kept`, branch, tap; each has unit power.
    taps: Vec<Complex>,
    /// Power gains by index in `kept`, then part, summed over all branches.
    gains: Vec<f64>,
}

/// State of one kept update.
#[derive(Clone, Copy, Debug, Default)]
struct Kept {
    update: Option<u64>,
    /// Strips whose gains are known, one bit each.
    strips: u32,
}

/// Returns the time for which taps may be taken as constant: a twelfth of the fastest turn, at most
/// 5 ms, in whole slots, and at least one slot.
pub fn update_period(doppler: Hertz, slot: Duration) -> Duration {
    let twelfth = 1.0 / (12.0 * doppler.0).max(1.0 / LONGEST_UPDATE.as_secs_f64());
    let slots = Duration::from_secs_f64(twelfth).as_nanos() / slot.as_nanos();
    slot * slots.max(1)
}

impl DelayLine {
    pub(super) fn new(band: &Band, profile: Profile, doppler: Hertz, update: Duration) -> Self {
        assert!(!update.is_zero(), "updates without time between");
        let taps = profile.taps();
        let centres: Vec<Hertz> = band.centres().collect();
        let strips = centres.len().div_ceil(LANES);
        assert!(strips <= u32::BITS as usize, "{} parts", centres.len());
        let mut phasors = Vec::new();
        for centres in centres.chunks(LANES) {
            phasors.extend(taps.iter().map(|tap| Lanes::new(centres, tap)));
        }
        let doppler = doppler.0 * update.as_secs_f64();
        Self { taps: taps.len(), doppler, update, strips, phasors }
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
        State {
            waves,
            kept: [Kept::default(); UPDATES],
            place: 0,
            taps: vec![Complex::ZERO; UPDATES * taps],
            gains: vec![0.0; UPDATES * self.strips * LANES],
        }
    }
}

impl Lanes {
    /// Returns the rotations by the delay of a tap, at these distances from the carrier.
    fn new(centres: &[Hertz], tap: &Tap) -> Self {
        let mut lanes = Self::default();
        for (lane, centre) in centres.iter().enumerate() {
            let angle = -std::f64::consts::TAU * centre.0 * tap.delay.as_secs_f64();
            let turned = Complex { re: math::cos(angle), im: math::sin(angle) };
            let Complex { re, im } = turned.scaled(tap.share.sqrt());
            (lanes.re[lane], lanes.im[lane]) = (re, im);
        }
        lanes
    }

    /// Returns the sum with the products of these phasors and a tap.
    #[inline]
    fn plus_product(mut self, tap: Complex, phasors: &Self) -> Self {
        for lane in 0..LANES {
            self.re[lane] += tap.re * phasors.re[lane] - tap.im * phasors.im[lane];
            self.im[lane] += tap.re * phasors.im[lane] + tap.im * phasors.re[lane];
        }
        self
    }
}

impl State {
    pub(super) fn refresh(&mut self, line: &DelayLine, now: Instant) {
        let update = now.as_nanos() / line.update.as_nanos();
        self.place = (update % UPDATES as u64) as usize;
        if self.kept[self.place].update == Some(update) {
            return;
        }
        self.kept[self.place] = Kept { update: Some(update), strips: 0 };
        let circle = oscillator::circle();
        let amplitude = 1.0 / (WAVES as f64).sqrt();
        let waves = self.waves.as_chunks::<WAVES>().0;
        let taps = &mut self.taps[self.place * waves.len()..][..waves.len()];
        for (tap, waves) in taps.iter_mut().zip(waves) {
            *tap = oscillator::sum(waves, update, circle).scaled(amplitude);
        }
    }

    #[inline]
    pub(super) fn response(&self, line: &DelayLine, branch: usize, part: usize) -> Complex {
        let taps = self.current_taps()[branch * line.taps..][..line.taps].iter();
        let phasors = &line.phasors[part / LANES * line.taps..][..line.taps];
        let lane = part % LANES;
        let products = taps.zip(phasors).map(|(tap, phasors)| {
            tap.times(Complex { re: phasors.re[lane], im: phasors.im[lane] })
        });
        products.fold(Complex::ZERO, Complex::plus)
    }

    /// Returns the power gains by part, for at least `parts`.
    #[inline]
    pub(super) fn gains(
        &mut self,
        line: &DelayLine,
        antennas: Antennas,
        parts: impl Iterator<Item = usize>,
    ) -> &[f64] {
        let place = self.place;
        let wanted = parts.fold(0, |strips, part| strips | 1_u32 << (part / LANES));
        let mut missing = wanted & !self.kept[place].strips;
        self.kept[place].strips |= wanted;
        while missing != 0 {
            let strip = missing.trailing_zeros() as usize;
            let gains = self.powers(line, strip).map(|power| antennas.shared(power));
            self.gains[(place * line.strips + strip) * LANES..][..LANES].copy_from_slice(&gains);
            missing &= missing - 1;
        }
        &self.gains[place * line.strips * LANES..][..line.strips * LANES]
    }

    /// Returns the power in each part of a strip, summed over branches.
    fn powers(&self, line: &DelayLine, strip: usize) -> [f64; LANES] {
        let phasors = &line.phasors[strip * line.taps..][..line.taps];
        let mut powers = [0.0; LANES];
        let mut taps = self.current_taps();
        while let Some((branch, rest)) = taps.split_at_checked(line.taps) {
            let responses = (branch.iter().zip(phasors))
                .fold(Lanes::default(), |sum, (tap, phasors)| sum.plus_product(*tap, phasors));
            for (lane, power) in powers.iter_mut().enumerate() {
                let (re, im) = (responses.re[lane], responses.im[lane]);
                *power += re * re + im * im;
            }
            taps = rest;
        }
        powers
    }

    fn current_taps(&self) -> &[Complex] {
        let taps = self.taps.len() / UPDATES;
        &self.taps[self.place * taps..][..taps]
    }
}

/// `M`: number of waves of one tap.
const WAVES: usize = 10;
/// Number of parts whose gains are computed in parallel.
const LANES: usize = 4;
/// Number of updates kept. A report is known about ten TTIs after its measurement, which are two
/// updates at walking speed.
const UPDATES: usize = 4;
const LONGEST_UPDATE: Duration = Duration::from_millis(5);
