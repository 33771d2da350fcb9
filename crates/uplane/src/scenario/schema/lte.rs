//! The section of an LTE cell.
//!
//! A profile gives a whole cell; every key changes one thing of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{AckFilter, Bearer, Network, Pucch};
use crate::ran::cell::config::Access;
use crate::ran::cell::config::Tti;
use crate::ran::mac::grant::Repeated;
use crate::ran::mac::request::Offset;
use crate::ran::mac::sharing::Sharing;
use crate::ran::phy::lte::Bandwidth;
use crate::unit::{Bitrate, Bytes, Duration, Limit, Probability};

/// One LTE cell with the UEs of the scenario.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lte {
    /// What the cell is like, but for the keys below.
    #[serde(default)]
    pub profile: LteProfile,
    /// Channel bandwidth; not for the profile `tti_study`, which has a rate instead.
    #[serde(default)]
    pub bandwidth: Bandwidth,
    /// Transmission time interval, to which all processing times scale.
    #[serde(default = "subframe")]
    pub tti: Tti,
    /// Distance of subcarriers: 15, 30, 60 or 120 kHz. Resource blocks are so much wider, and a TTI
    /// has so many more symbols: 14 in 0.125 ms with 120 kHz.
    #[serde(default = "fifteen")]
    pub subcarrier_spacing_khz: u32,
    /// The constant downlink rate of the profile `tti_study`.
    #[serde(default)]
    pub rate: Option<Limit<Bitrate>>,
    /// From one occasion for a scheduling request to the next, in TTIs (`sr-ConfigIndex`): 1, 2, 5,
    /// 10, 20, 40 or 80. The first UE has one at the beginning of the run, the second a TTI later,
    /// and so on: what starts at 0 s waits equally long for its first one in every run, unless it
    /// has a `spread` or the offset is random.
    #[serde(default)]
    pub sr_period: Option<u64>,
    /// Which TTI of each period a UE may use.
    #[serde(default)]
    pub sr_offset: Offset,
    /// After a scheduling request no other for so many periods (`sr-ProhibitTimer`), 0 to 7.
    #[serde(default)]
    pub sr_prohibit_timer: Option<u64>,
    /// Bytes granted to a scheduling request, for a TTI of 1 ms; as many as fit for the profile
    /// `tti_study` without.
    #[serde(default)]
    pub sr_grant: Option<Bytes>,
    /// That grant is smaller in shorter TTIs, in proportion; without, it is the same in all.
    #[serde(default = "yes")]
    pub sr_grant_scales: bool,
    /// When a UE asks.
    #[serde(default)]
    pub sr_rule: Option<Access>,
    /// What the eNB does with a request that comes while a grant is under way.
    #[serde(default)]
    pub sr_repeated: Option<Repeated>,
    /// From the slot of a buffer status report to that of the first grant which knows it, in TTIs.
    #[serde(default)]
    pub bsr_delay: Option<u32>,
    /// How long before its transmission a UE builds an uplink block, in TTIs (compare `N_2` of TS
    /// 38.214 §6.4); later data waits.
    #[serde(default)]
    pub pusch_preparation: Option<u32>,
    /// The periodic buffer status report timer (`periodicBSR-Timer`).
    #[serde(default)]
    pub periodic_bsr_timer: Option<Duration>,
    /// Probability that the first, second, … transmission of a block fails, both ways; the radio
    /// conditions decide without.
    #[serde(default)]
    pub bler: Option<Vec<Probability>>,
    /// Always blocks of this many bytes for the whole band in the downlink, whatever the radio
    /// conditions say.
    #[serde(default)]
    pub block: Option<Bytes>,
    /// The highest modulation of the downlink.
    #[serde(default)]
    pub modulation: Modulation,
    /// Spatial layers of the downlink, 1 or 2.
    #[serde(default = "one")]
    pub layers: u8,
    /// OFDM symbols of the control channel, 1 to 3: they limit grants, and data does without them.
    #[serde(default)]
    pub control_symbols: Option<u8>,
    /// Resource blocks of the uplink that carry data; without, all but a constant of the bandwidth
    /// for the control channel at the band's edges, or what `radio.lte.pucch` leaves.
    #[serde(default)]
    pub uplink_prbs: Option<u32>,
    /// Resource blocks of the uplink's control channel by the number of UEs.
    #[serde(default)]
    pub pucch: Option<Pucch>,
    /// No grant and no HARQ feedback in less time than this, however short the TTI: nodes that do
    /// not get faster with it.
    #[serde(default)]
    pub processing_floor: Option<Duration>,
    /// How often a scheduling request is sent before random access (`dsr-TransMax`).
    #[serde(default)]
    pub dsr_trans_max: Option<u32>,
    /// From the last scheduling request without a grant until random access has succeeded.
    #[serde(default)]
    pub random_access: Option<Duration>,
    /// From a buffer status report without a grant to the next one (`retxBSR-Timer`).
    #[serde(default)]
    pub retx_bsr_timer: Option<Duration>,
    /// Buffer status reports say exact numbers of bytes instead of levels.
    #[serde(default)]
    pub bsr_exact: Option<bool>,
    /// Proactive uplink grants (pre-scheduling): without a scheduling request, while downlink data
    /// flows to a UE.
    #[serde(default)]
    pub proactive_grants: Option<ProactiveGrants>,
    /// Semi-persistent scheduling (SPS) of each UE's uplink (TS 36.321 §5.10.2).
    #[serde(default)]
    pub sps: Option<Sps>,
    /// How reliable feedback and requests are; the requirements of TS 36.104 §8.3 in the profile
    /// `system_level`, without errors in the others.
    #[serde(default)]
    pub feedback: Option<Feedback>,
    /// How often a block is sent at most, both ways.
    #[serde(default)]
    pub harq_transmissions: Option<u32>,
    /// Who is served first in the downlink.
    #[serde(default)]
    pub scheduler: Option<SchedulerKind>,
    /// Who is served first in the uplink.
    #[serde(default)]
    pub uplink_scheduler: Option<SchedulerKind>,
    /// How many slots the averages of the schedulers remember (`t_c`).
    #[serde(default)]
    pub averaging_slots: Option<u32>,
    /// How many UEs share a slot at most, in each direction.
    #[serde(default)]
    pub ues_per_slot: Option<u32>,
    /// What all bearers of a UE without guaranteed rate may get together in the downlink
    /// (`UE-AMBR`).
    #[serde(default)]
    pub ue_ambr: Option<Limit<Bitrate>>,
    /// How the bearers of a UE share its downlink block.
    #[serde(default)]
    pub sharing: Option<Sharing>,
    /// Always this modulation and coding scheme in the downlink, 0 to 28; link adaptation without.
    #[serde(default)]
    pub mcs: Option<u8>,
    /// SINR of all UEs in the downlink, in dB.
    #[serde(default = "twenty")]
    pub downlink_sinr_db: f64,
    /// SINR of all UEs at the eNB, in dB.
    #[serde(default = "twenty")]
    pub uplink_sinr_db: f64,
    /// ACK filters in the UEs.
    #[serde(default)]
    pub ack_filter: Option<AckFilter>,
    /// Sites and cells around this one, and the air between.
    #[serde(default)]
    pub network: Option<Network>,
    /// The bearers of each UE; the first is its default bearer. One of QCI 9 when there is no such
    /// section.
    #[serde(default)]
    pub bearer: Vec<Bearer>,
}

