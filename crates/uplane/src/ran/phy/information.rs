//! Mutual information of bit-interleaved Gray QAM over Gaussian noise, and its dispersion.
//!
//! In: modulation and SINR per resource element. Out: mutual information per coded bit
//! `I_q(γ) = Σ w·J(c·√γ)` with `J(s) = (1 − 2^(−0.3073·s^1.787))^1.1064` (Brännström, Rasmussen,
//! Grant 2005), and the variance of the information density per bit.
//!
//! `I_q` is read from a table and interpolated. The table has 32 rows per factor of two, so that
//! the exponent and the five leading mantissa bits of a floating-point number *are* the row: no
//! logarithm. The weights `w`, `c` are in `information/tests.rs`, which recomputes the table.
//!
//! Left out: mutual information above 45 dB, where every bit arrives. The weights follow exact
//! values within 0.001 bit, which changes block error probabilities by no more than 0.02 dB does.

use super::modulation::Modulation;
use super::sinr::Sinr;

/// Returns the mutual information in bits per coded bit, in [0, 1].
#[inline]
pub fn per_bit(modulation: Modulation, sinr: Sinr) -> f64 {
    let table = &TABLE[modulation as usize];
    let sinr = sinr.linear();
    if sinr < LOWEST {
        // Linear in the SNR, like the exact function.
        return f64::from(table[0]) * (sinr / LOWEST);
    }
    let bits = sinr.to_bits();
    let row = ((bits >> STEP_BITS) - FIRST_STEP) as usize;
    if row >= ROWS - 1 {
        return f64::from(table[ROWS - 1]);
    }
    let fraction = (bits & ((1 << STEP_BITS) - 1)) as f64 / (1_u64 << STEP_BITS) as f64;
    let (low, high) = (f64::from(table[row]), f64::from(table[row + 1]));
    low + fraction * (high - low)
}

/// Returns the SINR at which `information` bits per coded bit arrive, or the smallest such SINR
/// where more would not increase it.
pub fn inverse(modulation: Modulation, information: f64) -> Sinr {
    let table = &TABLE[modulation as usize];
    let above = first_row_with(modulation, information);
    if above == 0 {
        return Sinr::from_linear(LOWEST * (information / f64::from(table[0])).max(0.0));
    }
    if above == ROWS {
        return Sinr::from_linear(sinr_of_row(ROWS - 1));
    }
    let (low, high) = (f64::from(table[above - 1]), f64::from(table[above]));
    let fraction = (information - low) / (high - low);
    let (from, to) = (sinr_of_row(above - 1), sinr_of_row(above));
    Sinr::from_linear(from + fraction * (to - from))
}

/// Returns the variance of the information density of one coded bit that carries `information`
/// bits: a fit to numerical integration with errors below 0.021.
pub fn dispersion(modulation: Modulation, information: f64) -> f64 {
    let [v0, v1, v2, v3] = DISPERSION[modulation as usize];
    let i = information;
    (i * (1.0 - i) * (v0 + i * (v1 + i * (v2 + i * v3)))).max(1e-6)
}

/// Returns the first row of a modulation with at least this information.
fn first_row_with(modulation: Modulation, information: f64) -> usize {
    let table = &TABLE[modulation as usize];
    let guide = &GUIDE[modulation as usize];
    let step = (information * GUIDE_STEPS as f64) as usize;
    let rows = if step < GUIDE_STEPS {
        usize::from(guide[step])..usize::from(guide[step + 1])
    } else {
        usize::from(guide[GUIDE_STEPS])..ROWS
    };
    rows.start + table[rows].partition_point(|&entry| f64::from(entry) < information)
}

fn sinr_of_row(row: usize) -> f64 {
    f64::from_bits((row as u64 + FIRST_STEP) << STEP_BITS)
}

/// Number of mantissa bits of `f64` inside a step of the table: 52 without the leading five.
const STEP_BITS: u64 = 52 - 5;
/// SNR of the first row: −27 dB.
const LOWEST: f64 = 1.0 / 512.0;
const FIRST_STEP: u64 = LOWEST.to_bits() >> STEP_BITS;
/// Number of rows: 24 factors of two, up to 45 dB.
const ROWS: usize = 24 * 32 + 1;

/// Mutual information by row and modulation.
#[expect(clippy::unreadable_literal, reason = "a table of decimals")]
static CELLS: [[f64; 5]; ROWS] = include!("../../../data/mutual_information.rs");

/// Mutual information by modulation and row.
static TABLE: [[f32; ROWS]; 5] = {
    let mut table = [[0.0; ROWS]; 5];
    let mut row = 0;
    while row < ROWS {
        let mut modulation = 0;
        while modulation < 5 {
            table[modulation][row] = CELLS[row][modulation] as f32;
            modulation += 1;
        }
        row += 1;
    }
    table
};

const GUIDE_STEPS: usize = 128;

/// First row with at least the information of a step, by modulation and step.
static GUIDE: [[u16; GUIDE_STEPS + 1]; 5] = {
    let mut guide = [[ROWS as u16; GUIDE_STEPS + 1]; 5];
    let mut modulation = 0;
    while modulation < 5 {
        let (mut step, mut row) = (0, 0);
        while row < ROWS {
            while step <= GUIDE_STEPS
                && TABLE[modulation][row] as f64 >= step as f64 / GUIDE_STEPS as f64
            {
                guide[modulation][step] = row as u16;
                step += 1;
            }
            row += 1;
        }
        modulation += 1;
    }
    guide
};

/// `V = I(1 − I)(v0 + v1·I + v2·I² + v3·I³)`.
const DISPERSION: [[f64; 4]; 5] = [
    [2.849, -0.591, 0.023, 0.598],
    [2.988, -0.930, -3.848, 4.861],
    [2.888, -2.591, -0.972, 3.449],
    [2.894, -5.422, 5.227, -0.321],
    [2.832, -7.140, 9.003, -2.585],
];

#[cfg(test)]
mod tests;
