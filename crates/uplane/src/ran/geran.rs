//! The GERAN radio as a number of RLC PDUs per transmission time interval, with its one loop: RLC
//! retransmission. It is the link model of the GERAN latency studies, for EDGE and beyond.
//!
//! In: IP packets. Out: the same packets, all of them, in order.
//!
//! A grid of TTIs runs freely, from a random phase. At the start of a TTI the PDUs that wait for
//! retransmission and are ready go first, by the time at which they became ready, then by sequence;
//! then new ones. At its end each PDU is lost with the block error rate, independently. A lost
//! PDU is ready again one RLC round-trip time, less a TTI, after that end, and leaves in the first
//! TTI that starts then or later. There is no limit to retransmissions, buffers and windows.
//!
//! Left out: RLC and LLC headers, the window and its stall, polling, TBF set-up, coding schemes and
//! anything two UEs share. Whoever asks for the first packet after a pause, or for RLC round-trip
//! times of many windows, can tell.

mod channel;
mod profile;

use super::{Dedicated, Phase};
use crate::net::Direction;
use crate::sim::Streams;
use crate::unit::{Bytes, Duration, Grid, Instant, Probability, UeId};

pub use channel::Channel;
pub use profile::{edge, gev};

/// The radio: one [`Channel`] per UE and direction.
pub type Radio = Dedicated<Channel>;

/// What the radio is like. All UEs have the same.
#[derive(Clone, Debug)]
pub struct Config {
    /// The transmission time interval.
    pub tti: Duration,
    /// From the network to the UE.
    pub down: OneWay,
    /// From the UE to the network.
    pub up: OneWay,
    /// From the end of a PDU's transmission to the end of its retransmission when that is
    /// immediate; so it acts as if rounded up to whole TTIs, and as one TTI when shorter.
    pub rlc_rtt: Duration,
    /// A PDU may carry the end of one packet and the beginning of the next. If not, a packet is
    /// cut into whole PDUs, the last one padded.
    pub shared_pdus: bool,
    /// Where the downlink grid begins.
    pub phase: Phase,
    /// How much later than the downlink grid the uplink grid begins.
    pub uplink_shift: Phase,
}

/// One direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OneWay {
    /// PDUs in one TTI.
    pub pdus_per_tti: u32,
    /// Length of one PDU; all of it carries IP packets.
    pub pdu: Bytes,
    /// The probability that a PDU is lost, each time it is sent.
    pub bler: Probability,
}

impl Config {
    /// Parameters of one direction.
    pub fn one_way(&self, direction: Direction) -> OneWay {
        match direction {
            Direction::Down => self.down,
            Direction::Up => self.up,
        }
    }
}

impl Radio {
    /// A radio for `ue_count` UEs; `streams` gives grid phases and errors.
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

#[cfg(test)]
mod tests;
