//! The effective SINR: one SINR that represents those of many resource blocks.
//!
//! In: the SINRs of the resource blocks of an allocation. Out: the SINR of a flat channel with the
//! same block error probability.
//!
//! Left out: a fitted calibration factor (β = 1). Mutual information needs none within the accuracy
//! of the block error model.

use super::information;
use super::modulation::Modulation;
use super::sinr::Sinr;

/// Returns the SINR that carries the mean mutual information of equal shares at `sinrs` (MIESM,
/// Brueninghaus et al. 2005), or the smallest such SINR where more would not increase it. Returns
/// zero if there are none.
pub fn effective(modulation: Modulation, sinrs: impl IntoIterator<Item = Sinr>) -> Sinr {
    let mut sinrs = sinrs.into_iter();
    let Some(first) = sinrs.next() else {
        return Sinr::ZERO;
    };
    let mut last = (first, information::per_bit(modulation, first));
    let mut count = 1.0;
    let mut sum = last.1;
    let mut flat = true;
    for sinr in sinrs {
        // Neighbours in the band often have the same SINR.
        if sinr != last.0 {
            last = (sinr, information::per_bit(modulation, sinr));
        }
        count += 1.0;
        sum += last.1;
        flat &= sinr == first;
    }
    // A flat channel does not need the table.
    if flat { first } else { information::inverse(modulation, sum / count) }
}

/// Returns the SINR of each SC-FDMA symbol after an MMSE equaliser, which spreads every symbol over
/// all subcarriers of the allocation. Returns zero if there are none.
pub fn mmse_fde(sinrs: impl IntoIterator<Item = Sinr>) -> Sinr {
    let mut count = 0.0;
    let mut sum = 0.0;
    let mut highest = 0.0_f64;
    for sinr in sinrs.into_iter().map(Sinr::linear) {
        count += 1.0;
        // The remaining share of noise: 1 − γ/(1 + γ), without cancellation at a high SINR.
        sum += 1.0 / (1.0 + sinr);
        highest = highest.max(sinr);
    }
    if count > 0.0 {
        Sinr::from_linear((count / sum - 1.0).clamp(0.0, highest))
    } else {
        Sinr::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::Decibel;

    fn db(value: f64) -> Sinr {
        Decibel(value).into()
    }

    #[test]
    fn a_flat_channel_is_its_own_effective_sinr() {
        for value in [-12.0, 0.0, 17.3, 50.0] {
            assert_eq!(effective(Modulation::Qam16, [db(value); 7]), db(value));
        }
        assert_eq!(effective(Modulation::Qam16, []), Sinr::ZERO);
    }

    #[test]
    fn a_faded_half_costs_more_than_the_mean_in_decibels() {
        let half_faded = [db(20.0), db(10.0)];
        let effective = Decibel::from(effective(Modulation::Qam64, half_faded)).0;
        assert!(effective > 10.0 && effective < 15.0, "{effective} dB");
    }

    /// Information is nearly linear in the SNR far below 0 dB: there the effective SINR is the
    /// mean.
    #[test]
    fn far_below_noise_the_effective_sinr_is_the_mean() {
        let mean = effective(Modulation::Qpsk, [Sinr::from_linear(0.02), Sinr::from_linear(0.06)])
            .linear();
        assert!((mean - 0.04).abs() < 0.001, "{mean}");
    }

    #[test]
    fn the_equaliser_leaves_a_flat_channel_alone_and_gives_the_harmonic_mean_at_high_sinr() {
        assert!((mmse_fde([Sinr::from_linear(7.0); 12]).linear() - 7.0).abs() < 1e-12);
        let harmonic = 2.0 / (1.0 / 1001.0 + 1.0 / 4001.0) - 1.0;
        assert!(
            (mmse_fde([Sinr::from_linear(1000.0), Sinr::from_linear(4000.0)]).linear() - harmonic)
                .abs()
                < 1e-9
        );
    }
}
