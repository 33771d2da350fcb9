//! The written form of each quantity: its units, its range, its pattern.
//!
//! In: text. Out: times, amounts, rates and probabilities, with or without a limit.

use schemars::{Schema, json_schema};
use serde_json::Value;

use super::number::exact;
use super::{Written, written};
use crate::unit::{Bitrate, Bytes, Duration, Probability};

/// A limit: a maximum value, or no limit, for example `"5 Mbit/s"` or `"unlimited"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit<T>(Option<T>);

impl<T: Copy> Limit<T> {
    /// The limit that allows any value.
    pub const UNLIMITED: Self = Self(None);

    /// Returns a limit with the maximum `most`.
    pub const fn of(most: T) -> Self {
        Self(Some(most))
    }

    /// Returns a limit. `None`: unlimited.
    pub const fn from_option(most: Option<T>) -> Self {
        Self(most)
    }

    /// Returns the maximum value, if there is one.
    pub const fn get(self) -> Option<T> {
        self.0
    }
}

/// The word for a missing limit: any value is allowed.
pub(crate) const UNLIMITED: &str = "unlimited";

pub(crate) const TIME_UNITS: &[(&str, u128)] =
    &[("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000), ("min", 60_000_000_000)];

/// Units of amounts, in bits, so that `kbit` is exact.
const SIZE_UNITS: &[(&str, u128)] = &[
    ("B", 8),
    ("kB", 8_000),
    ("MB", 8_000_000),
    ("GB", 8_000_000_000),
    ("KiB", 8 * 1024),
    ("MiB", 8 * 1024 * 1024),
    ("bit", 1),
    ("kbit", 1_000),
    ("Mbit", 1_000_000),
    ("Gbit", 1_000_000_000),
];

pub(crate) const RATE_UNITS: &[(&str, u128)] =
    &[("bit/s", 1), ("kbit/s", 1_000), ("Mbit/s", 1_000_000), ("Gbit/s", 1_000_000_000)];

/// Maximum time: eleven days. Longer times are typing errors.
const LONGEST_NANOS: u128 = 1_000_000 * 1_000_000_000;
/// Maximum amount: one terabyte.
const LARGEST_BITS: u128 = 8_000_000_000_000;
/// Maximum rate: one terabit per second.
const FASTEST_BPS: u128 = 1_000_000_000_000;

impl Written for Duration {
    const NAME: &'static str = "Duration";
    const EXPECTED: &'static str =
        "a time such as \"5 ms\" (units ns, us, ms, s, min; at most 1000000 s)";
    const RANGE: Option<(&'static str, &'static str)> = Some(("0 s", "1000000 s"));
    const PATTERN: &'static str = r"^[0-9]+(\.[0-9]+)? ?(ns|us|ms|s|min)$";

    fn read(text: &str) -> Option<Self> {
        let (num, den) = exact(text, TIME_UNITS)?;
        (num % den == 0 && num / den <= LONGEST_NANOS).then(|| Self::from_nanos((num / den) as u64))
    }

    fn write(&self) -> Value {
        self.to_string().into()
    }
}

impl Written for Bytes {
    const NAME: &'static str = "Bytes";
    const EXPECTED: &'static str = "an amount such as \"1500 B\" or \"40 Mbit\" (units B, kB, MB, GB, \
        KiB, MiB, bit, kbit, Mbit, Gbit; whole bytes; at most 1000 GB)";
    const RANGE: Option<(&'static str, &'static str)> = Some(("0 B", "1000 GB"));
    const PATTERN: &'static str = r"^[0-9]+(\.[0-9]+)? ?([kMG]?B|[KM]iB|[kMG]?bit)$";

    fn read(text: &str) -> Option<Self> {
        let (num, den) = exact(text, SIZE_UNITS)?;
        (num % (8 * den) == 0 && num / den <= LARGEST_BITS).then(|| Self((num / den / 8) as u64))
    }

    fn write(&self) -> Value {
        self.to_string().into()
    }
}

impl Written for Bitrate {
    const NAME: &'static str = "Bitrate";
    const EXPECTED: &'static str = "a rate such as \"5 Mbit/s\" (units bit/s, kbit/s, Mbit/s, \
        Gbit/s; 1 bit/s to 1000 Gbit/s)";
    const RANGE: Option<(&'static str, &'static str)> = Some(("1 bit/s", "1000 Gbit/s"));
    const PATTERN: &'static str = r"^[0-9]+(\.[0-9]+)? ?[kMG]?bit/s$";

    fn read(text: &str) -> Option<Self> {
        let (num, den) = exact(text, RATE_UNITS)?;
        (num % den == 0 && num / den <= FASTEST_BPS)
            .then(|| Self::from_bps((num / den) as u64))
            .flatten()
    }

    fn write(&self) -> Value {
        self.to_string().into()
    }
}

impl Written for Limit<Bitrate> {
    const NAME: &'static str = "BitrateLimit";
    const EXPECTED: &'static str = "a rate such as \"5 Mbit/s\" (units bit/s, kbit/s, Mbit/s, \
        Gbit/s; 1 bit/s to 1000 Gbit/s) or \"unlimited\"";
    const RANGE: Option<(&'static str, &'static str)> = Bitrate::RANGE;
    const PATTERN: &'static str = r"^([0-9]+(\.[0-9]+)? ?[kMG]?bit/s|unlimited)$";

    fn read(text: &str) -> Option<Self> {
        limit(text)
    }

    fn write(&self) -> Value {
        self.0.map_or_else(|| UNLIMITED.into(), |most| most.write())
    }
}

impl Written for Limit<Bytes> {
    const NAME: &'static str = "BytesLimit";
    const EXPECTED: &'static str = "an amount such as \"1500 B\" or \"40 Mbit\" (units B, kB, MB, GB, \
        KiB, MiB, bit, kbit, Mbit, Gbit; whole bytes; at most 1000 GB) or \"unlimited\"";
    const RANGE: Option<(&'static str, &'static str)> = Bytes::RANGE;
    const PATTERN: &'static str = r"^([0-9]+(\.[0-9]+)? ?([kMG]?B|[KM]iB|[kMG]?bit)|unlimited)$";

    fn read(text: &str) -> Option<Self> {
        limit(text)
    }

    fn write(&self) -> Value {
        self.0.map_or_else(|| UNLIMITED.into(), |most| most.write())
    }
}

fn limit<T: Written>(text: &str) -> Option<Limit<T>> {
    if text == UNLIMITED { Some(Limit(None)) } else { T::read(text).map(|most| Limit(Some(most))) }
}

impl Written for Probability {
    const NAME: &'static str = "Probability";
    const EXPECTED: &'static str =
        "a probability: a number from 0 to 1, or a text such as \"10 %\"";
    const RANGE: Option<(&'static str, &'static str)> = Some(("0 %", "100 %"));
    const PATTERN: &'static str = r"^[0-9]+(\.[0-9]+)? ?%$";

    fn read(text: &str) -> Option<Self> {
        let (num, den) = exact(text, &[("%", 1)])?;
        Self::new(num as f64 / (100 * den) as f64)
    }

    fn read_number(number: f64) -> Option<Self> {
        Self::new(number)
    }

    fn other_schema() -> Option<Schema> {
        Some(json_schema!({ "type": "number", "minimum": 0, "maximum": 1 }))
    }

    fn write(&self) -> Value {
        self.value().into()
    }
}

/// Reads a quantity of any kind, in its smallest unit: nanoseconds, bits or bit/s.
pub(crate) fn magnitude(text: &str) -> Option<f64> {
    let (num, den) =
        [TIME_UNITS, SIZE_UNITS, RATE_UNITS].into_iter().find_map(|units| exact(text, units))?;
    Some(num as f64 / den as f64)
}

written!(Duration, Bytes, Bitrate, Limit<Bitrate>, Limit<Bytes>, Probability);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_exact() {
        assert_eq!(Duration::read("5 ms"), Some(Duration::from_millis(5)));
        assert_eq!(Duration::read("0.1ms"), Some(Duration::from_micros(100)));
        assert_eq!(Duration::read("1.5 s"), Some(Duration::from_millis(1500)));
    }

    #[test]
    fn what_is_not_a_time_is_refused() {
        let wrong = [
            "5",
            "5 m",
            "-5 ms",
            "5 msec",
            "ms",
            "",
            "5  ms",
            "1e3 ms",
            "0.1 ns",
            "1/0 s",
            "nan s",
            "99999999999999999999 s",
            "2000000 s",
            "5. ms",
            ".5 ms",
            "5 ms ",
        ];
        for text in wrong {
            assert_eq!(Duration::read(text), None, "{text:?}");
        }
    }

    #[test]
    fn sizes_are_whole_bytes_of_decimal_prefixes() {
        assert_eq!(Bytes::read("40 Mbit"), Some(Bytes(5_000_000)));
        assert_eq!(Bytes::read("100 kB"), Some(Bytes(100_000)));
        assert_eq!(Bytes::read("128 KiB"), Some(Bytes(131_072)));
        assert_eq!(Bytes::read("7 bit"), None);
    }

    #[test]
    fn rates_are_positive_or_unlimited() {
        assert_eq!(Bitrate::read("14.4 Mbit/s").map(Bitrate::as_bps), Some(14_400_000));
        assert_eq!(Limit::<Bitrate>::read("unlimited"), Some(Limit::UNLIMITED));
        assert_eq!(Bitrate::read("unlimited"), None);
        assert_eq!(Limit::<Bitrate>::read("0 bit/s"), None);
        assert_eq!(Limit::<Bitrate>::read("5 Mbps"), None);
    }

    /// A quantity that is written to a manifest can be read back.
    #[test]
    fn written_quantities_read_back() {
        for text in ["5 ms", "1500 ns", "2 s"] {
            assert_eq!(Duration::read(text).map(|span| span.write()), Some(text.into()));
        }
        for text in ["113600 bit/s", "5 Mbit/s", "unlimited"] {
            assert_eq!(Limit::<Bitrate>::read(text).map(|rate| rate.write()), Some(text.into()));
        }
    }
}