/// Whole cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LteProfile {
    /// Link adaptation to 10 % first errors, HARQ, scheduling requests, a limited control channel,
    /// proportional fair.
    #[default]
    SystemLevel,
    /// The LTE module of ns-3 (2018): ideal reports, equal shares, buffers of 10 240 bytes, no
    /// errors.
    Ns3Lena,
    /// The TTI study: a constant rate, TR 36.912 timing, headers that cost nothing.
    TtiStudy,
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
    /// Channel and QoS aware: by delay in groups of 10 ms, then by the channel.
    ChannelQosAware,
}

/// Modulations of the downlink.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub enum Modulation {
    /// Six bits a symbol at most (TS 36.213 Table 7.1.7.1-1).
    #[default]
    #[serde(rename = "64QAM")]
    Qam64,
    /// Eight bits a symbol at most (TS 36.213 Table 7.1.7.1-1A).
    #[serde(rename = "256QAM")]
    Qam256,
}

/// Proactive grants (pre-scheduling) in the uplink: acknowledgements of downlink data need no
/// scheduling request.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProactiveGrants {
    /// From grant to grant, in TTIs.
    pub every: u64,
    /// The size of each.
    pub size: Bytes,
    /// The grants end this many TTIs after the last downlink block.
    #[serde(default = "twenty_slots")]
    pub inactivity: u64,
}

/// Semi-persistent scheduling of the uplink.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sps {
    /// From one transmission to the next, in TTIs (`semiPersistSchedIntervalUL`).
    pub period: u64,
    /// The size of each.
    pub size: Bytes,
}

/// Probabilities that uplink control information is misread.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Feedback {
    /// An ACK is read as NACK: a needless retransmission.
    #[serde(default = "never")]
    pub ack_as_nack: Probability,
    /// A NACK is read as ACK: the block is left to RLC and TCP.
    #[serde(default = "never")]
    pub nack_as_ack: Probability,
    /// A scheduling request is not detected.
    #[serde(default = "never")]
    pub sr_missed: Probability,
    /// A channel quality report cannot be read.
    #[serde(default = "never")]
    pub cqi_erased: Probability,
}

fn subframe() -> Tti {
    Tti { num: 1_000_000, den: 1 }
}

fn fifteen() -> u32 {
    15
}

fn twenty() -> f64 {
    20.0
}

fn yes() -> bool {
    true
}

fn one() -> u8 {
    1
}

fn twenty_slots() -> u64 {
    20
}

fn never() -> Probability {
    Probability::ZERO
}
