//! The section of an NR cell.
//!
//! A profile is a base file with all of these keys (`ran/nr/profile/*.toml`). A key in the section
//! overrides the value of its profile.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::lte::{Feedback, ProactiveGrants};
use super::lte_words::{Bler, McsChoice, UplinkPrbs};
use super::nr_words::{Duplex, GnbTime, Modulation, Reordering};
use super::{
    AckFilter, ConfiguredGrant, DownlinkSps, Drx, Handover, MiniSlots, Network, NrBearer, Rach,
    Rrc, RrcInactive, SchedulingRequest, SearchSpace, SecondaryCarrier, UrgentBlocks,
};
use crate::ran::Phase;
use crate::ran::mac::buffer_status::Interval;
use crate::ran::mac::grant::Repeated;
use crate::ran::mac::scheduler::Metric;
use crate::ran::mac::scheduling_request::Offset;
use crate::ran::mac::sharing::Sharing;
use crate::ran::nr::PROFILES;
use crate::unit::range::{at_least, one_of, within};
use crate::unit::{Bitrate, Bytes, Duration, Limit, Probability};

/// One NR cell and the UEs of the scenario. A key that is not set takes its value from `profile`.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = usual_values)]
pub struct Nr {
    /// Base of this section: a built-in profile (`uplane profile` lists them), or a file beside the
    /// scenario with the keys of this section, for example `"mine.toml"`. A key that is set here
    /// overrides the value of the base.
    #[schemars(schema_with = "profile_or_file")]
    pub profile: NrProfile,
    /// Duplex mode: `"FDD"`, or a TDD pattern such as `"DDDSU 10:2:2"`. A pattern lists its slots:
    /// D for downlink, U for uplink, S for special. After the slots come the numbers of downlink,
    /// gap and uplink symbols of a special slot, 14 together. Named patterns of networks:
    /// `"asia_americas"`, `"europe"`, `"china_two_patterns"`, `"beside_lte"`, `"low_latency"`,
    /// `"uplink_heavy"`, `"public_gnb"`. (TS 38.331 `TDD-UL-DL-ConfigCommon`)
    pub duplex: Duplex,
    /// Subcarrier spacing, in kHz (TS 38.211 Table 4.2-1). 15, 30, 60 and 120 kHz give slots of 1,
    /// 0.5, 0.25 and 0.125 ms. 120 kHz is a carrier in FR2, the others are in FR1.
    #[schemars(transform = one_of(SPACINGS).unit("kHz"))]
    pub subcarrier_spacing_khz: u32,
    /// Channel bandwidth, in MHz. With the subcarrier spacing it gives the number of resource
    /// blocks of the cell. Valid combinations: those of TS 38.104 §5.3.2.
    #[schemars(transform = one_of(BANDWIDTHS).unit("MHz"))]
    pub bandwidth_mhz: u32,
    /// Offset of the slot grid from the start of the run: a fixed time, which counts modulo one
    /// slot, or `"random"`. With `"random"`, each run draws the offset within one slot.
    pub phase: Phase,
    /// Processing time of the base station before a downlink transmission, in slots: from a
    /// packet's arrival, or from the decision to retransmit a block, to the first slot that may
    /// carry the packet or block. 0: no time. `"as_ue"`: half of the UE's preparation time for an
    /// uplink block, `T_proc,2/2` (TR 37.910 §5.7.1.1.1).
    #[schemars(transform = within(0, 64).unit("slots"))]
    pub gnb_tx_slots: GnbTime,
    /// Processing time of the base station after an uplink transmission, in slots: from the end of
    /// the transmission until the base station knows the data, buffer status report or HARQ
    /// feedback in it. 0: no time. `"as_ue"`: half of the UE's processing time for a downlink block
    /// (`T_proc,1/2`), or `T_proc,2/2` for HARQ feedback.
    #[schemars(transform = within(0, 64).unit("slots"))]
    pub gnb_rx_slots: GnbTime,
    /// Processing time of the base station for a scheduling request, in slots: from the end of the
    /// request's slot to the first slot that may carry the answering grant. 0: no time. `"as_ue"`:
    /// half of the UE's preparation time for an uplink block, `T_proc,2/2`.
    #[schemars(transform = within(0, 64).unit("slots"))]
    pub gnb_sr_slots: GnbTime,
    /// Minimum `k1`: number of slots from a downlink block to its HARQ feedback (`dl-DataToUL-ACK`,
    /// TS 38.331 §6.3.2). The UE's processing time and the TDD pattern may require more. 0: only
    /// the processing time and the pattern count.
    #[schemars(transform = within(0, 15).unit("slots"))]
    pub least_k1: u64,
    /// Minimum `K2`: number of slots from an uplink grant to its block (`k2`, TS 38.331 §6.3.2).
    /// The UE's processing time and the TDD pattern may require more. 0: only the processing time
    /// and the pattern count.
    #[schemars(transform = within(0, 32).unit("slots"))]
    pub least_k2: u64,
    /// Transmissions that begin within a slot (mini-slots), in both directions. Without this
    /// section, each transmission has all data symbols of its slot.
    #[serde(default)]
    pub mini_slots: Option<MiniSlots>,
    /// Short downlink blocks for urgent bearers, which begin within a slot and may pre-empt other
    /// blocks. Without this section, no bearer is urgent.
    #[serde(default)]
    pub urgent: Option<UrgentBlocks>,
    /// UE processing capability (TS 38.214 §5.3, §6.4): 1, or 2 with shorter processing times for
    /// downlink blocks and shorter preparation times for uplink blocks. Shorter times allow earlier
    /// HARQ feedback and earlier uplink blocks. At 120 kHz: 1 only.
    #[schemars(transform = one_of(CAPABILITIES))]
    pub ue_capability: u32,
    /// Number of PDCCH symbols at the start of each slot with downlink (CORESET); with
    /// `mini_slots`, at each start of a downlink transmission. The PDSCH has the other symbols.
    /// More symbols give more control channel elements, which downlink assignments and uplink
    /// grants share (see `search_space`).
    #[schemars(transform = within(1, 3).unit("symbols"))]
    pub control_symbols: u32,
    /// CORESET and UE-specific search space of PDCCH messages. Without this section, the messages
    /// of a slot together may use 80 % of its control channel elements, at any position; a single
    /// message may use all.
    #[serde(default)]
    pub search_space: Option<SearchSpace>,
    /// Number of symbols with demodulation reference signals (DM-RS) in each transmission,
    /// front-loaded and additional ones together, in both directions. These symbols carry no data.
    /// More than one lengthens the UE's processing time for downlink blocks. With `mini_slots`: at
    /// most 1 in blocks of 2 or 4 symbols, 2 in blocks of 7.
    #[schemars(transform = within(1, 4).unit("symbols"))]
    pub dmrs_symbols: u32,
    /// Number of resource elements that are subtracted from each resource block of a transmission
    /// when its transport block size is computed, in both directions (`xOverhead`, TS 38.331
    /// §6.3.2). A larger value gives smaller blocks. 0: none are subtracted.
    #[schemars(transform = one_of(OVERHEADS))]
    pub x_overhead: u32,
    /// Number of spatial layers of a downlink transport block. More layers give larger blocks. The
    /// downlink SINR keys give the SINR of each layer. With `radio.nr.network`: 1, or 2 with
    /// `antennas = "2x2"`.
    #[schemars(transform = within(1, 4).unit("layers"))]
    pub layers: u32,
    /// Number of spatial layers of an uplink transport block. More layers give larger blocks. With
    /// `radio.nr.network`: 1 only.
    #[schemars(transform = within(1, 4).unit("layers"))]
    pub uplink_layers: u32,
    /// Highest modulation of the downlink, which selects the MCS table (TS 38.214 §5.1.3.1):
    /// `"64QAM"`, `"256QAM"`, or `"64QAM_low_efficiency"` with lower code rates.
    pub modulation: Modulation,
    /// Highest modulation of the uplink, which selects the MCS table (TS 38.214 §6.1.4.1):
    /// `"64QAM"`, `"256QAM"`, or `"64QAM_low_efficiency"` with lower code rates.
    pub uplink_modulation: Modulation,
    /// Downlink modulation and coding scheme (MCS): a fixed index (at most 27 with `modulation =
    /// "256QAM"`), `"highest"` of the table, or `"adaptive"` by the reported CQI.
    #[schemars(transform = within(0, 28))]
    pub mcs: McsChoice,
    /// Uplink modulation and coding scheme (MCS): a fixed index (at most 27 with `uplink_modulation
    /// = "256QAM"`), `"highest"` of the table, or `"adaptive"` by the SINR that the base station
    /// measures.
    #[schemars(transform = within(0, 28))]
    pub uplink_mcs: McsChoice,
    /// Target block error rate of first HARQ transmissions, for an `"adaptive"` MCS in either
    /// direction. A lower target selects a lower MCS.
    pub bler_target: Probability,
    /// Outer-loop link adaptation of both directions, where the MCS is `"adaptive"`. A failed first
    /// transmission lowers a UE's SINR offset by 0.5 dB; a success raises the offset so that
    /// `bler_target` results. The offset starts at 0 dB and stays within ±10 dB. If false, the
    /// offset stays 0 dB.
    pub outer_loop: bool,
    /// Block error probability of each HARQ transmission, in both directions. `"none"`: no
    /// transmission fails. `"sinr"` computes the probability from the SINR of all transmissions of
    /// the block. A list: the n-th entry is the probability that the n-th transmission of a block
    /// fails if all before failed; the last entry also holds for later transmissions.
    pub bler: Bler,
    /// Downlink SINR of all UEs on each layer, in dB. Default 20. A UE's own SINR keys override
    /// this value. The SINR determines block errors with `bler = "sinr"`, and the MCS with `mcs =
    /// "adaptive"`. In all cases PDCCH messages need more control channel elements at a lower SINR.
    /// Refused with `radio.nr.network`, which computes the SINR.
    #[serde(default)]
    #[schemars(transform = within(-30, 60).unit("dB"))]
    pub downlink_sinr_db: Option<f64>,
    /// Uplink SINR of all UEs at the base station, in dB. Default 20. A UE's own SINR keys override
    /// this value. The SINR determines block errors with `bler = "sinr"`, and the MCS with
    /// `uplink_mcs = "adaptive"`. Without effect, with a warning, if no carrier with an uplink has
    /// either. Refused with `radio.nr.network`, which computes the SINR.
    #[serde(default)]
    #[schemars(transform = within(-30, 60).unit("dB"))]
    pub uplink_sinr_db: Option<f64>,
    /// Number of uplink resource blocks that carry data (PUSCH). `"auto"`: all but four, two at
    /// each edge of the band for the PUCCH. `"all"`: all resource blocks of the band.
    #[schemars(transform = within(1, 275).unit("resource blocks"))]
    pub uplink_prbs: UplinkPrbs,
    /// SR period, in slots: distance between two occasions of a UE for a scheduling request
    /// (`SchedulingRequestResourceConfig`, TS 38.331 §6.3.2). A multiple of the number of slots of
    /// the TDD pattern, so that occasions are in uplink slots. A request takes the last two symbols
    /// of its slot, or the last one with `mini_slots`.
    #[schemars(transform = within(1, 640).unit("slots"))]
    pub sr_period: u64,
    /// Uplink slot of each `sr_period` in which a UE has its SR occasion. `"in_turn"`: UE number n,
    /// counted from 0, has uplink slot number n modulo the number of uplink slots in the period.
    /// `"random"`: each UE draws one of these uplink slots at the start of the run.
    pub sr_offset: Offset,
    /// Minimum time between two scheduling requests of the same configuration of a UE
    /// (`sr-ProhibitTimer`, TS 38.331 §6.3.2). The timer stops when the UE builds a block with a
    /// buffer status report. `0 s`: the UE repeats a pending request at each SR occasion.
    #[schemars(transform = within("0 s", "128 ms"))]
    pub sr_prohibit_timer: Duration,
    /// Maximum number of scheduling requests that a UE sends for the same pending data. At the next
    /// SR occasion after the last one, the UE starts random access (`sr-TransMax`, TS 38.331
    /// §6.3.2).
    #[schemars(transform = one_of(SR_TRANS_MAX).unit("requests"))]
    pub sr_trans_max: u32,
    /// Further configurations of scheduling requests, each for the bearers that name it in their
    /// `scheduling_request`. Bearers that name none use the `sr_` keys of the cell.
    #[serde(default)]
    pub scheduling_request: Vec<SchedulingRequest>,
    /// Time that a bearer with `sr_delay_timer_applied = true` waits from new data until it
    /// triggers a scheduling request (`logicalChannelSR-DelayTimer`, TS 38.321 §5.4.5). Requires at
    /// least one such bearer. If not set, no bearer waits.
    #[serde(default)]
    #[schemars(transform = within("1 ms", "2560 ms"))]
    pub sr_delay_timer: Option<Duration>,
    /// Minimum size of the uplink transport block that answers a scheduling request, MAC headers
    /// included. The grant is larger if earlier buffer status reports ask for more.
    #[schemars(transform = at_least("16 B"))]
    pub sr_grant: Bytes,
    /// Answer of the base station to a scheduling request of a UE that still has a grant to come.
    /// `"ignore"`: no further grant. `"grant"`: one more grant for each request.
    pub sr_repeated: Repeated,
    /// Duration of random access in a cell without a `rach` section. Random access starts at the SR
    /// occasion after `sr_trans_max` unanswered requests. When it ends, the UE may send requests
    /// again, with a new count. Without effect, with a warning, beside a `rach` section, which
    /// models preambles and collisions.
    pub random_access: Duration,
    /// Upper limit of the random back-off of random access, which is uniform from 0 (Backoff
    /// Parameter, TS 38.321 §7.2). Without a `rach` section, each random access takes
    /// `random_access` plus one back-off. With a `rach` section, a UE waits for one back-off after
    /// each failed preamble. `0 s`: no back-off.
    #[schemars(transform = within("0 s", "1920 ms"))]
    pub random_access_backoff: Duration,
    /// Time from a UE's last buffer status report (BSR) until the next uplink block carries a BSR
    /// again (`periodicBSR-Timer`, TS 38.331 §6.3.2). `"every_block"` adds a BSR to each uplink
    /// block, except to a block that has space for all waiting data only without a BSR.
    #[schemars(transform = at_least("1 ns"))]
    pub periodic_bsr_timer: Interval,
    /// Time after which a UE with waiting data triggers a new buffer status report and a scheduling
    /// request (`retxBSR-Timer`, TS 38.331 §6.3.2). The timer restarts with each report that the UE
    /// sends and with each grant that it receives.
    pub retx_bsr_timer: Duration,
    /// Part by which an uplink grant exceeds the bytes of a buffer status report, for RLC and MAC
    /// headers, which reports do not count: 0.06 grants 6 % more. Each grant also has another 8
    /// bytes. 0: only these 8 bytes are added.
    pub grant_header_share: Probability,
    /// Proactive uplink grants (pre-scheduling): the base station grants uplink resources without a
    /// scheduling request while downlink data flows to a UE. Without this section, there are no
    /// proactive grants.
    #[serde(default)]
    pub proactive_grants: Option<ProactiveGrants>,
    /// One configured grant of each UE (TS 38.321 §5.8.2): periodic uplink transmissions that need
    /// neither a scheduling request nor a dynamic grant. Refused beside `configured_grant_config`.
    /// Without either section, every uplink block needs a dynamic grant.
    #[serde(default)]
    pub configured_grant: Option<ConfiguredGrant>,
    /// Several configured grants of each UE (`configuredGrantConfigToAddModList`, TS 38.331
    /// §6.3.2), instead of one `configured_grant`. If two have an occasion in the same slot, the UE
    /// uses the first of the list for which it has data.
    #[serde(default)]
    pub configured_grant_config: Vec<ConfiguredGrant>,
    /// Semi-persistent scheduling (SPS) of the downlink: periodic blocks without a PDCCH message of
    /// their own. Without this section, every downlink block needs an assignment.
    #[serde(default)]
    pub downlink_sps: Option<DownlinkSps>,
    /// Contention-based random access: preambles that can collide. Without this section, random
    /// access takes the time `random_access`.
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
    /// RRC states: a UE without data leaves RRC_CONNECTED and returns by paging and random access.
    /// Requires `rach`. Without this section, UEs are always in RRC_CONNECTED.
    #[serde(default)]
    pub rrc: Option<Rrc>,
    /// RRC_INACTIVE, to which UEs without data are released. Requires `rrc`. Without this section,
    /// UEs are released to RRC_IDLE.
    #[serde(default)]
    pub rrc_inactive: Option<RrcInactive>,
    /// Number of HARQ processes of a UE in each direction (`nrofHARQ-ProcessesForPDSCH`, TS 38.331
    /// §6.3.2): blocks that may be in flight at once.
    #[schemars(transform = one_of(PROCESSES).unit("processes"))]
    pub harq_processes: u32,
    /// Maximum number of HARQ transmissions of a transport block, including the first, in both
    /// directions. After the last one fails, RLC or TCP must recover the data. 1: no HARQ
    /// retransmissions.
    #[schemars(transform = within(1, 28).unit("transmissions"))]
    pub harq_transmissions: u32,
    /// Maximum number of code block groups (CBGs) of a downlink transport block that have an
    /// HARQ-ACK of their own (`maxCodeBlockGroupsPerTransportBlock`, TS 38.331 §6.3.2). Only failed
    /// groups are retransmitted. If not set, whole blocks are retransmitted.
    #[serde(default)]
    #[schemars(transform = one_of(CODE_BLOCK_GROUPS).unit("groups"))]
    pub max_code_block_groups: Option<u32>,
    /// Maximum number of code block groups (CBGs) of an uplink transport block that are
    /// retransmitted separately (`maxCodeBlockGroupsPerTransportBlock`, TS 38.331 §6.3.2). If not
    /// set, whole blocks are retransmitted.
    #[serde(default)]
    #[schemars(transform = one_of(CODE_BLOCK_GROUPS).unit("groups"))]
    pub uplink_max_code_block_groups: Option<u32>,
    /// Error probabilities of HARQ feedback, scheduling requests and CQI reports.
    #[serde(default)]
    pub feedback: Feedback,
    /// Downlink scheduling metric: in each slot, the UE with the highest value gets all resources
    /// that it can use, then the next. For example `"proportional_fair"`, `"round_robin"`,
    /// `"maximum_throughput"` or `"strict_qci"`. Retransmissions, then UEs whose guaranteed rate is
    /// at risk, come before all others.
    pub scheduler: Metric,
    /// Uplink scheduling metric: in each slot, the UE with the highest value is granted all that it
    /// is known to need, then the next. Retransmissions, then UEs whose guaranteed rate is at risk,
    /// come before all others. The base station does not know the age of uplink packets: `m_lwdf`
    /// and `channel_qos_aware` act as `round_robin` here, and `exp_pf` as `proportional_fair`, with
    /// a warning.
    pub uplink_scheduler: Metric,
    /// Time constant `t_c` of a UE's average throughput, in slots, for each direction: each slot,
    /// the average moves by 1/`t_c` towards the bytes just served. All metrics use the average
    /// except `round_robin` and `maximum_throughput`.
    #[schemars(transform = within(1, 100_000).unit("slots"))]
    pub averaging_slots: u32,
    /// Maximum number of UEs that the scheduler serves in one slot, for each direction separately.
    /// UEs with retransmissions count too.
    #[schemars(transform = within(1, 100_000).unit("UEs"))]
    pub ues_per_slot: u32,
    /// Division of one UE's downlink transport block among its bearers: `"priority"`, `"buckets"`
    /// or `"equal"`. The uplink always uses logical channel prioritization: prioritised bit rates,
    /// then priority (TS 38.321 §5.4.3.1).
    pub sharing: Sharing,
    /// Maximum downlink rate of one UE, as the sum over its bearers with a 5QI without guaranteed
    /// rates, in bytes of IP packets without radio headers (`UE-AMBR`, TS 23.501 §5.7.2.6). The
    /// base station enforces it with a token bucket, which holds the bytes of 100 ms.
    /// `"unlimited"`: no maximum.
    pub ue_ambr: Limit<Bitrate>,
    /// Maximum uplink rate of one UE, as the sum over its bearers with a 5QI without guaranteed
    /// rates, in bytes of IP packets without radio headers (`UE-AMBR`, TS 23.501 §5.7.2.6). The
    /// base station enforces it by its grants, with one token bucket for all logical channel groups
    /// that have such a bearer. The bucket holds the bytes of 100 ms. `"unlimited"`: no maximum.
    pub uplink_ue_ambr: Limit<Bitrate>,
    /// RLC mode of bearers that set no `rlc`, in both directions: `"um"` (unacknowledged) or `"am"`
    /// (acknowledged).
    pub rlc: super::RlcMode,
    /// Length of RLC sequence numbers, in bits: 6 or 12 in unacknowledged mode, 12 or 18 in
    /// acknowledged mode (`sn-FieldLength`, TS 38.331 §6.3.2). For bearers in the cell's mode `rlc`
    /// that set no length.
    #[schemars(transform = one_of(RLC_SN_LENGTHS).unit("bits"))]
    pub rlc_sn_length: u32,
    /// Time that an RLC receiver waits for a missing segment or SDU (`t-Reassembly`, TS 38.322
    /// §7.3). On expiry, unacknowledged mode discards incomplete SDUs, and acknowledged mode
    /// reports the gap in a STATUS PDU.
    #[schemars(transform = within("0 s", "200 ms"))]
    pub t_reassembly: Duration,
    /// Time that an RLC transmitter in acknowledged mode waits for a STATUS PDU after a poll before
    /// it polls again (`t-PollRetransmit`, TS 38.322 §7.3).
    #[schemars(transform = within("1 ms", "4 s"))]
    pub t_poll_retransmit: Duration,
    /// Minimum time between two STATUS PDUs of an RLC receiver in acknowledged mode
    /// (`t-StatusProhibit`, TS 38.322 §7.3). `0 s`: no minimum.
    #[schemars(transform = within("0 s", "2400 ms"))]
    pub t_status_prohibit: Duration,
    /// Number of data PDUs after which an RLC transmitter in acknowledged mode polls for a STATUS
    /// PDU (`pollPDU`, TS 38.322 §7.4).
    #[schemars(transform = within(1, 65_536).unit("PDUs"))]
    pub poll_pdu: u32,
    /// Number of data bytes after which an RLC transmitter in acknowledged mode polls for a STATUS
    /// PDU (`pollByte`, TS 38.322 §7.4). `"unlimited"`: bytes trigger no poll.
    #[schemars(transform = at_least("1 B"))]
    pub poll_byte: Limit<Bytes>,
    /// Number of retransmissions of an SDU at which an RLC transmitter in acknowledged mode reports
    /// radio link failure (`maxRetxThreshold`, TS 38.322 §7.4). RLC is then re-established.
    #[schemars(transform = within(1, 32).unit("retransmissions"))]
    pub max_retx_threshold: u32,
    /// Transmit buffer of each bearer and direction, in bytes of PDCP PDUs that RLC has not sent
    /// yet. A new packet that does not fit is dropped. `"unlimited"`: no packet is dropped. The
    /// minimum holds one packet of 1500 B with its PDCP header.
    #[schemars(transform = at_least("1503 B"))]
    pub buffer: Limit<Bytes>,
    /// Length of PDCP sequence numbers, in bits, for bearers that set none (`pdcp-SN-Size`, TS
    /// 38.331 §6.3.2). A PDCP header has 2 bytes with 12 bits, and 3 bytes with 18 bits.
    #[schemars(transform = one_of(PDCP_SN_LENGTHS).unit("bits"))]
    pub pdcp_sn_length: u32,
    /// Time that a PDCP receiver waits for a missing packet before it delivers later ones
    /// (`t-Reordering`, TS 38.323 §7.3). `"infinity"`: no limit.
    pub t_reordering: Reordering,
    /// Order of packets from a PDCP receiver (`outOfOrderDelivery`, TS 38.331 §6.3.2). True:
    /// packets are delivered on arrival. False: packets are delivered in sequence, after a wait of
    /// at most `t_reordering`.
    pub out_of_order_delivery: bool,
    /// Time after a packet's arrival at which PDCP discards the packet, in either direction, if no
    /// byte of it was sent (`discardTimer`, TS 38.323 §7.3). If not set, packets are never
    /// discarded.
    #[serde(default)]
    pub discard_timer: Option<Duration>,
    /// TCP ACK filter in each UE, above PDCP: drops queued uplink ACKs that later ones replace.
    /// Without this section, UEs send every ACK.
    #[serde(default)]
    pub ack_filter: Option<AckFilter>,
    /// Secondary carriers of all UEs (carrier aggregation). Without this section, the cell has one
    /// carrier.
    #[serde(default)]
    pub secondary_carrier: Vec<SecondaryCarrier>,
    /// Network of sites and cells around this cell, with path loss, interference and fading, which
    /// give each UE its SINR. Without this section, the cell is alone and SINR keys give the SINR.
    #[serde(default)]
    pub network: Option<Network>,
    /// Data radio bearers of each UE. The first is the default bearer. Default: one bearer of 5QI
    /// 9.
    #[serde(default)]
    pub bearer: Vec<NrBearer>,
}

