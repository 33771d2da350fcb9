//! Sections of the radio, one kind each.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use super::en_dc::beside;
use super::{EnDcCells, Lte, Nr};
use crate::ran::fixed::Charge;
use crate::ran::geran;
use crate::unit::range::{at_least, within};
use crate::unit::{Bitrate, Bytes, Duration, Limit};

/// Radio between the UEs and the network: one section `[radio.<kind>]`, or the three sections of
/// dual connectivity.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = beside)]
pub enum Radio {
    /// Channel of constant rate and delay for each UE.
    Fixed(Fixed),
    /// GERAN radio (EDGE): a constant number of PDUs in each TTI.
    Geran(geran::Config),
    /// LTE cell or network of cells.
    Lte(Box<Lte>),
    /// NR cell or network of cells.
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
    /// Returns the section of the LTE cell, if there is one.
    pub fn lte(&self) -> Option<&Lte> {
        match self {
            Self::Lte(cell) => Some(cell),
            Self::EnDc(sections) => Some(&sections.lte),
            Self::Fixed(_) | Self::Geran(_) | Self::Nr(_) => None,
        }
    }

    /// Returns the section of the NR cell, if there is one.
    pub fn nr(&self) -> Option<&Nr> {
        match self {
            Self::Nr(cell) => Some(cell),
            Self::EnDc(sections) => Some(&sections.nr),
            Self::Fixed(_) | Self::Geran(_) | Self::Lte(_) => None,
        }
    }
}

/// Channel of constant rate and delay for each UE. UEs do not share capacity, and nothing is lost
/// except at a full queue.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fixed {
    /// Downlink rate of each UE. `"unlimited"`: packets take no time for transmission.
    #[serde(default = "unlimited")]
    pub down: Limit<Bitrate>,
    /// Uplink rate of each UE. `"unlimited"`: packets take no time for transmission.
    #[serde(default = "unlimited")]
    pub up: Limit<Bitrate>,
    /// Round-trip time of the channel, in addition to transmission and queueing times: each
    /// direction delays a packet by half of it.
    #[serde(default = "no_time")]
    pub rtt: Duration,
    /// Bytes of a packet that count for its transmission time: `"packet"` or `"payload"`.
    #[serde(default)]
    pub charge: Charge,
    /// Transmission time interval (TTI), on a grid with a random phase. In each TTI, packets leave
    /// in one block of rate times TTI. If not set, there is no grid: a packet leaves as soon as its
    /// last bit is sent.
    #[serde(default)]
    #[schemars(transform = within("1 us", "10 s"))]
    pub tti: Option<Duration>,
    /// Queue limit of each UE in each direction, in bytes of IP packets. The packet in transmission
    /// counts. A new packet that does not fit is dropped.
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
