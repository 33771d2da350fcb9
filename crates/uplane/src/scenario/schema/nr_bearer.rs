//! The section of a data radio bearer of NR.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bearer::{PacketFilter, RlcMode, Rohc};
use super::nr::Nr;
use super::nr_words::Reordering;
use crate::net::Direction;
use crate::net::queue::Aqm;
use crate::ran::mac::prioritisation::PrioritisedRate;
use crate::ran::nr::bearer_settings::Settings;
use crate::ran::tables::five_qi::FiveQi;
use crate::unit::range::{at_least, one_of, within};
use crate::unit::{Bitrate, Bytes, Duration, Limit};

/// One data radio bearer of each UE of an NR cell. RLC and PDCP keys that are not set take their
/// values from `base`.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NrBearer {
    /// Name of the bearer, unique in the cell.
    pub name: String,
    /// 5G QoS identifier of the bearer's packets (TS 23.501 Table 5.7.4-1): their priority, delay
    /// budget and loss rate, which schedulers and logical channel prioritization use.
    #[serde(default = "best_effort")]
    #[schemars(transform = one_of(&FiveQi::known()))]
    pub five_qi: u8,
    /// Base of the bearer's RLC and PDCP keys: `"cell"`, the values of the cell, or `"public_gnb"`,
    /// the values of a public base station for the 5QI (srsRAN Project, 2026). `"public_gnb"`
    /// requires 5QI 1 to 9, 67, 69, 70 or 82 to 90.
    #[serde(default)]
    pub base: BearerBase,
    /// Directions in which packets have an SDAP header of one byte (`sdap-HeaderDL`,
    /// `sdap-HeaderUL`, TS 38.331 §6.3.2): `"none"`, `"down"`, `"up"` or `"both"`. The default
    /// bearer of the standard has an SDAP header in the uplink.
    #[serde(default)]
    pub sdap_header: SdapHeader,
    /// Reflective QoS (TS 23.501 §5.7.5): after a downlink packet on this bearer, uplink packets of
    /// the same TCP or UDP flow use this bearer as well. Requires `sdap_header = "down"` or
    /// `"both"`, and a filter that claims downlink packets. Refused for the first bearer.
    #[serde(default)]
    pub reflective: bool,
    /// Validity of an uplink rule of reflective QoS after the flow's last downlink packet (`RQ
    /// Timer`, TS 23.501 §5.7.5.3). If not set, a rule never expires. Requires `reflective = true`.
    #[serde(default)]
    #[schemars(transform = at_least("1 ms"))]
    pub rq_timer: Option<Duration>,
    /// RLC mode in both directions: `"um"` (unacknowledged) or `"am"` (acknowledged). Default: the
    /// mode of `base`.
    #[serde(default)]
    pub rlc: Option<RlcMode>,
    /// Length of RLC sequence numbers, in bits: 6 or 12 in unacknowledged mode, 12 or 18 in
    /// acknowledged mode (`sn-FieldLength`, TS 38.331 §6.3.2). Default: the length of `base`, if
    /// `base` has the bearer's RLC mode. Otherwise the length of the cell, if the cell has the
    /// bearer's RLC mode; otherwise 12.
    #[serde(default)]
    #[schemars(transform = one_of(super::nr::RLC_SN_LENGTHS).unit("bits"))]
    pub rlc_sn_length: Option<u32>,
    /// Time that an RLC receiver waits for a missing segment or SDU (`t-Reassembly`, TS 38.322
    /// §7.3). On expiry, unacknowledged mode discards incomplete SDUs, and acknowledged mode
    /// reports the gap in a STATUS PDU. Default: the value of `base`.
    #[serde(default)]
    #[schemars(transform = within("0 s", "200 ms"))]
    pub t_reassembly: Option<Duration>,
    /// Time that an RLC transmitter in acknowledged mode waits for a STATUS PDU after a poll before
    /// it polls again (`t-PollRetransmit`, TS 38.322 §7.3). Default: the value of `base`, or of the
    /// cell if `base` has `rlc = "um"`. Requires `rlc = "am"`.
    #[serde(default)]
    #[schemars(transform = within("1 ms", "4 s"))]
    pub t_poll_retransmit: Option<Duration>,
    /// Minimum time between two STATUS PDUs of an RLC receiver in acknowledged mode
    /// (`t-StatusProhibit`, TS 38.322 §7.3). `0 s`: no minimum. Default: the value of `base`, or of
    /// the cell if `base` has `rlc = "um"`. Requires `rlc = "am"`.
    #[serde(default)]
    #[schemars(transform = within("0 s", "2400 ms"))]
    pub t_status_prohibit: Option<Duration>,
    /// Number of data PDUs after which an RLC transmitter in acknowledged mode polls for a STATUS
    /// PDU (`pollPDU`, TS 38.322 §7.4). Default: the value of `base`, or of the cell if `base` has
    /// `rlc = "um"`. Requires `rlc = "am"`.
    #[serde(default)]
    #[schemars(transform = within(1, 65_536).unit("PDUs"))]
    pub poll_pdu: Option<u32>,
    /// Number of data bytes after which an RLC transmitter in acknowledged mode polls for a STATUS
    /// PDU (`pollByte`, TS 38.322 §7.4). `"unlimited"`: bytes trigger no poll. Default: the value
    /// of `base`, or of the cell if `base` has `rlc = "um"`. Requires `rlc = "am"`.
    #[serde(default)]
    #[schemars(transform = at_least("1 B"))]
    pub poll_byte: Option<Limit<Bytes>>,
    /// Number of retransmissions of an SDU at which an RLC transmitter in acknowledged mode reports
    /// radio link failure (`maxRetxThreshold`, TS 38.322 §7.4). RLC is then re-established.
    /// Default: the value of `base`, or of the cell if `base` has `rlc = "um"`. Requires `rlc =
    /// "am"`.
    #[serde(default)]
    #[schemars(transform = within(1, 32).unit("retransmissions"))]
    pub max_retx_threshold: Option<u32>,
    /// Transmit buffer of the bearer in each direction, in bytes of PDCP PDUs that RLC has not sent
    /// yet, with their SDAP headers. A new packet that does not fit is dropped. `"unlimited"`: no
    /// packet is dropped. At least one packet of 1500 B with its headers. Default: the `buffer` of
    /// the cell.
    #[serde(default)]
    #[schemars(transform = at_least("1503 B"))]
    pub buffer: Option<Limit<Bytes>>,
    /// Active queue management (AQM) of the bearer's downlink queue at the base station, above PDCP
    /// (RFC 7567, TS 23.501 §5.37). Refused beside a `discard_timer` of the bearer. Without this
    /// section, packets are dropped only if they do not fit into `buffer` (tail drop).
    #[serde(default)]
    pub aqm: Option<Aqm>,
    /// Length of PDCP sequence numbers, in bits (`pdcp-SN-Size`, TS 38.331 §6.3.2). A PDCP header
    /// has 2 bytes with 12 bits, and 3 bytes with 18 bits. Default: the length of `base`.
    #[serde(default)]
    #[schemars(transform = one_of(super::nr::PDCP_SN_LENGTHS).unit("bits"))]
    pub pdcp_sn_length: Option<u32>,
    /// Time that a PDCP receiver waits for a missing packet before it delivers later ones
    /// (`t-Reordering`, TS 38.323 §7.3). `"infinity"`: no limit. Default: the value of `base`.
    #[serde(default)]
    pub t_reordering: Option<Reordering>,
    /// Order of packets from the bearer's PDCP receivers (`outOfOrderDelivery`, TS 38.331 §6.3.2).
    /// True: packets are delivered on arrival; refused beside `rohc`. False: packets are delivered
    /// in sequence. Default: the value of the cell.
    #[serde(default)]
    pub out_of_order_delivery: Option<bool>,
    /// Time after a packet's arrival at which PDCP discards the packet, in either direction, if no
    /// byte of it was sent (`discardTimer`, TS 38.323 §7.3). Default: the value of `base`; beside
    /// `aqm`, packets are never discarded.
    #[serde(default)]
    pub discard_timer: Option<Duration>,
    /// PDCP duplication of the downlink (TS 38.323 §5.11): each packet has two copies, one on the
    /// cell's own carrier and one on the secondary carriers. The first copy that arrives counts. In
    /// acknowledged mode, an RLC entity does not start a packet that the other RLC entity knows to
    /// be delivered. Requires a `secondary_carrier`. Refused beside `discard_timer`, `aqm` and
    /// `handover`.
    #[serde(default)]
    pub duplication: bool,
    /// PDCP duplication of the uplink (TS 38.323 §5.11): each packet has two copies, one on the
    /// cell's own carrier and one on secondary carriers with an `uplink`. The first copy that
    /// arrives counts. The second RLC entity gets the first logical channel group that no bearer
    /// uses. Requires a `secondary_carrier` with an `uplink`. Refused beside
    /// `allowed_serving_cells`, `discard_timer`, `uplink_gfbr`, `uplink_mfbr`, `ack_filter`,
    /// `handover` and `small_data`.
    #[serde(default)]
    pub uplink_duplication: bool,
    /// Robust header compression (ROHC): lengths of compressed headers, in both directions. Without
    /// this section, headers are not compressed.
    #[serde(default)]
    pub rohc: Option<Rohc>,
    /// Guaranteed bit rate of the bearer's downlink, in bytes of IP packets without radio headers
    /// (GFBR, TS 23.501 §5.7.2.5, TS 38.413 §9.3.1.4). The rate is at risk while the bearer is
    /// below it and a packet has waited too long: more than half of the radio part of the 5QI's
    /// delay budget. The scheduler then serves the UE first, and the bearer before other bearers of
    /// the UE. Requires 5QI 1 to 4, 65 to 67, 71 to 76 or 82 to 90. Refused for the first bearer,
    /// the default one. If not set, no rate is guaranteed.
    #[serde(default)]
    pub gfbr: Option<Bitrate>,
    /// Maximum bit rate of the bearer's downlink, in bytes of IP packets without radio headers
    /// (MFBR, TS 23.501 §5.7.2.5). A token bucket, which holds the bytes of 100 ms, enforces it. If
    /// not set, the rate is unlimited.
    #[serde(default)]
    pub mfbr: Option<Bitrate>,
    /// Guaranteed bit rate of the bearer's uplink, in bytes of IP packets without radio headers
    /// (GFBR, TS 23.501 §5.7.2.5). The base station guarantees each logical channel group of a UE
    /// the sum of the rates of its bearers. Within the UE, `prioritised_bit_rate` protects the rate
    /// of each bearer. Requires 5QI 1 to 4, 65 to 67, 71 to 76 or 82 to 90. Refused for the first
    /// bearer, the default one. If not set, no rate is guaranteed.
    #[serde(default)]
    pub uplink_gfbr: Option<Bitrate>,
    /// Maximum bit rate of the bearer's uplink, in bytes of IP packets without radio headers (MFBR,
    /// TS 23.501 §5.7.2.5). The base station limits grants for a logical channel group to the sum
    /// of the maximum rates of its bearers. Requires `uplink_mfbr` for all bearers of the group. If
    /// not set, the rate is unlimited.
    #[serde(default)]
    pub uplink_mfbr: Option<Bitrate>,
    /// Logical channel group of the bearer's uplink, by which buffer status reports count bytes
    /// (`logicalChannelGroup`, TS 38.331 §6.3.2). Default: 0 for the bearer whose 5QI has the
    /// highest priority, 1 for the next bearer, and so on up to 7.
    #[serde(default)]
    #[schemars(transform = within(0, 7))]
    pub logical_channel_group: Option<u8>,
    /// Uplink rate that an uplink block serves first, in bytes of RLC PDUs with their headers
    /// (`prioritisedBitRate`, TS 38.321 §5.4.3.1). In order of priority, each bearer first gets
    /// data up to its prioritised rate. The rest of the block goes to bearers by priority.
    /// `"none"`: no data is served first. `"unlimited"`: all data of the bearer. Default: the
    /// smallest standard value that holds `uplink_gfbr` plus an eighth for headers; `"none"` if
    /// `uplink_gfbr` is not set.
    #[serde(default)]
    pub prioritised_bit_rate: Option<PrioritisedRate>,
    /// Time for which the bearer may save up unused `prioritised_bit_rate`: its token bucket holds
    /// at most the bytes of this time (`bucketSizeDuration`, TS 38.321 §5.4.3.1).
    #[serde(default = "tenth")]
    #[schemars(transform = within("5 ms", "1 s"))]
    pub bucket_size_duration: Duration,
    /// Allows the bearer's uplink to use configured grants of type 1
    /// (`configuredGrantType1Allowed`, TS 38.331 §6.3.2). If false, the bearer needs dynamic grants
    /// or grants of type 2. False is refused if all configured grants of the cell are of type 2.
    #[serde(default = "yes")]
    pub configured_grant_allowed: bool,
    /// Configured grants that the bearer's uplink may use (`allowedCG-List`, TS 38.331 §6.3.2):
    /// names of `[[radio.nr.configured_grant_config]]`. If not set, the bearer may use all of them.
    #[serde(default)]
    pub allowed_cg_list: Option<Vec<String>>,
    /// Carriers that the bearer's uplink may use (`allowedServingCells`, TS 38.331 §6.3.2): 0 is
    /// the cell's own, 1 the first `[[radio.nr.secondary_carrier]]`, and so on. If not set, all
    /// carriers with an uplink. Requires a secondary carrier with an `uplink`. Bearers of one
    /// logical channel group must have the same list.
    #[serde(default)]
    #[schemars(transform = within(0, 31).each())]
    pub allowed_serving_cells: Option<Vec<u32>>,
    /// Configuration of the bearer's scheduling requests (`schedulingRequestID`, TS 38.331 §6.3.2):
    /// the name of a `[[radio.nr.scheduling_request]]`. If not set, the `sr_` keys of the cell
    /// apply.
    #[serde(default)]
    pub scheduling_request: Option<String>,
    /// Suppression of scheduling requests in favour of configured grants (`logicalChannelSR-Mask`,
    /// TS 38.321 §5.4.5). If true, the default, data that may use a configured grant waits for an
    /// occasion of the grant and triggers no scheduling request. If false, such data also triggers
    /// scheduling requests. Requires a configured grant that the bearer may use.
    #[serde(default)]
    pub sr_mask: Option<bool>,
    /// Delays the bearer's scheduling requests by the cell's `sr_delay_timer`, which must be set
    /// (`logicalChannelSR-DelayTimerApplied`, TS 38.321 §5.4.5). A bearer with a configured grant
    /// also requires `sr_mask = false`.
    #[serde(default)]
    pub sr_delay_timer_applied: bool,
    /// Sends the bearer's downlink in urgent blocks (`radio.nr.urgent`). Default: true for 5QI 82
    /// to 90 if the cell has a section `[radio.nr.urgent]`, otherwise false. True requires this
    /// section.
    #[serde(default)]
    pub urgent: Option<bool>,
    /// Packet filters: packets that match one of them take this bearer. Every bearer except the
    /// first has at least one filter. The first bearer, the default bearer, has no filter and takes
    /// all other packets.
    #[serde(default)]
    pub filter: Vec<PacketFilter>,
}

