//! Quantities as a person writes them: a number and a unit in a string.
//!
//! In: `"5 ms"`, `"100 kB"`, `"14.4 Mbit/s"`, `"unlimited"`, `"10 %"`. Out: exact typed quantities, or an error
//! that says what would have been right. Prefixes are decimal, as in the standards: 1 kB = 1000 B and
//! 1 Mbit = 10^6 bit.
//!
//! Each type reads itself, writes itself for the manifest, and describes itself in the JSON Schema.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};
use serde::{Serialize, Serializer};

use crate::unit::{Bitrate, Bytes, Duration, Probability};

/// A span of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span(pub Duration);

/// The length of a slot: a fraction of nanoseconds, such as 1/7 ms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotLength {
    /// Nanoseconds, numerator.
    pub num: u64,
    /// Nanoseconds, denominator; never zero.
    pub den: u64,
}

/// An amount of data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub Bytes);

/// A rate, or no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate(pub Option<Bitrate>);

/// A probability, as a number or in per cent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chance(pub Probability);

/// How much a queue holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueLimit {
    /// Everything.
    Unlimited,
    /// So many bytes.
    Bytes(Bytes),
    /// So many packets.
    Packets(u64),
}

/// A quantity that is written as text.
trait Written: Sized {
    /// The name in the JSON Schema.
    const NAME: &'static str;
    /// What the text shall be, for error messages and the schema.
    const EXPECTED: &'static str;
    /// The pattern of the text, for editors.
    const PATTERN: &'static str;

    /// Reads the text; `None` when it is not of this form or out of range.
    fn read(text: &str) -> Option<Self>;
    /// Reads a bare number where that is allowed.
    fn read_number(_number: f64) -> Option<Self> {
        None
    }
    /// What such a number may be, for the schema.
    fn number_schema() -> Option<Schema> {
        None
    }
    /// Writes the text that [`Written::read`] takes.
    fn write(&self) -> String;
}

