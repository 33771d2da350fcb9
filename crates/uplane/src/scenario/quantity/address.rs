//! IP addresses of hosts, and prefixes of packet filters.
//!
//! In: `"198.51.100.7"`, `"2001:db8::7"`, `"198.51.100.0/24"`. Out: addresses as types.
//!
//! Left out: masks with holes, which TS 24.008 §10.5.6.12 allows for IPv4. No filter of a real
//! network could tell: RFC 1519 ended their use in routers.

use core::fmt;
use core::net::IpAddr;

use serde_json::Value;

use crate::unit::text::{Written, digits, written};

/// The address of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address(pub IpAddr);

/// All addresses that agree with one in their first bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prefix {
    /// An address of the prefix.
    pub address: IpAddr,
    /// Number of leading bits that must match.
    pub length: u8,
}

impl Address {
    /// Returns the address `number` places after this one. `None` beyond the last address.
    pub fn plus(self, number: u32) -> Option<Self> {
        Some(Self(match self.0 {
            IpAddr::V4(address) => IpAddr::V4(u32::from(address).checked_add(number)?.into()),
            IpAddr::V6(address) => {
                IpAddr::V6(u128::from(address).checked_add(u128::from(number))?.into())
            }
        }))
    }
}

impl Prefix {
    /// Returns `true` if `address` has the same IP version and matches in the first `length` bits.
    pub fn contains(self, address: IpAddr) -> bool {
        let same = |a: u128, b: u128, width: u32| {
            let ignored = width - u32::from(self.length);
            a.checked_shr(ignored) == b.checked_shr(ignored)
        };
        match (self.address, address) {
            (IpAddr::V4(a), IpAddr::V4(b)) => same(u32::from(a).into(), u32::from(b).into(), 32),
            (IpAddr::V6(a), IpAddr::V6(b)) => same(a.into(), b.into(), 128),
            _ => false,
        }
    }
}

impl Written for Address {
    const NAME: &'static str = "Address";
    const EXPECTED: &'static str = "an IP address such as \"198.51.100.7\" or \"2001:db8::7\"";
    const PATTERN: &'static str = "^[0-9A-Fa-f:.]+$";

    fn read(text: &str) -> Option<Self> {
        text.parse().ok().map(Self)
    }

    fn write(&self) -> Value {
        self.0.to_string().into()
    }
}

impl Written for Prefix {
    const NAME: &'static str = "Prefix";
    const EXPECTED: &'static str =
        "an IP address or a prefix such as \"198.51.100.0/24\" or \"2001:db8::/32\"";
    const PATTERN: &'static str = "^[0-9A-Fa-f:.]+(/[0-9]{1,3})?$";

    fn read(text: &str) -> Option<Self> {
        let (address, length) = match text.split_once('/') {
            Some((address, length)) => (address, Some(digits(length)?)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().ok()?;
        let width = if address.is_ipv4() { 32 } else { 128 };
        let length = length.unwrap_or(width);
        (length <= width).then_some(Self { address, length: length as u8 })
    }

    fn write(&self) -> Value {
        self.to_string().into()
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.length)
    }
}

written!(Address, Prefix);

#[cfg(test)]
mod tests {
    use super::*;

    fn contains(prefix: &str, address: &str) -> bool {
        let prefix = Prefix::read(prefix).expect("a prefix");
        prefix.contains(address.parse().expect("an address"))
    }

    /// TS 24.008 §10.5.6.12: an address and a mask.
    #[test]
    fn a_prefix_contains_what_agrees_in_its_bits() {
        assert!(contains("198.51.100.0/24", "198.51.100.255"));
        assert!(!contains("198.51.100.0/24", "198.51.101.0"));
        assert!(contains("198.51.100.7", "198.51.100.7"));
        assert!(!contains("198.51.100.7", "198.51.100.6"));
        assert!(contains("2001:db8::/32", "2001:db8:ffff::1"));
        assert!(!contains("2001:db8::/32", "2001:db9::1"));
    }

    #[test]
    fn the_empty_prefix_contains_its_version_of_ip_and_no_other() {
        assert!(contains("0.0.0.0/0", "203.0.113.1"));
        assert!(!contains("0.0.0.0/0", "::1"));
        assert!(contains("::/0", "2001:db8::1"));
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in
            ["", "198.51.100", "198.51.100.256", "198.51.100.0/33", "::/129", "::/", "1.2.3.4/-1"]
        {
            assert_eq!(Prefix::read(text), None, "{text}");
        }
    }

    #[test]
    fn addresses_follow_each_other_up_to_the_last() {
        let last = |text: &str, number| {
            Address::read(text).expect("valid").plus(number).map(|it| it.0.to_string())
        };
        assert_eq!(last("10.45.0.255", 1).as_deref(), Some("10.45.1.0"));
        assert_eq!(last("2001:db8::ffff", 1).as_deref(), Some("2001:db8::1:0"));
        assert_eq!(last("255.255.255.255", 1), None);
    }
}
