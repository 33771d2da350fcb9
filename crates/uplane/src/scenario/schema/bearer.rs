//! The sections of bearers and of their packet filters.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::quantity::{Ports, Prefix};
use crate::net::queue::Aqm;
use crate::ran::bearer::Applies;
use crate::ran::bearer::Protocol;
use crate::ran::mac::prioritisation::PrioritisedRate;
use crate::ran::tables::qci::Qci;
use crate::unit::range::{at_least, one_of, within};
use crate::unit::{Bitrate, Bytes, Duration, Limit};

/// One bearer of each UE.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bearer {
    /// Its name.
    pub name: String,
    /// QoS class identifier (TS 23.203 Table 6.1.7).
    #[serde(default = "best_effort")]
    #[schemars(transform = one_of(&Qci::known()))]
    pub qci: u8,
    /// RLC mode.
    #[serde(default)]
    pub rlc: RlcMode,
    /// Sequence numbers of RLC in bits: 5 or 10 in unacknowledged mode, 10 or 16 in acknowledged
    /// mode.
    #[serde(default = "ten")]
    #[schemars(transform = one_of(SN_LENGTHS).unit("bits"))]
    pub rlc_sn_length: u8,
    /// How long a receiver of RLC waits for a missing PDU (`t-Reordering`, TS 36.322 §7.3).
    #[serde(default)]
    pub t_reordering: Option<Duration>,
    /// How long a transmitter in acknowledged mode waits for the answer to a poll
    /// (`t-PollRetransmit`, TS 36.322 §7.3).
    #[serde(default)]
    pub t_poll_retransmit: Option<Duration>,
    /// The least time between two status reports of acknowledged mode (`t-StatusProhibit`,
    /// TS 36.322 §7.3).
    #[serde(default)]
    pub t_status_prohibit: Option<Duration>,
    /// PDUs from poll to poll in acknowledged mode (`pollPDU`, TS 36.322 §7.4).
    #[serde(default)]
    #[schemars(transform = within(0, u32::MAX).unit("PDUs"))]
    pub poll_pdu: Option<u32>,
    /// Bytes from poll to poll in acknowledged mode (`pollByte`, TS 36.322 §7.4).
    #[serde(default)]
    pub poll_byte: Option<Bytes>,
    /// How often acknowledged mode sends one PDU again (`maxRetxThreshold`, TS 36.322
    /// §7.4).
    #[serde(default)]
    #[schemars(transform = within(0, u32::MAX).unit("retransmissions"))]
    pub max_retx_threshold: Option<u32>,
    /// Transmit buffer of each end, in bytes of PDCP PDUs that RLC has not sent yet (TS 36.322
    /// §4.2.1), with space for a packet of 1500 B and its header. Default unlimited.
    #[serde(default)]
    #[schemars(transform = at_least("1502 B"))]
    pub buffer: Option<Limit<Bytes>>,
    /// Active queue management of its downlink queue at the base station (RFC 7567, TS 23.501
    /// §5.37); without, tail drop.
    #[serde(default)]
    pub aqm: Option<Aqm>,
    /// PDCP discard timer (`discardTimer`, TS 36.323 §7.2); never without.
    #[serde(default)]
    pub discard_timer: Option<Duration>,
    /// Robust header compression: lengths of compressed headers.
    #[serde(default)]
    pub rohc: Option<Rohc>,
    /// Allocation and retention priority (TS 23.203 §6.1.7.3): 1 is kept longest.
    #[serde(default = "eight")]
    #[schemars(transform = within(1, 15))]
    pub arp: u8,
    /// Guaranteed bit rates of its packets, counted in bytes of IP without headers of the radio (TS
    /// 23.401 §4.7.3, TS 36.413 §9.2.1.19). Packets that have waited for half of their delay budget
    /// go before other UEs and, in the downlink, before other bearers of the UE. Only for a class
    /// with guaranteed rates (QCI 1 to 4, 65 to 67, 75), and never of the first bearer, the default
    /// one (TS 23.401 §4.7.2.1).
    #[serde(default)]
    pub gbr: Option<BothWays>,
    /// Maximum bit rates of its packets, counted as `gbr`; that of the uplink where all bearers of
    /// its logical channel group have one, since grants are for groups (TS 23.401 §4.7.3).
    #[serde(default)]
    pub mbr: Option<BothWays>,
    /// The logical channel group of its uplink (`logicalChannelGroup`, TS 36.331 §6.3.2).
    #[serde(default)]
    #[schemars(transform = within(0, 3))]
    pub logical_channel_group: Option<u8>,
    /// Rate that its uplink gets before others get more than theirs, counted in RLC PDUs with
    /// their headers; obeyed with `uplink_sharing = "buckets"`. Default: the least value of the
    /// standard that holds `gbr.up` and an eighth more for headers; without `gbr`, "none".
    /// (`prioritisedBitRate`, TS 36.321 §5.4.3.1)
    #[serde(default)]
    pub prioritised_bit_rate: Option<PrioritisedRate>,
    /// For how long an unused prioritised rate is kept (`bucketSizeDuration`, TS 36.321
    /// §5.4.3.1).
    #[serde(default = "tenth")]
    pub bucket_size_duration: Duration,
    /// The packets that it claims; the default bearer claims none and gets the rest.
    #[serde(default)]
    pub filter: Vec<PacketFilter>,
}

/// A rate each way.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BothWays {
    /// To the UE.
    pub down: Bitrate,
    /// From the UE.
    pub up: Bitrate,
}

/// Header compression (RFC 5795), as lengths.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rohc {
    /// IP and TCP header together.
    #[schemars(transform = at_least("1 B"))]
    pub tcp: Bytes,
    /// IP and UDP header together.
    #[schemars(transform = at_least("1 B"))]
    pub udp: Bytes,
    /// How many packets of each flow keep their whole headers.
    #[serde(default)]
    #[schemars(transform = within(0, u32::MAX).unit("packets"))]
    pub initial: u32,
}

/// RLC modes (TS 36.322).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RlcMode {
    /// Unacknowledged.
    #[default]
    Um,
    /// Acknowledged.
    Am,
}

/// One packet filter of a bearer's traffic flow template; all given keys must match.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PacketFilter {
    /// Filters of low precedence are asked first, over all bearers.
    pub precedence: u8,
    /// The direction in which it claims packets.
    #[serde(default)]
    pub direction: Applies,
    /// IP protocol above IP.
    #[serde(default)]
    pub protocol: Option<Protocol>,
    /// The address of the server, or a prefix of it.
    #[serde(default)]
    pub server_address: Option<Prefix>,
    /// The address of the UE, or a prefix of it.
    #[serde(default)]
    pub ue_address: Option<Prefix>,
    /// The port at the server, or a range of ports: `5004`, `"5000-5100"`.
    #[serde(default)]
    pub server_port: Option<Ports>,
    /// The port at the UE, or a range of ports.
    #[serde(default)]
    pub ue_port: Option<Ports>,
    /// Type of service.
    #[serde(default)]
    pub tos: Option<u8>,
    /// The bits of the type of service that count.
    #[serde(default = "all_bits")]
    pub tos_mask: u8,
}

fn tenth() -> Duration {
    Duration::from_millis(100)
}

/// TS 36.322 §6.2.1.3, §6.2.1.4
const SN_LENGTHS: &[u32] = &[5, 10, 16];

fn best_effort() -> u8 {
    9
}

fn eight() -> u8 {
    8
}

fn ten() -> u8 {
    10
}

fn all_bits() -> u8 {
    0xff
}
