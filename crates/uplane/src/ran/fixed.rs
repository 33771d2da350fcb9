//! A radio in which each UE has a channel of constant rate and constant delay in each direction.
//!
//! In: IP packets. Out: the same packets in order, after queue, transmission and delay; dropped
//! when the buffer is full.
//!
//! Left out: errors, retransmissions, scheduling requests and everything two UEs share. This
//! matters for the latency of small packets and for the effect of load.
//!
//! Departures are computed when a packet arrives. With a TTI, one event delivers all packets whose
//! last byte is in one block; an idle channel has no events.

mod transmitter;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

use super::{Dedicated, Exit, Phase};
use crate::net::{Cause, Count, Direction, DropCause, Packet};
use crate::sim::Streams;
use crate::unit::{Bitrate, Bytes, Duration, Grid, Instant};
use transmitter::{Continuous, Slotted, Transmitter};

/// The radio: one [`Channel`] per UE and direction.
pub type Radio = Dedicated<Channel>;

/// The parameters of the radio, equal for all UEs.
#[derive(Clone, Debug)]
pub struct Config {
    /// Parameters from the network to the UE.
    pub down: OneWay,
    /// Parameters from the UE to the network.
    pub up: OneWay,
}

/// The parameters of one direction.
#[derive(Clone, Debug, Default)]
pub struct OneWay {
    /// Data rate. `None`: unlimited.
    pub rate: Option<Bitrate>,
    /// Bytes of a packet that count for its transmission time.
    pub charge: Charge,
    /// Delay from the end of a packet's transmission to its delivery.
    pub delay: Duration,
    /// Grid on which transmissions begin and end. `None`: they begin and end at any time.
    pub slots: Option<Slots>,
    /// Maximum number of bytes of IP packets that may wait, including the one under transmission.
    /// `None`: unlimited. A packet that does not fit whole is dropped.
    pub buffer: Option<Bytes>,
}

/// The transmission time intervals of one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slots {
    /// The transmission time interval; a slot carries a block of `rate · tti`.
    pub tti: Duration,
    /// Start of the grid of slots after the start of the run.
    pub phase: Phase,
}

/// Bytes of a packet that count for its transmission time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "ChargeKind")]
pub enum Charge {
    /// All bytes of the IP packet.
    #[default]
    Packet,
    /// Transport payload only: headers and pure ACKs take no transmission time.
    Payload,
}

/// One direction of one UE.
#[derive(Clone, Debug)]
pub struct Channel {
    transmitter: Transmitter,
    charge: Charge,
    delay: Duration,
    buffer: Option<Bytes>,
    /// All packets inside, in order.
    transit: VecDeque<Transit>,
    /// Number of packets, from the front, that have been transmitted and are only delayed.
    transmitted: usize,
    /// Bytes of the packets that are not yet transmitted.
    queued: Bytes,
}

#[derive(Clone, Debug)]
struct Transit {
    /// End of the packet's transmission.
    sent: Instant,
    /// Time of the packet's delivery.
    due: Instant,
    packet: Box<Packet>,
}

/// Splits a round-trip time into downlink and uplink delay: two halves that sum to it.
pub fn halves(rtt: Duration) -> (Duration, Duration) {
    (rtt - rtt / 2, rtt / 2)
}

impl Radio {
    /// Creates a radio for `ue_count` UEs. `streams` gives the phase of the grids.
    pub fn new(config: &Config, ue_count: u32, streams: Streams) -> Self {
        let transmitter = |one_way: &OneWay, purpose| match one_way.slots {
            None => Transmitter::Continuous(Continuous::new(one_way.rate)),
            Some(Slots { tti, phase }) => {
                let offset = phase.offset(tti, &mut streams.open("radio", purpose));
                let grid = Grid::every(Instant::ZERO + offset, tti).expect("a TTI takes time");
                Transmitter::Slotted(Slotted::new(grid, tti, one_way.rate))
            }
        };
        let down = transmitter(&config.down, "downlink grid phase");
        let up = transmitter(&config.up, "uplink grid phase");
        Self::of(ue_count, |_, direction| match direction {
            Direction::Down => Channel::new(&config.down, down.clone()),
            Direction::Up => Channel::new(&config.up, up.clone()),
        })
    }
}

impl Channel {
    fn new(one_way: &OneWay, transmitter: Transmitter) -> Self {
        Self {
            transmitter,
            charge: one_way.charge,
            delay: one_way.delay,
            buffer: one_way.buffer,
            transit: VecDeque::new(),
            transmitted: 0,
            queued: Bytes::ZERO,
        }
    }

    /// Books the packet's complete path through the channel.
    fn transmit(&mut self, now: Instant, mut packet: Box<Packet>, exit: &mut Exit<'_>) {
        let size = match self.charge {
            Charge::Packet => packet.length,
            Charge::Payload => packet.payload(),
        };
        let booking = self.transmitter.book(now, size);
        let due = booking.ends + self.delay;
        packet.ledger.charge(Cause::RadioAlignment, booking.aligned);
        packet.ledger.charge(Cause::RadioQueue, booking.begins);
        packet.ledger.charge(Cause::RadioTransmission, booking.ends);
        packet.ledger.charge(Cause::Propagation, due);
        exit.transmit(size);
        self.queued += packet.length;
        exit.queue(self.queued);
        self.transit.push_back(Transit { sent: booking.ends, due, packet });
    }

    /// Removes packets transmitted by `now` from the count of waiting bytes.
    fn release(&mut self, now: Instant) {
        while let Some(transit) = self.transit.get(self.transmitted)
            && transit.sent <= now
        {
            self.queued -= transit.packet.length;
            self.transmitted += 1;
        }
    }
}

impl super::Channel for Channel {
    fn on_packet(&mut self, now: Instant, packet: Box<Packet>, exit: &mut Exit<'_>) {
        self.release(now);
        if self.buffer.is_some_and(|buffer| self.queued + packet.length > buffer) {
            exit.drop(packet, DropCause::Queue);
        } else {
            self.transmit(now, packet, exit);
        }
    }

    fn on_timer(&mut self, now: Instant, exit: &mut Exit<'_>) {
        self.release(now);
        while self.due().is_some_and(|due| due <= now)
            && let Some(transit) = self.transit.pop_front()
        {
            self.transmitted -= 1;
            exit.deliver(transit.packet);
        }
    }

    fn due(&self) -> Option<Instant> {
        self.transit.front().map(|transit| transit.due)
    }

    fn held(&self) -> Count {
        let mut sum = Count::default();
        self.transit.iter().for_each(|transit| sum.add(transit.packet.length));
        sum
    }

    fn waiting(&mut self, now: Instant) -> Count {
        self.release(now);
        let packets = (self.transit.len() - self.transmitted) as u64;
        Count { packets, bytes: self.queued }
    }
}
