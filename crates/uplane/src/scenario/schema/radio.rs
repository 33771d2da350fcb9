//! Sections of the radio, one kind each.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use super::en_dc::beside;
use super::{EnDcCells, Lte, Nr};
use crate::ran::fixed::Charge;
use crate::ran::geran;
use crate::unit::range::{at_least, within};
use crate::unit::{Bitrate, Bytes, Duration, Limit};

/// The radio: one section `[radio.<kind>]`, or three of dual connectivity.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = beside)]
pub enum Radio {
    /// A channel of constant rate and delay.
    Fixed(Fixed),
    /// The PDU-per-TTI radio of GERAN.
    Geran(geran::Config),
    /// An LTE cell.
    Lte(Box<Lte>),
    /// An NR cell.
    Nr(Box<Nr>),
    /// Dual connectivity: `[radio.en_dc]` beside `[radio.lte]` and `[radio.nr]`.
    EnDc(Box<EnDcCells>),
}

/// As it stands in a file.
impl Serialize for Radio {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Fixed(section) => to.serialize_newtype_variant("Radio", 0, "fixed", section),
            Self::Geran(section) => to.serialize_newtype_variant("Radio", 1, "geran", section),
            Self::Lte(section) => to.serialize_newtype_variant("Radio", 2, "lte", section),
            Self::Nr(section) => to.serialize_newtype_variant("Radio", 3, "nr", section),
            Self::EnDc(sections) => sections.serialize(to),
        }
    }
}

impl Radio {
    /// The section of an LTE cell.
    pub fn lte(&self) -> Option<&Lte> {
        match self {
            Self::Lte(cell) => Some(cell),
            Self::EnDc(sections) => Some(&sections.lte),
            Self::Fixed(_) | Self::Geran(_) | Self::Nr(_) => None,
        }
    }

    /// The section of an NR cell.
    pub fn nr(&self) -> Option<&Nr> {
        match self {
            Self::Nr(cell) => Some(cell),
            Self::EnDc(sections) => Some(&sections.nr),
            Self::Fixed(_) | Self::Geran(_) | Self::Lte(_) => None,
        }
    }
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
