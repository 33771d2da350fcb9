//! The section of an LTE cell.
//!
//! A profile is a base file with all of these keys (`ran/lte/profile/*.toml`). A key in the section
//! overrides the value of its profile.

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
    /// same keys next to the scenario, for example `"mine.toml"`. A key that is set here overrides
    /// the value of the base.
    #[schemars(schema_with = "profile_or_file")]
    pub profile: LteProfile,
    /// Channel bandwidth of downlink and uplink, for example `"10 MHz"` (50 resource blocks).
    /// With `rate`, only the value of the profile is accepted.
    pub bandwidth: Bandwidth,
    /// Transmission time interval (TTI) of downlink and uplink. The processing times of `timing`
    /// scale with it.
    pub tti: Tti,
    /// Subcarrier spacing of downlink and uplink, in kHz. A wider spacing gives wider resource
    /// blocks and proportionally shorter symbols: with 120 kHz, a TTI of 0.125 ms has 14 symbols
    /// (TS 38.211 Table 4.2-1). Values other than 15 require the profile `system_level` without
    /// `block`, and at most 14 symbols in a TTI.
    #[schemars(transform = one_of(SPACINGS).unit("kHz"))]
    pub subcarrier_spacing_khz: u32,
    /// Start of the TTI grid after the start of the run: a fixed time, or `"random"`, a new draw
    /// between 0 and one TTI in each run.
    pub phase: Phase,
    /// Processing times of UE and eNB, in TTIs: `"tr_36_912"`, `"tr_36_881"` or `"ns3_lena"`. They
    /// cover packet processing in UE and eNB, the time from grant to uplink transmission, and HARQ
    /// round trips.
    pub timing: TimingRule,
    /// Constant downlink rate instead of resource blocks: each TTI carries `rate` times the TTI,
    /// headers included, and the uplink is unlimited. Allowed only with a profile that sets a rate
    /// (`tti_study`, `tti_study_small_grants`). Keys about resource blocks and modulation are then
    /// refused, or without effect and answered with a warning.
    #[serde(default)]
    pub rate: Option<Bitrate>,
    /// SR period, in TTIs: the distance between two occasions of a UE for a scheduling request
    /// (`sr-ConfigIndex`, TS 36.213 Table 10.1.5-1). `"auto"` selects the shortest period that fits
    /// into the PUCCH, and requires one of: `radio.lte.pucch.prbs`, `radio.lte.pucch.n1_an`. With
    /// `sr_offset = "in_turn"`, the first UE has an occasion in the first TTI of the run. Data that
    /// starts at 0 s then waits the same time in every run, unless the application has a `spread`.
    #[serde(default)]
    #[schemars(transform = one_of(SR_PERIODS).unit("TTIs"))]
    pub sr_period: SrPeriod,
    /// Offset of a UE's SR occasions within `sr_period`, in whole TTIs. `"in_turn"`: UE number n
    /// (from 0) has offset n modulo `sr_period`. `"random"`: each UE draws one of the TTIs of the
    /// period at the start of the run.
    pub sr_offset: Offset,
    /// Minimum distance between two scheduling requests of a UE, in SR periods (`sr-ProhibitTimer`,
    /// TS 36.331 §6.3.2). 0 (no timer) and 1 both allow a request at each occasion, because a timer
    /// of one period expires at the next occasion. The timer stops when the UE builds a block with
    /// a buffer status report.
    #[schemars(transform = within(0, 7).unit("periods"))]
    pub sr_prohibit_timer: u64,
    /// Minimum size of the uplink transport block that a scheduling request is granted, MAC headers
    /// included. The grant is larger if earlier reports ask for more. `"unlimited"` grants all
    /// resource blocks that are free.
    #[schemars(transform = at_least("2 B"))]
    pub sr_grant: Limit<Bytes>,
    /// Scales `sr_grant` with the TTI: `sr_grant` is then the size at a TTI of 1 ms, and shorter
    /// TTIs get proportionally smaller grants (at least one byte). If false, the grant has the same
    /// size at every TTI. `sr_grant = "unlimited"` requires true.
    pub sr_grant_scales: bool,
    /// Rule by which a UE asks for uplink grants. `"standard"`: scheduling requests (SR) and buffer
    /// status reports (BSR). `"eager"`: a request at every occasion while waiting bytes exceed
    /// granted bytes. `"ideal_reports"`: error-free reports without SR and without cost.
    pub sr_rule: Access,
    /// Answer of the eNB to a scheduling request of a UE that still has a grant to come.
    /// `"ignore"`: no further grant. `"grant"`: one more grant for each request.
    pub sr_repeated: Repeated,
    /// Delay from a buffer status report to the first grant that is based on it, in TTIs. It runs
    /// from the TTI of the report's uplink block to the TTI in which the eNB sends the grant. At
    /// least `processing_floor`.
    #[schemars(transform = within(1, 100).unit("TTIs"))]
    pub bsr_delay: u32,
    /// Time from building an uplink block in the UE to the start of its transmission, in TTIs: data
    /// that arrives later waits for the next block. With 0, a block carries all data that has
    /// arrived by the start of its transmission. At most 3 with `timing = "tr_36_912"` or
    /// `"tr_36_881"`, and 5 with `"ns3_lena"`. (Comparable to `N_2` of TS 38.214 §6.4.)
    #[schemars(transform = within(0, 5).unit("TTIs"))]
    pub pusch_preparation: u32,
    /// Time from a UE's last buffer status report (BSR) until the next uplink block carries one
    /// again (`periodicBSR-Timer`, TS 36.331 §6.3.2). `"every_block"` adds a BSR to each uplink
    /// block, unless all waiting data fits only without it.
    #[schemars(transform = at_least("1 ns"))]
    pub periodic_bsr_timer: Interval,
    /// Block error probability of each HARQ transmission, in both directions. `"sinr"` computes the
    /// probability from the SINR of all transmissions of the block. `"none"`: no transmission
    /// fails. A list: the n-th entry is the probability that the n-th transmission of a block fails
    /// if all earlier ones failed; the last entry also holds for all later transmissions. The PDCCH
    /// space of control messages depends on the SINR with every value.
    pub bler: Bler,
    /// Downlink capacity of one TTI: size of the transport block that the whole band carries, in
    /// bytes, MAC headers included. UEs that are served in the same TTI share it byte by byte. The
    /// key replaces resource blocks and link adaptation of the downlink; with `bler = "sinr"`,
    /// downlink blocks then never fail. Not allowed with `rate`.
    #[serde(default)]
    #[schemars(transform = at_least("7 B"))]
    pub block: Option<Bytes>,
    /// Highest modulation of the downlink, which selects the MCS table: `"64QAM"` or `"256QAM"`.
    pub modulation: Modulation,
    /// Highest modulation of the uplink, which selects the MCS table: `"16QAM"` (UE categories
    /// without 64QAM in the uplink) or `"64QAM"`.
    pub uplink_modulation: UplinkModulation,
    /// Number of spatial layers of a downlink transport block. Two layers carry about twice the
    /// bytes at the same MCS. In `radio.lte.network`, two layers require `antennas = "2x2"`.
    #[schemars(transform = within(1, 2).unit("layers"))]
    pub layers: u8,
    /// Granularity of resource allocation within one TTI. `"groups"`: resource block groups in the
    /// downlink, and in the uplink numbers of resource blocks that are products of 2, 3 and 5.
    /// `"whole_band"`: the band goes to one UE.
    pub allocation: Allocation,
    /// Uses the last resource block group (RBG) of the downlink when it is smaller than the others.
    /// For example, 25 resource blocks are twelve RBGs of two and one RBG of one (TS 36.213
    /// §7.1.6.1). If false, that group stays empty, as with ns-3's schedulers: 24 of 25, 48 of 50,
    /// or 72 of 75 resource blocks carry data.
    pub partial_rbg: bool,
    /// Number of OFDM symbols of the PDCCH in each TTI (CFI, TS 36.212 §5.3.4). Downlink
    /// assignments and uplink grants share 80 % of the control channel elements of these symbols,
    /// and the PDSCH has the other symbols. `"unlimited"`: the PDCCH takes one symbol and carries
    /// any number of messages.
    #[schemars(transform = within(1, 3).unit("symbols"))]
    pub control_symbols: ControlSymbols,
    /// Number of uplink resource blocks that carry data (PUSCH). `"auto"` leaves out the PUCCH at
    /// the edges of the band: a constant for each bandwidth, or the size from `radio.lte.pucch` if
    /// that section exists. `"all"` leaves out none. With `radio.lte.pucch`, only `"auto"` or
    /// `"all"` are allowed.
    #[schemars(transform = within(1, 100).unit("resource blocks"))]
    pub uplink_prbs: UplinkPrbs,
    /// PUCCH size that follows from the number of UEs. Without this section, `uplink_prbs`
    /// determines the number of resource blocks that the PUCCH takes.
    #[serde(default)]
    pub pucch: Option<Pucch>,
    /// Minimum processing time of UE and eNB at any TTI: from a request or report to the grant, and
    /// from the grant to the uplink transmission. HARQ round trips take at least twice this time.
    /// Models equipment that does not become faster with a shorter TTI. `"0 s"`: no minimum, so
    /// that `timing` alone determines the times.
    #[schemars(transform = within("0 s", "20 ms"))]
    pub processing_floor: Duration,
    /// Maximum number of scheduling requests that a UE sends for the same pending data. At the next
    /// SR occasion after the last one, the UE starts random access (`dsr-TransMax`, TS 36.331
    /// §6.3.2).
    #[schemars(transform = within(1, 64).unit("requests"))]
    pub dsr_trans_max: u32,
    /// Duration of random access if there is no `rach` section. It starts at the SR occasion at
    /// which the UE stops its unanswered requests. When the time has passed, the UE may send
    /// scheduling requests again, and counts them from 0. Preambles and collisions are not
    /// modelled.
    pub random_access: Duration,
    /// Upper limit of the random back-off, which a UE draws uniformly from 0 (Backoff Parameter, TS
    /// 36.321 §7.2). Each random access takes `random_access` plus this back-off; with a `rach`
    /// section, a UE backs off after each failed preamble. `"0 s"`: no back-off.
    #[serde(default = "twenty_ms")]
    #[schemars(transform = within("0 s", "960 ms"))]
    pub random_access_backoff: Duration,
    /// Time after which a UE with waiting data triggers a new buffer status report and a scheduling
    /// request (`retxBSR-Timer`, TS 36.331 §6.3.2). The timer restarts with each report that the UE
    /// sends and with each grant that it receives.
    pub retx_bsr_timer: Duration,
    /// Exact byte counts in buffer status reports. If false, reports contain the 6-bit buffer size
    /// levels of TS 36.321 §6.1.3.1, and the eNB assumes the upper end of the reported level.
    pub bsr_exact: bool,
    /// Ratio by which an uplink grant exceeds the bytes of a buffer status report, to cover RLC and
    /// MAC headers, which reports do not count. 0.06 grants 6 % more; 0 grants no more. With
    /// `mac_headers`, each grant has another 4 bytes.
    pub grant_header_share: Probability,
    /// Proactive uplink grants (pre-scheduling): the eNB grants uplink resources without a
    /// scheduling request while downlink data flows to a UE. Without this section, the eNB sends
    /// none.
    #[serde(default)]
    pub proactive_grants: Option<ProactiveGrants>,
    /// Semi-persistent scheduling (SPS) of each UE's uplink (TS 36.321 §5.10.2), always active.
    /// Data waits for the next SPS occasion instead of triggering a scheduling request. Requires
    /// `sr_rule = "standard"`. Without this section, every uplink block needs a dynamic grant.
    #[serde(default)]
    pub sps: Option<Sps>,
    /// Contention-based random access: preambles that can collide. Requires `sr_rule = "standard"`.
    /// Without this section, random access takes the time `random_access`.
    #[serde(default)]
    pub rach: Option<Rach>,
    /// Discontinuous reception in connected mode (C-DRX). Without this section, UEs are always
    /// awake.
    #[serde(default)]
    pub drx: Option<Drx>,
    /// Handovers at given times: each UE is interrupted, resets its MAC, re-establishes RLC, and
    /// continues in a cell with the same load and SINR. Without this section, UEs stay in their
    /// cell.
    #[serde(default)]
    pub handover: Option<Handover>,
    /// RRC states: a UE without data is released to RRC_IDLE and returns by paging and random
    /// access. Requires `rach`. Without this section, UEs are always in RRC_CONNECTED.
    #[serde(default)]
    pub rrc: Option<Rrc>,
    /// Error probabilities of HARQ feedback, scheduling requests and CQI reports. A probability
    /// that is not set, here or with the whole section, takes its value from `profile`.
    #[serde(default)]
    pub feedback: Feedback,
    /// Maximum number of downlink HARQ transmissions of a transport block, including the first: 1
    /// means no retransmissions. If the last one fails, RLC or TCP must recover the data.
    #[schemars(transform = within(1, 28).unit("transmissions"))]
    pub harq_transmissions: u32,
    /// Maximum number of uplink HARQ transmissions of a transport block, including the first: 1
    /// means no retransmissions (`maxHARQ-Tx`, TS 36.331 §6.3.2). `"same"` uses the value of
    /// `harq_transmissions`.
    #[serde(default)]
    #[schemars(transform = within(1, 28).unit("transmissions"))]
    pub uplink_harq_transmissions: UplinkTransmissions,
    /// Downlink scheduling metric: in each TTI, the UE with the highest value gets all resources
    /// that it can use, then the next. For example `"proportional_fair"`, `"round_robin"`,
    /// `"maximum_throughput"` or `"strict_qci"`. Retransmissions, then UEs whose guaranteed rate is
    /// at risk, come before all others.
    pub scheduler: Metric,
    /// Uplink scheduling metric: in each TTI, the UE with the highest value is granted all that the
    /// eNB knows that it needs, then the next. Retransmissions, then UEs whose guaranteed rate is
    /// at risk, come before all others. The eNB does not know the age of uplink packets: in the
    /// uplink, `m_lwdf` and `channel_qos_aware` act as `round_robin`, and `exp_pf` as
    /// `proportional_fair`, with a warning.
    pub uplink_scheduler: Metric,
    /// Time constant `t_c` of a UE's average throughput in each direction, in TTIs, for the metrics
    /// of `scheduler` and `uplink_scheduler`. In each TTI, the average moves by 1/`t_c` towards the
    /// bytes just served; with 1, it is the bytes of the last TTI. `round_robin` and
    /// `maximum_throughput` do not use the average.
    #[schemars(transform = within(1, 100_000).unit("slots"))]
    pub averaging_slots: u32,
    /// Maximum number of UEs that the eNB serves in one TTI, for each direction separately. UEs
    /// with retransmissions count.
    #[schemars(transform = within(1, 100_000).unit("UEs"))]
    pub ues_per_slot: u32,
    /// Maximum downlink rate of each UE, over all of its bearers with a QCI without guaranteed
    /// rates (`UE-AMBR`, TS 23.401 §4.7.3). Counts bytes of IP packets without radio headers. The
    /// eNB enforces the rate with a token bucket of 100 ms.
    pub ue_ambr: Limit<Bitrate>,
    /// Maximum uplink rate of each UE, over all of its bearers with a QCI without guaranteed rates
    /// (`UE-AMBR`, TS 23.401 §4.7.3). Counts bytes of IP packets without radio headers. The eNB
    /// enforces the rate by its grants, with one token bucket of 100 ms for all logical channel
    /// groups with such a bearer.
    pub uplink_ue_ambr: Limit<Bitrate>,
    /// Division of one UE's downlink transport block among its bearers. `"priority"`: by QCI
    /// priority. `"buckets"`: first the `prioritised_bit_rate` of each bearer, then by priority.
    /// `"equal"`: equal shares. The standard leaves the choice to the eNB.
    pub sharing: Sharing,
    /// Division of one UE's uplink transport block among its bearers. `"buckets"`: first the
    /// `prioritised_bit_rate` of each bearer, then by QCI priority (logical channel prioritization,
    /// TS 36.321 §5.4.3.1). `"priority"`: by QCI priority alone. `"equal"`: equal shares.
    pub uplink_sharing: Sharing,
    /// Use of the rest of a bearer's share of a downlink transport block after an RLC STATUS PDU
    /// (acknowledged mode). `"with_data"`: data of the same bearer. `"alone"`: no data of this
    /// bearer. `"alone_if_held_back"`: no data if `t_status_prohibit` had delayed the STATUS PDU.
    pub status_pdus: StatusPdus,
    /// Use of the rest of a bearer's share of an uplink transport block after an RLC STATUS PDU
    /// (acknowledged mode). `"with_data"`: data of the same bearer. `"alone"`: no data of this
    /// bearer. `"alone_if_held_back"`: no data if `t_status_prohibit` had delayed the STATUS PDU.
    pub uplink_status_pdus: StatusPdus,
    /// Queue sizes that the downlink scheduler uses: `"exact"`, or `"reports"`, which RLC sends
    /// when packets arrive, as in ns-3. `"reports"` requires `sharing = "equal"`, all bearers in
    /// unacknowledged mode, `ue_ambr = "unlimited"`, and no bearer with `mbr`.
    pub downlink_queues: DownlinkQueueView,
    /// Downlink modulation and coding scheme (MCS): a fixed index, `"highest"` of the table, or
    /// `"adaptive"` by the reported CQI. With `rate` or `block`, an index is refused and the other
    /// values have no effect.
    #[schemars(transform = within(0, 28))]
    pub mcs: McsChoice,
    /// Uplink modulation and coding scheme (MCS): a fixed index, `"highest"` of the table, or
    /// `"adaptive"` by the SINR that the eNB measures. Without effect, with a warning, if `rate` is
    /// set.
    #[schemars(transform = within(0, 28))]
    pub uplink_mcs: McsChoice,
    /// Target block error rate of first HARQ transmissions in both directions. It has an effect
    /// where the MCS is `"adaptive"`: a lower target selects a lower MCS.
    pub bler_target: Probability,
    /// Outer-loop link adaptation of both directions, where the MCS is `"adaptive"`. A failed first
    /// transmission lowers a UE's SINR offset by 0.5 dB; a success raises it so that `bler_target`
    /// results. The offset starts at 0 dB and stays within ±10 dB. If false, it stays at 0 dB.
    pub outer_loop: bool,
    /// Space in transport blocks for MAC subheaders, also those of padding, and for buffer status
    /// reports (TS 36.321 §6). If false, they take no space.
    pub mac_headers: bool,
    /// Space in transport blocks for PDCP headers of all bearers and RLC headers of
    /// unacknowledged-mode bearers. If false, these headers take no space. RLC headers of
    /// acknowledged mode always take space.
    pub rlc_headers: bool,
    /// RLC transmit buffer of each unacknowledged-mode bearer that has no `buffer` key, in each
    /// direction. Limits the bytes of PDCP PDUs that RLC has not sent yet. A new packet that does
    /// not fit is dropped.
    #[schemars(transform = at_least("1502 B"))]
    pub um_buffer: Limit<Bytes>,
    /// Time for which the RLC receiver of an unacknowledged-mode bearer waits for a missing PDU
    /// before it skips the PDU, in both directions (`t-Reordering`, TS 36.322 §7.3). The bearer's
    /// own `t_reordering` overrides it.
    pub um_t_reordering: Duration,
    /// Downlink SINR of all UEs, in dB; a UE's own SINR keys override it. Default 20. Requires one
    /// of: `mcs = "adaptive"`, `bler = "sinr"`, or 1 to 3 `control_symbols`. Refused with `rate`,
    /// with `block`, and in `radio.lte.network`, which computes the SINR.
    #[serde(default)]
    #[schemars(transform = within(-30, 60).unit("dB"))]
    pub downlink_sinr_db: Option<f64>,
    /// Uplink SINR of all UEs at the eNB, in dB; a UE's own SINR keys override it. Default 20.
    /// Requires one of: `uplink_mcs = "adaptive"`, `bler = "sinr"`. Refused with `rate`, and in
    /// `radio.lte.network`, which computes the SINR.
    #[serde(default)]
    #[schemars(transform = within(-30, 60).unit("dB"))]
    pub uplink_sinr_db: Option<f64>,
    /// TCP ACK filter in each UE: drops a queued uplink ACK when a later ACK of the same flow is
    /// queued behind it. Without this section, UEs send every ACK.
    #[serde(default)]
    pub ack_filter: Option<AckFilter>,
    /// Network of sites and cells around this cell, with path loss, interference and fading, which
    /// give each UE its SINR. Without this section, the cell is alone and SINR keys give the SINR.
    #[serde(default)]
    pub network: Option<Network>,
    /// Bearers of each UE. The first in the file is the default bearer. Default: one bearer of QCI
    /// 9 in unacknowledged mode.
    #[serde(default)]
    pub bearer: Vec<Bearer>,
}

