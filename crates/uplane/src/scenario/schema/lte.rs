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

/// One LTE cell and the UEs of the scenario. A key that is not set takes its value from `profile`.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = usual_values)]
pub struct Lte {
    /// Base of this section: a built-in profile (`uplane profile` lists them), or a file with the
    /// same keys next to the scenario, for example `"mine.toml"`.
    #[schemars(schema_with = "profile_or_file")]
    pub profile: LteProfile,
    /// Channel bandwidth. Not allowed together with `rate`.
    pub bandwidth: Bandwidth,
    /// Transmission time interval (TTI). All processing times scale with it.
    pub tti: Tti,
    /// Subcarrier spacing, in kHz. A wider spacing gives wider resource blocks and proportionally
    /// shorter symbols: with 120 kHz, a TTI of 0.125 ms has 14 symbols (TS 38.211 Table 4.2-1).
    #[schemars(transform = one_of(SPACINGS).unit("kHz"))]
    pub subcarrier_spacing_khz: u32,
    /// Start of the TTI grid: a fixed time, or `"random"` for a new draw in each run.
    pub phase: Phase,
    /// Rule for the processing times of UE and eNB. They scale with the TTI.
    pub timing: TimingRule,
    /// Constant downlink rate instead of resource blocks; the uplink rate is then unlimited.
    /// Allowed only with a profile that sets a rate (`tti_study`, `tti_study_small_grants`).
    #[serde(default)]
    pub rate: Option<Bitrate>,
    /// SR period, in TTIs: the distance between two occasions of a UE for a scheduling request
    /// (`sr-ConfigIndex`, TS 36.213 Table 10.1.5-1). `"auto"` selects the shortest period that fits
    /// into a PUCCH of fixed size (`radio.lte.pucch.prbs` or `radio.lte.pucch.n1_an`). The
    /// occasions of consecutive UEs are one TTI apart, and those of the first UE start with the
    /// run. So data that starts at 0 s waits the same time in every run unless `sr_offset` is
    /// random or the application has a `spread`.
    #[serde(default)]
    #[schemars(transform = one_of(SR_PERIODS).unit("TTIs"))]
    pub sr_period: SrPeriod,
    /// Position of a UE's SR occasions within the SR period.
    pub sr_offset: Offset,
    /// Minimum number of SR periods between two scheduling requests (`sr-ProhibitTimer`, TS 36.331
    /// §6.3.2).
    #[schemars(transform = within(0, 7).unit("periods"))]
    pub sr_prohibit_timer: u64,
    /// Size of the uplink grant that answers a scheduling request, in bytes. `"unlimited"` grants
    /// as much as fits.
    #[schemars(transform = at_least("2 B"))]
    pub sr_grant: Limit<Bytes>,
    /// Scales `sr_grant` with the TTI: `sr_grant` is then the size at a TTI of 1 ms, and shorter
    /// TTIs get proportionally smaller grants. If false, the grant has the same size at every TTI.
    pub sr_grant_scales: bool,
    /// Condition for sending a scheduling request.
    pub sr_rule: Access,
    /// Reaction of the eNB to a scheduling request that arrives while a grant for the UE is in
    /// flight.
    pub sr_repeated: Repeated,
    /// Delay from the TTI of a buffer status report to the first grant that uses it, in TTIs.
    #[schemars(transform = within(1, 100).unit("TTIs"))]
    pub bsr_delay: u32,
    /// Time between building an uplink block and transmitting it, in TTIs. Data that arrives later
    /// waits for the next block. Must be less than the delay from grant to transmission.
    /// (Comparable to `N_2` of TS 38.214 §6.4.)
    #[schemars(transform = within(0, 5).unit("TTIs"))]
    pub pusch_preparation: u32,
    /// Period of periodic buffer status reports. `"every_block"` adds a report to each uplink
    /// block. (`periodicBSR-Timer`, TS 36.331 §6.3.2.)
    #[schemars(transform = at_least("1 ns"))]
    pub periodic_bsr_timer: Interval,
    /// Block error probability, for both directions: a list with the probability that the first,
    /// second, … transmission of a block fails; `"sinr"` computes it from the radio conditions;
    /// `"none"` means that no transmission fails.
    pub bler: Bler,
    /// Fixed size of every downlink transport block over the whole band, in bytes, independent of
    /// the radio conditions. If not set, link adaptation or `mcs` determines the size.
    #[serde(default)]
    #[schemars(transform = at_least("7 B"))]
    pub block: Option<Bytes>,
    /// Highest modulation in the downlink.
    pub modulation: Modulation,
    /// Highest modulation in the uplink.
    pub uplink_modulation: UplinkModulation,
    /// Number of spatial layers in the downlink.
    #[schemars(transform = within(1, 2).unit("layers"))]
    pub layers: u8,
    /// Unit of resource allocation that the schedulers hand out.
    pub allocation: Allocation,
    /// Uses the last resource block group (RBG) of the downlink when it is smaller than the others.
    /// For example, 25 resource blocks are twelve RBGs of two and one RBG of one (TS 36.213
    /// §7.1.6.1). If false, that group stays empty, as with ns-3's schedulers: 24 of 25, 48 of 50,
    /// or 72 of 75 resource blocks carry data.
    pub partial_rbg: bool,
    /// Number of OFDM symbols of the control channel, which limits the number of grants per TTI and
    /// takes capacity from data (TS 36.212 §5.3.4). `"unlimited"` takes one symbol and allows any
    /// number of grants.
    #[schemars(transform = within(1, 3).unit("symbols"))]
    pub control_symbols: ControlSymbols,
    /// Number of uplink resource blocks that carry data. `"auto"` leaves out the control channel at
    /// the edges of the band: a constant for each bandwidth, or the size from `radio.lte.pucch` if
    /// that section exists. `"all"` leaves out none.
    #[schemars(transform = within(1, 100).unit("resource blocks"))]
    pub uplink_prbs: UplinkPrbs,
    /// PUCCH size that follows from the number of UEs. Without this section, `uplink_prbs` alone
    /// determines the size.
    #[serde(default)]
    pub pucch: Option<Pucch>,
    /// Minimum delay from grant to transmission and from a block to its HARQ feedback, at any TTI.
    /// Models nodes whose processing does not speed up with a shorter TTI.
    #[schemars(transform = within("0 s", "20 ms"))]
    pub processing_floor: Duration,
    /// Maximum number of scheduling requests before the UE starts random access (`dsr-TransMax`, TS
    /// 36.331 §6.3.2).
    #[schemars(transform = within(1, 64).unit("requests"))]
    pub dsr_trans_max: u32,
    /// Duration of random access without contention: from the last unanswered scheduling request to
    /// success.
    pub random_access: Duration,
    /// Maximum random back-off added to `random_access` (Backoff Parameter, TS 36.321 §7.2).
    #[serde(default = "twenty_ms")]
    #[schemars(transform = within("0 s", "960 ms"))]
    pub random_access_backoff: Duration,
    /// Time after which a UE repeats a buffer status report that received no grant
    /// (`retxBSR-Timer`, TS 36.331 §6.3.2).
    pub retx_bsr_timer: Duration,
    /// Reports exact byte counts in buffer status reports. If false, reports contain the quantized
    /// levels of TS 36.321 §6.1.3.1.
    pub bsr_exact: bool,
    /// Share by which uplink grants exceed the reported bytes, to cover headers.
    pub grant_header_share: Probability,
    /// Proactive uplink grants (pre-scheduling): the eNB grants uplink resources without a
    /// scheduling request while downlink data flows to a UE. Without this section, the eNB sends
    /// none.
    #[serde(default)]
    pub proactive_grants: Option<ProactiveGrants>,
    /// Semi-persistent scheduling (SPS) of each UE's uplink (TS 36.321 §5.10.2). Without this
    /// section, every uplink block needs a dynamic grant.
    #[serde(default)]
    pub sps: Option<Sps>,
    /// Random access with contention. Without this section, random access takes the constant time
    /// `random_access`.
    #[serde(default)]
    pub rach: Option<Rach>,
    /// Discontinuous reception in connected mode (C-DRX). Without this section, UEs are always
    /// awake.
    #[serde(default)]
    pub drx: Option<Drx>,
    /// Handovers of each UE. Without this section, a UE stays in its cell.
    #[serde(default)]
    pub handover: Option<Handover>,
    /// RRC states. Without this section, UEs are always in RRC_CONNECTED.
    #[serde(default)]
    pub rrc: Option<Rrc>,
    /// Error probabilities of HARQ feedback, scheduling requests and CQI reports.
    #[serde(default)]
    pub feedback: Feedback,
    /// Maximum number of downlink HARQ transmissions of a block, including the first.
    #[schemars(transform = within(1, 28).unit("transmissions"))]
    pub harq_transmissions: u32,
    /// Maximum number of uplink HARQ transmissions of a block, including the first (`maxHARQ-Tx`,
    /// TS 36.331 §6.3.2). `"same"` uses the value of `harq_transmissions`.
    #[serde(default)]
    #[schemars(transform = within(1, 28).unit("transmissions"))]
    pub uplink_harq_transmissions: UplinkTransmissions,
    /// Downlink scheduling metric: determines which UE is served first.
    pub scheduler: Metric,
    /// Uplink scheduling metric: determines which UE is served first.
    pub uplink_scheduler: Metric,
    /// Averaging window of the proportional fair schedulers, in TTIs (`t_c`).
    #[schemars(transform = within(1, 100_000).unit("slots"))]
    pub averaging_slots: u32,
    /// Maximum number of UEs served in one TTI, per direction.
    #[schemars(transform = within(1, 100_000).unit("UEs"))]
    pub ues_per_slot: u32,
    /// Maximum total downlink rate of a UE's bearers without a guaranteed rate (`UE-AMBR`, TS
    /// 23.401 §4.7.3).
    pub ue_ambr: Limit<Bitrate>,
    /// Rule by which the bearers of a UE share its downlink transport block.
    pub sharing: Sharing,
    /// Rule by which the bearers of a UE share its uplink transport block.
    pub uplink_sharing: Sharing,
    /// Whether data of the same bearer may follow an RLC STATUS PDU (acknowledged mode) in a
    /// downlink block.
    pub status_pdus: StatusPdus,
    /// Whether data of the same bearer may follow an RLC STATUS PDU (acknowledged mode) in an
    /// uplink block.
    pub uplink_status_pdus: StatusPdus,
    /// Source of the downlink scheduler's knowledge about queued data. `"reports"` requires bearers
    /// in unacknowledged mode without maximum rates and `sharing = "equal"`.
    pub downlink_queues: DownlinkQueueView,
    /// Downlink modulation and coding scheme (MCS): a fixed index, `"highest"`, or `"adaptive"` to
    /// follow the radio conditions.
    #[schemars(transform = within(0, 28))]
    pub mcs: McsChoice,
    /// Uplink modulation and coding scheme (MCS): a fixed index, `"highest"`, or `"adaptive"` to
    /// follow the radio conditions.
    #[schemars(transform = within(0, 28))]
    pub uplink_mcs: McsChoice,
    /// Target block error rate of first transmissions in link adaptation.
    pub bler_target: Probability,
    /// Outer-loop link adaptation: HARQ feedback corrects the reported SINR before an adaptive MCS
    /// is selected.
    pub outer_loop: bool,
    /// Counts MAC subheaders, buffer status reports and padding in the size of a transport block
    /// (TS 36.321 §6). If false, they take no space.
    pub mac_headers: bool,
    /// Counts PDCP headers and the headers of RLC unacknowledged mode in the size of a transport
    /// block. If false, they take no space.
    pub rlc_headers: bool,
    /// RLC transmit buffer of unacknowledged-mode bearers that set no `buffer`, in bytes.
    #[schemars(transform = at_least("1502 B"))]
    pub um_buffer: Limit<Bytes>,
    /// `t-Reordering` of unacknowledged-mode bearers that set none (TS 36.322 §7.3).
    pub um_t_reordering: Duration,
    /// Downlink SINR of all UEs, in dB. Default 20 where MCS or errors depend on the SINR (`mcs` is
    /// `"adaptive"` or `bler` is `"sinr"`). Not used with `radio.lte.network`, which computes the
    /// SINR.
    #[serde(default)]
    #[schemars(transform = within(-30, 60).unit("dB"))]
    pub downlink_sinr_db: Option<f64>,
    /// Uplink SINR of all UEs at the eNB, in dB. Default 20 where MCS or errors depend on the SINR
    /// (`uplink_mcs` is `"adaptive"` or `bler` is `"sinr"`). Not used with `radio.lte.network`,
    /// which computes the SINR.
    #[serde(default)]
    #[schemars(transform = within(-30, 60).unit("dB"))]
    pub uplink_sinr_db: Option<f64>,
    /// TCP ACK filter in each UE. Without this section, UEs send every ACK.
    #[serde(default)]
    pub ack_filter: Option<AckFilter>,
    /// Network of sites and cells around this cell, with path loss, interference and fading.
    /// Without this section, the cell is alone and the SINR is given.
    #[serde(default)]
    pub network: Option<Network>,
    /// Bearers of each UE. The first is the default bearer. Default: one bearer of QCI 9.
    #[serde(default)]
    pub bearer: Vec<Bearer>,
}

