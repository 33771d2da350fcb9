use super::*;
use crate::unit::{Decibel, math};

/// `(w, c)` of `I_q(γ) = Σ w·J(c·√γ)`, fitted to 96-point Gauss–Hermite integration from −20 to 42
/// dB.
const MIXTURES: [&[(f64, f64)]; 5] = [
    &[(1.0, 2.0)],
    &[(0.2695, 1.9864), (0.7305, 0.8870)],
    &[(0.1207, 2.2495), (0.3030, 1.0414), (0.5763, 0.4348)],
    &[(0.0859, 2.2460), (0.1673, 1.1958), (0.2811, 0.5317), (0.4657, 0.2165)],
    &[(0.0718, 2.2232), (0.1218, 1.1925), (0.1732, 0.6182), (0.2474, 0.2682), (0.3858, 0.1082)],
];

/// Returns the mutual information of a Gaussian log-likelihood ratio (Brännström et al. 2005, eq.
/// (3)).
fn j(deviation: f64) -> f64 {
    let (h1, h2, h3) = (0.3073, 0.8935, 1.1064);
    math::pow(1.0 - math::exp2(-h1 * math::pow(deviation, 2.0 * h2)), h3)
}

fn formula(modulation: Modulation, sinr: f64) -> f64 {
    MIXTURES[modulation as usize].iter().map(|(w, c)| w * j(c * sinr.sqrt())).sum()
}

fn at(modulation: Modulation, db: f64) -> f64 {
    per_bit(modulation, Decibel(db).into())
}

#[test]
fn every_row_of_the_table_is_the_formula() {
    for (row, cells) in CELLS.iter().enumerate() {
        for modulation in Modulation::ALL {
            let (stored, sinr) = (cells[modulation as usize], sinr_of_row(row));
            assert!((stored - formula(modulation, sinr)).abs() < 1e-9, "{modulation:?} at {sinr}");
        }
    }
}

/// The tolerance is a tenth of the error of the fit to exact values.
#[test]
fn between_rows_the_table_is_close_to_the_formula() {
    for modulation in Modulation::ALL {
        for step in -3000..=4500 {
            let sinr = Sinr::from(Decibel(f64::from(step) / 100.0));
            let error = per_bit(modulation, sinr) - formula(modulation, sinr.linear());
            assert!(
                error.abs() < 1e-4,
                "{modulation:?} at {} dB: {error}",
                f64::from(step) / 100.0
            );
        }
    }
}

/// Exact values by numerical integration: the fit is within 0.001.
#[test]
fn mutual_information_is_the_exact_value() {
    let at_0_db = [0.4860, 0.2249, 0.1406, 0.1036, 0.0825];
    let at_10_db = [0.9968, 0.7909, 0.5281, 0.3789, 0.2994];
    for modulation in Modulation::ALL {
        assert!((at(modulation, 0.0) - at_0_db[modulation as usize]).abs() < 0.001);
        assert!((at(modulation, 10.0) - at_10_db[modulation as usize]).abs() < 0.001);
    }
}

#[test]
fn the_inverse_gives_the_sinr_back() {
    for modulation in Modulation::ALL {
        for db in [-35.0, -26.99, -20.0, -3.3, 0.0, 4.7, 8.0] {
            let back = Decibel::from(inverse(modulation, at(modulation, db))).0;
            assert!((back - db).abs() < 1e-4, "{modulation:?} {db} dB: {back}");
        }
    }
}

#[test]
fn all_bits_arrive_at_a_very_high_sinr_and_none_without_signal() {
    for modulation in Modulation::ALL {
        assert!((at(modulation, 70.0) - 1.0).abs() < 1e-6);
        assert!(per_bit(modulation, Sinr::ZERO).abs() < 1e-12);
        assert_eq!(inverse(modulation, 0.0), Sinr::ZERO);
    }
}

/// The fit can dip below zero next to one bit, where the exact variance vanishes.
#[test]
fn dispersion_is_never_zero() {
    for modulation in Modulation::ALL {
        for step in 0..=1000 {
            assert!(dispersion(modulation, f64::from(step) / 1000.0) >= 1e-6);
        }
    }
}

/// The short cut must not change the result.
#[test]
fn the_row_is_that_of_searching_all_rows() {
    for modulation in [
        Modulation::Qpsk,
        Modulation::Qam16,
        Modulation::Qam64,
        Modulation::Qam256,
        Modulation::Qam1024,
    ] {
        let table = &TABLE[modulation as usize];
        let rows = table.iter().map(|&entry| f64::from(entry));
        let around = rows.flat_map(|entry| [entry, entry.next_down(), entry.next_up()]);
        for information in around.chain([-1.0, 0.0, 0.5, 1.0, 2.0]) {
            let all = table.partition_point(|&entry| f64::from(entry) < information);
            assert_eq!(
                first_row_with(modulation, information),
                all,
                "{modulation:?} {information}"
            );
        }
    }
}
