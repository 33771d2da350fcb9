//! The downlink control channel of LTE: its capacity for messages (TS 36.211 §6.8).
//!
//! In: bandwidth, control symbols, ports. Out: control channel elements (CCEs) of a subframe.

use super::numerology::{AntennaPorts, Bandwidth, Cfi};

/// Returns `N_CCE`, the number of control channel elements of one subframe (TS 36.211 §6.8.1).
pub const fn cces(bandwidth: Bandwidth, cfi: Cfi, ports: AntennaPorts) -> u32 {
    let prbs = bandwidth.prbs();
    let symbols = bandwidth.control_symbols(cfi);
    // Reference signals of ports 0 and 1 take a third of symbol 0, those of ports 2 and 3 of symbol
    // 1 (TS 36.211 §6.2.4).
    let with_references = if matches!(ports, AntennaPorts::Four) && symbols > 1 { 2 } else { 1 };
    let groups = 2 * prbs * with_references + 3 * prbs * (symbols - with_references);
    (groups - FORMAT_INDICATOR - ACK_INDICATORS * ack_groups(prbs)) / GROUPS_PER_CCE
}

/// Returns the number of PHICH groups, `⌈N_g·N_RB/8⌉` with `N_g` = 1/6 (TS 36.211 §6.9).
const fn ack_groups(prbs: u32) -> u32 {
    prbs.div_ceil(48)
}

/// Number of resource element groups of a CCE (TS 36.211 §6.8.1).
const GROUPS_PER_CCE: u32 = 9;
/// Number of resource element groups of the PCFICH (TS 36.211 §6.7.4).
const FORMAT_INDICATOR: u32 = 4;
/// Number of resource element groups of a PHICH group (TS 36.211 §6.9.3).
const ACK_INDICATORS: u32 = 3;

#[cfg(test)]
mod tests {
    use super::*;

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
}
