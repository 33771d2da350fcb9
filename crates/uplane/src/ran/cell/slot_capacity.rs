//! The capacity of a slot.
//!
//! In: the capacity of a direction, the TTI. Out: units of each slot: bytes of a constant-rate
//! channel, resource blocks of a carrier.
//!
use super::config::{Capacity, Tti};
use crate::unit::in_lowest_terms;

/// Resource units of each slot of one direction.
#[derive(Clone, Debug)]
pub(super) enum SlotCapacity {
    /// An equal number in all slots.
    Constant(u64),
    /// Units of each slot of a pattern that repeats, starting at slot 0.
    Periodic(Box<[u64]>),
    /// Whole bytes in each slot, on average exactly `num/den`.
    Fraction {
        /// Numerator, in lowest terms.
        num: u64,
        /// Denominator, in lowest terms.
        den: u64,
    },
}

impl SlotCapacity {
    /// Creates the units of `capacity` in slots of `tti`.
    pub(super) fn new(capacity: &Capacity, tti: Tti) -> Self {
        match capacity {
            Capacity::Unlimited => Self::Constant(UNLIMITED),
            Capacity::Carrier(carrier) => match carrier.by_slot.as_deref() {
                None | Some([]) => Self::Constant(u64::from(carrier.prbs)),
                Some(slots) => {
                    let prbs = |slot: &u32| u64::from(carrier.prbs.min(*slot));
                    Self::Periodic(slots.iter().map(prbs).collect())
                }
            },
            Capacity::Rate(rate) => {
                let num = u128::from(rate.as_bps()) * u128::from(tti.num);
                let den = 8_000_000_000 * u128::from(tti.den);
                let (num, den) = in_lowest_terms(num, den);
                let (num, den) = (num as u64, den as u64);
                if den == 1 { Self::Constant(num) } else { Self::Fraction { num, den } }
            }
        }
    }

    /// Returns the number of slots with any units after slot `from`, up to slot `to`.
    #[inline]
    pub(super) fn slots_with_any(&self, from: u64, to: u64) -> u64 {
        let Self::Periodic(units) = self else { return to - from };
        let until = |slot: u64| {
            let (turns, rest) = (slot / units.len() as u64, (slot % units.len() as u64) as usize);
            let with_any = |units: &[u64]| units.iter().filter(|&&units| units > 0).count() as u64;
            turns * with_any(units) + with_any(&units[..rest])
        };
        until(to + 1) - until(from + 1)
    }

    /// Returns the units of `slot`.
    #[inline]
    pub(super) fn units(&self, slot: u64) -> u64 {
        match *self {
            Self::Constant(units) => units,
            Self::Periodic(ref units) => units[(slot % units.len() as u64) as usize],
            Self::Fraction { num, den } => {
                let until = |slot: u64| match slot.checked_mul(num) {
                    Some(product) => product / den,
                    None => (u128::from(slot) * u128::from(num) / u128::from(den)) as u64,
                };
                until(slot + 1) - until(slot)
            }
        }
    }
}

/// More units than any UE needs.
pub(super) const UNLIMITED: u64 = 1 << 40;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::{Bitrate, Duration};

    fn slot_capacity(bps: u64, tti: Tti) -> SlotCapacity {
        SlotCapacity::new(&Capacity::Rate(Bitrate::from_bps(bps).expect("not zero")), tti)
    }

    #[test]
    fn slots_without_units_do_not_count() {
        let pattern = SlotCapacity::Periodic(Box::new([4, 4, 4, 0, 0]));
        for (from, to) in [(0, 0), (0, 1), (2, 4), (1, 23), (7, 8), (13, 1014)] {
            let counted = (from + 1..=to).filter(|&slot| pattern.units(slot) > 0).count() as u64;
            assert_eq!(pattern.slots_with_any(from, to), counted, "{from} {to}");
        }
        assert_eq!(SlotCapacity::Constant(9).slots_with_any(3, 10), 7);
    }

    #[test]
    fn slots_of_a_rate_are_whole_bytes_and_add_up_to_it() {
        let tenth = Tti::of(Duration::from_micros(100));
        let odd = slot_capacity(21_000_000, tenth);
        assert_eq!([0, 1, 2, 3].map(|slot| odd.units(slot)), [262, 263, 262, 263]);
        let sevenths = slot_capacity(21_000_001, Tti::TWO_SYMBOLS);
        let second: u64 = (0..7_000).map(|slot| sevenths.units(slot)).sum();
        assert_eq!(second, 21_000_001 / 8);
        assert_eq!(sevenths.units(u64::MAX / 2).abs_diff(375), 0);
    }
}
