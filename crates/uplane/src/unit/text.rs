//! Quantities as a person writes them: a number and a unit in a string.
//!
//! In: `"5 ms"`, `"100 kB"`, `"14.4 Mbit/s"`, `"unlimited"`, `"10 %"`. Out: exact typed quantities,
//! or nothing when the text is not of that form. Prefixes are decimal, as in the standards: 1 kB =
//! 1000 B and 1 Mbit = 10^6 bit.
//!
//! Each type reads itself, writes itself so that it can be read again, and describes itself in a
//! JSON Schema.

use std::fmt;
use std::marker::PhantomData;

use schemars::{Schema, json_schema};
use serde::de::{Error, Unexpected, Visitor};
use serde_json::Value;

use super::{Bitrate, Bytes, Duration, Probability, in_lowest_terms};

/// A value that is written as text, or as a number or a truth value where that is plain.
pub(crate) trait Written: Sized {
    /// The name in the JSON Schema.
    const NAME: &'static str;
    /// What the text shall be, for error messages and the schema.
    const EXPECTED: &'static str;
    /// The pattern of the text, for editors; empty where there are only words.
    const PATTERN: &'static str = "";
    /// The words that may stand there, where there are only words.
    const WORDS: &'static [&'static str] = &[];
    /// The least and the greatest quantity.
    const RANGE: Option<(&'static str, &'static str)> = None;

    /// Reads the text; `None` when it is not of this form or out of range.
    fn read(text: &str) -> Option<Self>;
    /// Reads a bare number where that is allowed.
    fn read_number(_number: f64) -> Option<Self> {
        None
    }
    /// Reads a truth value where that is allowed.
    fn read_flag(_flag: bool) -> Option<Self> {
        None
    }
    /// What else than a text may stand there, for the schema.
    fn other_schema() -> Option<Schema> {
        None
    }
    /// Writes what [`Written::read`] and its like take.
    fn write(&self) -> Value;
}

/// At most so much, or no limit: `"5 Mbit/s"` or `"unlimited"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit<T>(Option<T>);

impl<T: Copy> Limit<T> {
    /// No limit.
    pub const UNLIMITED: Self = Self(None);

    /// At most so much.
    pub const fn of(most: T) -> Self {
        Self(Some(most))
    }

    /// This limit, if it is one.
    pub const fn from_option(most: Option<T>) -> Self {
        Self(most)
    }

    /// The limit, if there is one.
    pub const fn get(self) -> Option<T> {
        self.0
    }
}

pub(crate) const TIME_UNITS: &[(&str, u128)] =
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

/// A quantity of any kind in its smallest unit: nanoseconds, bits, bit/s or parts of one.
pub(crate) fn magnitude(text: &str) -> Option<f64> {
    let (num, den) =
        [TIME_UNITS, SIZE_UNITS, RATE_UNITS].into_iter().find_map(|units| exact(text, units))?;
    Some(num as f64 / den as f64)
}

/// Reads `number unit` as an exact fraction of the smallest unit. The number is decimal, `12.5`, or
/// a fraction, `1/7`; neither sign nor exponent.
pub(crate) fn exact(text: &str, units: &[(&str, u128)]) -> Option<(u128, u128)> {
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.' && c != '/')?;
    let (number, unit) = text.split_at(split);
    let unit = unit.strip_prefix(' ').unwrap_or(unit);
    let &(_, factor) = units.iter().find(|(name, _)| *name == unit)?;
    let (num, den) = fraction(number)?;
    let num = num.checked_mul(factor)?;
    Some(in_lowest_terms(num, den))
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
pub(crate) fn digits(text: &str) -> Option<u128> {
    let fits = (1..=18).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    fits.then(|| text.parse().ok()).flatten()
}

/// Reads a [`Written`] value from whatever stands there.
pub(crate) struct Reader<T>(pub(crate) PhantomData<T>);

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

    fn visit_bool<E: Error>(self, flag: bool) -> Result<T, E> {
        T::read_flag(flag).ok_or_else(|| E::invalid_value(Unexpected::Bool(flag), &self))
    }
}

/// Implements reading, writing and the schema of written values.
macro_rules! written {
    ($($name:ty),+ $(,)?) => {$(
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
                source.deserialize_any($crate::unit::text::Reader(std::marker::PhantomData))
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
                $crate::unit::text::Written::write(self).serialize(target)
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                <Self as $crate::unit::text::Written>::NAME.into()
            }
            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $crate::unit::text::schema::<Self>()
            }
        }
    )+};
}
pub(crate) use written;

written!(Duration, Bytes, Bitrate, Limit<Bitrate>, Limit<Bytes>, Probability);

/// What may stand for a value of this kind.
pub(crate) fn schema<T: Written>() -> Schema {
    let text = if T::WORDS.is_empty() {
        plain_schema::<T>()
    } else {
        json_schema!({ "description": T::EXPECTED, "enum": T::WORDS })
    };
    let mut schema = match T::other_schema() {
        Some(other) => json_schema!({ "anyOf": [text, other] }),
        None => text,
    };
    if let Some((least, most)) = T::RANGE {
        schema.insert("x-minimum".to_owned(), least.into());
        schema.insert("x-maximum".to_owned(), most.into());
    }
    schema
}

/// The same without words and range.
pub(crate) fn plain_schema<T: Written>() -> Schema {
    match T::other_schema() {
        Some(number) if T::PATTERN.is_empty() => number,
        _ => {
            json_schema!({ "type": "string", "description": T::EXPECTED, "pattern": T::PATTERN })
        }
    }
}

/// Implements [`Written`] for an enum of words and of one variant for a quantity or a number.
macro_rules! word_or {
    ($name:ident $title:literal $expected:literal
        { $($word:literal => $variant:ident,)+ _ => $of:ident($other:ty) }) => {
        impl $crate::unit::text::Written for $name {
            const NAME: &'static str = $title;
            const EXPECTED: &'static str = $expected;
            const WORDS: &'static [&'static str] = &[$($word),+];
            const RANGE: Option<(&'static str, &'static str)> =
                <$other as $crate::unit::text::Written>::RANGE;

            fn read(text: &str) -> Option<Self> {
                match text {
                    $($word => Some(Self::$variant),)+
                    _ => $crate::unit::text::Written::read(text).map(Self::$of),
                }
            }

            fn read_number(number: f64) -> Option<Self> {
                $crate::unit::text::Written::read_number(number).map(Self::$of)
            }

            fn other_schema() -> Option<schemars::Schema> {
                Some($crate::unit::text::plain_schema::<$other>())
            }

            fn write(&self) -> serde_json::Value {
                match self {
                    $(Self::$variant => $word.into(),)+
                    Self::$of(other) => $crate::unit::text::Written::write(other),
                }
            }
        }

        $crate::unit::text::written!($name);
    };
}
pub(crate) use word_or;

/// A whole number, where a word may stand too.
impl Written for u32 {
    const NAME: &'static str = "uint32";
    const EXPECTED: &'static str = "a whole number";

    fn read(_text: &str) -> Option<Self> {
        None
    }

    fn read_number(number: f64) -> Option<Self> {
        let whole = number as Self;
        f64::from(whole).total_cmp(&number).is_eq().then_some(whole)
    }

    fn other_schema() -> Option<Schema> {
        Some(json_schema!({ "type": "integer" }))
    }

    fn write(&self) -> Value {
        (*self).into()
    }
}

/// The word for no limit.
pub(crate) const UNLIMITED: &str = "unlimited";

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

    /// What is written into a manifest can be read again.
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