impl Nr {
    /// Returns all values of a built-in profile.
    pub(in crate::scenario) fn built_in(profile: NrProfile) -> Self {
        let name = toml::Value::try_from(profile).expect("a profile has a name");
        let mut values = PROFILES.values(name.as_str().expect("of text")).expect("it is built in");
        values.insert(PROFILES.key.to_owned(), name);
        Self::deserialize(values).expect("a built-in profile has every key")
    }

    /// Returns the configured grants of each UE: the single one, or those of the list.
    pub fn configured_grants(&self) -> &[ConfiguredGrant] {
        match &self.configured_grant {
            Some(lone) => std::slice::from_ref(lone),
            None => &self.configured_grant_config,
        }
    }
}

/// Built-in NR profiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NrProfile {
    /// Well-built base station: one slot for each processing step.
    Reference,
    /// Base station of public networks with a fronthaul: two slots for each processing step, and at
    /// least four slots from grant to transmission and from block to HARQ feedback.
    Commercial,
    /// Processing times of 5G-LENA: two slots for each processing step.
    LenaNr,
    /// Processing times of TR 37.910: a base station as fast as a UE.
    Tr37910,
    /// Network of the US below 1 GHz in 2020, fitted to measurements of idle UEs (Narayanan et al.,
    /// SIGCOMM 2021). DRX of 40 ms, RRC_INACTIVE after 10 s, RRC_IDLE after 5 s more, paging every
    /// 1.28 s.
    #[serde(rename = "us_low_band_2020")]
    UsLowBand2020,
}

