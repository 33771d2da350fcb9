//! Sections of the radio, one kind each.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Lte, Nr};
use crate::ran::fixed::Charge;
use crate::ran::geran;
use crate::unit::range::{at_least, within};
use crate::unit::{Bitrate, Bytes, Duration, Limit};

/// The radio: one section `[radio.<kind>]`.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Radio {
    /// A channel of constant rate and delay.
    Fixed(Fixed),
    /// The PDU-per-TTI radio of GERAN.
    Geran(geran::Config),
    /// An LTE cell.
    Lte(Box<Lte>),
    /// An NR cell.
    Nr(Box<Nr>),
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
    /// Largest queue in each direction.
    #[serde(default = "endless")]
    #[schemars(transform = at_least("1 B"))]
    pub buffer: Limit<Bytes>,
}

fn unlimited() -> Limit<Bitrate> {
    Limit::UNLIMITED
}

fn endless() -> Limit<Bytes> {
    Limit::UNLIMITED
}

fn no_time() -> Duration {
    Duration::from_millis(0)
}
