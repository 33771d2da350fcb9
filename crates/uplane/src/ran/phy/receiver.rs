//! How much SINR a real receiver needs beyond the theory of finite block lengths.
//!
//! In: code, modulation, effective code rate. Out: the SINR that an ideal decoder would need for the
//! same result.
//!
//! Left out: a receiver that differs by vendor or speed. Who measures a UE near its limits can tell:
//! conformance tests allow it 2 to 2.5 dB.

use super::code_block::ChannelCode;
use super::modulation::Modulation;
use super::sinr::Sinr;
use crate::unit::math;

/// A class of receivers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Receiver {
    /// Knows the channel and decodes as link-level simulators do. Gaps are fitted to published curves
    /// (`awgn_bler_reference.csv`).
    #[default]
    Ideal,
    /// Estimates the channel from reference signals, and loses 2 dB more in its implementation; like
    /// measured software radios.
    Practical,
}

impl Receiver {
    /// What an ideal decoder at the Gaussian limit would see in place of `sinr`.
    pub(super) fn after_gap(
        self,
        sinr: Sinr,
        code: ChannelCode,
        modulation: Modulation,
        code_rate: f64,
    ) -> Sinr {
        let gap = decoder_gap_db(code, modulation, code_rate);
        let linear = sinr.linear();
        Sinr::from_linear(match self {
            Self::Ideal => linear * math::db_to_linear(-gap),
            Self::Practical => {
                let pilots = linear * PILOT_GAIN;
                let estimated = linear * pilots / (1.0 + linear + pilots);
                estimated * math::db_to_linear(-gap - IMPLEMENTATION_DB)
            }
        })
    }
}

/// The distance of a decoder to the normal approximation in dB. Constants are fits to the IMTAphy,
/// Vienna and Sionna rows of `awgn_bler_reference.csv`.
fn decoder_gap_db(code: ChannelCode, modulation: Modulation, code_rate: f64) -> f64 {
    match (code, modulation) {
        (ChannelCode::LdpcGraph1 | ChannelCode::LdpcGraph2, _) => 0.75,
        (ChannelCode::TailBiting, _) => 2.0,
        (ChannelCode::Turbo, Modulation::Qpsk) => 1.10,
        (ChannelCode::Turbo, Modulation::Qam16) => 1.38,
        (ChannelCode::Turbo, Modulation::Qam64) => ramp(code_rate, (0.65, 1.70), (0.85, 1.15)),
        (ChannelCode::Turbo, Modulation::Qam256) => ramp(code_rate, (0.70, 1.40), (0.86, 1.12)),
        (ChannelCode::Turbo, Modulation::Qam1024) => 1.15,
    }
}

/// The line from one point to the other, and constant outside.
fn ramp(x: f64, (from, start): (f64, f64), (to, end): (f64, f64)) -> f64 {
    start + (end - start) * ((x - from) / (to - from)).clamp(0.0, 1.0)
}

/// Processing gain of channel estimation over the reference signals around a resource element: 9 dB.
const PILOT_GAIN: f64 = 8.0;
/// Implementation loss of [`Receiver::Practical`].
const IMPLEMENTATION_DB: f64 = 2.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::Decibel;

    fn loss_db(receiver: Receiver, sinr_db: f64, modulation: Modulation, code_rate: f64) -> f64 {
        let sinr = Sinr::from(Decibel(sinr_db));
        let after = receiver.after_gap(sinr, ChannelCode::Turbo, modulation, code_rate);
        sinr_db - Decibel::from(after).0
    }

    #[test]
    fn the_gap_of_64qam_shrinks_with_the_code_rate() {
        for (code_rate, gap) in [(0.4, 1.70), (0.75, 1.425), (0.95, 1.15)] {
            let loss = loss_db(Receiver::Ideal, 12.0, Modulation::Qam64, code_rate);
            assert!((loss - gap).abs() < 1e-9, "{code_rate}: {loss} dB");
        }
    }

    /// OpenAirInterface's link-level campaign: 3.3 to 3.8 dB in all from MCS 8 up, 5.1 dB at MCS 0. A
    /// channel is harder to estimate in noise.
    #[test]
    fn a_practical_receiver_loses_most_at_low_sinr() {
        let high = loss_db(Receiver::Practical, 8.0, Modulation::Qam16, 0.6);
        let low = loss_db(Receiver::Practical, -3.0, Modulation::Qpsk, 0.15);
        assert!(high > 3.3 && high < 4.2, "{high} dB");
        assert!(low > 4.0 && low < 5.6, "{low} dB");
    }
}
