//! 5G QoS identifiers and the characteristics of each (TS 23.501 Table 5.7.4-1).
//!
//! In: the 5QI of a bearer. Out: resource type, priority level, packet delay budget, error rate.
//!
//! Left out: 5QI 10, for satellites; operator-specific classes; averaging windows and maximum data
//! burst volumes, which no entity here reads. The part of the budget between UPF and base station
//! is written from memory of note 1 and similar notes, and was not checked.

use super::class::{Characteristics, LOSS_RATES, Priority};
use crate::unit::{Duration, Probability};

/// A standardised 5G QoS identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FiveQi(u8);

impl FiveQi {
    /// Returns the class. `None` if the table has no such class.
    pub fn new(five_qi: u8) -> Option<Self> {
        ROWS.iter().any(|row| row.five_qi == five_qi).then_some(Self(five_qi))
    }

    /// Returns the numbers of all classes, in ascending order.
    pub fn known() -> Vec<u32> {
        let mut known: Vec<u32> = ROWS.iter().map(|row| row.five_qi.into()).collect();
        known.sort_unstable();
        known
    }

    /// Returns the number of the class.
    pub const fn value(self) -> u8 {
        self.0
    }

    /// Returns the characteristics of this class in the standard.
    pub fn characteristics(self) -> Characteristics {
        let row = ROWS.iter().find(|row| row.five_qi == self.0).expect("checked by `new`");
        Characteristics {
            guaranteed: row.guaranteed,
            priority: Priority(row.priority),
            delay_budget: Duration::from_millis(row.delay_budget_ms),
            core_network_delay: Duration::from_millis(row.core_network_ms),
            loss_rate: Probability::new(LOSS_RATES[row.loss_exponent]).expect("a table of them"),
        }
    }
}

struct Row {
    five_qi: u8,
    guaranteed: bool,
    priority: u16,
    delay_budget_ms: u64,
    loss_exponent: usize,
    core_network_ms: u64,
}

/// TS 23.501 Table 5.7.4-1. Columns: type (guaranteed flow bit rate, delay-critical, or neither),
/// class, priority level, delay budget in milliseconds, -log10 of the error rate. Delay-critical
/// classes also have the part of the budget in the core network in milliseconds.
const ROWS: [Row; 30] = [
    gbr(1, 20, 100, 2),
    gbr(2, 40, 150, 3),
    gbr(3, 30, 50, 3),
    gbr(4, 50, 300, 6),
    gbr(65, 7, 75, 2),
    gbr(66, 20, 100, 2),
    gbr(67, 15, 100, 3),
    gbr(71, 56, 150, 6),
    gbr(72, 56, 300, 4),
    gbr(73, 56, 300, 8),
    gbr(74, 56, 500, 8),
    gbr(76, 56, 500, 4),
    non_gbr(5, 10, 100, 6),
    non_gbr(6, 60, 300, 6),
    non_gbr(7, 70, 100, 3),
    non_gbr(8, 80, 300, 6),
    non_gbr(9, 90, 300, 6),
    non_gbr(69, 5, 60, 6),
    non_gbr(70, 55, 200, 6),
    non_gbr(79, 65, 50, 2),
    non_gbr(80, 68, 10, 6),
    critical(82, 19, 10, 4, 1),
    critical(83, 22, 10, 4, 1),
    critical(84, 24, 30, 5, 5),
    critical(85, 21, 5, 5, 2),
    critical(86, 18, 5, 4, 2),
    critical(87, 25, 5, 3, 1),
    critical(88, 25, 10, 3, 1),
    critical(89, 25, 15, 4, 1),
    critical(90, 25, 20, 4, 1),
];

const fn gbr(five_qi: u8, priority: u16, delay_budget_ms: u64, loss_exponent: usize) -> Row {
    critical(five_qi, priority, delay_budget_ms, loss_exponent, 20)
}

const fn non_gbr(five_qi: u8, priority: u16, delay_budget_ms: u64, loss_exponent: usize) -> Row {
    Row { guaranteed: false, ..gbr(five_qi, priority, delay_budget_ms, loss_exponent) }
}

const fn critical(
    five_qi: u8,
    priority: u16,
    delay_budget_ms: u64,
    loss_exponent: usize,
    core_network_ms: u64,
) -> Row {
    Row { five_qi, guaranteed: true, priority, delay_budget_ms, loss_exponent, core_network_ms }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ran::tables::qci::Qci;

    fn of(five_qi: u8) -> Characteristics {
        FiveQi::new(five_qi).expect("a standard class").characteristics()
    }

    /// TS 23.501 Table 5.7.4-1, TS 23.203 Table 6.1.7: if LTE has a class of the same number, both
    /// have the same characteristics.
    #[test]
    fn a_5qi_equals_the_qci_of_its_number() {
        for known in FiveQi::known() {
            let known = u8::try_from(known).expect("a byte");
            let own = of(known);
            let Some(qci) = Qci::new(known) else {
                assert!((86..=90).contains(&known), "5QI {known} is NR's alone");
                continue;
            };
            let lte = qci.characteristics();
            let shared = |it: Characteristics| (it.guaranteed, it.priority, it.delay_budget);
            assert_eq!(shared(own), shared(lte), "5QI {known}");
            assert_eq!(own.loss_rate, lte.loss_rate, "5QI {known}");
        }
    }

    /// Delay-critical classes leave more of their budget to the radio.
    #[test]
    fn the_radio_has_the_budget_less_the_core_network() {
        assert_eq!(of(9).radio_budget(), Duration::from_millis(280));
        assert_eq!(of(85).radio_budget(), Duration::from_millis(3));
        assert_eq!(of(90).radio_budget(), Duration::from_millis(19));
        assert_eq!(FiveQi::new(75), None);
    }
}
