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

/// One wired link, both directions.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkSection {
    /// Its name, such as "sgi" or "s1".
    pub name: String,
    /// Rate of each direction, of bytes on the wire: IP packets and what `framing` adds.
    #[serde(default = "unlimited")]
    pub rate: Limit<Bitrate>,
    /// Rates over time, the first from 0 s on; `"0 bit/s"` is an outage, but not the last rate. The
    /// name of a CSV file with the columns time and rate does the same.
    #[serde(default)]
    #[schemars(with = "RateSteps")]
    pub rates: Vec<RateStep>,
    /// Measured trace in the format of Mahimahi (Netravali et al. 2015). Each number is a
    /// millisecond at which 1504 bytes may leave; each packet takes its length and 4 bytes. After
    /// the last number the trace repeats.
    #[serde(default)]
    pub trace: Option<Trace>,
    /// One-way propagation delay.
    #[serde(default = "no_time")]
    pub delay: Duration,
    /// Longest IP packet (RFC 791 §3.2: at least 68 B).
    #[serde(default = "ethernet_mtu")]
    #[schemars(transform = within("68 B", "65535 B"))]
    pub mtu: Bytes,
    /// Longest queue in front of the link, in packets or in bytes of IP without `framing`; the packet
    /// on the wire does not count. Before a `trace`, each packet counts 4 bytes more, as in mahimahi.
    /// A packet that does not fit is dropped.
    #[serde(default = "endless")]
    pub queue: QueueLimit,
    /// Active queue management of each direction (RFC 7567); without, first in, first out, and tail
    /// drop.
    #[serde(default)]
    pub aqm: Option<Aqm>,
    /// Probability that a packet is lost, whole.
    #[serde(default = "never")]
    #[schemars(transform = below(1))]
    pub packet_loss: Probability,
    /// Probability that a frame (a fragment, or an uncut packet) is lost.
    #[serde(default = "never")]
    #[schemars(transform = below(1))]
    pub frame_loss: Probability,
    /// Probability that a byte on the wire is damaged, which loses its frame.
    #[serde(default = "never")]
    #[schemars(transform = below(1))]
    pub byte_loss: Probability,
    /// Packets that are lost: the numbers of packets with transport payload, counted from 1 in the
    /// order in which they come to the link; one that the queue drops has a number too.
    #[serde(default)]
    #[schemars(transform = numbers())]
    pub lost_packets: Vec<u64>,
    /// Losses in bursts, of each direction (Gilbert 1960, Elliott 1963).
    #[serde(default)]
    pub burst_loss: Option<BurstLoss>,
    /// Frames of each direction that come late, so that others overtake them.
    #[serde(default)]
    pub reordering: Option<Reordering>,
    /// What a frame adds to its IP packet on the wire.
    #[serde(default)]
    pub framing: Framing,
    /// Time that the node in front of the link spends on each frame.
    #[serde(default = "no_time")]
    pub processing: Duration,
    /// Says "too big" to the sender of a packet that must not be cut; without, it is dropped
    /// silently.
    #[serde(default = "yes")]
    pub icmp: bool,
    /// What is different from the server to the UE.
    #[serde(default)]
    pub down: Option<OneWay>,
    /// What is different from the UE to the server.
    #[serde(default)]
    pub up: Option<OneWay>,
}

/// What is different in one direction of a link.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OneWay {
    /// Rate.
    pub rate: Option<Limit<Bitrate>>,
    /// Rates over time, or the name of a CSV file with them.
    #[schemars(with = "Option<RateSteps>")]
    pub rates: Option<Vec<RateStep>>,
    /// A measured trace.
    pub trace: Option<Trace>,
    /// Propagation delay.
    pub delay: Option<Duration>,
    /// Longest queue.
    pub queue: Option<QueueLimit>,
    /// Probability that a packet is lost, whole.
    #[schemars(transform = below(1))]
    pub packet_loss: Option<Probability>,
    /// Probability that a frame is lost.
    #[schemars(transform = below(1))]
    pub frame_loss: Option<Probability>,
    /// Probability that a byte on the wire is damaged.
    #[schemars(transform = below(1))]
    pub byte_loss: Option<Probability>,
    /// The numbers of packets that are lost.
    #[schemars(transform = numbers())]
    pub lost_packets: Option<Vec<u64>>,
}

/// A GTP-U tunnel (TS 29.281) between the gateway and the base station.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gtpu {
    /// The links inside the tunnel, neighbours in the order of the path.
    pub links: Vec<String>,
    /// Version of the outer IP header.
    #[serde(default)]
    pub outer_ip: IpVersion,
    /// Sends the optional word with the sequence number: 4 bytes more.
    #[serde(default)]
    pub sequence_number: bool,
    /// Sends the PDU session container of NR: 8 bytes more.
    #[serde(default)]
    pub session_container: bool,
    /// An IPsec ESP tunnel around it (TS 33.401), with this cipher.
    #[serde(default)]
    pub ipsec: Option<Cipher>,
    /// Outer packets must not be cut.
    #[serde(default)]
    pub dont_fragment: bool,
    /// The gateway lowers the MSS option of passing SYNs to this value.
    #[serde(default)]
    #[schemars(transform = within("8 B", "65495 B"))]
    pub mss_clamp: Option<Bytes>,
    /// Time that the receiving tunnel end spends on each fragment.
    #[serde(default = "no_time")]
    pub per_fragment: Duration,
    /// Time that the receiving tunnel end spends on each packet.
    #[serde(default = "no_time")]
    pub per_packet: Duration,
    /// How long the receiving tunnel end waits for the other fragments.
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
