//! The section of an LTE cell.
//!
//! A profile is a base file with these keys (`ran/lte/profile/*.toml`), which lies under the
//! section: it gives a whole cell, and every key changes one thing of it.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::lte_words::{
    Allocation, Bler, ControlSymbols, McsChoice, SrPeriod, TimingRule, UplinkModulation,
    UplinkPrbs, UplinkTransmissions,
};
use super::{AckFilter, Bearer, Drx, Handover, Network, Pucch, Rach, Rrc};
use crate::net::Direction;
use crate::ran::Phase;
use crate::ran::cell::config::{Access, DownlinkQueueView, Tti};
use crate::ran::lte::PROFILES;
use crate::ran::mac::buffer_status::Interval;
use crate::ran::mac::grant::Repeated;
use crate::ran::mac::scheduler::Metric;
use crate::ran::mac::scheduling_request::Offset;
use crate::ran::mac::sharing::Sharing;
use crate::ran::mac::status_pdus::StatusPdus;
use crate::ran::phy::lte::Bandwidth;
use crate::unit::range::{at_least, one_of, within};
use crate::unit::{Bitrate, Bytes, Duration, Limit, Probability};

/// One LTE cell with the UEs of the scenario; what it does not say is taken from its profile.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = usual_values)]
pub struct Lte {
    /// The base of this section: a built-in profile (`uplane profile` lists them), or a file with
    /// the same keys, `"mine.toml"`, beside the scenario.
    #[schemars(schema_with = "profile_or_file")]
    pub profile: LteProfile,
    /// Channel bandwidth; not where `rate` is given.
    pub bandwidth: Bandwidth,
    /// Transmission time interval, to which all processing times scale.
    pub tti: Tti,
    /// Subcarrier spacing. With a wider one resource blocks are wider and symbols shorter in
    /// proportion: a TTI of 0.125 ms has 14 symbols with 120 kHz (TS 38.211 Table 4.2-1).
    #[schemars(transform = one_of(SPACINGS).unit("kHz"))]
    pub subcarrier_spacing_khz: u32,
    /// Where the grid of TTIs begins; "random" in each run.
    pub phase: Phase,
    /// Processing times of all nodes, which scale with the TTI.
    pub timing: TimingRule,
    /// A constant downlink rate instead of resource blocks, and an uplink of any rate; only where
    /// the profile has one.
    #[serde(default)]
    pub rate: Option<Bitrate>,
    /// From one occasion for a scheduling request to the next, in TTIs (`sr-ConfigIndex`,
    /// TS 36.213 Table 10.1.5-1). The first UE has one at the beginning of the run, the second a
    /// TTI later, and so on: what starts at 0 s waits equally long for its first one in every run,
    /// unless it has a `spread` or the offset is random. "auto": the shortest for which a PUCCH
    /// of a fixed size has space (`prbs` or `n1_an` of `pucch`).
    #[serde(default)]
    #[schemars(transform = one_of(SR_PERIODS).unit("TTIs"))]
    pub sr_period: SrPeriod,
    /// Which TTI of each period a UE may use.
    pub sr_offset: Offset,
    /// For so many periods after a scheduling request no other is sent (`sr-ProhibitTimer`, TS
    /// 36.331 §6.3.2).
    #[schemars(transform = within(0, 7).unit("periods"))]
    pub sr_prohibit_timer: u64,
    /// Bytes granted to a scheduling request; "unlimited" for as many as fit.
    #[schemars(transform = at_least("2 B"))]
    pub sr_grant: Limit<Bytes>,
    /// That grant is for a TTI of 1 ms, and smaller in shorter ones, in proportion; without, it is
    /// the same in all.
    pub sr_grant_scales: bool,
    /// When a UE asks.
    pub sr_rule: Access,
    /// What the eNB does with a request that comes while a grant is under way.
    pub sr_repeated: Repeated,
    /// From the slot of a buffer status report to that of the first grant which knows it, in TTIs.
    #[schemars(transform = within(1, 100).unit("TTIs"))]
    pub bsr_delay: u32,
    /// How long before its transmission a UE builds an uplink block, in TTIs (compare `N_2` of
    /// TS 38.214 §6.4); later data waits. Less than from grant to transmission.
    #[schemars(transform = within(0, 5).unit("TTIs"))]
    pub pusch_preparation: u32,
    /// The periodic buffer status report timer (`periodicBSR-Timer`, TS 36.331 §6.3.2), or
    /// "every_block".
    #[schemars(transform = at_least("1 ns"))]
    pub periodic_bsr_timer: Interval,
    /// Probability that the first, second, … transmission of a block fails, both ways; "sinr": the
    /// radio conditions decide; "none": nothing fails. Control messages take the room that the
    /// SINR asks for, whatever this key says.
    pub bler: Bler,
    /// Always blocks of this many bytes for the whole band in the downlink, whatever the radio
    /// conditions say; without, link adaptation or `mcs` decides.
    #[serde(default)]
    #[schemars(transform = at_least("7 B"))]
    pub block: Option<Bytes>,
    /// The highest modulation of the downlink.
    pub modulation: Modulation,
    /// The highest modulation of the uplink.
    pub uplink_modulation: UplinkModulation,
    /// Spatial layers of the downlink.
    #[schemars(transform = within(1, 2).unit("layers"))]
    pub layers: u8,
    /// What the schedulers give out.
    pub allocation: Allocation,
    /// The last resource block group of the downlink carries data although it is smaller than the
    /// others, where their size does not divide the bandwidth: 25 resource blocks are twelve groups
    /// of two and one of one (TS 36.213 §7.1.6.1). Without, it stays empty, as with the schedulers
    /// of ns-3: 24 of 25 resource blocks, 48 of 50, 72 of 75.
    pub partial_rbg: bool,
    /// OFDM symbols of the control channel (TS 36.212 §5.3.4): they limit grants and take capacity
    /// from data. "unlimited": one, and any number of grants.
    #[schemars(transform = within(1, 3).unit("symbols"))]
    pub control_symbols: ControlSymbols,
    /// Resource blocks of the uplink that carry data; "auto": all but a constant of the bandwidth
    /// for the control channel at the band's edges, or what `radio.lte.pucch` leaves; "all".
    #[schemars(transform = within(1, 100).unit("resource blocks"))]
    pub uplink_prbs: UplinkPrbs,
    /// Resource blocks of the uplink's control channel by the number of UEs.
    #[serde(default)]
    pub pucch: Option<Pucch>,
    /// No grant and no HARQ feedback in less time than this, however short the TTI: nodes that do
    /// not get faster with it.
    #[schemars(transform = within("0 s", "20 ms"))]
    pub processing_floor: Duration,
    /// How often a scheduling request is sent before random access (`dsr-TransMax`,
    /// TS 36.331 §6.3.2).
    #[schemars(transform = within(1, 64).unit("requests"))]
    pub dsr_trans_max: u32,
    /// From the last scheduling request without an answer until random access has succeeded.
    pub random_access: Duration,
    /// Random back-off of at most this time is added to it (Backoff Parameter, TS 36.321 §7.2).
    #[serde(default = "twenty_ms")]
    #[schemars(transform = within("0 s", "960 ms"))]
    pub random_access_backoff: Duration,
    /// From a buffer status report without a grant to the next one (`retxBSR-Timer`,
    /// TS 36.331 §6.3.2).
    pub retx_bsr_timer: Duration,
    /// Buffer status reports say exact numbers of bytes instead of levels.
    pub bsr_exact: bool,
    /// Grants exceed the reported bytes by this share, for headers.
    pub grant_header_share: Probability,
    /// Proactive uplink grants (pre-scheduling): without a scheduling request, while downlink data
    /// flows to a UE.
    #[serde(default)]
    pub proactive_grants: Option<ProactiveGrants>,
    /// Semi-persistent scheduling (SPS) of each UE's uplink (TS 36.321 §5.10.2).
    #[serde(default)]
    pub sps: Option<Sps>,
    /// Random access with contention.
    #[serde(default)]
    pub rach: Option<Rach>,
    /// Discontinuous reception; without, UEs are always awake.
    #[serde(default)]
    pub drx: Option<Drx>,
    /// Handovers; without, a UE keeps its cell.
    #[serde(default)]
    pub handover: Option<Handover>,
    /// RRC states; without, UEs are always in RRC_CONNECTED.
    #[serde(default)]
    pub rrc: Option<Rrc>,
    /// How reliable feedback and requests are.
    #[serde(default)]
    pub feedback: Feedback,
    /// How often a block is sent at most in the downlink.
    #[schemars(transform = within(1, 28).unit("transmissions"))]
    pub harq_transmissions: u32,
    /// The same in the uplink (`maxHARQ-Tx`, TS 36.331 §6.3.2); "same" as in the downlink.
    #[serde(default)]
    #[schemars(transform = within(1, 28).unit("transmissions"))]
    pub uplink_harq_transmissions: UplinkTransmissions,
    /// Who is served first in the downlink.
    pub scheduler: Metric,
    /// Who is served first in the uplink.
    pub uplink_scheduler: Metric,
    /// How many slots the averages of the schedulers remember (`t_c`).
    #[schemars(transform = within(1, 100_000).unit("slots"))]
    pub averaging_slots: u32,
    /// How many UEs share a slot at most, in each direction.
    #[schemars(transform = within(1, 100_000).unit("UEs"))]
    pub ues_per_slot: u32,
    /// Maximum bit rate of all bearers of a UE without guaranteed rate together, in the downlink,
    /// counted in bytes of IP without headers of the radio. (`UE-AMBR`, TS 23.401 §4.7.3)
    pub ue_ambr: Limit<Bitrate>,
    /// The same rate of the uplink. The base station keeps it by its grants, together for the
    /// logical channel groups with a bearer without guaranteed rate. (`UE-AMBR`, TS 23.401
    /// §4.7.3)
    pub uplink_ue_ambr: Limit<Bitrate>,
    /// How the bearers of a UE share its downlink block.
    pub sharing: Sharing,
    /// How the bearers of a UE share its uplink block.
    pub uplink_sharing: Sharing,
    /// What a STATUS PDU of acknowledged mode leaves for data of its bearer in a downlink block.
    pub status_pdus: StatusPdus,
    /// The same in an uplink block.
    pub uplink_status_pdus: StatusPdus,
    /// How the downlink's scheduler knows what waits; by "reports" only where bearers in
    /// unacknowledged mode without maximum rates share a block equally.
    pub downlink_queues: DownlinkQueueView,
    /// Modulation and coding scheme of the downlink: always the same, "highest", or "adaptive" by
    /// the radio conditions.
    #[schemars(transform = within(0, 28))]
    pub mcs: McsChoice,
    /// That of the uplink.
    #[schemars(transform = within(0, 28))]
    pub uplink_mcs: McsChoice,
    /// At which share of errors in first transmissions adaptive schemes aim.
    pub bler_target: Probability,
    /// Outer-loop link adaptation: HARQ feedback corrects the reported SINR of adaptive schemes.
    pub outer_loop: bool,
    /// MAC headers, buffer status reports and padding take space in blocks (TS 36.321 §6).
    pub mac_headers: bool,
    /// Headers of PDCP and of RLC's unacknowledged mode take space in blocks.
    pub rlc_headers: bool,
    /// Transmit buffer of bearers in unacknowledged mode that name none, in bytes of PDCP PDUs that
    /// RLC has not sent yet.
    #[schemars(transform = at_least("1502 B"))]
    pub um_buffer: Limit<Bytes>,
    /// `t-Reordering` (TS 36.322 §7.3) of bearers in unacknowledged mode that name none.
    pub um_t_reordering: Duration,
    /// SINR of all UEs in the downlink, in dB. Default 20, where anything depends on it and there is
    /// no network: schemes (`mcs = "adaptive"`), errors (`bler = "sinr"`), and the room that control
    /// messages take (`control_symbols`).
    #[serde(default)]
    #[schemars(transform = within(-30, 60).unit("dB"))]
    pub downlink_sinr_db: Option<f64>,
    /// SINR of all UEs at the eNB, in dB. Default 20, where schemes (`uplink_mcs = "adaptive"`) or
    /// errors (`bler = "sinr"`) depend on it and there is no network.
    #[serde(default)]
    #[schemars(transform = within(-30, 60).unit("dB"))]
    pub uplink_sinr_db: Option<f64>,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LteProfile {
    /// Link adaptation to 10 % first errors, HARQ, scheduling requests, a limited control channel,
    /// proportional fair.
    SystemLevel,
    /// The LTE module of ns-3 (2018): ideal reports, equal shares, buffers of 10 240 bytes, no
    /// errors.
    Ns3Lena,
    /// The TTI study: a constant rate, TR 36.912 timing, headers that cost nothing.
    TtiStudy,
    /// The TTI study with small grants for requests, of the size that `sr_grant` says.
    TtiStudySmallGrants,
}

impl LteProfile {
    /// A constant rate instead of resource blocks.
    pub const fn has_rate(self) -> bool {
        matches!(self, Self::TtiStudy | Self::TtiStudySmallGrants)
    }
}

impl Lte {
    /// Returns `true` if schemes or errors of a direction, or the room that control messages take,
    /// depend on the SINR.
    pub fn depends_on_sinr(&self, direction: Direction) -> bool {
        let (mcs, has_blocks, has_messages) = match direction {
            Direction::Down => {
                let limited = self.control_symbols != ControlSymbols::Unlimited;
                (self.mcs, self.block.is_some(), limited)
            }
            Direction::Up => (self.uplink_mcs, false, false),
        };
        let asks = self.bler == Bler::Sinr || mcs == McsChoice::Adaptive || has_messages;
        asks && !has_blocks && self.rate.is_none()
    }
}

/// Modulations of the downlink.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub enum Modulation {
    /// Six bits a symbol at most (TS 36.213 Table 7.1.7.1-1).
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
    #[schemars(transform = within(1, 10_000).unit("TTIs"))]
    pub every: u64,
    /// The size of each, with space for a header and a byte.
    #[schemars(transform = at_least("2 B"))]
    pub size: Bytes,
    /// The grants end this many TTIs after the last downlink block.
    #[serde(default = "twenty_slots")]
    #[schemars(transform = within(0, 1_000_000_000_000_u64).unit("TTIs"))]
    pub inactivity: u64,
}

