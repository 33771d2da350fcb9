//! The section of RRC states, of any generation.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ran::Phase;
use crate::unit::range::{one_of, within};
use crate::unit::text::word_or;
use crate::unit::{Bytes, Duration};

/// RRC states of all UEs (TS 38.331 §4.2.1, TS 36.331 §4.2.1): a UE without data leaves
/// RRC_CONNECTED, and comes back by a page, random access and messages of RRC. It needs a `rach`.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rrc {
    /// How long nothing goes to a UE or from it before it is released. Networks have about 10 s;
    /// US networks of 2020 had 10 s (Narayanan et al., SIGCOMM 2021).
    #[serde(default = "ten_seconds")]
    #[schemars(transform = within("10 ms", "100000 s"))]
    pub inactivity: Duration,
    /// Lengths of that timer instead of one. Each stay of a UE in RRC_CONNECTED draws one of them,
    /// with equal chance; a length that stands twice is twice as likely. Default none: `inactivity`.
    /// Between 10 and 15 s of silence, a part of the UEs of a stand-alone network of 2020 was still
    /// connected, and later none (Narayanan et al., SIGCOMM 2021, RRC-Probe).
    #[serde(default)]
    #[schemars(transform = within("10 ms", "100000 s").each())]
    pub inactivities: Vec<Duration>,
    /// From one paging occasion of a UE to its next, `T` of TS 38.304 §7.1 and TS 36.304 §7.1
    /// (`defaultPagingCycle`), in frames of 10 ms: 128 are 1.28 s.
    #[serde(default = "frames")]
    #[schemars(transform = one_of(CYCLES).unit("frames"))]
    pub paging_cycle: u32,
    /// The paging occasion of all UEs in each cycle, a number of whole frames, or "random": each UE
    /// draws its own, as its identity would give it.
    #[serde(default = "random")]
    #[schemars(transform = within("0 s", "2550 ms"))]
    pub paging_offset: Phase,
    /// From a downlink packet for a UE in RRC_IDLE until the base station pages: the core network
    /// asks all base stations of its area to (TS 23.502 §4.2.3.3). The default is our choice.
    #[serde(default = "ten_ms")]
    #[schemars(transform = within("0 s", "10 s"))]
    pub core_paging_time: Duration,
    /// From `RRCSetupRequest` (LTE: `RRCConnectionRequest`) at the base station until data flow:
    /// set-up, service request at the core network, security, bearers (TS 23.502 §4.2.3.2). The
    /// default is our choice, between 50 and 100 ms.
    #[serde(default = "eighty_ms")]
    #[schemars(transform = within("0 s", "10 s"))]
    pub setup_time: Duration,
}

/// RRC_INACTIVE of an NR cell (TS 38.331 §5.3.13), where a UE is released to that the base station
/// can resume by itself; without this section it is released to RRC_IDLE. It needs an `rrc`.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RrcInactive {
    /// How long a UE is in RRC_INACTIVE before it is in RRC_IDLE; "unlimited": it never is.
    #[serde(default = "unlimited")]
    #[schemars(transform = within("1 ms", "100000 s"))]
    pub idle_after: IdleAfter,
    /// From `RRCResumeRequest` at the base station until data flow. The default is 3 ms for the
    /// base station (TR 37.910 §5.7.1.2) and 10 ms for the UE (TS 38.331 §12).
    #[serde(default = "thirteen_ms")]
    #[schemars(transform = within("0 s", "10 s"))]
    pub resume_time: Duration,
    /// Small data transmission; without, data wait for RRC_CONNECTED.
    #[serde(default)]
    pub small_data: Option<SmallData>,
}

/// Small data transmission from RRC_INACTIVE (SDT, TS 38.300 §18): an uplink packet that is small
/// goes with the UE's random access.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SmallData {
    /// The largest packet that is small, in bytes of IP: each packet is compared on its own, where
    /// the standard compares the data volume of all that wait. The grant for Msg3 is large enough for
    /// it. (`sdt-DataVolumeThreshold`, TS 38.331 §6.3.2)
    #[schemars(transform = within("32 B", "96 kB"))]
    pub most: Bytes,
    /// How long nothing goes to the UE or from it before the base station ends the transmission.
    #[serde(default = "hundred_ms")]
    #[schemars(transform = within("1 ms", "4 s"))]
    pub inactivity: Duration,
    /// A configured grant of each UE for it (CG-SDT), in the place of random access while the UE's
    /// time alignment holds.
    #[serde(default)]
    pub configured_grant: Option<SmallDataGrant>,
}

/// Small data on a configured grant of type 1 (CG-SDT, TS 38.321 §5.8.2, §5.27): the first message,
/// with the data, goes in the UE's next occasion, and again until it is received. Each occasion is
/// large enough for `most`.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SmallDataGrant {
    /// From one occasion of a UE to its next (`periodicity`, TS 38.331 §6.3.2), a multiple of the
    /// TDD pattern.
    #[schemars(transform = within(1, 5120).unit("slots"))]
    pub period: u32,
    /// The slot of a period that the first UE has (`timeDomainOffset`, TS 38.331 §6.3.2); the
    /// others have the uplink slots after it in turn. Without, the first uplink slot.
    #[serde(default)]
    #[schemars(transform = within(0, 5119).unit("slots"))]
    pub offset: Option<u64>,
    /// How long after its release a UE may use the grant (`cg-SDT-TimeAlignmentTimer`, TS 38.321
    /// §5.2), or "unlimited". The default is the longest time that TS 38.331 §6.3.2 has
    /// (`TimeAlignmentTimer`).
    #[serde(default = "ten_seconds_more")]
    #[schemars(transform = within("1 ms", "100000 s"))]
    pub time_alignment_timer: AlignedFor,
    /// After how many periods without an answer the first message goes again
    /// (`cg-SDT-RetransmissionTimer`, TS 38.321 §5.8.2); without, as soon as the base station can
    /// have answered.
    #[serde(default)]
    #[schemars(transform = within(1, 64).unit("periods"))]
    pub retransmission_timer: Option<u64>,
    /// How long a first message waits for an answer before the UE gives up and is in RRC_IDLE
    /// (`t319a`, TS 38.331 §6.3.2). The default is our choice.
    #[serde(default = "one_second")]
    #[schemars(transform = within("100 ms", "4 s"))]
    pub t319a: Duration,
}

/// How long the time alignment of a UE holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlignedFor {
    /// Until it selects another cell.
    Unlimited,
    /// So long.
    Time(Duration),
}

word_or! {
    AlignedFor "AlignedFor" "a time such as \"10.24 s\", or \"unlimited\""
        { "unlimited" => Unlimited, _ => Time(Duration) }
}

/// How long a UE is in RRC_INACTIVE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdleAfter {
    /// Until it comes back.
    Unlimited,
    /// So long.
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
