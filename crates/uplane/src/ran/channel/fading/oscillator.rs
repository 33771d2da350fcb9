//! A sinusoid that can be read at any tick of its clock, without stepping.
//!
//! In: a frequency in turns per tick, a phase. Out: its complex value at tick n.
//!
//! Angles are whole numbers of 2⁻⁶⁴ turns, so they wrap as integers do, and tick 10⁹ is as exact as
//! tick 0. A value is the nearest of 256 points on the circle, rotated by the rest with a
//! second-order series: the error is at most 3·10⁻⁷, without a call of a sine.

use std::sync::OnceLock;

use super::complex::Complex;
use crate::unit::math;

/// One sinusoid: its phase and frequency.
#[derive(Clone, Copy, Debug)]
pub(super) struct Oscillator {
    /// Phase at tick 0, in 2⁻⁶⁴ turns.
    phase: u64,
    /// Frequency, in 2⁻⁶⁴ turns per tick.
    step: u64,
}

/// 256 points on the unit circle.
pub(super) type Circle = [Point; 1 << POINT_BITS];

/// A point on the unit circle, and the point a quarter of a turn further, as (re, im).
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct Point {
    here: [f64; 2],
    quarter_on: [f64; 2],
}

impl Oscillator {
    /// Creates a sinusoid with this frequency in turns per tick, and phase in turns.
    pub(super) fn new(frequency: f64, phase: f64) -> Self {
        Self { phase: turns(phase), step: turns(frequency) }
    }

    /// Returns the angle at this tick, in 2⁻⁶⁴ turns.
    #[inline]
    const fn at(self, tick: u64) -> u64 {
        self.phase.wrapping_add(self.step.wrapping_mul(tick))
    }
}

/// Returns the sum of some sinusoids at this tick.
#[inline]
pub(super) fn sum<const N: usize>(
    oscillators: &[Oscillator; N],
    tick: u64,
    circle: &Circle,
) -> Complex {
    let angles = oscillators.map(|oscillator| oscillator.at(tick));
    // The rest is at most half a point to either side; here the bits of the point are shifted out.
    let turns = angles.map(|angle| (angle << POINT_BITS).cast_signed() as f64 * TURN_OF_REST);
    let cosines = turns.map(|turn| 1.0 - 0.5 * turn * turn);
    let mut sum = [0.0; 2];
    for (angle, (turn, cosine)) in angles.into_iter().zip(turns.into_iter().zip(cosines)) {
        let nearest = angle.wrapping_add(1 << (REST_BITS - 1)) >> REST_BITS;
        let Point { here, quarter_on } = &circle[nearest as usize];
        sum = [0, 1].map(|part| sum[part] + (here[part] * cosine + quarter_on[part] * turn));
    }
    let [re, im] = sum;
    Complex { re, im }
}

/// Returns the points that all oscillators share.
pub(super) fn circle() -> &'static Circle {
    static CIRCLE: OnceLock<Circle> = OnceLock::new();
    CIRCLE.get_or_init(|| {
        std::array::from_fn(|point| {
            let angle = point as f64 * (std::f64::consts::TAU / f64::from(1 << POINT_BITS));
            let (re, im) = (math::cos(angle), math::sin(angle));
            Point { here: [re, im], quarter_on: [-im, re] }
        })
    })
}

/// Returns the fractional part of `value`, in 2⁻⁶⁴ turns.
fn turns(value: f64) -> u64 {
    ((value - value.floor()) * TURN) as u64
}

const POINT_BITS: u32 = 8;
const REST_BITS: u32 = u64::BITS - POINT_BITS;
/// Factor from the rest of an angle to radians.
const TURN_OF_REST: f64 = std::f64::consts::TAU / (TURN * (1 << POINT_BITS) as f64);
/// One turn in units of 2⁻⁶⁴ turns: 2⁶⁴.
const TURN: f64 = 18_446_744_073_709_551_616.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_of_sine_and_cosine() {
        for number in 0..5000_u32 {
            let (frequency, phase) = (-0.013, f64::from(number) / 5000.0);
            let value = sum(&[Oscillator::new(frequency, phase)], u64::from(number), circle());
            let angle = std::f64::consts::TAU * (phase + frequency * f64::from(number));
            assert!((value.re - math::cos(angle)).abs() < 4e-7);
            assert!((value.im - math::sin(angle)).abs() < 4e-7);
        }
    }

    /// A hundred years in ticks of a microsecond.
    #[test]
    fn late_ticks_are_as_exact_as_early_ones() {
        let tick = 3_155_760_000_000_000;
        let value = sum(&[Oscillator::new(0.125, 0.25)], tick * 8 + 3, circle());
        assert!((value.re - math::cos(std::f64::consts::TAU * 0.625)).abs() < 1e-9);
    }
}
