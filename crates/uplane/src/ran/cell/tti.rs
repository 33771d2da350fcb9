//! The transmission time interval, exact as a fraction of nanoseconds.
//!
//! In: `"1 ms"`, `"1/7 ms"`. Out: slots that never drift.

use serde_json::Value;

use crate::unit::Duration;
use crate::unit::text::{TIME_UNITS, Written, exact, written};

/// A transmission time interval as a fraction of nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tti {
    /// Numerator, in nanoseconds.
    pub num: u64,
    /// Denominator; never zero.
    pub den: u64,
}

impl Tti {
    /// Creates a TTI of a whole number of nanoseconds.
    pub const fn of(span: Duration) -> Self {
        Self { num: span.as_nanos(), den: 1 }
    }

    /// The plain LTE subframe.
    pub const SUBFRAME: Self = Self::of(Duration::from_millis(1));

    /// Two of fourteen symbols of a subframe.
    pub const TWO_SYMBOLS: Self = Self { num: 1_000_000, den: 7 };

    /// Returns the length of the TTI, to the nearest nanosecond.
    pub const fn length(self) -> Duration {
        Duration::from_nanos((self.num + self.den / 2) / self.den)
    }
}

impl Written for Tti {
    const NAME: &'static str = "Tti";
    const EXPECTED: &'static str = "a slot length such as \"1 ms\" or \"1/7 ms\", from 1 us to 1 s";
    const RANGE: Option<(&'static str, &'static str)> = Some(("1 us", "1 s"));
    const PATTERN: &'static str = r"^[0-9]+(\.[0-9]+|/[0-9]+)? ?(ns|us|ms|s)$";

    fn read(text: &str) -> Option<Self> {
        let (num, den) = exact(text, TIME_UNITS)?;
        let whole_range = (den * 1_000..=den * 1_000_000_000).contains(&num);
        (whole_range && u64::try_from(num).is_ok() && u64::try_from(den).is_ok())
            .then_some(Self { num: num as u64, den: den as u64 })
    }

    fn write(&self) -> Value {
        if self.den == 1 {
            Duration::from_nanos(self.num).to_string().into()
        } else {
            format!("{}/{} ns", self.num, self.den).into()
        }
    }
}

written!(Tti);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_may_be_a_fraction() {
        assert_eq!(Tti::read("1/7 ms"), Some(Tti { num: 1_000_000, den: 7 }));
        for text in ["0 ms", "999 ns", "2000/7 ns", "1001 ms", "8000/7 ms"] {
            assert_eq!(Tti::read(text), None, "{text}");
        }
        for text in ["1 us", "9000/7 ns", "1 s", "6000/7 ms"] {
            assert!(Tti::read(text).is_some(), "{text}");
        }
    }

    /// A TTI in a manifest can be read back.
    #[test]
    fn a_tti_is_written_as_read() {
        for text in ["1 ms", "1000000/7 ns"] {
            assert_eq!(Tti::read(text).map(|slot| slot.write()), Some(text.into()));
        }
    }
}
