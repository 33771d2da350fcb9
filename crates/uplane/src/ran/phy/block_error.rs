//! The probability that a block does not decode, from the information that reached the decoder.
//!
//! In: mutual information and dispersion of the coded bits. Out: block error probabilities by the
//! normal approximation of finite block lengths (Polyanskiy, Poor, Verdú 2010): `P = Q((Σ N·I − K +
//! ½·log2 N) / √(Σ N·V))`.
//!
//! Left out: error floors of turbo codes below 10⁻⁵, and undetected errors. This matters only for a
//! link without HARQ and RLC that runs for hours.

use super::code_block::CodeBlocks;
use super::information;
use super::modulation::Modulation;
use super::receiver::Receiver;
use super::sinr::Sinr;
use crate::unit::{Probability, math};

/// The received input of the decoder of one code block.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Evidence {
    /// `N_d`: number of distinct coded bits.
    distinct_bits: f64,
    /// `Σ N·I`: mutual information in bits.
    information: f64,
    /// `Σ N·V`: variance of the information density.
    variance: f64,
}

impl Evidence {
    /// Adds `bits` distinct coded bits that carry `information` each.
    pub(super) fn add(&mut self, bits: f64, modulation: Modulation, information: f64) {
        self.add_spoilt(bits, modulation, information, 1.0);
    }

    /// Adds `bits` distinct coded bits of which some are noise: they have the share `gain` of the
    /// information that they would carry.
    pub(super) fn add_spoilt(
        &mut self,
        bits: f64,
        modulation: Modulation,
        information: f64,
        gain: f64,
    ) {
        self.distinct_bits += bits;
        self.information += bits * information * gain;
        self.variance += bits * information::dispersion(modulation, information);
    }

    /// Returns the probability that one of `blocks` is lost with this input.
    pub(super) fn code_block_error(&self, blocks: &CodeBlocks) -> f64 {
        let surplus =
            self.information - blocks.bits() + 0.5 * math::log2(self.distinct_bits.max(1.0));
        0.5 * math::erfc(surplus / (2.0 * self.variance).sqrt())
    }
}

/// Returns the probability that a single transmission of `blocks` on `coded_bits` bits fails, with
/// no earlier one in the soft buffer.
pub fn first_transmission(
    blocks: &CodeBlocks,
    modulation: Modulation,
    sinr: Sinr,
    coded_bits: u32,
    receiver: Receiver,
) -> Probability {
    let sent = f64::from(coded_bits) / f64::from(blocks.count());
    let one = first_of_code_block(blocks, modulation, sinr, sent, receiver);
    probability(any_of(blocks.count(), one))
}

/// Returns the probability that one of `blocks` fails, which has `sent` coded bits of the
/// transmission, with no earlier one in the soft buffer.
pub(super) fn first_of_code_block(
    blocks: &CodeBlocks,
    modulation: Modulation,
    sinr: Sinr,
    sent: f64,
    receiver: Receiver,
) -> f64 {
    let buffer = blocks.buffer_bits();
    let code_rate = blocks.bits() / sent.min(buffer);
    let sinr = receiver.after_gap(sinr, blocks.code(), modulation, code_rate, blocks.bits());
    let mut evidence = Evidence::default();
    if sent <= buffer {
        evidence.add(sent, modulation, information::per_bit(modulation, sinr));
    } else {
        // Beyond the end of the circular buffer, its start is repeated.
        let turns = (sent / buffer).floor();
        let further = sent - turns * buffer;
        evidence.add(further, modulation, repeated(modulation, sinr, turns + 1.0));
        evidence.add(buffer - further, modulation, repeated(modulation, sinr, turns));
    }
    evidence.code_block_error(blocks)
}

/// Returns the SNR of a QPSK symbol whose bits carry as much as those of `modulation` at `sinr`,
/// which is `information`. Bits that are received repeatedly add up in this SNR, as Gaussian
/// log-likelihood ratios do.
pub(super) fn qpsk_equivalent(modulation: Modulation, information: f64, sinr: Sinr) -> f64 {
    match modulation {
        Modulation::Qpsk => sinr.linear(),
        Modulation::Qam16 | Modulation::Qam64 | Modulation::Qam256 | Modulation::Qam1024 => {
            information::inverse(Modulation::Qpsk, information).linear()
        }
    }
}

/// Returns the information of a bit whose repetitions add up to this SNR of QPSK.
pub(super) fn combined(qpsk_equivalent: f64) -> f64 {
    information::per_bit(Modulation::Qpsk, Sinr::from_linear(qpsk_equivalent))
}

/// Returns `error` as a probability; rounding may have raised it above one.
pub(super) fn probability(error: f64) -> Probability {
    Probability::new(error.min(1.0)).expect("a block error is not negative")
}

fn repeated(modulation: Modulation, sinr: Sinr, times: f64) -> f64 {
    let information = information::per_bit(modulation, sinr);
    if times <= 1.0 {
        information
    } else {
        combined(times * qpsk_equivalent(modulation, information, sinr))
    }
}

/// Returns `1 − (1 − one)^count` without cancellation.
pub(super) fn any_of(count: u32, one: f64) -> f64 {
    let mut error = one;
    for _ in 1..count {
        error += (1.0 - error) * one;
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ran::phy::{TransportBlockSize, lte};
    use crate::unit::Decibel;

    fn error(bits: u32, coded_bits: u32, modulation: Modulation, db: f64) -> f64 {
        let blocks = lte::code_blocks(TransportBlockSize::from_bits(bits).expect("whole bytes"));
        first_transmission(&blocks, modulation, Decibel(db).into(), coded_bits, Receiver::Ideal)
            .value()
    }

    #[test]
    fn the_error_falls_from_one_to_zero_with_the_sinr() {
        let curve: Vec<f64> = (-100..300)
            .map(|tenth| error(5736, 12_000, Modulation::Qam16, f64::from(tenth) / 10.0))
            .collect();
        assert!(curve.is_sorted_by(|low, high| low >= high));
        assert!(curve[0] > 1.0 - 1e-12 && curve[399] < 1e-12);
    }

    /// Every code block must decode: at the 10 % point of one block, `C` blocks fail with 1 −
    /// 0.9^C.
    #[test]
    fn blocks_of_a_transport_block_fail_independently() {
        for (count, expected) in [(1, 0.1), (2, 0.19), (13, 1.0 - 0.9_f64 * 0.282_429_536_481)] {
            assert!((any_of(count, 0.1) - expected).abs() < 1e-12, "{count}");
        }
        assert!((any_of(13, 1e-20) - 13e-20).abs() < 1e-30);
    }

    /// Twice the bits at half the rate are a repetition of the whole buffer: 3 dB.
    #[test]
    fn repetition_below_the_mother_code_rate_gains_three_decibels() {
        let buffer = 3 * (1000 + 24) + 12;
        for db in [-4.0, -3.7, -3.4] {
            let once = error(1000, buffer, Modulation::Qpsk, db);
            let twice = error(1000, 2 * buffer, Modulation::Qpsk, db - 10.0 * math::log10(2.0));
            assert!((once - twice).abs() < 1e-3, "{once} {twice}");
        }
    }

    #[test]
    fn without_a_signal_nothing_decodes() {
        let blocks = CodeBlocks::control(43);
        for receiver in [Receiver::Ideal, Receiver::Practical] {
            let error = first_transmission(&blocks, Modulation::Qpsk, Sinr::ZERO, 72, receiver);
            assert!(error.value() > 0.999);
        }
    }
}