/// Built-in LTE profiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LteProfile {
    /// Realistic cell: link adaptation with a target BLER of 10 %, HARQ, scheduling requests, a
    /// limited control channel, and a proportional fair scheduler.
    SystemLevel,
    /// Behaviour of ns-3's LTE module (2018): ideal reports, equal shares, RLC buffers of 10 240
    /// bytes, no block errors.
    Ns3Lena,
    /// Cell of study 000: constant rate, delays of TR 36.912, headers without cost.
    TtiStudy,
    /// Cell of study 000 with small grants for scheduling requests, of the size in `sr_grant`.
    TtiStudySmallGrants,
}

impl LteProfile {
    /// Returns `true` if the profile has a constant rate instead of resource blocks.
    pub const fn has_rate(self) -> bool {
        matches!(self, Self::TtiStudy | Self::TtiStudySmallGrants)
    }
}

impl Lte {
    /// Returns `true` if the MCS or the block errors of a direction depend on the SINR.
    pub fn depends_on_sinr(&self, direction: Direction) -> bool {
        let (mcs, has_blocks) = match direction {
            Direction::Down => (self.mcs, self.block.is_some()),
            Direction::Up => (self.uplink_mcs, false),
        };
        let asks = self.bler == Bler::Sinr || mcs == McsChoice::Adaptive;
        asks && !has_blocks && self.rate.is_none()
    }
}

