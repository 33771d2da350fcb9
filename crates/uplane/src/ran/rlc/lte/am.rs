//! Acknowledged mode of LTE (TS 36.322 §5.1.3, §5.2).
//!
//! In: SDUs, grants and STATUS PDUs at the transmitter; PDUs in any order and with gaps at the
//! receiver. Out: SDUs in order, each once, or a failure of the radio link.
//!
//! Polls, windows, retransmissions, the receiver and STATUS PDUs are in
//! [`crate::ran::rlc::acknowledged`].
//!
//! Left out: the indication of successful delivery to PDCP, which nothing here uses, and NB-IoT.

mod transmitter;

pub use transmitter::Transmitter;

pub use super::header::LengthIndicator;

use super::header::Layout;
use crate::ran::rlc::acknowledged::receiver::{self, Delivery, Gaps};
use crate::ran::rlc::acknowledged::{poll, status};
use crate::unit::{Bytes, Duration};

/// The parameters of one direction in acknowledged mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The length of sequence numbers.
    pub sn_length: SnLength,
    /// The length of the LI field.
    pub li_length: LengthIndicator,
    /// Maximum number of SDU bytes that may wait at the transmitter, without those sent and not yet
    /// acknowledged. `None`: unlimited.
    pub buffer: Option<Bytes>,
    /// `pollPDU`: number of PDUs between two polls. `None`: infinity.
    pub poll_pdu: Option<u32>,
    /// `pollByte`: number of bytes between two polls. `None`: infinity.
    pub poll_byte: Option<Bytes>,
    /// `t-PollRetransmit`: time that the transmitter waits for the answer to a poll.
    pub t_poll_retransmit: Duration,
    /// `maxRetxThreshold`: maximum number of retransmissions of one PDU.
    pub max_retx_threshold: u32,
    /// `t-Reordering`: time that the receiver waits for HARQ before it reports a PDU as missing.
    pub t_reordering: Duration,
    /// `t-StatusProhibit`: minimum time between two STATUS PDUs.
    pub t_status_prohibit: Duration,
}

/// The length of sequence numbers in acknowledged mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SnLength {
    /// 10 bits: headers of two bytes, a window of 512 PDUs.
    #[default]
    Ten,
    /// 16 bits (release 13): headers of three bytes, a window of 32 768 PDUs.
    Sixteen,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            sn_length: SnLength::Ten,
            li_length: LengthIndicator::Eleven,
            buffer: None,
            poll_pdu: Some(32),
            poll_byte: Some(Bytes(25_000)),
            t_poll_retransmit: Duration::from_millis(45),
            max_retx_threshold: 8,
            t_reordering: Duration::from_millis(35),
            t_status_prohibit: Duration::from_millis(10),
        }
    }
}

impl SnLength {
    /// Returns the number of bits of a sequence number.
    pub const fn bits(self) -> u8 {
        match self {
            Self::Ten => 10,
            Self::Sixteen => 16,
        }
    }

    /// Returns `AM_Window_Size` (TS 36.322 §7.2).
    pub const fn window(self) -> u32 {
        match self {
            Self::Ten => 512,
            Self::Sixteen => 32_768,
        }
    }

    /// Returns the number of bits of the SO field (TS 36.322 §6.2.2.7).
    const fn so_bits(self) -> u64 {
        match self {
            Self::Ten => 15,
            Self::Sixteen => 16,
        }
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
        let bits = self.sn_length.bits() as u64;
        receiver::Config {
            sn_bits: self.sn_length.bits(),
            window: self.sn_length.window(),
            t_reordering: self.t_reordering,
            t_status_prohibit: self.t_status_prohibit,
            // TS 36.322 §6.2.1.6
            status: status::Layout {
                fixed: 4 + bits + 1,
                nack: bits + 2,
                offsets: 2 * self.sn_length.so_bits(),
                range: None,
            },
            delivery: Delivery::InOrder,
            gaps: Gaps::All,
        }
    }

    /// Returns the header layout of AMD PDUs (TS 36.322 §6.2.1.4).
    pub const fn layout(&self) -> Layout {
        let fixed = match self.sn_length {
            SnLength::Ten => 2,
            SnLength::Sixteen => 3,
        };
        // The last value of SOend means "to the last byte" (§6.2.2.19).
        let longest_data = (1 << self.sn_length.so_bits()) - 1;
        Layout { fixed, li: self.li_length, longest_data }
    }

    /// Returns the header layout of AMD PDU segments: two additional bytes for LSF and SO (TS
    /// 36.322 §6.2.1.5).
    pub const fn segment_layout(&self) -> Layout {
        let whole = self.layout();
        Layout { fixed: whole.fixed + 2, ..whole }
    }
}
