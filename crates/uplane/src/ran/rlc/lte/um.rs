//! Unacknowledged mode of LTE (TS 36.322 §5.1.2).
//!
//! In: SDUs and grants at the transmitter; PDUs in any order at the receiver. Out: PDUs; SDUs in
//! order.
//!
//! Left out: the variants for broadcast (a reordering window of zero) and sidelink.

mod receiver;
mod transmitter;

pub use receiver::Receiver;
pub use transmitter::Transmitter;

use super::header::{Layout, LengthIndicator, UNLIMITED};
use crate::unit::{Bytes, Duration};

/// The parameters of one direction in unacknowledged mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// `sn-FieldLength`
    pub sn_length: SnLength,
    /// `t-Reordering`: time that a receiver waits for a missing PDU.
    pub t_reordering: Duration,
    /// Maximum number of SDU bytes that may wait at the transmitter. `None`: unlimited.
    pub buffer: Option<Bytes>,
}

/// The length of sequence numbers in unacknowledged mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SnLength {
    /// 5 bits: headers of one byte.
    Five,
    /// 10 bits: headers of two bytes.
    #[default]
    Ten,
    /// 10 bits without cost, for studies that count no headers.
    Uncounted,
}

impl Default for Config {
    /// Returns sequence numbers of ten bits, no limit, and time for three HARQ retransmissions of 8
    /// ms.
    fn default() -> Self {
        Self { sn_length: SnLength::Ten, t_reordering: Duration::from_millis(35), buffer: None }
    }
}

impl SnLength {
    /// Returns the number of bits of a sequence number.
    pub const fn bits(self) -> u8 {
        match self {
            Self::Five => 5,
            Self::Ten | Self::Uncounted => 10,
        }
    }

    /// Returns `UM_Window_Size` (TS 36.322 §7.2).
    pub const fn window(self) -> u32 {
        match self {
            Self::Five => 16,
            Self::Ten | Self::Uncounted => 512,
        }
    }

    /// Returns the header layout of UMD PDUs (TS 36.322 §6.2.1.3).
    pub const fn layout(self) -> Layout {
        let (fixed, li) = match self {
            Self::Five => (1, LengthIndicator::Eleven),
            Self::Ten => (2, LengthIndicator::Eleven),
            Self::Uncounted => (0, LengthIndicator::Uncounted),
        };
        Layout { fixed, li, longest_data: UNLIMITED }
    }
}
