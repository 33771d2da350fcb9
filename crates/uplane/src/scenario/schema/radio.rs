//! Sections of the radio, one kind each.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Lte;
use crate::ran::fixed::Charge;
use crate::unit::range::{at_least, below, within};
use crate::unit::{Bitrate, Bytes, Duration, Limit, Probability};

/// The radio: one section `[radio.<kind>]`.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Radio {
    /// A channel of constant rate and delay.
    Fixed(Fixed),
    /// The PDU-per-TTI radio of GERAN.
    Geran(Geran),
    /// An LTE cell.
    Lte(Box<Lte>),
}

/// A channel of constant rate and delay for each UE.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fixed {
    /// Rate from the network to the UE.
    #[serde(default = "unlimited")]
    pub down: Limit<Bitrate>,
    /// Rate from the UE to the network.
    #[serde(default = "unlimited")]
    pub up: Limit<Bitrate>,
    /// Round-trip time of the channel, on top of the time that bits take; half of it each way.
    #[serde(default = "no_time")]
    pub rtt: Duration,
    /// What counts against the rate.
    #[serde(default)]
    pub charge: Charge,
    /// Transmits in blocks of this length; without, bit by bit.
    #[serde(default)]
    #[schemars(transform = within("1 us", "10 s"))]
    pub tti: Option<Duration>,
    /// Largest queue in each direction; without, unlimited.
    #[serde(default)]
    #[schemars(transform = at_least("1 B"))]
    pub buffer: Option<Bytes>,
}

/// The PDU-per-TTI radio of GERAN with one RLC retransmission loop.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Geran {
    /// The PDUs of each direction; `down` and `up` below take precedence.
    #[serde(default)]
    pub profile: GeranProfile,
    /// Transmission time interval.
    #[serde(default = "radio_block")]
    #[schemars(transform = within("1 us", "10 s"))]
    pub tti: Duration,
    /// From the reception of a TTI to the end of the retransmission of what it lacked.
    #[serde(default = "rlc_rtt")]
    pub rlc_rtt: Duration,
    /// Probability that a PDU is lost, in both directions.
    #[serde(default = "ten_per_cent")]
    #[schemars(transform = below(1))]
    pub bler: Probability,
    /// A PDU may carry the end of one packet and the beginning of the next.
    #[serde(default)]
    pub concatenation: bool,
    /// The phase of the TTI grid; random in each run without.
    #[serde(default)]
    pub phase: Option<Duration>,
    /// How much later the uplink grid begins than the downlink grid; random in each run without.
    #[serde(default)]
    pub uplink_shift: Option<Duration>,
    /// What is different from the network to the UE.
    #[serde(default)]
    pub down: Option<GeranWay>,
    /// What is different from the UE to the network.
    #[serde(default)]
    pub up: Option<GeranWay>,
}

/// One direction of the GERAN radio.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GeranWay {
    /// PDUs in one TTI.
    #[schemars(transform = within(1, 1000).unit("PDUs"))]
    pub pdus: Option<u32>,
    /// Bytes of a PDU.
    #[schemars(transform = within("1 B", "10000 B"))]
    pub pdu: Option<Bytes>,
    /// Probability that a PDU is lost.
    #[schemars(transform = below(1))]
    pub bler: Option<Probability>,
}

/// PDUs of the two published parameter sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GeranProfile {
    /// EDGE, MCS-6, 4+2 timeslots: 4 × 71 B down, 2 × 71 B up.
    #[default]
    Edge,
    /// GERAN Evolution: 8 × 142 B down, 8 × 71 B up.
    Gev,
}

fn unlimited() -> Limit<Bitrate> {
    Limit::UNLIMITED
}

fn no_time() -> Duration {
    Duration::from_millis(0)
}

fn radio_block() -> Duration {
    Duration::from_millis(20)
}

fn rlc_rtt() -> Duration {
    Duration::from_millis(100)
}

fn ten_per_cent() -> Probability {
    Probability::new(0.1).expect("from 0 to 1")
}