/// Highest modulation in the downlink.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub enum Modulation {
    /// 64QAM: up to six bits per symbol (TS 36.213 Table 7.1.7.1-1).
    #[serde(rename = "64QAM")]
    Qam64,
    /// 256QAM: up to eight bits per symbol (TS 36.213 Table 7.1.7.1-1A).
    #[serde(rename = "256QAM")]
    Qam256,
}

/// Proactive grants (pre-scheduling): uplink grants without a scheduling request while downlink
/// data flows to a UE, so that its ACKs wait for no request.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProactiveGrants {
    /// Period of the proactive grants, in TTIs.
    #[schemars(transform = within(1, 10_000).unit("TTIs"))]
    pub every: u64,
    /// Size of each proactive grant, in bytes. At least one header and one byte of data.
    #[schemars(transform = at_least("2 B"))]
    pub size: Bytes,
    /// Time after the last downlink block at which the proactive grants end, in TTIs.
    #[serde(default = "twenty_slots")]
    #[schemars(transform = within(0, 1_000_000_000_000_u64).unit("TTIs"))]
    pub inactivity: u64,
}

/// Semi-persistent scheduling of the uplink: periodic transmissions without dynamic grants.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sps {
    /// Period of the semi-persistent transmissions, in TTIs (`semiPersistSchedIntervalUL`, TS
    /// 36.331 §6.3.2).
    #[schemars(transform = within(1, 10_000).unit("TTIs"))]
    pub period: u64,
    /// Size of each semi-persistent transmission, in bytes. At least one header and one byte of
    /// data.
    #[schemars(transform = at_least("2 B"))]
    pub size: Bytes,
}

/// Error probabilities of uplink control information.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Feedback {
    /// Probability that the eNB reads an ACK as NACK and retransmits a block without need.
    #[serde(default = "never")]
    pub ack_as_nack: Probability,
    /// Probability that the eNB reads a NACK as ACK. RLC or TCP must then recover the block.
    #[serde(default = "never")]
    pub nack_as_ack: Probability,
    /// Probability that the eNB reads the silence after a missed assignment as ACK. RLC or TCP must
    /// then recover the block.
    #[serde(default = "never")]
    pub dtx_as_ack: Probability,
    /// Probability that the eNB does not detect a scheduling request.
    #[serde(default = "never")]
    pub sr_missed: Probability,
    /// Probability that the eNB cannot decode a CQI report.
    #[serde(default = "never")]
    pub cqi_erased: Probability,
}

impl Lte {
    /// Returns all values of a built-in profile.
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