impl NrBearer {
    /// Returns the bearer of a cell without such a section.
    pub fn only() -> Self {
        Self {
            name: "default".to_owned(),
            five_qi: best_effort(),
            base: BearerBase::Cell,
            sdap_header: SdapHeader::None,
            reflective: false,
            rq_timer: None,
            rlc: None,
            rlc_sn_length: None,
            t_reassembly: None,
            t_poll_retransmit: None,
            t_status_prohibit: None,
            poll_pdu: None,
            poll_byte: None,
            max_retx_threshold: None,
            buffer: None,
            aqm: None,
            pdcp_sn_length: None,
            t_reordering: None,
            out_of_order_delivery: None,
            discard_timer: None,
            duplication: false,
            uplink_duplication: false,
            rohc: None,
            gfbr: None,
            mfbr: None,
            uplink_gfbr: None,
            uplink_mfbr: None,
            logical_channel_group: None,
            prioritised_bit_rate: None,
            bucket_size_duration: tenth(),
            configured_grant_allowed: true,
            allowed_cg_list: None,
            allowed_serving_cells: None,
            scheduling_request: None,
            sr_mask: None,
            sr_delay_timer_applied: false,
            urgent: None,
            filter: Vec::new(),
        }
    }

    /// Returns the bearer with the values of its base for all keys that it does not set. In
    /// unacknowledged mode, keys of acknowledged mode stay unset. Returns `None` if its base has no
    /// row for its 5QI.
    pub fn complete(&self, cell: &Nr) -> Option<Self> {
        let mut own = match self.base {
            BearerBase::Cell => self.clone(),
            BearerBase::PublicGnb => self.over(&Settings::of(self.five_qi)?),
        };
        let mode = own.rlc.unwrap_or(cell.rlc);
        let usual_bits = if mode == cell.rlc { cell.rlc_sn_length } else { EITHER_MODE };
        own.rlc = Some(mode);
        own.rlc_sn_length.get_or_insert(usual_bits);
        own.t_reassembly.get_or_insert(cell.t_reassembly);
        own.buffer.get_or_insert(cell.buffer);
        own.pdcp_sn_length.get_or_insert(cell.pdcp_sn_length);
        own.t_reordering.get_or_insert(cell.t_reordering);
        own.out_of_order_delivery.get_or_insert(cell.out_of_order_delivery);
        // A managed queue says itself what has waited too long.
        let is_cells = own.aqm.is_none() && own.base == BearerBase::Cell;
        own.discard_timer = own.discard_timer.or(cell.discard_timer.filter(|_| is_cells));
        if mode == RlcMode::Am {
            own.t_poll_retransmit.get_or_insert(cell.t_poll_retransmit);
            own.t_status_prohibit.get_or_insert(cell.t_status_prohibit);
            own.poll_pdu.get_or_insert(cell.poll_pdu);
            own.poll_byte.get_or_insert(cell.poll_byte);
            own.max_retx_threshold.get_or_insert(cell.max_retx_threshold);
        }
        Some(own)
    }