/// Marks all keys as optional: a key that is not set takes its value from a profile.
fn usual_values(schema: &mut Schema) {
    PROFILES.say_usual_values(schema);
}

fn profile_or_file(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "anyOf": [
            generator.subschema_for::<NrProfile>(),
            { "type": "string", "format": "path", "pattern": "\\.toml$" },
        ]
    })
}

/// TS 38.211 Table 4.2-1
pub(super) const SPACINGS: &[u32] = &[15, 30, 60, 120];
/// TS 38.104 Tables 5.3.2-1, 5.3.2-2
pub(super) const BANDWIDTHS: &[u32] =
    &[5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 60, 70, 80, 90, 100, 200, 400];
/// TS 38.214 §5.3
const CAPABILITIES: &[u32] = &[1, 2];
/// TS 38.214 §5.1.3.2
const OVERHEADS: &[u32] = &[0, 6, 12, 18];
/// TS 38.331 §6.3.2
pub(super) const SR_TRANS_MAX: &[u32] = &[4, 8, 16, 32, 64];
/// TS 38.331 §6.3.2
const PROCESSES: &[u32] = &[2, 4, 6, 8, 10, 12, 16, 32];
/// TS 38.331 §6.3.2
const CODE_BLOCK_GROUPS: &[u32] = &[2, 4, 6, 8];
/// TS 38.322 §6.2.3.3
pub(super) const RLC_SN_LENGTHS: &[u32] = &[6, 12, 18];
/// TS 38.323 §6.3.2
pub(super) const PDCP_SN_LENGTHS: &[u32] = &[12, 18];