const TIME_UNITS: &[(&str, u128)] =
    &[("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000), ("min", 60_000_000_000)];

/// Amounts in bits, so that `kbit` is exact.
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

const RATE_UNITS: &[(&str, u128)] =
    &[("bit/s", 1), ("kbit/s", 1_000), ("Mbit/s", 1_000_000), ("Gbit/s", 1_000_000_000)];

/// Eleven days; longer ones are slips of the pen.
const LONGEST_NANOS: u128 = 1_000_000 * 1_000_000_000;
/// A terabyte.
const LARGEST_BITS: u128 = 8_000_000_000_000;
/// A terabit per second.
const FASTEST_BPS: u128 = 1_000_000_000_000;

impl Written for Span {
    const NAME: &'static str = "Span";
    const EXPECTED: &'static str =
        "a time such as \"5 ms\" (units ns, us, ms, s, min; at most 1000000 s)";
    const PATTERN: &'static str = r"^[0-9]+(\.[0-9]+)? ?(ns|us|ms|s|min)$";

    fn read(text: &str) -> Option<Self> {
        let (num, den) = exact(text, TIME_UNITS)?;
        (num % den == 0 && num / den <= LONGEST_NANOS)
            .then(|| Self(Duration::from_nanos((num / den) as u64)))
    }

    fn write(&self) -> String {
        self.0.to_string()
    }
}

impl Written for SlotLength {
    const NAME: &'static str = "SlotLength";
    const EXPECTED: &'static str = "a slot length such as \"1 ms\" or \"1/7 ms\", from 1 us to 1 s";
    const PATTERN: &'static str = r"^[0-9]+(\.[0-9]+|/[0-9]+)? ?(ns|us|ms|s)$";

    fn read(text: &str) -> Option<Self> {
        let (num, den) = exact(text, TIME_UNITS)?;
        let whole_range = (den * 1_000..=den * 1_000_000_000).contains(&num);
        (whole_range && u64::try_from(num).is_ok() && u64::try_from(den).is_ok())
            .then_some(Self { num: num as u64, den: den as u64 })
    }

    fn write(&self) -> String {
        if self.num.is_multiple_of(self.den) {
            Duration::from_nanos(self.num / self.den).to_string()
        } else {
            format!("{}/{} ns", self.num, self.den)
        }
    }
}

impl Written for Size {
    const NAME: &'static str = "Size";
    const EXPECTED: &'static str = "an amount such as \"1500 B\" or \"40 Mbit\" (units B, kB, MB, GB, KiB, MiB, bit, kbit, Mbit, Gbit; whole bytes; at most 1000 GB)";
    const PATTERN: &'static str = r"^[0-9]+(\.[0-9]+)? ?([kMG]?B|[KM]iB|[kMG]?bit)$";

    fn read(text: &str) -> Option<Self> {
        let (num, den) = exact(text, SIZE_UNITS)?;
        (num % (8 * den) == 0 && num / den <= LARGEST_BITS)
            .then(|| Self(Bytes((num / den / 8) as u64)))
    }

    fn write(&self) -> String {
        self.0.to_string()
    }
}

impl Written for Rate {
    const NAME: &'static str = "Rate";
    const EXPECTED: &'static str = "a rate such as \"5 Mbit/s\" (units bit/s, kbit/s, Mbit/s, Gbit/s; 1 bit/s to 1000 Gbit/s) or \"unlimited\"";
    const PATTERN: &'static str = r"^([0-9]+(\.[0-9]+)? ?[kMG]?bit/s|unlimited)$";

    fn read(text: &str) -> Option<Self> {
        if text == UNLIMITED {
            return Some(Self(None));
        }
        let (num, den) = exact(text, RATE_UNITS)?;
        (num % den == 0 && num / den <= FASTEST_BPS)
            .then(|| Bitrate::from_bps((num / den) as u64))
            .flatten()
            .map(|rate| Self(Some(rate)))
    }

    fn write(&self) -> String {
        self.0.map_or_else(|| UNLIMITED.to_owned(), |rate| rate.to_string())
    }
}

impl Written for Chance {
    const NAME: &'static str = "Chance";
    const EXPECTED: &'static str =
        "a probability: a number from 0 to 1, or a text such as \"10 %\"";
    const PATTERN: &'static str = r"^[0-9]+(\.[0-9]+)? ?%$";

    fn read(text: &str) -> Option<Self> {
        let (num, den) = exact(text, &[("%", 1)])?;
        Probability::new(num as f64 / (100 * den) as f64).map(Self)
    }

    fn read_number(number: f64) -> Option<Self> {
        Probability::new(number).map(Self)
    }

    fn number_schema() -> Option<Schema> {
        Some(json_schema!({ "type": "number", "minimum": 0, "maximum": 1 }))
    }

    fn write(&self) -> String {
        // Only used through the number form below.
        self.0.value().to_string()
    }
}

impl Written for QueueLimit {
    const NAME: &'static str = "QueueLimit";
    const EXPECTED: &'static str =
        "a queue length such as \"100 packets\", \"64 kB\" or \"unlimited\"";
    const PATTERN: &'static str =
        r"^([0-9]+ ?packets?|[0-9]+(\.[0-9]+)? ?([kMG]?B|[KM]iB)|unlimited)$";

    fn read(text: &str) -> Option<Self> {
        if text == UNLIMITED {
            return Some(Self::Unlimited);
        }
        if let Some((num, den)) = exact(text, &[("packets", 1), ("packet", 1)]) {
            let whole = num % den == 0 && (1..=1_000_000_000).contains(&(num / den));
            return whole.then(|| Self::Packets((num / den) as u64));
        }
        Size::read(text).filter(|size| size.0.0 > 0).map(|size| Self::Bytes(size.0))
    }

    fn write(&self) -> String {
        match self {
            Self::Unlimited => UNLIMITED.to_owned(),
            Self::Bytes(bytes) => bytes.to_string(),
            Self::Packets(packets) => format!("{packets} packets"),
        }
    }
}

/// Reads `number unit` as an exact fraction of the smallest unit. The number is decimal, `12.5`, or a
/// fraction, `1/7`; neither sign nor exponent.
fn exact(text: &str, units: &[(&str, u128)]) -> Option<(u128, u128)> {
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.' && c != '/')?;
    let (number, unit) = text.split_at(split);
    let unit = unit.strip_prefix(' ').unwrap_or(unit);
    let &(_, factor) = units.iter().find(|(name, _)| *name == unit)?;
    let (num, den) = fraction(number)?;
    let num = num.checked_mul(factor)?;
    let common = gcd(num, den);
    Some((num / common, den / common))
}

fn fraction(number: &str) -> Option<(u128, u128)> {
    if let Some((num, den)) = number.split_once('/') {
        return Some((digits(num)?, digits(den).filter(|&den| den > 0)?));
    }
    match number.split_once('.') {
        None => Some((digits(number)?, 1)),
        Some((whole, part)) => {
            let den = 10_u128.checked_pow(u32::try_from(part.len()).ok()?)?;
            Some((digits(whole)?.checked_mul(den)?.checked_add(digits(part)?)?, den))
        }
    }
}

/// At most 18 digits, so that no product overflows.
fn digits(text: &str) -> Option<u128> {
    let fits = (1..=18).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    fits.then(|| text.parse().ok()).flatten()
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

struct Reader<T>(std::marker::PhantomData<T>);

impl<T: Written> Visitor<'_> for Reader<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::EXPECTED)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        T::read(text).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<T, E> {
        T::read_number(number).ok_or_else(|| E::invalid_value(Unexpected::Float(number), &self))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<T, E> {
        T::read_number(number as f64)
            .ok_or_else(|| E::invalid_value(Unexpected::Signed(number), &self))
    }
}

/// Implements reading, writing and the schema of one written quantity.
macro_rules! written {
    ($($name:ident),+) => {$(
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
                source.deserialize_any(Reader(std::marker::PhantomData))
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                <Self as Written>::NAME.into()
            }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                let text = json_schema!({
                    "type": "string",
                    "description": <Self as Written>::EXPECTED,
                    "pattern": <Self as Written>::PATTERN,
                });
                match <Self as Written>::number_schema() {
                    Some(number) => json_schema!({ "anyOf": [text, number] }),
                    None => text,
                }
            }
        }
    )+};
}

