//! The section of RRC states, of any generation.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ran::Phase;
use crate::unit::range::{one_of, within};
use crate::unit::text::word_or;
use crate::unit::{Bytes, Duration};

/// RRC states of all UEs (TS 38.331 §4.2.1, TS 36.331 §4.2.1): a UE without data leaves
/// RRC_CONNECTED, and returns by paging (for downlink data), random access and RRC messages.
/// Requires `rach`.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rrc {
    /// Time without downlink and uplink data of a UE after which the UE is released from
    /// RRC_CONNECTED. Networks use about 10 s; US networks of 2020 had 10 s (Narayanan et al.,
    /// SIGCOMM 2021).
    #[serde(default = "ten_seconds")]
    #[schemars(transform = within("10 ms", "100000 s"))]
    pub inactivity: Duration,
    /// List of inactivity times, instead of one `inactivity`: each stay of a UE in RRC_CONNECTED
    /// draws one of them with equal probability. A time that occurs twice in the list is twice as
    /// likely. If not set, `inactivity` holds. Between 10 and 15 s without data, some UEs of a
    /// stand-alone network of 2020 were still connected, and later none (Narayanan et al., SIGCOMM
    /// 2021, RRC-Probe).
    #[serde(default)]
    #[schemars(transform = within("10 ms", "100000 s").each())]
    pub inactivities: Vec<Duration>,
    /// Distance between two paging occasions of a UE, in radio frames of 10 ms: `T` of TS 38.304
    /// §7.1 and TS 36.304 §7.1 (`defaultPagingCycle`). 128 frames are 1.28 s.
    #[serde(default = "frames")]
    #[schemars(transform = one_of(CYCLES).unit("frames"))]
    pub paging_cycle: u32,
    /// Time of the paging occasion within each `paging_cycle`, the same for all UEs: a whole number
    /// of radio frames of 10 ms. `"random"`: each UE draws its own, as if by its identity.
    #[serde(default = "random")]
    #[schemars(transform = within("0 s", "2550 ms"))]
    pub paging_offset: Phase,
    /// Time from the arrival of a downlink packet for a UE in RRC_IDLE until the base station may
    /// page the UE. In this time, the core network pages all base stations of the area (TS 23.502
    /// §4.2.3.3). The default is an assumption.
    #[serde(default = "ten_ms")]
    #[schemars(transform = within("0 s", "10 s"))]
    pub core_paging_time: Duration,
    /// Time from the reception of `RRCSetupRequest` (LTE: `RRCConnectionRequest`) at the base
    /// station until data flows: setup, service request at the core network, security, bearers (TS
    /// 23.502 §4.2.3.2). For UEs in RRC_IDLE. The default is an assumption between 50 and 100 ms.
    #[serde(default = "eighty_ms")]
    #[schemars(transform = within("0 s", "10 s"))]
    pub setup_time: Duration,
}

/// RRC_INACTIVE of an NR cell (TS 38.331 §5.3.13): the state to which a UE is released, and from
/// which the base station resumes it without the core network. Requires `rrc`. Without this
/// section, UEs are released to RRC_IDLE.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RrcInactive {
    /// Time that a UE stays in RRC_INACTIVE before it changes to RRC_IDLE. `"unlimited"`: the UE
    /// stays in RRC_INACTIVE until it returns to RRC_CONNECTED.
    #[serde(default = "unlimited")]
    #[schemars(transform = within("1 ms", "100000 s"))]
    pub idle_after: IdleAfter,
    /// Time from the reception of `RRCResumeRequest` at the base station until data flows, for UEs
    /// that return from RRC_INACTIVE. The default is 3 ms for the base station (TR 37.910 §5.7.1.2)
    /// and 10 ms for the UE (TS 38.331 §12).
    #[serde(default = "thirteen_ms")]
    #[schemars(transform = within("0 s", "10 s"))]
    pub resume_time: Duration,
    /// Small data transmission (SDT) from RRC_INACTIVE. Without this section, data waits for
    /// RRC_CONNECTED.
    #[serde(default)]
    pub small_data: Option<SmallData>,
}

