//! The parameters of one direction of a wired link.
//!
//! In: a scenario's section of a link. Out: the same as typed values, which may be assumed to be
//! possible.

use std::sync::Arc;

use super::capacity::TUN_HEADER;
use super::{Loss, Reordering, Varying};
use crate::net::framing::Framing;
use crate::net::queue::{Aqm, QueueLimit};
use crate::unit::{Bitrate, Bytes, Duration};

/// The parameters of one direction of a link.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Bits on the wire a second; `None` for a link that serialises in no time.
    pub rate: Option<Bitrate>,
    /// What it carries over time, instead of a rate.
    pub varying: Option<Arc<Varying>>,
    /// Propagation from end to end.
    pub delay: Duration,
    /// The longest IP packet it takes.
    pub mtu: Bytes,
    /// What may wait for it.
    pub queue: QueueLimit,
    /// How what waits is managed; first in, first out, with tail drop for `None`.
    pub aqm: Option<Aqm>,
    /// What it loses.
    pub loss: Loss,
    /// What it reorders.
    pub reordering: Option<Reordering>,
    /// What it adds to each packet on the wire.
    pub framing: Framing,
    /// How long the sending node works on each frame, fragments included, before it can take the
    /// next one.
    pub processing: Duration,
    /// The sending node says so when a packet is too long and must not be cut. Without it such
    /// packets are silently dropped: the black hole of RFC 2923 §2.1.
    pub icmp: bool,
}

impl Config {
    /// True when frames take time on their way into it.
    pub fn has_rate(&self) -> bool {
        self.rate.is_some() || self.varying.is_some()
    }

    /// What counts beside each packet against a queue's length in bytes: a trace comes from
    /// mahimahi, whose queues count the header of its device.
    pub(super) fn counted_header(&self) -> Bytes {
        match self.varying.as_deref() {
            Some(Varying::Opportunities(_)) => TUN_HEADER,
            Some(Varying::Rates(_)) | None => Bytes::ZERO,
        }
    }

    /// True where nothing but time acts on a frame that has room, see [`super::plain`].
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
