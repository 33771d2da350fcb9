//! Ports of packet filters.
//!
//! In: `5004`, `"5000-5100"`. Out: the first and the last.

use core::fmt;

use schemars::{Schema, json_schema};
use serde_json::Value;

use crate::unit::text::{Written, digits, written};

/// One port, or a range of them (TS 24.008 §10.5.6.12).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ports {
    /// Lowest port number.
    pub first: u16,
    /// Highest port number, not below `first`.
    pub last: u16,
}

impl Written for Ports {
    const NAME: &'static str = "Ports";
    const EXPECTED: &'static str = "a port such as 5004, or a range such as \"5000-5100\"";
    const PATTERN: &'static str = "^[0-9]{1,5}(-[0-9]{1,5})?$";

    fn read(text: &str) -> Option<Self> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let port = |text| u16::try_from(digits(text)?).ok();
        let (first, last) = (port(first)?, port(last)?);
        (first <= last).then_some(Self { first, last })
    }

    fn read_number(number: f64) -> Option<Self> {
        let port = number as u16;
        let is_a_port = f64::from(port).total_cmp(&number).is_eq();
        is_a_port.then_some(Self { first: port, last: port })
    }

    fn other_schema() -> Option<Schema> {
        Some(json_schema!({ "type": "integer", "minimum": 0, "maximum": u16::MAX }))
    }

    fn write(&self) -> Value {
        if self.first == self.last { self.first.into() } else { self.to_string().into() }
    }
}

impl fmt::Display for Ports {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.first == self.last {
            write!(f, "{}", self.first)
        } else {
            write!(f, "{}-{}", self.first, self.last)
        }
    }
}

written!(Ports);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_is_a_range_of_one() {
        assert_eq!(Ports::read_number(5004.0), Some(Ports { first: 5004, last: 5004 }));
        assert_eq!(Ports::read("5004"), Ports::read_number(5004.0));
        assert_eq!(Ports::read("5000-5100"), Some(Ports { first: 5000, last: 5100 }));
    }

    #[test]
    fn what_is_no_port_is_refused() {
        for text in ["", "-", "5-", "-5", "6-5", "65536", "1-65536", "a", "1-2-3", "5 - 6"] {
            assert_eq!(Ports::read(text), None, "{text:?}");
        }
        for number in [-1.0, 0.5, 65_536.0, f64::NAN] {
            assert_eq!(Ports::read_number(number), None, "{number}");
        }
    }
}
