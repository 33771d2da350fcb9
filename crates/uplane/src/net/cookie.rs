//! The cookie of TCP Fast Open, as carried in its option (RFC 7413 §4.1.1).
//!
//! In: the cookie that a server created. Out: the cookie for the option of a later SYN to the
//! server.
//!
//! Left out: ciphers. A cookie is a number of 32 bits, repeated to the length of the option, since
//! nothing in a run tries to guess one.

use crate::unit::Bytes;

/// A cookie. A server gives it to a client, so that later SYNs prove the client's address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cookie {
    /// The value of its bytes.
    pub value: u32,
    /// Length of the cookie in bytes: 4 to 16, an even number; zero requests a cookie.
    pub length: u8,
}

impl Cookie {
    /// The empty cookie of a SYN that requests one (RFC 7413 §4.2.1, erratum 4239).
    pub const REQUEST: Self = Self { value: 0, length: 0 };

    /// Returns `true` for the empty cookie, which requests one.
    pub const fn is_request(self) -> bool {
        self.length == 0
    }

    /// Returns the length of the option: kind, length, the cookie, and padding to whole words.
    pub const fn option_length(self) -> Bytes {
        Bytes((2 + self.length as u64).next_multiple_of(4))
    }

    /// Returns the bytes of the cookie in hexadecimal.
    pub fn hexadecimal(self) -> String {
        let whole = format!("{:08x}", self.value);
        whole.chars().cycle().take(2 * usize::from(self.length)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 7413 §4.1.1: kind, length and 0 or 4 to 16 bytes, before the padding.
    #[test]
    fn an_option_is_whole_words() {
        let lengths = [0, 4, 8, 16].map(|length| Cookie { value: 1, length }.option_length().0);
        assert_eq!(lengths, [4, 8, 12, 20]);
    }

    #[test]
    fn its_bytes_are_as_many_as_it_says() {
        let text = |length| Cookie { value: 0x0102_a3b4, length }.hexadecimal();
        assert_eq!([text(0), text(4), text(6)], ["", "0102a3b4", "0102a3b40102"]);
    }
}