    /// Returns the bearer with the settings of a 5QI for all keys that it does not set. If its RLC
    /// mode differs, settings that belong to the other mode do not apply.
    fn over(&self, settings: &Settings) -> Self {
        let mut own = self.clone();
        let usual = if settings.acknowledged.is_some() { RlcMode::Am } else { RlcMode::Um };
        let mode = *own.rlc.get_or_insert(usual);
        own.t_reassembly.get_or_insert(settings.t_reassembly);
        own.pdcp_sn_length.get_or_insert(settings.pdcp_sn_length);
        own.t_reordering.get_or_insert(Reordering::Time(settings.t_reordering));
        let timer = settings.discard_timer.filter(|_| own.aqm.is_none());
        own.discard_timer = own.discard_timer.or(timer);
        if mode != usual {
            return own;
        }
        own.rlc_sn_length.get_or_insert(settings.rlc_sn_length);
        if let Some(acknowledged) = settings.acknowledged {
            own.t_poll_retransmit.get_or_insert(acknowledged.t_poll_retransmit);
            own.t_status_prohibit.get_or_insert(acknowledged.t_status_prohibit);
            own.poll_pdu.get_or_insert(acknowledged.poll_pdu);
            own.poll_byte.get_or_insert(Limit::from_option(acknowledged.poll_byte));
            own.max_retx_threshold.get_or_insert(acknowledged.max_retx_threshold);
        }
        own
    }
}

/// Base of a bearer's RLC and PDCP keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BearerBase {
    /// Values of the cell.
    #[default]
    Cell,
    /// Shipped defaults of a public base station (srsRAN Project, 2026) for the 5QI. The `buffer`
    /// and `out_of_order_delivery` are those of the cell.
    PublicGnb,
}

/// Directions in which packets have an SDAP header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SdapHeader {
    /// No direction.
    #[default]
    None,
    /// Downlink only.
    Down,
    /// Uplink only.
    Up,
    /// Downlink and uplink.
    Both,
}

impl SdapHeader {
    /// Returns `true` if packets of this direction have the header.
    pub fn is_in(self, direction: Direction) -> bool {
        match self {
            Self::None => false,
            Self::Down => direction == Direction::Down,
            Self::Up => direction == Direction::Up,
            Self::Both => true,
        }
    }
}

/// Bits that sequence numbers of RLC can have in either mode (TS 38.322 §6.2.3.3).
const EITHER_MODE: u32 = 12;

fn best_effort() -> u8 {
    9
}

fn tenth() -> Duration {
    Duration::from_millis(100)
}

fn yes() -> bool {
    true
}
