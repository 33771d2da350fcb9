//! Sections of the wired path: links and the GTP-U tunnel.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::steps::RateSteps;
use crate::net::framing::Framing;
use crate::net::gtpu::Cipher;
use crate::net::link::gilbert_elliott::Config as BurstLoss;
use crate::net::link::{RateStep, Reordering, Trace};
use crate::net::queue::Aqm;
use crate::net::{IpVersion, QueueLimit};
use crate::unit::range::{Range, below, within};
use crate::unit::{Bitrate, Bytes, Duration, Limit, Probability};

/// One wired link with its two directions. Keys apply to both directions unless `down` or `up` sets
/// its own value.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkSection {
    /// Name of the link in tables, for example "sgi" or "s1". `links` of `[gtpu]` and `server_link`
    /// of applications refer to it.
    pub name: String,
    /// Bit rate of each direction on the wire, for IP packets and the bytes that `framing` adds.
    /// `"unlimited"`: frames take no time for transmission. At most one of `rate`, `rates` and
    /// `trace`.
    #[serde(default = "unlimited")]
    pub rate: Limit<Bitrate>,
    /// Bit rates over time, for each direction: a list, or the name of a CSV file with the columns
    /// `time` and `rate`. Each rate holds from its time until the next one; the first time is 0 s.
    /// `"0 bit/s"` is an outage; the last rate must be above 0. Replaces `rate`.
    #[serde(default)]
    #[schemars(with = "RateSteps")]
    pub rates: Vec<RateStep>,
    /// Measured capacity in the format of Mahimahi (Netravali et al. 2015), for each direction.
    /// Each number is a millisecond at which 1504 bytes may leave; each packet takes its length and
    /// 4 bytes. The trace repeats after the last number. Replaces `rate`.
    #[serde(default)]
    pub trace: Option<Trace>,
    /// One-way propagation delay of each direction.
    #[serde(default = "no_time")]
    pub delay: Duration,
    /// Maximum length of an IP packet on the link (RFC 791 §3.2: at least 68 B). Longer packets are
    /// fragmented, or dropped if fragmentation is not allowed (see `icmp`).
    #[serde(default = "ethernet_mtu")]
    #[schemars(transform = within("68 B", "65535 B"))]
    pub mtu: Bytes,
    /// Queue limit in front of each direction, in packets or in bytes of IP packets without
    /// `framing`. The frame in processing or transmission does not count. With a `trace`, each
    /// packet counts 4 bytes more, as in mahimahi. A new packet that does not fit is dropped.
    /// Without effect if the link has no rate.
    #[serde(default = "endless")]
    pub queue: QueueLimit,
    /// Active queue management (AQM) of the queue of each direction (RFC 7567). Without effect if
    /// the link has no rate. Without this section, the queue is first in, first out, and drops only
    /// new packets that exceed `queue` (tail drop).
    #[serde(default)]
    pub aqm: Option<Aqm>,
    /// Probability that an IP packet is lost on the wire, in each direction, whatever its number of
    /// fragments. A fragmented packet loses its first fragment. As with the other loss keys, the
    /// loss occurs after the queue and the transmission.
    #[serde(default = "never")]
    #[schemars(transform = below(1))]
    pub packet_loss: Probability,
    /// Probability that a frame (a fragment, or an unfragmented packet) is lost on the wire, in
    /// each direction.
    #[serde(default = "never")]
    #[schemars(transform = below(1))]
    pub frame_loss: Probability,
    /// Probability that a byte on the wire, framing included, is damaged, in each direction. A
    /// frame with a damaged byte is lost.
    #[serde(default = "never")]
    #[schemars(transform = below(1))]
    pub byte_loss: Probability,
    /// Numbers of the packets that the link loses, in each direction. Packets with transport
    /// payload count from 1, in the order in which they arrive at the link; those that the queue
    /// drops count too. If not set, none is lost by number.
    #[serde(default)]
    #[schemars(transform = numbers())]
    pub lost_packets: Vec<u64>,
    /// Burst losses of frames in each direction, by the model of Gilbert (1960) and Elliott (1963).
    /// Without this section, there are no burst losses.
    #[serde(default)]
    pub burst_loss: Option<BurstLoss>,
    /// Reordering in each direction: some frames take longer, so that later ones overtake them.
    /// Without this section, frames stay in order.
    #[serde(default)]
    pub reordering: Option<Reordering>,
    /// Link layer, which determines the bytes that a frame adds to its IP packet on the wire:
    /// `"none"`, `"ethernet"`, `"ethernet_vlan"` or `"ppp"`.
    #[serde(default)]
    pub framing: Framing,
    /// Time that the sending node of each direction needs for a frame before its transmission, one
    /// frame after the other. Fragments count as frames.
    #[serde(default = "no_time")]
    pub processing: Duration,
    /// Sends an ICMP "packet too big" message to the sender of a packet that exceeds `mtu` and must
    /// not be fragmented. If false, the packet is dropped silently.
    #[serde(default = "yes")]
    pub icmp: bool,
    /// Values for the downlink direction only, from the server to the UE, instead of the keys of
    /// the link.
    #[serde(default)]
    pub down: Option<OneWay>,
    /// Values for the uplink direction only, from the UE to the server, instead of the keys of the
    /// link.
    #[serde(default)]
    pub up: Option<OneWay>,
}