/// Built-in LTE profiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LteProfile {
    /// Realistic cell: link adaptation with a target BLER of 10 %, HARQ, scheduling requests, a
    /// limited control channel, and a proportional fair scheduler in the downlink.
    SystemLevel,
    /// Behaviour of ns-3's LTE module (2018): ideal reports, equal shares, RLC buffers of 10 240
    /// bytes, no block errors.
    Ns3Lena,
    /// Cell of study 000: constant rate, delays of TR 36.912, headers without cost.
    TtiStudy,
    /// Cell of study 000 with small grants for scheduling requests (set `sr_grant`) and a request
    /// at every occasion.
    TtiStudySmallGrants,
}

impl LteProfile {
    /// Returns `true` if the profile has a constant rate instead of resource blocks.
    pub const fn has_rate(self) -> bool {
        matches!(self, Self::TtiStudy | Self::TtiStudySmallGrants)
    }
}

impl Lte {
    /// Returns `true` if the MCS, the block errors or the PDCCH space of control messages of a
    /// direction depend on the SINR.
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
    /// Distance between two proactive grants of a UE, in TTIs (LTE) or slots (NR). The first grant
    /// comes `every` TTIs or slots after a downlink block for the UE.
    #[schemars(transform = within(1, 10_000).unit("TTIs"))]
    pub every: u64,
    /// Minimum size of the uplink transport block of each proactive grant, MAC, RLC and PDCP
    /// headers included.
    #[schemars(transform = at_least("2 B"))]
    pub size: Bytes,
    /// Time after a UE's last downlink block at which its proactive grants end, in TTIs (LTE) or
    /// slots (NR). The first grant after a downlink block is sent in any case; 0 allows only this
    /// one.
    #[serde(default = "twenty_slots")]
    #[schemars(transform = within(0, 1_000_000_000_000_u64).unit("TTIs"))]
    pub inactivity: u64,
}