/// Small data transmission from RRC_INACTIVE (SDT, TS 38.300 §18): a small uplink packet is sent
/// with the UE's random access, without a change to RRC_CONNECTED. More data resumes the
/// connection. Requires one of: `rach.steps = 4`, a `configured_grant` for small data.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SmallData {
    /// Maximum size of a small packet, in bytes of the IP packet with its headers
    /// (`sdt-DataVolumeThreshold`, TS 38.331 §6.3.2). Larger packets resume the connection. Each
    /// packet is compared on its own; the standard compares the volume of all waiting data. The
    /// grant for Msg3 has space for a packet of this size.
    #[schemars(transform = within("32 B", "96 kB"))]
    pub most: Bytes,
    /// Time without data to or from the UE after which the base station ends a small data
    /// transmission. At most `inactivity` of `rrc`, or the smallest of its `inactivities`.
    #[serde(default = "hundred_ms")]
    #[schemars(transform = within("1 ms", "4 s"))]
    pub inactivity: Duration,
    /// Configured grant of each UE for small data (CG-SDT), used instead of random access while the
    /// UE's time alignment holds. Refused beside other configured grants of the cell. Without this
    /// section, small data uses random access.
    #[serde(default)]
    pub configured_grant: Option<SmallDataGrant>,
}

/// Small data on a configured grant of type 1 (CG-SDT, TS 38.321 §5.8.2, §5.27). The first message,
/// with the data, is sent at the UE's next occasion. The UE retransmits it until the base station
/// receives it. Each occasion has space for a packet of the size `most` of `small_data`.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SmallDataGrant {
    /// Distance between two occasions of a UE, in slots (`periodicity`, TS 38.331 §6.3.2). A
    /// multiple of the number of slots of the TDD pattern.
    #[schemars(transform = within(1, 5120).unit("slots"))]
    pub period: u32,
    /// Slot of the first UE's occasions, counted from 0 at the start of each period
    /// (`timeDomainOffset`, TS 38.331 §6.3.2). It must be an uplink slot. The other UEs get the
    /// following uplink slots in turn. Default: the first uplink slot of the period.
    #[serde(default)]
    #[schemars(transform = within(0, 5119).unit("slots"))]
    pub offset: Option<u64>,
    /// Time after a UE's release to RRC_INACTIVE during which it may use the grant
    /// (`cg-SDT-TimeAlignmentTimer`, TS 38.321 §5.2). `"unlimited"`: no limit. The default is the
    /// maximum of TS 38.331 §6.3.2 (`TimeAlignmentTimer`).
    #[serde(default = "ten_seconds_more")]
    #[schemars(transform = within("1 ms", "100000 s"))]
    pub time_alignment_timer: AlignedFor,
    /// Number of periods without an answer of the base station after which the UE retransmits the
    /// first message (`cg-SDT-RetransmissionTimer`, TS 38.321 §5.8.2). Minimum and default: the
    /// periods in which the base station can have answered.
    #[serde(default)]
    #[schemars(transform = within(1, 64).unit("periods"))]
    pub retransmission_timer: Option<u64>,
    /// Time without an answer of the base station to the first message after which the UE abandons
    /// the transmission, loses its data and enters RRC_IDLE (`t319a`, TS 38.331 §6.3.2). Longer
    /// than one `period`. The default is an assumption.
    #[serde(default = "one_second")]
    #[schemars(transform = within("100 ms", "4 s"))]
    pub t319a: Duration,
}

/// Validity of a UE's time alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlignedFor {
    /// Until the UE selects another cell.
    Unlimited,
    /// Duration after the release.
    Time(Duration),
}

word_or! {
    AlignedFor "AlignedFor" "a time such as \"10.24 s\", or \"unlimited\""
        { "unlimited" => Unlimited, _ => Time(Duration) }
}

/// Time that a UE stays in RRC_INACTIVE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdleAfter {
    /// Until the UE returns to RRC_CONNECTED.
    Unlimited,
    /// Duration after the release.
    Time(Duration),
}

word_or! {
    IdleAfter "IdleAfter" "a time such as \"15 s\", or \"unlimited\""
        { "unlimited" => Unlimited, _ => Time(Duration) }
}

/// TS 38.331 §6.3.2 `PagingCycle`, TS 36.331 §6.3.1 `PagingCycle`
const CYCLES: &[u32] = &[32, 64, 128, 256];

fn frames() -> u32 {
    128
}

const fn ten_seconds_more() -> AlignedFor {
    AlignedFor::Time(Duration::from_millis(10_240))
}

fn one_second() -> Duration {
    Duration::from_secs(1)
}

const fn random() -> Phase {
    Phase::Random
}

fn ten_seconds() -> Duration {
    Duration::from_secs(10)
}

fn ten_ms() -> Duration {
    Duration::from_millis(10)
}

const fn unlimited() -> IdleAfter {
    IdleAfter::Unlimited
}

fn thirteen_ms() -> Duration {
    Duration::from_millis(13)
}

fn eighty_ms() -> Duration {
    Duration::from_millis(80)
}

fn hundred_ms() -> Duration {
    Duration::from_millis(100)
}
