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

/// One data radio bearer of each UE of an NR cell. What it does not say of RLC and PDCP is that of
/// its base.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NrBearer {
    /// Its name.
    pub name: String,
    /// 5G QoS identifier of its packets (TS 23.501 Table 5.7.4-1): their priority and delay budget.
    #[serde(default = "best_effort")]
    #[schemars(transform = one_of(&FiveQi::known()))]
    pub five_qi: u8,
    /// The base of its RLC and PDCP: the cell's values, or those of a public base station for its
    /// 5QI (srsRAN Project, 2026), where it has some.
    #[serde(default)]
    pub base: BearerBase,
    /// Which directions have the header of SDAP, of one byte (`sdap-HeaderDL`, `sdap-HeaderUL`,
    /// TS 38.331 §6.3.2). A default bearer of the standard has one in the uplink.
    #[serde(default)]
    pub sdap_header: SdapHeader,
    /// Reflective QoS (TS 23.501 §5.7.5): after a downlink packet on this bearer the UE's packets
    /// of the same connection take it too. The downlink's SDAP header carries that.
    #[serde(default)]
    pub reflective: bool,
    /// How long that holds after the last downlink packet (`RQ Timer`, TS 23.501 §5.7.5.3); for
    /// ever without.
    #[serde(default)]
    #[schemars(transform = at_least("1 ms"))]
    pub rq_timer: Option<Duration>,
    /// RLC mode.
    #[serde(default)]
    pub rlc: Option<RlcMode>,
    /// Sequence numbers of RLC in bits: 6 or 12 in unacknowledged mode, 12 or 18 in acknowledged
    /// mode (`sn-FieldLength`, TS 38.331 §6.3.2); 12 without, where the mode is not the cell's.
    #[serde(default)]
    #[schemars(transform = one_of(super::nr::RLC_SN_LENGTHS).unit("bits"))]
    pub rlc_sn_length: Option<u32>,
    /// How long a receiver of RLC waits for a missing segment or SDU (`t-Reassembly`, TS 38.322
    /// §7.3).
    #[serde(default)]
    #[schemars(transform = within("0 s", "200 ms"))]
    pub t_reassembly: Option<Duration>,
    /// How long a transmitter in acknowledged mode waits for the answer to a poll
    /// (`t-PollRetransmit`, TS 38.322 §7.3).
    #[serde(default)]
    #[schemars(transform = within("1 ms", "4 s"))]
    pub t_poll_retransmit: Option<Duration>,
    /// The least time between two status reports of acknowledged mode (`t-StatusProhibit`, TS
    /// 38.322 §7.3).
    #[serde(default)]
    #[schemars(transform = within("0 s", "2400 ms"))]
    pub t_status_prohibit: Option<Duration>,
    /// PDUs from poll to poll in acknowledged mode (`pollPDU`, TS 38.322 §7.4).
    #[serde(default)]
    #[schemars(transform = within(1, 65_536).unit("PDUs"))]
    pub poll_pdu: Option<u32>,
    /// Bytes from poll to poll in acknowledged mode (`pollByte`, TS 38.322 §7.4).
    #[serde(default)]
    #[schemars(transform = at_least("1 B"))]
    pub poll_byte: Option<Limit<Bytes>>,
    /// How often acknowledged mode sends one SDU again (`maxRetxThreshold`, TS 38.322 §7.4).
    #[serde(default)]
    #[schemars(transform = within(1, 32).unit("retransmissions"))]
    pub max_retx_threshold: Option<u32>,
    /// Transmit buffer of each end, in bytes of PDCP PDUs that RLC has not sent yet, with space for a
    /// packet of 1500 B and its headers.
    #[serde(default)]
    #[schemars(transform = at_least("1503 B"))]
    pub buffer: Option<Limit<Bytes>>,
    /// Active queue management of its downlink queue at the base station (RFC 7567, TS 23.501
    /// §5.37), which is above PDCP; by default tail drop.
    #[serde(default)]
    pub aqm: Option<Aqm>,
    /// Sequence numbers of PDCP in bits (`pdcp-SN-Size`, TS 38.331 §6.3.2).
    #[serde(default)]
    #[schemars(transform = one_of(super::nr::PDCP_SN_LENGTHS).unit("bits"))]
    pub pdcp_sn_length: Option<u32>,
    /// How long PDCP waits for a missing packet (`t-Reordering`, TS 38.323 §7.3), or "infinity".
    #[serde(default)]
    pub t_reordering: Option<Reordering>,
    /// PDCP hands packets up as they come (`outOfOrderDelivery`, TS 38.331 §6.3.2).
    #[serde(default)]
    pub out_of_order_delivery: Option<bool>,
    /// PDCP discard timer (`discardTimer`, TS 38.323 §7.3); never without, where its base has none.
    #[serde(default)]
    pub discard_timer: Option<Duration>,
    /// PDCP sends each downlink packet twice, on the cell's own carrier and on its secondary ones,
    /// and the first copy wins (PDCP duplication, TS 38.323 §5.11); without a discard timer. In
    /// acknowledged mode what one RLC entity has found to be delivered is not begun by the other.
    #[serde(default)]
    pub duplication: bool,
    /// The same of its uplink, on the cell's own carrier and on secondary ones with an `uplink`.
    /// Its second RLC entity has a logical channel group of its own: the first that no bearer has.
    #[serde(default)]
    pub uplink_duplication: bool,
    /// Robust header compression: lengths of compressed headers.
    #[serde(default)]
    pub rohc: Option<Rohc>,
    /// Guaranteed bit rate of its downlink, counted in bytes of IP without headers of the radio
    /// (GFBR, TS 23.501 §5.7.2.5, TS 38.413 §9.3.1.4). Packets that have waited for half of their
    /// delay budget go before other UEs and before other bearers of the UE. Only for a class with
    /// guaranteed rates, and never of the first bearer, the default one.
    #[serde(default)]
    pub gfbr: Option<Bitrate>,
    /// Maximum bit rate of its downlink, counted as `gfbr` (MFBR, TS 23.501 §5.7.2.5).
    #[serde(default)]
    pub mfbr: Option<Bitrate>,
    /// Guaranteed bit rate of its uplink, counted as `gfbr` (GFBR). The base station keeps it among
    /// UEs by logical channel group; the UE keeps it among its bearers by `prioritised_bit_rate`.
    #[serde(default)]
    pub uplink_gfbr: Option<Bitrate>,
    /// Maximum bit rate of its uplink, counted as `gfbr` (MFBR). Grants for its logical channel
    /// group are held to it; all bearers of the group have one.
    #[serde(default)]
    pub uplink_mfbr: Option<Bitrate>,
    /// The logical channel group of its uplink (`logicalChannelGroup`, TS 38.331 §6.3.2); without,
    /// the most urgent bearer has group 0, the next group 1, and so on.
    #[serde(default)]
    #[schemars(transform = within(0, 7))]
    pub logical_channel_group: Option<u8>,
    /// Rate that its uplink gets before others get more than theirs, counted in RLC PDUs with
    /// their headers. Default: the least value of the standard that holds `uplink_gfbr` and an
    /// eighth more for headers; without `uplink_gfbr`, "none". (`prioritisedBitRate`, TS 38.321
    /// §5.4.3.1)
    #[serde(default)]
    pub prioritised_bit_rate: Option<PrioritisedRate>,
    /// For how long an unused prioritised rate is kept (`bucketSizeDuration`, TS 38.321 §5.4.3.1).
    #[serde(default = "tenth")]
    #[schemars(transform = within("5 ms", "1 s"))]
    pub bucket_size_duration: Duration,
    /// Its uplink may use configured grants of type 1 (`configuredGrantType1Allowed`, TS 38.331
    /// §6.3.2); a bearer that may not asks for a grant by a request.
    #[serde(default = "yes")]
    pub configured_grant_allowed: bool,
    /// The configured grants that its uplink may use (`allowedCG-List`, TS 38.331 §6.3.2): names of
    /// `[[radio.nr.configured_grant_config]]`; all without.
    #[serde(default)]
    pub allowed_cg_list: Option<Vec<String>>,
    /// The carriers that its uplink may use (`allowedServingCells`, TS 38.331 §6.3.2): 0 is the
    /// cell's own, 1 the first `[[radio.nr.secondary_carrier]]`, and so on; all without.
    #[serde(default)]
    #[schemars(transform = within(0, 31).each())]
    pub allowed_serving_cells: Option<Vec<u32>>,
    /// The configuration of scheduling requests by which it asks (`schedulingRequestID`, TS 38.331
    /// §6.3.2): the name of a `[[radio.nr.scheduling_request]]`; without, the cell's.
    #[serde(default)]
    pub scheduling_request: Option<String>,
    /// What may use a configured grant waits for it and asks for no other
    /// (`logicalChannelSR-Mask`, TS 38.321 §5.4.5); true without.
    #[serde(default)]
    pub sr_mask: Option<bool>,
    /// It asks only after the cell's `sr_delay_timer` (`logicalChannelSR-DelayTimerApplied`,
    /// TS 38.321 §5.4.5).
    #[serde(default)]
    pub sr_delay_timer_applied: bool,
    /// Its downlink goes in urgent blocks (`radio.nr.urgent`); by default a bearer with 5QI 82 to
    /// 90 does, where the cell has such blocks.
    #[serde(default)]
    pub urgent: Option<bool>,
    /// The packets that it claims; the default bearer claims none and gets the rest.
    #[serde(default)]
    pub filter: Vec<PacketFilter>,
}

impl NrBearer {
    /// The bearer of a cell without such a section.
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

    /// The same with the values of its base where it has none. What is of acknowledged mode alone
    /// stays open in unacknowledged mode. None where its base has no row for its 5QI.
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

    /// The same over the settings of a class. Its own mode has none of what belongs to the other.
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

/// The base of a bearer's RLC and PDCP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BearerBase {
    /// The cell's keys.
    #[default]
    Cell,
    /// The shipped defaults of a public base station for the 5QI, with the cell's buffer.
    PublicGnb,
}

/// Directions with the header of SDAP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SdapHeader {
    /// None.
    #[default]
    None,
    /// To the UE.
    Down,
    /// From the UE.
    Up,
    /// Both.
    Both,
}

impl SdapHeader {
    /// True where packets of this direction have it.
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
