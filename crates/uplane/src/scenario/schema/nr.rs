//! The section of an NR cell.
//!
//! A profile is a base file with these keys (`ran/nr/profile/*.toml`), which lies under the
//! section: it gives a whole cell, and every key changes one thing of it.

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

/// One NR cell with the UEs of the scenario; what it does not say is taken from its profile.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = usual_values)]
pub struct Nr {
    /// The base of this section: a built-in profile (`uplane profile` lists them), or a file with
    /// the same keys, `"mine.toml"`, beside the scenario.
    #[schemars(schema_with = "profile_or_file")]
    pub profile: NrProfile,
    /// "FDD", or the TDD pattern: its slots and the symbols of its special slot, down, gap and up,
    /// such as "DDDSU 10:2:2"; or a pattern of networks: "asia_americas", "europe",
    /// "china_two_patterns", "beside_lte", "low_latency", "uplink_heavy", "public_gnb" (TS 38.331
    /// `TDD-UL-DL-ConfigCommon`).
    pub duplex: Duplex,
    /// Distance of subcarriers (TS 38.211 Table 4.2-1): slots last 1, 0.5, 0.25 or 0.125 ms.
    #[schemars(transform = one_of(SPACINGS).unit("kHz"))]
    pub subcarrier_spacing_khz: u32,
    /// Channel bandwidth; with the spacing it gives the resource blocks (TS 38.104 §5.3.2), in FR2
    /// with 120 kHz and in FR1 otherwise.
    #[schemars(transform = one_of(BANDWIDTHS).unit("MHz"))]
    pub bandwidth_mhz: u32,
    /// Where the grid of slots begins; "random" in each run.
    pub phase: Phase,
    /// Base station: from a packet to the first slot that may carry it, and from knowing that a
    /// block is to be sent again to that slot; "as_ue": half of what the UE takes for an uplink
    /// block, `T_proc,2/2` (TR 37.910 §5.7.1.1.1).
    #[schemars(transform = within(0, 64).unit("slots"))]
    pub gnb_tx_slots: GnbTime,
    /// Base station: from the end of an uplink slot, or of what is sent within it, to knowing what
    /// it said; "as_ue": half of what the UE takes for a downlink block, and after HARQ feedback
    /// half of what it takes for an uplink block.
    #[schemars(transform = within(0, 64).unit("slots"))]
    pub gnb_rx_slots: GnbTime,
    /// Base station: from the end of a scheduling request's slot to the first slot that may answer
    /// it; or "as_ue".
    #[schemars(transform = within(0, 64).unit("slots"))]
    pub gnb_sr_slots: GnbTime,
    /// The least `k1`, from a downlink block to its HARQ feedback (`dl-DataToUL-ACK`, TS 38.331
    /// §6.3.2); the UE's processing time may require more.
    #[schemars(transform = within(0, 15).unit("slots"))]
    pub least_k1: u64,
    /// The least `K2`, from a grant to its uplink block (`k2`, TS 38.331 §6.3.2); the UE's
    /// processing time may require more.
    #[schemars(transform = within(0, 32).unit("slots"))]
    pub least_k2: u64,
    /// Transmissions that begin within a slot (mini-slots); without, each has all symbols of its
    /// slot.
    #[serde(default)]
    pub mini_slots: Option<MiniSlots>,
    /// Downlink bearers that do not wait for the end of a slot; without, all wait.
    #[serde(default)]
    pub urgent: Option<UrgentBlocks>,
    /// UE processing capability (TS 38.214 §5.3, §6.4); 2 is not there with 120 kHz.
    #[schemars(transform = one_of(CAPABILITIES))]
    pub ue_capability: u32,
    /// Symbols of the control channel in each slot with downlink (CORESET): they limit grants and
    /// take capacity from data.
    #[schemars(transform = within(1, 3).unit("symbols"))]
    pub control_symbols: u32,
    /// Where UEs look for their control messages; without, elements are counted, wherever they are.
    #[serde(default)]
    pub search_space: Option<SearchSpace>,
    /// Symbols with demodulation reference signals, one and the additional ones.
    #[schemars(transform = within(1, 4).unit("symbols"))]
    pub dmrs_symbols: u32,
    /// Resource elements of a PRB that do not count for transport block sizes (`xOverhead`,
    /// TS 38.331 §6.3.2).
    #[schemars(transform = one_of(OVERHEADS))]
    pub x_overhead: u32,
    /// Spatial layers of the downlink.
    #[schemars(transform = within(1, 4).unit("layers"))]
    pub layers: u32,
    /// Spatial layers of the uplink.
    #[schemars(transform = within(1, 4).unit("layers"))]
    pub uplink_layers: u32,
    /// The highest modulation of the downlink, and its table of schemes (TS 38.214 §5.1.3.1).
    pub modulation: Modulation,
    /// The same of the uplink.
    pub uplink_modulation: Modulation,
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
    /// Probability that the first, second, … transmission of a block fails, both ways; "sinr": the
    /// radio conditions decide; "none": nothing fails. Control messages take the room that the
    /// SINR asks for, whatever this key says.
    pub bler: Bler,
    /// SINR of all UEs in the downlink, in dB, on each layer; 20 without, and without a network.
    #[serde(default)]
    #[schemars(transform = within(-30, 60).unit("dB"))]
    pub downlink_sinr_db: Option<f64>,
    /// SINR of all UEs at the base station, in dB; 20 without, and without a network.
    #[serde(default)]
    #[schemars(transform = within(-30, 60).unit("dB"))]
    pub uplink_sinr_db: Option<f64>,
    /// Resource blocks of the uplink that carry data; "auto": all but two at each edge, for the
    /// control channel; "all".
    #[schemars(transform = within(1, 275).unit("resource blocks"))]
    pub uplink_prbs: UplinkPrbs,
    /// From one occasion for a scheduling request to the next (`SchedulingRequestResourceConfig`,
    /// TS 38.331 §6.3.2), a multiple of the TDD pattern: an occasion in a slot that goes down does
    /// not exist. The request is sent in the last two symbols of its slot.
    #[schemars(transform = within(1, 640).unit("slots"))]
    pub sr_period: u64,
    /// Which uplink slot of each period a UE may use.
    pub sr_offset: Offset,
    /// For this time after a scheduling request no other is sent (`sr-ProhibitTimer`, TS 38.331
    /// §6.3.2).
    #[schemars(transform = within("0 s", "128 ms"))]
    pub sr_prohibit_timer: Duration,
    /// How often a scheduling request is sent before random access (`sr-TransMax`, TS 38.331
    /// §6.3.2).
    #[schemars(transform = one_of(SR_TRANS_MAX).unit("requests"))]
    pub sr_trans_max: u32,
    /// Further configurations of scheduling requests, for bearers that name them. The others ask
    /// by the `sr_` keys of the cell.
    #[serde(default)]
    pub scheduling_request: Vec<SchedulingRequest>,
    /// How long a bearer with `sr_delay_timer_applied` waits until it asks
    /// (`logicalChannelSR-DelayTimer`, TS 38.321 §5.4.5).
    #[serde(default)]
    #[schemars(transform = within("1 ms", "2560 ms"))]
    pub sr_delay_timer: Option<Duration>,
    /// Bytes granted to a scheduling request.
    #[schemars(transform = at_least("16 B"))]
    pub sr_grant: Bytes,
    /// What the base station does with a request that comes while a grant is under way.
    pub sr_repeated: Repeated,
    /// From the last scheduling request without an answer until random access has succeeded.
    pub random_access: Duration,
    /// Random back-off of at most this time is added to it (Backoff Parameter, TS 38.321 §7.2).
    #[schemars(transform = within("0 s", "1920 ms"))]
    pub random_access_backoff: Duration,
    /// The periodic buffer status report timer (`periodicBSR-Timer`, TS 38.331 §6.3.2), or
    /// "every_block".
    #[schemars(transform = at_least("1 ns"))]
    pub periodic_bsr_timer: Interval,
    /// From a buffer status report without a grant to the next one (`retxBSR-Timer`, TS 38.331
    /// §6.3.2).
    pub retx_bsr_timer: Duration,
    /// Grants exceed the reported bytes by this share, for headers.
    pub grant_header_share: Probability,
    /// Proactive uplink grants (pre-scheduling): without a scheduling request, while downlink data
    /// flows to a UE; counted in slots.
    #[serde(default)]
    pub proactive_grants: Option<ProactiveGrants>,
    /// A configured grant of each UE (TS 38.321 §5.8.2): uplink blocks without a request.
    #[serde(default)]
    pub configured_grant: Option<ConfiguredGrant>,
    /// Several configured grants of each UE (`configuredGrantConfigToAddModList`, TS 38.331
    /// §6.3.2), in the place of one. Where two have an occasion in one slot, the first of the list
    /// that the UE has data for is used.
    #[serde(default)]
    pub configured_grant_config: Vec<ConfiguredGrant>,
    /// Semi-persistent scheduling of the downlink: blocks without a control message of their own.
    #[serde(default)]
    pub downlink_sps: Option<DownlinkSps>,
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
    /// RRC_INACTIVE; without, UEs are released to RRC_IDLE.
    #[serde(default)]
    pub rrc_inactive: Option<RrcInactive>,
    /// HARQ processes of each direction (`nrofHARQ-ProcessesForPDSCH`, TS 38.331 §6.3.2).
    #[schemars(transform = one_of(PROCESSES).unit("processes"))]
    pub harq_processes: u32,
    /// How often a block is sent at most, each way.
    #[schemars(transform = within(1, 28).unit("transmissions"))]
    pub harq_transmissions: u32,
    /// Downlink: code block groups of a transport block that have an HARQ-ACK of their own, at most
    /// (`maxCodeBlockGroupsPerTransportBlock`, TS 38.331 §6.3.2), so that only those that failed
    /// are sent again; without, blocks are sent again as a whole.
    #[serde(default)]
    #[schemars(transform = one_of(CODE_BLOCK_GROUPS).unit("groups"))]
    pub max_code_block_groups: Option<u32>,
    /// The same of the uplink.
    #[serde(default)]
    #[schemars(transform = one_of(CODE_BLOCK_GROUPS).unit("groups"))]
    pub uplink_max_code_block_groups: Option<u32>,
    /// How reliable feedback and requests are.
    #[serde(default)]
    pub feedback: Feedback,
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
    /// How the bearers of a UE share its downlink block; in the uplink it is by prioritised bit
    /// rates, then by priority (TS 38.321 §5.4.3.1).
    pub sharing: Sharing,
    /// Maximum bit rate of all bearers of a UE without guaranteed rate together, in the downlink,
    /// counted in bytes of IP without headers of the radio. (`UE-AMBR`, TS 23.501 §5.7.2.6)
    pub ue_ambr: Limit<Bitrate>,
    /// The same rate of the uplink. The base station keeps it by its grants, together for the
    /// logical channel groups with a bearer without guaranteed rate. (`UE-AMBR`, TS 23.501
    /// §5.7.2.6)
    pub uplink_ue_ambr: Limit<Bitrate>,
    /// RLC mode of bearers.
    pub rlc: super::RlcMode,
    /// Sequence numbers of RLC in bits: 6 or 12 in unacknowledged mode, 12 or 18 in acknowledged
    /// mode (`sn-FieldLength`, TS 38.331 §6.3.2).
    #[schemars(transform = one_of(RLC_SN_LENGTHS).unit("bits"))]
    pub rlc_sn_length: u32,
    /// How long a receiver of RLC waits for a missing segment or SDU (`t-Reassembly`, TS 38.322
    /// §7.3).
    #[schemars(transform = within("0 s", "200 ms"))]
    pub t_reassembly: Duration,
    /// How long a transmitter in acknowledged mode waits for the answer to a poll
    /// (`t-PollRetransmit`, TS 38.322 §7.3).
    #[schemars(transform = within("1 ms", "4 s"))]
    pub t_poll_retransmit: Duration,
    /// The least time between two status reports of acknowledged mode (`t-StatusProhibit`, TS
    /// 38.322 §7.3).
    #[schemars(transform = within("0 s", "2400 ms"))]
    pub t_status_prohibit: Duration,
    /// PDUs from poll to poll in acknowledged mode (`pollPDU`, TS 38.322 §7.4).
    #[schemars(transform = within(1, 65_536).unit("PDUs"))]
    pub poll_pdu: u32,
    /// Bytes from poll to poll in acknowledged mode (`pollByte`, TS 38.322 §7.4).
    #[schemars(transform = at_least("1 B"))]
    pub poll_byte: Limit<Bytes>,
    /// How often acknowledged mode sends one SDU again (`maxRetxThreshold`, TS 38.322 §7.4).
    #[schemars(transform = within(1, 32).unit("retransmissions"))]
    pub max_retx_threshold: u32,
    /// Transmit buffer of each end, in bytes of PDCP PDUs that RLC has not sent yet, with space for a
    /// packet of 1500 B and its header.
    #[schemars(transform = at_least("1503 B"))]
    pub buffer: Limit<Bytes>,
    /// Sequence numbers of PDCP in bits (`pdcp-SN-Size`, TS 38.331 §6.3.2).
    #[schemars(transform = one_of(PDCP_SN_LENGTHS).unit("bits"))]
    pub pdcp_sn_length: u32,
    /// How long PDCP waits for a missing packet (`t-Reordering`, TS 38.323 §7.3), or "infinity".
    pub t_reordering: Reordering,
    /// PDCP hands packets up as they come (`outOfOrderDelivery`, TS 38.331 §6.3.2).
    pub out_of_order_delivery: bool,
    /// PDCP discard timer (`discardTimer`, TS 38.323 §7.3); never without.
    #[serde(default)]
    pub discard_timer: Option<Duration>,
    /// ACK filters in the UEs, above PDCP.
    #[serde(default)]
    pub ack_filter: Option<AckFilter>,
    /// Carriers beside this one, for more rate (carrier aggregation).
    #[serde(default)]
    pub secondary_carrier: Vec<SecondaryCarrier>,
    /// Sites and cells around this one, and the air between.
    #[serde(default)]
    pub network: Option<Network>,
    /// The data radio bearers of each UE; the first is its default bearer. One of 5QI 9 when there
    /// is no such section.
    #[serde(default)]
    pub bearer: Vec<NrBearer>,
}

