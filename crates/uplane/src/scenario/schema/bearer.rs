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

/// One EPS bearer of each UE.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bearer {
    /// Name of the bearer in tables and error messages, unique in the cell.
    pub name: String,
    /// QoS class identifier (QCI) of the bearer's packets (TS 23.203 Table 6.1.7): their priority,
    /// delay budget and loss rate, which schedulers and logical channel prioritization use.
    #[serde(default = "best_effort")]
    #[schemars(transform = one_of(&Qci::known()))]
    pub qci: u8,
    /// RLC mode in both directions: `"um"` (unacknowledged) or `"am"` (acknowledged).
    #[serde(default)]
    pub rlc: RlcMode,
    /// Length of RLC sequence numbers, in bits: 5 or 10 in unacknowledged mode, 10 or 16 in
    /// acknowledged mode.
    #[serde(default = "ten")]
    #[schemars(transform = one_of(SN_LENGTHS).unit("bits"))]
    pub rlc_sn_length: u8,
    /// Time that an RLC receiver waits for a missing PDU, in both directions (`t-Reordering`, TS
    /// 36.322 §7.3). Then unacknowledged mode skips the PDU, and acknowledged mode reports it in a
    /// STATUS PDU. Default: `um_t_reordering` of the cell in unacknowledged mode, 35 ms in
    /// acknowledged mode.
    #[serde(default)]
    pub t_reordering: Option<Duration>,
    /// Time that an RLC transmitter in acknowledged mode waits for a STATUS PDU after a poll before
    /// it polls again (`t-PollRetransmit`, TS 36.322 §7.3). Default 45 ms. Refused in
    /// unacknowledged mode.
    #[serde(default)]
    pub t_poll_retransmit: Option<Duration>,
    /// Minimum time between two STATUS PDUs of an RLC receiver in acknowledged mode
    /// (`t-StatusProhibit`, TS 36.322 §7.3). `"0 s"`: no minimum. Default 10 ms. Refused in
    /// unacknowledged mode.
    #[serde(default)]
    pub t_status_prohibit: Option<Duration>,
    /// Number of data PDUs after which an RLC transmitter in acknowledged mode polls for a STATUS
    /// PDU (`pollPDU`, TS 36.322 §7.4). 0 and 1 poll with each PDU. A PDU that leaves no data
    /// waiting polls with every value. Default 32. Refused in unacknowledged mode.
    #[serde(default)]
    #[schemars(transform = within(0, u32::MAX).unit("PDUs"))]
    pub poll_pdu: Option<u32>,
    /// Number of data bytes after which an RLC transmitter in acknowledged mode polls for a STATUS
    /// PDU (`pollByte`, TS 36.322 §7.4). With 0 B, it polls with each PDU. A PDU that leaves no
    /// data waiting polls with every value. Default 25 kB. Refused in unacknowledged mode.
    #[serde(default)]
    pub poll_byte: Option<Bytes>,
    /// Value of `RETX_COUNT` of a PDU at which an RLC transmitter in acknowledged mode reports
    /// radio link failure and is re-established (`maxRetxThreshold`, TS 36.322 §7.4). The count is
    /// 0 at the first retransmission and rises by 1 with each further one, so 0 fails at the first.
    /// Default 8. Refused in unacknowledged mode.
    #[serde(default)]
    #[schemars(transform = within(0, u32::MAX).unit("retransmissions"))]
    pub max_retx_threshold: Option<u32>,
    /// RLC transmit buffer of the bearer in each direction, in bytes of PDCP PDUs that RLC has not
    /// sent yet (TS 36.322 §4.2.1). A new packet that does not fit is dropped. At least one packet
    /// of 1500 B with its header. Default: `um_buffer` of the cell in unacknowledged mode,
    /// unlimited in acknowledged mode.
    #[serde(default)]
    #[schemars(transform = at_least("1502 B"))]
    pub buffer: Option<Limit<Bytes>>,
    /// Active queue management (AQM) of the bearer's downlink queue at the eNB (RFC 7567, TS 23.501
    /// §5.37). Refused beside `discard_timer`. Without this section, the queue drops only new
    /// packets that exceed `buffer` (tail drop).
    #[serde(default)]
    pub aqm: Option<Aqm>,
    /// Time after a packet's arrival at which PDCP discards it, in either direction, if no byte of
    /// it was sent (`discardTimer`, TS 36.323 §7.2). If not set, packets are never discarded.
    #[serde(default)]
    pub discard_timer: Option<Duration>,
    /// Robust header compression (ROHC): lengths of compressed headers, in both directions. Without
    /// this section, headers are not compressed.
    #[serde(default)]
    pub rohc: Option<Rohc>,
    /// Allocation and retention priority (ARP, TS 23.203 §6.1.7.3), from 1, the highest, to 15.
    /// Without effect, since admission control and pre-emption of bearers are not modelled: a value
    /// other than 8 gives a warning. Default 8.
    #[serde(default = "usual_arp")]
    #[schemars(transform = within(1, 15))]
    pub arp: u8,
    /// Guaranteed bit rates of the bearer in each direction, in bytes of IP packets without radio
    /// headers (TS 23.401 §4.7.3, TS 36.413 §9.2.1.19). If not set, no rate is guaranteed. A bearer
    /// is at risk while it is below its rate and a packet has waited for more than half of the
    /// radio part of the QCI's delay budget. The scheduler serves UEs with such a bearer first, and
    /// in the downlink the bearer before other bearers of the UE. In the uplink, the eNB counts
    /// rates and waiting times for each logical channel group, from the first report of waiting
    /// data. Only for a QCI with guaranteed rates (1 to 4, 65 to 67, 75). Refused for the first
    /// bearer, which is the default bearer (TS 23.401 §4.7.2.1).
    #[serde(default)]
    pub gbr: Option<BothWays>,
    /// Maximum bit rates of the bearer in each direction, in bytes of IP packets without radio
    /// headers, enforced by token buckets of 100 ms (TS 23.401 §4.7.3). The uplink rate has an
    /// effect only if all bearers of the logical channel group have an `mbr`, because grants are
    /// for groups. If not set, the rates are unlimited.
    #[serde(default)]
    pub mbr: Option<BothWays>,
    /// Logical channel group of the bearer's uplink (`logicalChannelGroup`, TS 36.331 §6.3.2).
    /// Buffer status reports have one byte count for each group, so the eNB cannot tell apart the
    /// bearers of a group. Default: 3 for the first bearer and for bearers of QCI 9, 1 for others.
    #[serde(default)]
    #[schemars(transform = within(0, 3))]
    pub logical_channel_group: Option<u8>,
    /// Rate that the bearer gets before the rest of a transport block is divided by priority, in
    /// bytes of RLC PDUs with their headers (`prioritisedBitRate`, TS 36.321 §5.4.3.1). It has an
    /// effect in the uplink with `uplink_sharing = "buckets"`, and in the downlink with `sharing =
    /// "buckets"`. `"none"`: no such rate. `"unlimited"`: all that the bearer needs. Default: the
    /// smallest standard value that holds `gbr.up` plus an eighth for headers; `"none"` if `gbr` is
    /// not set.
    #[serde(default)]
    pub prioritised_bit_rate: Option<PrioritisedRate>,
    /// Time for which the bearer may save up unused `prioritised_bit_rate` (`bucketSizeDuration`,
    /// TS 36.321 §5.4.3.1): its token bucket holds at most this time multiplied by that rate.
    /// Without effect if `prioritised_bit_rate` is `"none"` or `"unlimited"`.
    #[serde(default = "tenth")]
    pub bucket_size_duration: Duration,
    /// Packet filters of the bearer: a packet that matches one of them is sent on this bearer.
    /// Every bearer but the first requires at least one. The first, the default bearer, must have
    /// none and carries all other packets.
    #[serde(default)]
    pub filter: Vec<PacketFilter>,
}

