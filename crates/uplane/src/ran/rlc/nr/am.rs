//! Acknowledged mode of NR (TS 38.322 §5.2.3, §5.3).
//!
//! In: SDUs, grants and STATUS PDUs at the transmitter; PDUs in any order and with gaps at the
//! receiver. Out: SDUs as soon as they are complete, each once, or a failure of the radio link.
//!
//! Polls, windows, retransmissions, the receiver and STATUS PDUs are in
//! [`crate::ran::rlc::acknowledged`]. This file adds the part that only NR has: a sequence number
//! for each SDU.

mod transmitter;

pub use transmitter::Transmitter;

use super::Headers;
use crate::ran::rlc::acknowledged::poll;
use crate::ran::rlc::acknowledged::receiver::{self, Delivery, Gaps};
use crate::ran::rlc::acknowledged::status::Layout;
use crate::unit::{Bytes, Duration};

/// The parameters of one direction in acknowledged mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// `sn-FieldLength`
    pub sn_length: SnLength,
    /// Maximum number of SDU bytes that may wait at the transmitter, without those sent and not yet
    /// acknowledged. `None`: unlimited.
    pub buffer: Option<Bytes>,
    /// `pollPDU`: number of PDUs between two polls. `None`: infinity.
    pub poll_pdu: Option<u32>,
    /// `pollByte`: number of bytes between two polls. `None`: infinity.
    pub poll_byte: Option<Bytes>,
    /// `t-PollRetransmit`: time that the transmitter waits for the answer to a poll.
    pub t_poll_retransmit: Duration,
    /// `maxRetxThreshold`: maximum number of retransmissions of one SDU.
    pub max_retx_threshold: u32,
    /// `t-Reassembly`: time that the receiver waits for HARQ before it reports an SDU as missing.
    pub t_reassembly: Duration,
    /// `t-StatusProhibit`: minimum time between two STATUS PDUs.
    pub t_status_prohibit: Duration,
    /// The MAC sub-header of each PDU, which counts as a header in the demand for a grant.
    pub sub_header: Bytes,
}

/// The length of sequence numbers in acknowledged mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SnLength {
    /// 12 bits: headers of two bytes, a window of 2048 SDUs.
    Twelve,
    /// 18 bits: headers of three bytes, a window of 131 072 SDUs.
    #[default]
    Eighteen,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            sn_length: SnLength::Eighteen,
            buffer: None,
            poll_pdu: Some(64),
            poll_byte: Some(Bytes(125_000)),
            t_poll_retransmit: Duration::from_millis(40),
            max_retx_threshold: 8,
            t_reassembly: Duration::from_millis(35),
            t_status_prohibit: Duration::from_millis(10),
            sub_header: Bytes(3),
        }
    }
}

impl SnLength {
    /// Returns the number of bits of a sequence number.
    pub const fn bits(self) -> u8 {
        match self {
            Self::Twelve => 12,
            Self::Eighteen => 18,
        }
    }

    /// Returns `AM_Window_Size` (TS 38.322 §7.2).
    pub const fn window(self) -> u32 {
        1 << (self.bits() - 1)
    }

    /// Returns the header lengths (TS 38.322 §6.2.2.4).
    const fn headers(self) -> Headers {
        let all = match self {
            Self::Twelve => Bytes(2),
            Self::Eighteen => Bytes(3),
        };
        Headers { whole: all, segment: all }
    }
}

impl Config {
    /// Returns the polling parameters of the transmitter.
    pub(in crate::ran::rlc) const fn polling(&self) -> poll::Config {
        poll::Config {
            poll_pdu: self.poll_pdu,
            poll_byte: self.poll_byte,
            t_poll_retransmit: self.t_poll_retransmit,
            sn_bits: self.sn_length.bits(),
        }
    }

    /// Returns the parameters of the receiver.
    pub(in crate::ran::rlc) const fn reception(&self) -> receiver::Config {
        receiver::Config {
            sn_bits: self.sn_length.bits(),
            window: self.sn_length.window(),
            t_reordering: self.t_reassembly,
            t_status_prohibit: self.t_status_prohibit,
            status: match self.sn_length {
                // Reserved bits fill each field up to whole bytes (TS 38.322 §6.2.2.5).
                SnLength::Twelve => Layout { fixed: 24, nack: 16, offsets: 32, range: Some(8) },
                SnLength::Eighteen => Layout { fixed: 24, nack: 24, offsets: 32, range: Some(8) },
            },
            delivery: Delivery::EachWhole,
            gaps: Gaps::BeforeWhatCame,
        }
    }
}