written!(Span, SlotLength, Size, Rate, Chance, QueueLimit);

/// Writes one quantity as its text.
macro_rules! write_text {
    ($($name:ident),+) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
                target.serialize_str(&Written::write(self))
            }
        }
    )+};
}

mod address;
mod ports;

pub use address::{Address, Prefix};
pub use ports::Ports;

write_text!(Span, SlotLength, Size, Rate, QueueLimit);

impl Serialize for Chance {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        target.serialize_f64(self.0.value())
    }
}

/// Shorthands for defaults in the schema; the text is known to be right.
impl Span {
    /// The span of so many milliseconds.
    pub const fn millis(millis: u64) -> Self {
        Self(Duration::from_millis(millis))
    }

    /// The span of so many seconds.
    pub const fn secs(secs: u64) -> Self {
        Self(Duration::from_secs(secs))
    }
}

const UNLIMITED: &str = "unlimited";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_exact() {
        assert_eq!(Span::read("5 ms"), Some(Span(Duration::from_millis(5))));
        assert_eq!(Span::read("0.1ms"), Some(Span(Duration::from_micros(100))));
        assert_eq!(Span::read("1.5 s"), Some(Span(Duration::from_millis(1500))));
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
            assert_eq!(Span::read(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_slot_may_be_a_fraction() {
        assert_eq!(SlotLength::read("1/7 ms"), Some(SlotLength { num: 1_000_000, den: 7 }));
        assert_eq!(SlotLength::read("0 ms"), None);
    }

    #[test]
    fn sizes_are_whole_bytes_of_decimal_prefixes() {
        assert_eq!(Size::read("40 Mbit"), Some(Size(Bytes(5_000_000))));
        assert_eq!(Size::read("100 kB"), Some(Size(Bytes(100_000))));
        assert_eq!(Size::read("128 KiB"), Some(Size(Bytes(131_072))));
        assert_eq!(Size::read("7 bit"), None);
    }

    #[test]
    fn rates_are_positive_or_unlimited() {
        assert_eq!(
            Rate::read("14.4 Mbit/s").and_then(|rate| rate.0).map(Bitrate::as_bps),
            Some(14_400_000)
        );
        assert_eq!(Rate::read("unlimited"), Some(Rate(None)));
        assert_eq!(Rate::read("0 bit/s"), None);
        assert_eq!(Rate::read("5 Mbps"), None);
    }

    #[test]
    fn queues_count_packets_or_bytes() {
        assert_eq!(QueueLimit::read("100 packets"), Some(QueueLimit::Packets(100)));
        assert_eq!(QueueLimit::read("64 kB"), Some(QueueLimit::Bytes(Bytes(64_000))));
        assert_eq!(QueueLimit::read("0 packets"), None);
        assert_eq!(QueueLimit::read("0 B"), None);
    }

    /// What is written into a manifest can be read again.
    #[test]
    fn written_quantities_read_back() {
        for text in ["5 ms", "1500 ns", "2 s"] {
            assert_eq!(Span::read(text).map(|span| span.write()).as_deref(), Some(text));
        }
        for text in ["1 ms", "1000000/7 ns"] {
            assert_eq!(SlotLength::read(text).map(|slot| slot.write()).as_deref(), Some(text));
        }
        for text in ["113600 bit/s", "5 Mbit/s", "unlimited"] {
            let back = Rate::read(text).map(|rate| rate.write()).and_then(|text| Rate::read(&text));
            assert_eq!(back, Rate::read(text));
        }
    }
}
