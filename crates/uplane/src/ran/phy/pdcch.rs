//! The downlink control channel: how many messages fit, and how likely one is missed (TS 36.211 §6.8).
//!
//! In: bandwidth, control symbols, ports; a message and the SINR of its UE. Out: control channel elements
//! (CCEs), aggregation levels, error probabilities.
//!
//! Left out: search spaces, in which a UE looks for its messages at a few places only (TS 36.213
//! §9.1.1). A scheduler that fills more than about 80 % of the CCEs could tell. False alarms (2⁻¹⁶).

use super::block_error;
use super::code_block::CodeBlocks;
use super::modulation::Modulation;
use super::numerology::{AntennaPorts, Bandwidth, Cfi};
use super::receiver::Receiver;
use super::sinr::Sinr;
use crate::unit::Probability;

/// How many CCEs carry one message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Aggregation {
    /// 1
    One,
    /// 2
    Two,
    /// 4
    Four,
    /// 8
    Eight,
}

impl Aggregation {
    /// All of them, in ascending order.
    pub const ALL: [Self; 4] = [Self::One, Self::Two, Self::Four, Self::Eight];

    /// CCEs that it takes.
    pub const fn cces(self) -> u32 {
        1 << self as u32
    }

    /// The smallest level at which a message of `bits` bits (CRC included) is missed with a
    /// probability of at most `target`; the highest when none does.
    pub fn smallest(bits: u32, sinr: Sinr, receiver: Receiver, target: Probability) -> Self {
        let suffices = |level: &Self| level.miss(bits, sinr, receiver) <= target;
        Self::ALL.into_iter().find(suffices).unwrap_or(Self::Eight)
    }

    /// The highest level up to this one that a subframe with so many elements has room for; the lowest where it has for none.
    pub fn within(self, cces: u32) -> Self {
        let fits = |level: &Self| *level <= self && level.cces() <= cces;
        Self::ALL.into_iter().rfind(fits).unwrap_or(Self::One)
    }

    /// The probability that a UE misses a message of `bits` bits, CRC included.
    pub fn miss(self, bits: u32, sinr: Sinr, receiver: Receiver) -> Probability {
        let message = CodeBlocks::control(bits);
        let coded_bits = CCE_BITS * self.cces();
        block_error::first_transmission(&message, Modulation::Qpsk, sinr, coded_bits, receiver)
    }
}

/// `N_CCE`: control channel elements of one subframe (TS 36.211 §6.8.1).
pub const fn cces(bandwidth: Bandwidth, cfi: Cfi, ports: AntennaPorts) -> u32 {
    let prbs = bandwidth.prbs();
    let symbols = bandwidth.control_symbols(cfi);
    // Reference signals of ports 0 and 1 take a third of symbol 0, those of ports 2 and 3 of symbol 1
    // (TS 36.211 §6.2.4).
    let with_references = if matches!(ports, AntennaPorts::Four) && symbols > 1 { 2 } else { 1 };
    let groups = 2 * prbs * with_references + 3 * prbs * (symbols - with_references);
    (groups - FORMAT_INDICATOR - ACK_INDICATORS * ack_groups(prbs)) / GROUPS_PER_CCE
}

/// PHICH groups `⌈N_g·N_RB/8⌉` with `N_g` = 1/6 (TS 36.211 §6.9).
const fn ack_groups(prbs: u32) -> u32 {
    prbs.div_ceil(48)
}

/// Coded bits of a CCE: nine groups of four QPSK symbols.
const CCE_BITS: u32 = 72;
/// Resource element groups of a CCE (TS 36.211 §6.8.1).
const GROUPS_PER_CCE: u32 = 9;
/// Resource element groups of the PCFICH (TS 36.211 §6.7.4).
const FORMAT_INDICATOR: u32 = 4;
/// Resource element groups of a PHICH group (TS 36.211 §6.9.3).
const ACK_INDICATORS: u32 = 3;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::{Decibel, math};

    fn check(bandwidth: Bandwidth, by_cfi: [u32; 3]) {
        for (cfi, expected) in [Cfi::One, Cfi::Two, Cfi::Three].into_iter().zip(by_cfi) {
            assert_eq!(cces(bandwidth, cfi, AntennaPorts::Two), expected, "{bandwidth:?} {cfi:?}");
        }
    }

    /// TS 36.211 §6.8.1
    #[test]
    fn control_channel_elements_fill_the_control_region() {
        check(Bandwidth::Mhz1_4, [2, 4, 6]);
        check(Bandwidth::Mhz3, [2, 7, 12]);
        check(Bandwidth::Mhz5, [4, 13, 21]);
        check(Bandwidth::Mhz10, [10, 26, 43]);
        check(Bandwidth::Mhz15, [15, 40, 65]);
        check(Bandwidth::Mhz20, [20, 54, 87]);
    }

    #[test]
    fn two_more_ports_take_a_third_of_the_second_symbol() {
        assert_eq!(cces(Bandwidth::Mhz20, Cfi::One, AntennaPorts::Four), 20);
        assert_eq!(cces(Bandwidth::Mhz20, Cfi::Two, AntennaPorts::Four), (400 - 4 - 9) / 9);
    }

    /// The SNR in dB at which a message of 43 bits is missed once in a hundred times.
    fn threshold(level: Aggregation) -> f64 {
        let (mut low, mut high) = (-20.0, 20.0);
        for _ in 0..40 {
            let middle = f64::midpoint(low, high);
            let missed = level.miss(43, Decibel(middle).into(), Receiver::Ideal).value();
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

    /// Beyond the mother code rate of 1/3 every doubling is a repetition.
    #[test]
    fn high_aggregation_levels_are_three_decibels_apart() {
        let gain = threshold(Aggregation::Four) - threshold(Aggregation::Eight);
        assert!((gain - 10.0 * math::log10(2.0)).abs() < 0.05, "{gain} dB");
    }

    #[test]
    fn the_smallest_sufficient_level_is_chosen() {
        let target = Probability::new(0.01).expect("a probability");
        let level = |db| Aggregation::smallest(43, Decibel(db).into(), Receiver::Ideal, target);
        assert_eq!(level(6.0), Aggregation::One);
        assert_eq!(level(2.0), Aggregation::Two);
        assert_eq!(level(0.0), Aggregation::Four);
        assert_eq!(level(-3.0), Aggregation::Eight);
        assert_eq!(level(-15.0), Aggregation::Eight);
    }
}
