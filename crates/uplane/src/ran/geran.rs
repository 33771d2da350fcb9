//! The GERAN radio: a fixed number of RLC PDUs in each transmission time interval (TTI), and one
//! retransmission loop, that of RLC. It is the link model of the GERAN latency studies, for EDGE
//! and GERAN Evolution.
//!
//! In: IP packets. Out: the same packets, all of them, in order.
//!
//! A grid of TTIs runs freely, from a random phase. At the start of a TTI the PDUs that are ready
//! for retransmission go first, by the time at which they became ready, then by sequence; then new
//! ones. At its end each PDU is lost with the block error rate, independently. A lost PDU becomes
//! ready one RLC round-trip time, less a TTI, after that end, and leaves in the first TTI that
//! starts then or later. Retransmissions, buffers and windows have no limit.
//!
//! Left out: RLC and LLC headers, the window and its stall, polling, TBF set-up, coding schemes and
//! anything two UEs share. This matters for the first packet after a pause, and for RLC round-trip
//! times longer than a window.

mod channel;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use super::{Dedicated, Phase};
use crate::net::Direction;
use crate::sim::Streams;
use crate::unit::base::BaseFiles;
use crate::unit::range::{below, within};
use crate::unit::{Bytes, Duration, Grid, Instant, Probability, UeId};

pub use channel::Channel;

/// The radio: one [`Channel`] per UE and direction.
pub type Radio = Dedicated<Channel>;

/// GERAN radio of each UE with a constant number of PDUs in each TTI and one RLC retransmission
/// loop. A key that is not set takes its value from `profile`. PDUs and packets are never lost,
/// only delayed.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Geran", transform = usual_values)]
pub struct Config {
    /// Base of this section: a built-in profile (`uplane profile` lists them), or a file with the
    /// same keys next to the scenario, for example `"mine.toml"`. A key that is set here overrides
    /// the value of the base.
    #[schemars(schema_with = "profile_or_file")]
    pub profile: String,
    /// Transmission time interval (TTI) of both directions.
    #[schemars(transform = within("1 us", "10 s"))]
    pub tti: Duration,
    /// RLC round-trip time: from the end of a lost PDU's transmission to the end of its
    /// retransmission, if no other PDU delays the retransmission. At least one TTI. Retransmissions
    /// start with a TTI, so a time between two multiples of the TTI acts like the larger one.
    pub rlc_rtt: Duration,
    /// Probability that an RLC PDU is lost in each transmission, for both directions. A `bler` in
    /// `down` or `up` overrides it for that direction. If not set, the values of `profile` hold.
    #[serde(default, skip_serializing)]
    #[schemars(transform = below(1))]
    pub bler: Option<Probability>,
    /// Allows an RLC PDU to carry the end of one packet and the start of the next. If false, each
    /// packet takes whole PDUs, the last one padded.
    pub concatenation: bool,
    /// Start of the downlink TTI grid after the start of the run: a time less than one TTI, or
    /// `"random"` for a new draw in each run.
    pub phase: Phase,
    /// Offset of the uplink TTI grid from the downlink grid: a time less than one TTI, or
    /// `"random"` for a new draw in each run.
    pub uplink_shift: Phase,
    /// Downlink of each UE.
    pub down: OneWay,
    /// Uplink of each UE.
    pub up: OneWay,
}

/// One direction of the GERAN radio.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "GeranWay", transform = BaseFiles::say_nothing_is_required)]
pub struct OneWay {
    /// Number of RLC PDUs that each TTI carries for a UE in this direction.
    #[schemars(transform = within(1, 1000).unit("PDUs"))]
    pub pdus: u32,
    /// Size of an RLC PDU, in bytes. All of them carry IP packets: RLC and LLC headers are not
    /// modelled.
    #[schemars(transform = within("1 B", "10000 B"))]
    pub pdu: Bytes,
    /// Probability that an RLC PDU is lost in each transmission in this direction, independently of
    /// other transmissions. A lost PDU is retransmitted after `rlc_rtt`, without a limit.
    #[schemars(transform = below(1))]
    pub bler: Probability,
}

/// The built-in profiles: the parameter sets of the GERAN evolution study.
pub const PROFILES: BaseFiles = BaseFiles {
    key: "profile",
    usual: "edge",
    files: &[
        ("edge", include_str!("geran/profile/edge.toml")),
        ("gev", include_str!("geran/profile/gev.toml")),
    ],
};

impl Config {
    /// Returns the built-in profile of this name.
    pub fn built_in(name: &str) -> Option<Self> {
        let mut values = PROFILES.values(name)?;
        values.insert(PROFILES.key.to_owned(), name.into());
        Some(Self::deserialize(values).expect("a built-in profile has every key"))
    }

    /// Returns the parameters of one direction.
    pub fn one_way(&self, direction: Direction) -> OneWay {
        match direction {
            Direction::Down => self.down,
            Direction::Up => self.up,
        }
    }
}

impl Radio {
    /// Creates a radio for `ue_count` UEs. The offset of the TTI grid and the block errors are
    /// drawn from `streams`.
    pub fn new(config: &Config, ue_count: u32, streams: Streams) -> Self {
        let phase = config.phase.offset(config.tti, &mut streams.open("radio", "grid phase"));
        let mut shift = streams.open("radio", "uplink grid shift");
        let shifted = phase + config.uplink_shift.offset(config.tti, &mut shift);
        let up_phase = Phase::Fixed(shifted).offset(config.tti, &mut shift);
        let grid =
            |offset| Grid::every(Instant::ZERO + offset, config.tti).expect("a TTI takes time");
        let (down, up) = (grid(phase), grid(up_phase));
        Self::of(ue_count, |UeId(number), direction| {
            let entity = format!("radio/ue/{number}");
            let (grid, purpose) = match direction {
                Direction::Down => (down, "downlink block errors"),
                Direction::Up => (up, "uplink block errors"),
            };
            Channel::new(config, direction, grid, streams.open(&entity, purpose))
        })
    }
}

fn profile_or_file(_: &mut SchemaGenerator) -> Schema {
    PROFILES.name_or_file()
}

/// Marks all keys as optional in the schema: a missing key takes its value from a profile.
fn usual_values(schema: &mut Schema) {
    PROFILES.say_usual_values(schema);
}

#[cfg(test)]
mod tests;
