//! Acknowledged mode (TS 38.322 §5.2.3, §5.3).
//!
//! In: SDUs and grants on one side, PDUs in any order and with gaps on the other, STATUS PDUs back.
//! Out: SDUs as soon as they are whole, each once, or the news that the radio link has failed.
//!
//! Polls, windows, retransmissions, the receiver and STATUS PDUs are those of
//! [`crate::ran::rlc::acknowledged`]; this file adds what NR alone has: a sequence number for each
//! SDU.

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
    /// How many bytes of SDUs may wait at the transmitter, those sent and not yet acknowledged not
    /// counted; any number for `None`.
    pub buffer: Option<Bytes>,
    /// `pollPDU`: the PDUs from poll to poll; infinity for `None`.
    pub poll_pdu: Option<u32>,
    /// `pollByte`: the bytes from poll to poll; infinity for `None`.
    pub poll_byte: Option<Bytes>,
    /// `t-PollRetransmit`: how long the transmitter waits for the answer to a poll.
    pub t_poll_retransmit: Duration,
    /// `maxRetxThreshold`: how often one SDU may be sent again.
    pub max_retx_threshold: u32,
    /// `t-Reassembly`: how long the receiver waits for HARQ before it reports an SDU as missing.
    pub t_reassembly: Duration,
    /// `t-StatusProhibit`: the least time between two STATUS PDUs.
    pub t_status_prohibit: Duration,
    /// What the MAC adds to each PDU, which counts as a header when a grant is wanted for it.
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
    /// How many bits a sequence number has.
    pub const fn bits(self) -> u8 {
        match self {
            Self::Twelve => 12,
            Self::Eighteen => 18,
        }
    }

    /// `AM_Window_Size` (TS 38.322 §7.2).
    pub const fn window(self) -> u32 {
        1 << (self.bits() - 1)
    }

    /// TS 38.322 §6.2.2.4
    const fn headers(self) -> Headers {
        let all = match self {
            Self::Twelve => Bytes(2),
            Self::Eighteen => Bytes(3),
        };
        Headers { whole: all, segment: all }
    }
}

impl Config {
    /// Of the transmitter.
    pub(in crate::ran::rlc) const fn polling(&self) -> poll::Config {
        poll::Config {
            poll_pdu: self.poll_pdu,
            poll_byte: self.poll_byte,
            t_poll_retransmit: self.t_poll_retransmit,
            sn_bits: self.sn_length.bits(),
        }
    }

    /// Of the receiver.
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