/// Values for one direction of a link. A key that is not set takes its value from the link.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OneWay {
    /// Bit rate of this direction of the link on the wire, framing included, instead of the link's
    /// `rate`.
    pub rate: Option<Limit<Bitrate>>,
    /// Bit rates of this direction over time: a list, or the name of a CSV file. Each rate holds
    /// from its time until the next one; the first time is 0 s. `"0 bit/s"` is an outage.
    #[schemars(with = "Option<RateSteps>")]
    pub rates: Option<Vec<RateStep>>,
    /// Measured capacity of this direction in the format of Mahimahi: each number is a millisecond
    /// at which 1504 bytes may leave.
    pub trace: Option<Trace>,
    /// One-way propagation delay of this direction, instead of the link's `delay`.
    pub delay: Option<Duration>,
    /// Queue limit in front of this direction, in packets or in bytes of IP packets without
    /// framing. A new packet that does not fit is dropped.
    pub queue: Option<QueueLimit>,
    /// Probability that an IP packet is lost on the wire in this direction, whatever its number of
    /// fragments. A fragmented packet loses its first fragment.
    #[schemars(transform = below(1))]
    pub packet_loss: Option<Probability>,
    /// Probability that a frame (a fragment, or an unfragmented packet) is lost in this direction.
    #[schemars(transform = below(1))]
    pub frame_loss: Option<Probability>,
    /// Probability that a byte on the wire, framing included, is damaged in this direction. A frame
    /// with a damaged byte is lost.
    #[schemars(transform = below(1))]
    pub byte_loss: Option<Probability>,
    /// Numbers of the packets that the link loses in this direction. Packets with transport payload
    /// count from 1, in the order in which they arrive at the link.
    #[schemars(transform = numbers())]
    pub lost_packets: Option<Vec<u64>>,
}

/// GTP-U tunnel (TS 29.281) of all UEs between the gateway and the base station, in both
/// directions.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gtpu {
    /// Names of the links inside the tunnel: neighbouring links, in order from the server to the
    /// base station. Packets carry the outer headers on these links only.
    pub links: Vec<String>,
    /// IP version of the outer header of tunnel packets, and of the IPsec tunnel if `ipsec` is set:
    /// `"v4"` or `"v6"`.
    #[serde(default)]
    pub outer_ip: IpVersion,
    /// Adds the optional GTP-U word with the sequence number to each packet, which lengthens it by
    /// 4 bytes.
    #[serde(default)]
    pub sequence_number: bool,
    /// Adds the PDU session container of NR to each packet, which lengthens it by 8 bytes. These
    /// include the 4 bytes of `sequence_number`.
    #[serde(default)]
    pub session_container: bool,
    /// Cipher of an IPsec ESP tunnel around the GTP-U tunnel (TS 33.401), which determines the
    /// bytes that each packet grows. If not set, there is no IPsec.
    #[serde(default)]
    pub ipsec: Option<Cipher>,
    /// Sets "don't fragment" in the outer IP header: links inside the tunnel drop outer packets
    /// that exceed the link's `mtu`. If false, the links fragment these packets.
    #[serde(default)]
    pub dont_fragment: bool,
    /// MSS to which the gateway lowers the MSS option of TCP SYNs that pass through it, from UEs
    /// and servers. Smaller MSS options pass unchanged. If not set, all do.
    #[serde(default)]
    #[schemars(transform = within("8 B", "65495 B"))]
    pub mss_clamp: Option<Bytes>,
    /// Processing time of each fragment at the end of the tunnel: in the base station (downlink) or
    /// the gateway (uplink), one fragment after the other. An unfragmented packet takes
    /// `per_packet` only.
    #[serde(default = "no_time")]
    pub per_fragment: Duration,
    /// Processing time of each complete packet at the end of the tunnel: in the base station
    /// (downlink) or the gateway (uplink), one packet after the other.
    #[serde(default = "no_time")]
    pub per_packet: Duration,
    /// Time that the end of the tunnel, base station (downlink) or gateway (uplink), waits for the
    /// missing fragments of a packet. Then it drops the fragments that it has received.
    #[serde(default = "a_minute")]
    pub reassembly_timeout: Duration,
}

/// The numbers that packets may have.
fn numbers() -> Range {
    within(1, 1_000_000_000_000_u64).unit("packets").each()
}

fn unlimited() -> Limit<Bitrate> {
    Limit::UNLIMITED
}

fn no_time() -> Duration {
    Duration::from_millis(0)
}

fn ethernet_mtu() -> Bytes {
    Bytes(1500)
}

fn endless() -> QueueLimit {
    QueueLimit::Unlimited
}

fn never() -> Probability {
    Probability::ZERO
}

fn yes() -> bool {
    true
}

fn a_minute() -> Duration {
    Duration::from_secs(60)
}