/// Semi-persistent scheduling (SPS) of the uplink: periodic transmissions of each UE without
/// dynamic grants.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sps {
    /// Distance between two SPS occasions of a UE, in TTIs (`semiPersistSchedIntervalUL`, TS 36.331
    /// §6.3.2). Each UE has its occasions one TTI after those of the UE before it. A UE without
    /// data leaves an occasion unused.
    #[schemars(transform = within(1, 10_000).unit("TTIs"))]
    pub period: u64,
    /// Minimum size of the uplink transport block of each SPS occasion, MAC, RLC and PDCP headers
    /// included. Data that does not fit is reported in the block and granted dynamically.
    #[schemars(transform = at_least("2 B"))]
    pub size: Bytes,
}

/// Error probabilities of uplink control information.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[schemars(transform = defaults_of_profile)]
#[serde(deny_unknown_fields)]
pub struct Feedback {
    /// Probability that the base station reads an ACK for a downlink block as NACK and retransmits
    /// the block without need. Default: the value of `profile`, which is 0.01 in `system_level` and
    /// `reference`.
    #[serde(default = "never")]
    pub ack_as_nack: Probability,
    /// Probability that the base station reads a NACK for a downlink block as ACK. HARQ then drops
    /// the block, and RLC or TCP must recover the data. Default: the value of `profile`, which is
    /// 0.001 in `system_level` and `reference`.
    #[serde(default = "never")]
    pub nack_as_ack: Probability,
    /// Probability that the base station reads the silence after a missed downlink assignment (DTX)
    /// as ACK. Without effect, since UEs in this model miss no assignment: a value other than 0 or
    /// the value of `profile` gives a warning.
    #[serde(default = "never")]
    pub dtx_as_ack: Probability,
    /// Probability that the base station does not detect a scheduling request. The UE repeats the
    /// request at a later occasion. Default: the value of `profile`, which is 0.01 in
    /// `system_level` and `reference`.
    #[serde(default = "never")]
    pub sr_missed: Probability,
    /// Probability that the base station cannot decode a downlink CQI report and keeps using the
    /// previous one. Default: the value of `profile`, which is 0.01 in `system_level` and
    /// `reference`. It matters only where the SINR changes: in a network, or with SINRs over time.
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

/// Removes the defaults of the keys: a key that is not set takes its value from a profile.
fn defaults_of_profile(schema: &mut Schema) {
    let keys = schema.get_mut("properties").and_then(|keys| keys.as_object_mut());
    for key in keys.into_iter().flat_map(|keys| keys.values_mut()) {
        key.as_object_mut().and_then(|key| key.remove("default"));
    }
}

/// Marks all keys as optional: a key that is not set takes its value from a profile.
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