impl Nr {
    /// All values of a built-in profile.
    pub(in crate::scenario) fn built_in(profile: NrProfile) -> Self {
        let name = toml::Value::try_from(profile).expect("a profile has a name");
        let mut values = PROFILES.values(name.as_str().expect("of text")).expect("it is built in");
        values.insert(PROFILES.key.to_owned(), name);
        Self::deserialize(values).expect("a built-in profile has every key")
    }

    /// The configured grants of each UE: the lone one, or those of the list.
    pub fn configured_grants(&self) -> &[ConfiguredGrant] {
        match &self.configured_grant {
            Some(lone) => std::slice::from_ref(lone),
            None => &self.configured_grant_config,
        }
    }
}

/// Whole cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NrProfile {
    /// A well-built base station: one slot for everything it does.
    Reference,
    /// A base station of public networks, with a fronthaul: two slots for everything, and four at
    /// least from grant to transmission and from block to feedback.
    Commercial,
    /// The processing times of 5G-LENA: two slots for everything.
    LenaNr,
    /// Those of TR 37.910: a base station as fast as a UE.
    Tr37910,
    /// A network of the US below 1 GHz in 2020 as measurements of idle UEs show it: DRX of 40 ms,
    /// RRC_INACTIVE after 10 s, RRC_IDLE after 5 s more, pages each 1.28 s (Narayanan et al.,
    /// SIGCOMM 2021).
    #[serde(rename = "us_low_band_2020")]
    UsLowBand2020,
}

/// No key has to be given: what is not comes from a profile.
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
