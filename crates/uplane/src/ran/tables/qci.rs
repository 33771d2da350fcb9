//! QoS class identifiers and the characteristics of each (TS 23.203 §6.1.7.2).
//!
//! In: the QCI of a bearer. Out: resource type, priority, packet delay budget, loss rate.
//!
//! Left out: operator-specific classes (128 to 254); a scenario sets their numbers itself.

use super::class::{Characteristics, LOSS_RATES, Priority};
use crate::unit::{Duration, Probability};

/// A standardised QoS class identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Qci(u8);

impl Qci {
    /// The class of best-effort traffic.
    pub const DEFAULT: Self = Self(9);

    /// Returns the class. `None` if the standard has no such class.
    pub fn new(qci: u8) -> Option<Self> {
        ROWS.iter().any(|row| row.qci == qci).then_some(Self(qci))
    }

    /// Returns the numbers of all classes, in ascending order.
    pub fn known() -> Vec<u32> {
        let mut known: Vec<u32> = ROWS.iter().map(|row| row.qci.into()).collect();
        known.sort_unstable();
        known
    }

    /// Returns the number of the class.
    pub const fn value(self) -> u8 {
        self.0
    }

    /// Returns the characteristics of this class in the standard.
    pub fn characteristics(self) -> Characteristics {
        let row = ROWS.iter().find(|row| row.qci == self.0).expect("checked by `new`");
        Characteristics {
            guaranteed: row.guaranteed,
            priority: Priority(row.priority),
            delay_budget: Duration::from_millis(row.delay_budget_ms),
            core_network_delay: CORE_NETWORK_DELAY,
            loss_rate: Probability::new(LOSS_RATES[row.loss_exponent]).expect("a table of them"),
        }
    }
}

struct Row {
    qci: u8,
    guaranteed: bool,
    priority: u16,
    delay_budget_ms: u64,
    loss_exponent: usize,
}

/// The delay between PCEF and eNB that is part of every budget (TS 23.203 Table 6.1.7, note 1).
const CORE_NETWORK_DELAY: Duration = Duration::from_millis(20);

/// TS 23.203 Tables 6.1.7-A and 6.1.7-B: type (guaranteed bit rate or not), class, priority in
/// tenths, delay budget in milliseconds, and -log10 of the loss rate.
const ROWS: [Row; 26] = [
    gbr(1, 20, 100, 2),
    gbr(2, 40, 150, 3),
    gbr(3, 30, 50, 3),
    gbr(4, 50, 300, 6),
    gbr(65, 7, 75, 2),
    gbr(66, 20, 100, 2),
    gbr(67, 15, 100, 3),
    gbr(75, 25, 50, 2),
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
    gbr(82, 19, 10, 4),
    gbr(83, 22, 10, 4),
    gbr(84, 24, 30, 5),
    gbr(85, 21, 5, 5),
];

const fn gbr(qci: u8, priority: u16, delay_budget_ms: u64, loss_exponent: usize) -> Row {
    Row { qci, guaranteed: true, priority, delay_budget_ms, loss_exponent }
}

const fn non_gbr(qci: u8, priority: u16, delay_budget_ms: u64, loss_exponent: usize) -> Row {
    Row { guaranteed: false, ..gbr(qci, priority, delay_budget_ms, loss_exponent) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(qci: u8, guaranteed: bool, priority: u16, budget_ms: u64, loss_rate: f64) {
        let expected = Characteristics {
            guaranteed,
            priority: Priority(priority),
            delay_budget: Duration::from_millis(budget_ms),
            core_network_delay: Duration::from_millis(20),
            loss_rate: Probability::new(loss_rate).expect("a probability"),
        };
        assert_eq!(Qci::new(qci).expect("a standard class").characteristics(), expected);
    }

    /// TS 23.203 Table 6.1.7-A
    #[test]
    fn classes_have_the_standard_characteristics() {
        check(1, true, 20, 100, 1e-2);
        check(5, false, 10, 100, 1e-6);
        check(7, false, 70, 100, 1e-3);
        check(9, false, 90, 300, 1e-6);
        check(65, true, 7, 75, 1e-2);
        check(69, false, 5, 60, 1e-6);
    }

    #[test]
    fn there_is_no_class_zero_or_ten() {
        assert_eq!(Qci::new(0), None);
        assert_eq!(Qci::new(10), None);
    }
}
