//! Unacknowledged mode (TS 38.322 §5.2.2).
//!
//! In: SDUs and grants on one side, PDUs in any order on the other. Out: PDUs; SDUs as soon as they
//! are whole. **A whole SDU has no sequence number**: one that is lost leaves no trace here, and
//! PDCP notices.
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
    /// `t-Reassembly`: how long a receiver waits for a missing segment.
    pub t_reassembly: Duration,
    /// How many bytes of SDUs may wait at the transmitter; any number for `None`.
    pub buffer: Option<Bytes>,
    /// What the MAC adds to each PDU, which counts as a header when a grant is wanted for it.
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
    /// How many bits a sequence number has.
    pub const fn bits(self) -> u8 {
        match self {
            Self::Six => 6,
            Self::Twelve => 12,
        }
    }

    /// `UM_Window_Size` (TS 38.322 §7.2).
    pub const fn window(self) -> u32 {
        1 << (self.bits() - 1)
    }

    /// TS 38.322 §6.2.2.3
    const fn headers(self) -> Headers {
        let segment = match self {
            Self::Six => Bytes(1),
            Self::Twelve => Bytes(2),
        };
        Headers { whole: Bytes(1), segment }
    }
}
