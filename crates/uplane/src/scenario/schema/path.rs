//! Sections of the wired path: links and the GTP-U tunnel.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::net::IpVersion;
use crate::net::gtpu::Cipher;
use crate::net::link::Queue;
use crate::unit::range::{below, within};
use crate::unit::{Bitrate, Bytes, Duration, Limit, Probability};

/// One wired link, both directions.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkSection {
    /// Its name, such as "sgi" or "s1".
    pub name: String,
    /// Rate of each direction.
    #[serde(default = "unlimited")]
    pub rate: Limit<Bitrate>,
    /// One-way propagation delay.
    #[serde(default = "no_time")]
    pub delay: Duration,
    /// Longest IP packet (RFC 791 §3.2: at least 68 B).
    #[serde(default = "ethernet_mtu")]
    #[schemars(transform = within("68 B", "65535 B"))]
    pub mtu: Bytes,
    /// Longest queue in front of the link; what does not fit is dropped.
    #[serde(default = "endless")]
    pub queue: Queue,
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
    /// What a frame adds to its IP packet on the wire.
    #[serde(default)]
    pub framing: FramingKind,
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
    /// Propagation delay.
    pub delay: Option<Duration>,
    /// Longest queue.
    pub queue: Option<Queue>,
    /// Probability that a packet is lost, whole.
    #[schemars(transform = below(1))]
    pub packet_loss: Option<Probability>,
    /// Probability that a frame is lost.
    #[schemars(transform = below(1))]
    pub frame_loss: Option<Probability>,
    /// Probability that a byte on the wire is damaged.
    #[schemars(transform = below(1))]
    pub byte_loss: Option<Probability>,
}

/// What a frame adds to its IP packet on the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FramingKind {
    /// Nothing.
    #[default]
    None,
    /// Ethernet: header 14, check 4, preamble and gap 20 bytes.
    Ethernet,
    /// Ethernet with one VLAN tag.
    EthernetVlan,
    /// Point-to-point protocol: 2 bytes.
    Ppp,
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

fn unlimited() -> Limit<Bitrate> {
    Limit::UNLIMITED
}

fn no_time() -> Duration {
    Duration::from_millis(0)
}

fn ethernet_mtu() -> Bytes {
    Bytes(1500)
}

fn endless() -> Queue {
    Queue::Unlimited
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