/// Semi-persistent scheduling of the uplink.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sps {
    /// From one transmission to the next, in TTIs (`semiPersistSchedIntervalUL`, TS 36.331
    /// §6.3.2).
    #[schemars(transform = within(1, 10_000).unit("TTIs"))]
    pub period: u64,
    /// The size of each, with space for a header and a byte.
    #[schemars(transform = at_least("2 B"))]
    pub size: Bytes,
}

/// Probabilities that uplink control information is misread.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Feedback {
    /// An ACK is read as NACK: a needless retransmission.
    #[serde(default = "never")]
    pub ack_as_nack: Probability,
    /// A NACK is read as ACK: the block is left to RLC and TCP.
    #[serde(default = "never")]
    pub nack_as_ack: Probability,
    /// Silence after a missed assignment is read as ACK: the block is left to RLC and TCP.
    #[serde(default = "never")]
    pub dtx_as_ack: Probability,
    /// A scheduling request is not detected.
    #[serde(default = "never")]
    pub sr_missed: Probability,
    /// A channel quality report cannot be read.
    #[serde(default = "never")]
    pub cqi_erased: Probability,
}

impl Lte {
    /// All values of a built-in profile.
    pub(in crate::scenario) fn built_in(profile: LteProfile) -> Self {
        let name = toml::Value::try_from(profile).expect("a profile has a name");
        let mut values = PROFILES.values(name.as_str().expect("of text")).expect("it is built in");
        values.insert(PROFILES.key.to_owned(), name);
        Self::deserialize(values).expect("a built-in profile has every key")
    }
}

/// No key has to be given: what is not comes from a profile.
fn usual_values(schema: &mut Schema) {
    PROFILES.say_usual_values(schema);
}

fn profile_or_file(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "anyOf": [
            generator.subschema_for::<LteProfile>(),
            { "type": "string", "format": "path", "pattern": "\\.toml$" },
        ]
    })
}

/// TS 38.211 Table 4.2-1
const SPACINGS: &[u32] = &[15, 30, 60, 120];
/// TS 36.213 Table 10.1.5-1
const SR_PERIODS: &[u32] = &[1, 2, 5, 10, 20, 40, 80];

fn twenty_ms() -> Duration {
    Duration::from_millis(20)
}

fn twenty_slots() -> u64 {
    20
}

fn never() -> Probability {
    Probability::ZERO
}
