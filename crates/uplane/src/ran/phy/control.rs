//! Downlink control messages: the number of elements that carry one, and the probability that it is
//! missed (TS 36.211 §6.8, TS 38.211 §7.3.2).
//!
//! In: a message and the SINR of its UE. Out: control channel elements (CCEs), aggregation levels,
//! error probabilities.
//!
//! Left out: false alarms (2⁻¹⁶), and the positions at which a UE looks for its messages (TS 36.213
//! §9.1.1). [`crate::ran::mac::control_channel`] has these: the candidates of a search space of NR,
//! or else a limit of 80 % of the CCEs, below which collisions are rare.

use super::block_error;
use super::code_block::{ChannelCode, CodeBlocks};
use super::modulation::Modulation;
use super::receiver::Receiver;
use super::sinr::Sinr;
use crate::unit::Probability;

/// Aggregation level: number of CCEs that carry one message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Aggregation {
    /// Aggregation level of 1 CCE.
    One,
    /// Aggregation level of 2 CCEs.
    Two,
    /// Aggregation level of 4 CCEs.
    Four,
    /// Aggregation level of 8 CCEs.
    Eight,
    /// Aggregation level of 16 CCEs, only in NR.
    Sixteen,
}

/// A typical message of one generation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Message {
    /// Channel code of the message.
    pub(super) code: ChannelCode,
    /// Number of bits of the message, CRC included.
    pub(super) bits: u32,
    /// Number of coded bits of a CCE.
    pub(super) cce_bits: u32,
    /// The aggregation levels available.
    pub(super) levels: &'static [Aggregation],
}

impl Message {
    /// Formats 0 and 1A at 10 MHz with a CRC of 16 bits; a CCE has nine groups of four QPSK symbols
    /// (TS 36.212 §5.3.3.1, TS 36.211 §6.8.1).
    pub const LTE: Self = Self {
        code: ChannelCode::TailBiting,
        bits: 43,
        cce_bits: 72,
        levels: Aggregation::ALL.split_at(4).0,
    };
}

impl Aggregation {
    /// All levels, in ascending order.
    pub const ALL: [Self; 5] = [Self::One, Self::Two, Self::Four, Self::Eight, Self::Sixteen];

    /// Returns the number of CCEs of the level.
    pub const fn cces(self) -> u32 {
        1 << self as u32
    }

    /// Returns the smallest level at which a message is missed with a probability of at most
    /// `target`, or the highest level if none meets the target.
    pub fn smallest(
        message: &Message,
        sinr: Sinr,
        receiver: Receiver,
        target: Probability,
    ) -> Self {
        let suffices = |level: &&Self| level.miss(message, sinr, receiver) <= target;
        let highest = message.levels.last().expect("there are levels");
        *message.levels.iter().find(suffices).unwrap_or(highest)
    }

    /// Returns the highest level, up to this one, that fits into `cces` elements of a subframe, or
    /// the lowest level if none fits.
    pub fn within(self, cces: u32) -> Self {
        let fits = |level: &Self| *level <= self && level.cces() <= cces;
        Self::ALL.into_iter().rfind(fits).unwrap_or(Self::One)
    }

    /// Returns the probability that a UE misses a message.
    pub fn miss(self, message: &Message, sinr: Sinr, receiver: Receiver) -> Probability {
        let Message { code, bits, cce_bits, .. } = *message;
        let block = CodeBlocks::equal(code, 1, f64::from(bits));
        let coded_bits = cce_bits * self.cces();
        block_error::first_transmission(&block, Modulation::Qpsk, sinr, coded_bits, receiver)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::{Decibel, math};

    /// Returns the SNR in dB at which a message of 43 bits is missed once in a hundred times.
    fn threshold(level: Aggregation) -> f64 {
        threshold_of(level, &Message::LTE)
    }

    fn threshold_of(level: Aggregation, message: &Message) -> f64 {
        let (mut low, mut high) = (-20.0, 20.0);
        for _ in 0..40 {
            let middle = f64::midpoint(low, high);
            let missed = level.miss(message, Decibel(middle).into(), Receiver::Ideal).value();
            if missed > 0.01 { low = middle } else { high = middle }
        }
        high
    }

    /// Computed with an independent implementation of the formula, for a buffer of 3·43 bits.
    #[test]
    fn a_message_of_43_bits_has_its_one_percent_points() {
        for (level, expected) in Aggregation::ALL.into_iter().zip([5.37, 1.42, -1.63, -4.67]) {
            let threshold = threshold(level);
            assert!((threshold - expected).abs() < 0.05, "{level:?}: {threshold} dB");
        }
    }

    /// Beyond the mother code rate of 1/3, each doubling is a repetition.
    #[test]
    fn high_aggregation_levels_are_three_decibels_apart() {
        let gain = threshold(Aggregation::Four) - threshold(Aggregation::Eight);
        assert!((gain - 10.0 * math::log10(2.0)).abs() < 0.05, "{gain} dB");
    }

    /// TS 38.211 §7.3.2.1: 108 coded bits per CCE, 44 bits and a CRC of 24, 1 dB from the normal
    /// approximation. Computed with an independent implementation of the formula.
    #[test]
    fn a_message_of_nr_has_its_one_percent_points() {
        let (code, levels) = (ChannelCode::Polar, &Aggregation::ALL);
        let message = Message { code, bits: 44 + 24, cce_bits: 108, levels };
        let expected = [4.46, 0.15, -3.36, -6.63, -9.80];
        for (level, expected) in Aggregation::ALL.into_iter().zip(expected) {
            let threshold = threshold_of(level, &message);
            assert!((threshold - expected).abs() < 0.1, "{level:?}: {threshold} dB");
        }
    }

    #[test]
    fn the_smallest_sufficient_level_is_chosen() {
        let target = Probability::new(0.01).expect("a probability");
        let level =
            |db| Aggregation::smallest(&Message::LTE, Decibel(db).into(), Receiver::Ideal, target);
        assert_eq!(level(6.0), Aggregation::One);
        assert_eq!(level(2.0), Aggregation::Two);
        assert_eq!(level(0.0), Aggregation::Four);
        assert_eq!(level(-3.0), Aggregation::Eight);
        assert_eq!(level(-15.0), Aggregation::Eight);
    }
}
