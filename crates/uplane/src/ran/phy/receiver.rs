//! The additional SINR that a real receiver needs, compared with the theory of finite block
//! lengths.
//!
//! In: code, modulation, effective code rate. Out: the SINR that an ideal decoder would need for
//! the same result.
//!
//! Left out: receivers that differ by vendor or speed. This matters for measurements of a UE near
//! its limits: conformance tests allow it 2 to 2.5 dB.

use super::code_block::ChannelCode;
use super::modulation::Modulation;
use super::sinr::Sinr;
use crate::unit::math;

/// A class of receivers, by its losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Receiver {
    /// A receiver that knows the channel and decodes as link-level simulators do. Gaps are fitted
    /// to published curves (`awgn_bler_reference.csv`).
    #[default]
    Ideal,
    /// A receiver that estimates the channel from reference signals, and loses another 2 dB in its
    /// implementation, like measured software radios.
    Practical,
}

impl Receiver {
    /// Returns the SINR at which an ideal decoder at the limit of finite block lengths has the same
    /// result as this receiver at `sinr`.
    pub(super) fn after_gap(
        self,
        sinr: Sinr,
        code: ChannelCode,
        modulation: Modulation,
        code_rate: f64,
        bits: f64,
    ) -> Sinr {
        let decoder = decoder_loss(code, modulation, code_rate, bits);
        let linear = sinr.linear();
        Sinr::from_linear(match self {
            Self::Ideal => linear * decoder,
            Self::Practical => {
                let pilots = linear * PILOT_GAIN;
                let estimated = linear * pilots / (1.0 + linear + pilots);
                estimated * decoder * IMPLEMENTATION.factor
            }
        })
    }
}

/// Returns the distance of a decoder to the normal approximation, as a factor. Constants are fits
/// to the IMTAphy and Vienna rows of `awgn_bler_reference.csv`; that of LDPC codes, which shrinks
/// with the bits of a code block, is a fit to 28 simulated points (`nr_bler_own.csv`).
fn decoder_loss(code: ChannelCode, modulation: Modulation, code_rate: f64, bits: f64) -> f64 {
    match (code, modulation) {
        (ChannelCode::LdpcGraph1 | ChannelCode::LdpcGraph2, _) => {
            math::db_to_linear(-(0.50 + 5.0 / bits.sqrt()))
        }
        (ChannelCode::Polar, _) => POLAR.factor,
        (ChannelCode::TailBiting, _) => TAIL_BITING.factor,
        (ChannelCode::Turbo, Modulation::Qpsk) => QPSK.factor,
        (ChannelCode::Turbo, Modulation::Qam16) => QAM16.factor,
        (ChannelCode::Turbo, Modulation::Qam64) => ramp(code_rate, QAM64),
        (ChannelCode::Turbo, Modulation::Qam256) => ramp(code_rate, QAM256),
        (ChannelCode::Turbo, Modulation::Qam1024) => QAM1024.factor,
    }
}

/// Interpolates linearly in dB between two code rates; constant outside.
fn ramp(code_rate: f64, [(low, below), (high, above)]: [(f64, Loss); 2]) -> f64 {
    if code_rate <= low {
        below.factor
    } else if code_rate >= high {
        above.factor
    } else {
        let share = (code_rate - low) / (high - low);
        math::db_to_linear(-below.decibels - share * (above.decibels - below.decibels))
    }
}

/// A loss in dB and as a factor: an exponential for each block would take a fifth of its computing
/// time.
#[derive(Clone, Copy)]
struct Loss {
    decibels: f64,
    factor: f64,
}

/// Processing gain of channel estimation over the reference signals around a resource element: 9
/// dB.
const PILOT_GAIN: f64 = 8.0;
/// Implementation loss of [`Receiver::Practical`].
const IMPLEMENTATION: Loss = Loss { decibels: 2.0, factor: 0.630_957_344_480_193_2 };
const POLAR: Loss = Loss { decibels: 1.0, factor: 0.794_328_234_724_281_5 };
const TAIL_BITING: Loss = Loss { decibels: 2.0, factor: 0.630_957_344_480_193_2 };
const QPSK: Loss = Loss { decibels: 1.10, factor: 0.776_247_116_628_691_7 };
const QAM16: Loss = Loss { decibels: 1.38, factor: 0.727_779_804_536_824_1 };
/// Decoder loss of 64QAM at two code rates.
const QAM64: [(f64, Loss); 2] = [
    (0.65, Loss { decibels: 1.70, factor: 0.676_082_975_391_981_8 }),
    (0.85, Loss { decibels: 1.15, factor: 0.767_361_489_361_818_9 }),
];
/// Decoder loss of 256QAM at two code rates.
const QAM256: [(f64, Loss); 2] = [
    (0.70, Loss { decibels: 1.40, factor: 0.724_435_960_074_990_1 }),
    (0.86, Loss { decibels: 1.12, factor: 0.772_680_585_095_702_3 }),
];
const QAM1024: Loss = Loss { decibels: 1.15, factor: 0.767_361_489_361_818_9 };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::Decibel;

    fn loss_db(receiver: Receiver, sinr_db: f64, modulation: Modulation, code_rate: f64) -> f64 {
        let sinr = Sinr::from(Decibel(sinr_db));
        let after = receiver.after_gap(sinr, ChannelCode::Turbo, modulation, code_rate, 6144.0);
        sinr_db - Decibel::from(after).0
    }

    #[test]
    fn factors_are_their_decibels() {
        let [(_, qam64_low), (_, qam64_high)] = QAM64;
        let [(_, qam256_low), (_, qam256_high)] = QAM256;
        for loss in [
            IMPLEMENTATION,
            POLAR,
            TAIL_BITING,
            QPSK,
            QAM16,
            qam64_low,
            qam64_high,
            qam256_low,
            qam256_high,
            QAM1024,
        ] {
            assert!((math::db_to_linear(-loss.decibels) - loss.factor).abs() < 1e-12);
        }
    }

    #[test]
    fn the_gap_of_ldpc_shrinks_with_the_bits() {
        for (bits, gap) in [(100.0, 1.0), (2500.0, 0.6), (10_000.0, 0.55)] {
            let sinr = Sinr::from(Decibel(5.0));
            let code = ChannelCode::LdpcGraph2;
            let after = Receiver::Ideal.after_gap(sinr, code, Modulation::Qpsk, 0.5, bits);
            assert!((5.0 - Decibel::from(after).0 - gap).abs() < 1e-9, "{bits} bits");
        }
    }

    #[test]
    fn the_gap_of_64qam_shrinks_with_the_code_rate() {
        for (code_rate, gap) in [(0.4, 1.70), (0.75, 1.425), (0.95, 1.15)] {
            let loss = loss_db(Receiver::Ideal, 12.0, Modulation::Qam64, code_rate);
            assert!((loss - gap).abs() < 1e-9, "{code_rate}: {loss} dB");
        }
    }

    /// OpenAirInterface's link-level campaign: 3.3 to 3.8 dB in total from MCS 8 up, 5.1 dB at MCS
    /// 0. A channel is harder to estimate in noise.
    #[test]
    fn a_practical_receiver_loses_most_at_low_sinr() {
        let high = loss_db(Receiver::Practical, 8.0, Modulation::Qam16, 0.6);
        let low = loss_db(Receiver::Practical, -3.0, Modulation::Qpsk, 0.15);
        assert!(high > 3.3 && high < 4.2, "{high} dB");
        assert!(low > 4.0 && low < 5.6, "{low} dB");
    }
}