impl Bearer {
    /// ARP of a bearer that does not set it.
    pub const USUAL_ARP: u8 = 8;
}

/// One rate for each direction.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BothWays {
    /// Downlink rate, in bytes of IP packets without radio headers.
    pub down: Bitrate,
    /// Uplink rate, in bytes of IP packets without radio headers.
    pub up: Bitrate,
}

/// Robust header compression (RFC 5795), as constant lengths of compressed headers.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rohc {
    /// Length of the compressed IP and TCP headers together, which replace the full headers of a
    /// TCP segment on the radio. SACK blocks add their own length, and SYN segments are not
    /// compressed.
    #[schemars(transform = at_least("1 B"))]
    pub tcp: Bytes,
    /// Length of the compressed IP and UDP headers together, which replace the full headers of a
    /// UDP datagram on the radio.
    #[schemars(transform = at_least("1 B"))]
    pub udp: Bytes,
    /// Number of packets of each flow and direction that keep their full headers at first, to
    /// establish the context. 0: the first packet is compressed already. Default 0.
    #[serde(default)]
    #[schemars(transform = within(0, u32::MAX).unit("packets"))]
    pub initial: u32,
}

/// RLC mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RlcMode {
    /// Unacknowledged mode: no RLC retransmissions.
    #[default]
    Um,
    /// Acknowledged mode: RLC retransmits what HARQ has lost.
    Am,
}

/// One packet filter of a bearer's traffic flow template. A packet must match all keys that are
/// set.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PacketFilter {
    /// Evaluation order of the filter among the filters of all bearers: low values first, and the
    /// first match decides. No two filters have the same value.
    pub precedence: u8,
    /// Direction of the packets that the filter claims: `"down"`, `"up"` or `"both"`.
    #[serde(default)]
    pub direction: Applies,
    /// Protocol above IP that a packet must have: `"tcp"`, `"udp"` or `"icmp"`. If not set, any.
    #[serde(default)]
    pub protocol: Option<Protocol>,
    /// IP address of the server, or a prefix such as `"198.51.100.0/24"`. If not set, any address.
    #[serde(default)]
    pub server_address: Option<Prefix>,
    /// IP address of the UE, or a prefix such as `"10.45.0.0/16"`. If not set, any address.
    #[serde(default)]
    pub ue_address: Option<Prefix>,
    /// Port at the server, or a range of ports: `5004`, `"5000-5100"`. If not set, any port.
    #[serde(default)]
    pub server_port: Option<Ports>,
    /// Port at the UE, or a range of ports: `5004`, `"5000-5100"`. If not set, any port.
    #[serde(default)]
    pub ue_port: Option<Ports>,
    /// Type of service octet of the IP header (DSCP and ECN) that a packet must have, compared in
    /// the bits of `tos_mask`. If not set, any.
    #[serde(default)]
    pub tos: Option<u8>,
    /// Bits of the type of service octet that are compared with `tos`: 252 compares the DSCP alone.
    /// Default: all bits. 0 compares none, so every packet matches.
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

fn usual_arp() -> u8 {
    Bearer::USUAL_ARP
}

fn ten() -> u8 {
    10
}

fn all_bits() -> u8 {
    0xff
}
