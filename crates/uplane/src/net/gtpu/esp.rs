//! The overhead of an IPsec tunnel (ESP in tunnel mode, RFC 4303).
//!
//! In: the length of the protected packet. Out: the length of outer IP header, ESP header,
//! initialisation vector, padding, trailer and integrity check value.
//!
//! Left out: extra padding that hides lengths (RFC 4303 §2.7), and UDP around ESP for address
//! translators (RFC 3948).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::net::packet::IpVersion;
use crate::unit::Bytes;

/// An ESP tunnel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Esp {
    /// Version of the outer IP header.
    pub ip: IpVersion,
    /// Encryption and integrity of the tunnel.
    pub cipher: Cipher,
}

/// Encryption and integrity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "IpsecCipher")]
pub enum Cipher {
    /// AES-GCM with an integrity check value of 16 bytes (RFC 4106).
    #[default]
    AesGcm,
    /// AES-CBC (RFC 3602) with HMAC-SHA1-96 (RFC 2404).
    AesCbcHmacSha1,
    /// AES-CBC (RFC 3602) with HMAC-SHA-256-128 (RFC 4868).
    AesCbcHmacSha256,
}

/// The lengths that a cipher determines, in bytes.
struct Lengths {
    initialisation_vector: u64,
    /// Block length, to a multiple of which encrypted data is padded.
    block: u64,
    integrity_check_value: u64,
}

impl Esp {
    /// Returns the number of bytes that the tunnel adds to a packet of length `protected`.
    pub fn overhead(self, protected: Bytes) -> Bytes {
        let clear = protected.0 + TRAILER;
        let encrypted = clear.next_multiple_of(self.cipher.lengths().block);
        self.fixed() + Bytes(encrypted) - protected
    }

    /// Returns the maximum length of a packet that stays within `mtu` in the tunnel. `None` if none
    /// does.
    pub fn largest_protected(self, mtu: Bytes) -> Option<Bytes> {
        let block = self.cipher.lengths().block;
        let encrypted = mtu.0.checked_sub(self.fixed().0)? / block * block;
        encrypted.checked_sub(TRAILER).map(Bytes)
    }

    /// Returns the length of all parts except the encrypted one.
    fn fixed(self) -> Bytes {
        let lengths = self.cipher.lengths();
        let esp = HEADER + lengths.initialisation_vector + lengths.integrity_check_value;
        self.ip.header() + Bytes(esp)
    }
}

impl Cipher {
    fn lengths(self) -> Lengths {
        match self {
            // RFC 4106 §3.1 and §6; the block is the alignment of RFC 4303 §2.4.
            Self::AesGcm => {
                Lengths { initialisation_vector: 8, block: 4, integrity_check_value: 16 }
            }
            // RFC 3602 §2.4 and §3; RFC 2404 §2: 96 bits.
            Self::AesCbcHmacSha1 => {
                Lengths { initialisation_vector: 16, block: 16, integrity_check_value: 12 }
            }
            // RFC 4868 §2.6: 128 bits.
            Self::AesCbcHmacSha256 => {
                Lengths { initialisation_vector: 16, block: 16, integrity_check_value: 16 }
            }
        }
    }
}

/// Security parameters index and sequence number (RFC 4303 §2).
const HEADER: u64 = 8;
/// Pad length and next header (RFC 4303 §2).
const TRAILER: u64 = 2;
