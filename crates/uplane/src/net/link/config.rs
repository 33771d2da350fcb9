//! The parameters of one direction of a wired link.
//!
//! In: a scenario's section of a link. Out: typed values that have been checked.

use std::sync::Arc;

use super::capacity::TUN_HEADER;
use super::{Loss, Reordering, Varying};
use crate::net::framing::Framing;
use crate::net::queue::{Aqm, QueueLimit};
use crate::unit::{Bitrate, Bytes, Duration};

/// Parameters of one direction of a link.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Bit rate on the wire, framing included; `None` for a link that serialises in no time.
    pub rate: Option<Bitrate>,
    /// Capacity over time, instead of a rate.
    pub varying: Option<Arc<Varying>>,
    /// Propagation delay from end to end.
    pub delay: Duration,
    /// Maximum length of an IP packet.
    pub mtu: Bytes,
    /// Limit of the queue in front of the link.
    pub queue: QueueLimit,
    /// Active queue management; first in, first out with tail drop for `None`.
    pub aqm: Option<Aqm>,
    /// Losses on the wire.
    pub loss: Loss,
    /// Reordering of frames.
    pub reordering: Option<Reordering>,
    /// Link layer, which determines the bytes that a frame adds to its IP packet.
    pub framing: Framing,
    /// Processing time of the sending node for each frame, fragments included, before it can take
    /// the next one.
    pub processing: Duration,
    /// Sends an ICMP message when a packet is too long and must not be fragmented. If false, such
    /// packets are dropped silently: the black hole of RFC 2923 §2.1.
    pub icmp: bool,
}

impl Config {
    /// Returns `true` if frames take transmission time.
    pub fn has_rate(&self) -> bool {
        self.rate.is_some() || self.varying.is_some()
    }

    /// Returns the bytes that count in addition to each packet against a queue limit in bytes. A
    /// trace comes from mahimahi, whose queues count the header of its TUN device.
    pub(super) fn counted_header(&self) -> Bytes {
        match self.varying.as_deref() {
            Some(Varying::Opportunities(_)) => TUN_HEADER,
            Some(Varying::Rates(_)) | None => Bytes::ZERO,
        }
    }

    /// Returns `true` if a frame that fits into the queue is only delayed, see [`super::plain`].
    pub(super) fn is_plain(&self) -> bool {
        let is_managed = self.aqm.is_some() || self.varying.is_some();
        !is_managed && self.reordering.is_none() && self.loss == Loss::default()
    }
}

/// A link that takes no time and loses nothing, for IP packets of up to 1500 bytes (the payload of
/// an Ethernet frame, IEEE 802.3 §3.2.7).
impl Default for Config {
    fn default() -> Self {
        Self {
            rate: None,
            varying: None,
            delay: Duration::ZERO,
            mtu: Bytes(1500),
            queue: QueueLimit::Unlimited,
            aqm: None,
            loss: Loss::default(),
            reordering: None,
            framing: Framing::None,
            processing: Duration::ZERO,
            icmp: true,
        }
    }
}
