//! Unacknowledged mode of NR (TS 38.322 §5.2.2).
//!
//! In: SDUs and grants at the transmitter; PDUs in any order at the receiver. Out: PDUs; SDUs as
//! soon as they are complete. **A whole SDU has no sequence number**: the loss of one leaves no
//! trace here, and PDCP notices it.
//!
//! Left out: the broadcast variant.

mod receiver;
mod transmitter;

pub use receiver::Receiver;
pub use transmitter::Transmitter;

use super::Headers;
use crate::unit::{Bytes, Duration};

/// The parameters of one direction in unacknowledged mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// `sn-FieldLength`
    pub sn_length: SnLength,
    /// `t-Reassembly`: time that a receiver waits for a missing segment.
    pub t_reassembly: Duration,
    /// Maximum number of SDU bytes that may wait at the transmitter. `None`: unlimited.
    pub buffer: Option<Bytes>,
    /// The MAC sub-header of each PDU, which counts as a header in the demand for a grant.
    pub sub_header: Bytes,
}

/// The length of sequence numbers of segments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SnLength {
    /// 6 bits, in a header of one byte; a window of 32.
    Six,
    /// 12 bits, in a header of two bytes; a window of 2048.
    #[default]
    Twelve,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            sn_length: SnLength::Twelve,
            t_reassembly: Duration::from_millis(35),
            buffer: None,
            sub_header: Bytes(3),
        }
    }
}

impl SnLength {
    /// Returns the number of bits of a sequence number.
    pub const fn bits(self) -> u8 {
        match self {
            Self::Six => 6,
            Self::Twelve => 12,
        }
    }

    /// Returns `UM_Window_Size` (TS 38.322 §7.2).
    pub const fn window(self) -> u32 {
        1 << (self.bits() - 1)
    }

    /// Returns the header lengths (TS 38.322 §6.2.2.3).
    const fn headers(self) -> Headers {
        let segment = match self {
            Self::Six => Bytes(1),
            Self::Twelve => Bytes(2),
        };
        Headers { whole: Bytes(1), segment }
    }
}
