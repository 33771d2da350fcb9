//! Sections of an LTE cell and of its bearers.
//!
//! A profile gives a whole cell; every key changes one thing of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::quantity::{Chance, Rate, Size, SlotLength, Span};

/// One LTE cell with the UEs of the scenario.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lte {
    /// What the cell is like, but for the keys below.
    #[serde(default)]
    pub profile: LteProfile,
    /// Channel bandwidth; not for the profile `tti_study`, which has a rate instead.
    #[serde(default)]
    pub bandwidth: LteBandwidth,
    /// Transmission time interval, to which all processing times scale.
    #[serde(default = "subframe")]
    pub tti: SlotLength,
    /// The constant downlink rate of the profile `tti_study`.
    #[serde(default)]
    pub rate: Option<Rate>,
    /// From one occasion for a scheduling request to the next, in TTIs: 1, 2, 5, 10, 20, 40 or 80.
    #[serde(default)]
    pub sr_period: Option<u64>,
    /// After a scheduling request no other for so many periods (`sr-ProhibitTimer`), 0 to 7.
    #[serde(default)]
    pub sr_prohibit: Option<u64>,
    /// Bytes granted to a scheduling request, for a TTI of 1 ms; as many as fit for the profile `tti_study` without.
    #[serde(default)]
    pub sr_grant: Option<Size>,
    /// The periodic buffer status report timer (`periodicBSR-Timer`).
    #[serde(default)]
    pub bsr_period: Option<Span>,
    /// Probability that the first, second, … transmission of a block fails, both ways; the radio conditions decide
    /// without.
    #[serde(default)]
    pub bler: Option<Vec<Chance>>,
    /// How often a block is sent at most, both ways.
    #[serde(default)]
    pub harq_transmissions: Option<u32>,
    /// Who is served first in the downlink.
    #[serde(default)]
    pub scheduler: Option<SchedulerKind>,
    /// How the bearers of a UE share its downlink block.
    #[serde(default)]
    pub sharing: Option<SharingKind>,
    /// Always this modulation and coding scheme in the downlink, 0 to 28; link adaptation without.
    #[serde(default)]
    pub mcs: Option<u8>,
    /// SINR of all UEs in the downlink, in dB.
    #[serde(default = "twenty")]
    pub downlink_sinr_db: f64,
    /// SINR of all UEs at the eNB, in dB.
    #[serde(default = "twenty")]
    pub uplink_sinr_db: f64,
    /// The bearers of each UE; the first is its default bearer. One of QCI 9 when there is no such section.
    #[serde(default)]
    pub bearer: Vec<Bearer>,
}

/// Whole cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LteProfile {
    /// Link adaptation to 10 % first errors, HARQ, scheduling requests, a limited control channel, proportional fair.
    #[default]
    SystemLevel,
    /// The LTE module of ns-3 (2018): ideal reports, equal shares, buffers of 10 240 bytes, no errors.
    Ns3Lena,
    /// The TTI study: a constant rate, TR 36.912 timing, headers that cost nothing.
    TtiStudy,
}

/// Channel bandwidths (TS 36.101 §5.6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub enum LteBandwidth {
    /// 6 resource blocks.
    #[serde(rename = "1.4 MHz")]
    Mhz1_4,
    /// 15 resource blocks.
    #[serde(rename = "3 MHz")]
    Mhz3,
    /// 25 resource blocks.
    #[serde(rename = "5 MHz")]
    Mhz5,
    /// 50 resource blocks.
    #[default]
    #[serde(rename = "10 MHz")]
    Mhz10,
    /// 75 resource blocks.
    #[serde(rename = "15 MHz")]
    Mhz15,
    /// 100 resource blocks.
    #[serde(rename = "20 MHz")]
    Mhz20,
}

/// Orders of service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SchedulerKind {
    /// Each in its turn.
    RoundRobin,
    /// Who gets most out of the slot.
    MaximumThroughput,
    /// Who got least so far.
    BlindEqualThroughput,
    /// Who is better off now than on average.
    ProportionalFair,
    /// By QCI priority, proportional fair within one.
    StrictQci,
    /// Modified largest weighted delay first.
    MLwdf,
    /// Exponential rule for real-time bearers.
    ExpPf,
    /// Below its target rate first.
    PrioritySet,
}

/// Sharing of a block among the bearers of one UE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SharingKind {
    /// All for the most urgent bearer, the rest for the next.
    Priority,
    /// Prioritised bit rates first, then priority (TS 36.321 §5.4.3.1).
    Buckets,
    /// The same share for each bearer with data; what it does not need is lost.
    Equal,
}

/// One bearer of each UE.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bearer {
    /// Its name.
    pub name: String,
    /// QoS class identifier (TS 23.203 §6.1.7).
    #[serde(default = "best_effort")]
    pub qci: u8,
    /// RLC mode.
    #[serde(default)]
    pub rlc: RlcMode,
    /// Transmit buffer of each end; unlimited without.
    #[serde(default)]
    pub buffer: Option<Size>,
    /// PDCP discard timer (`discardTimer`); never without.
    #[serde(default)]
    pub discard_timer: Option<Span>,
    /// What it claims; the default bearer claims nothing and gets the rest.
    #[serde(default)]
    pub filter: Vec<PacketFilter>,
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
    /// IP protocol above IP.
    #[serde(default)]
    pub protocol: Option<ProtocolKind>,
    /// The port at the server.
    #[serde(default)]
    pub server_port: Option<u16>,
    /// The port at the UE.
    #[serde(default)]
    pub ue_port: Option<u16>,
    /// Type of service.
    #[serde(default)]
    pub tos: Option<u8>,
}

/// What is above IP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProtocolKind {
    /// TCP.
    Tcp,
    /// UDP.
    Udp,
    /// ICMP.
    Icmp,
}

fn subframe() -> SlotLength {
    SlotLength { num: 1_000_000, den: 1 }
}

fn twenty() -> f64 {
    20.0
}

fn best_effort() -> u8 {
    9
}
