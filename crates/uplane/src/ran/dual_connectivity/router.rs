//! The transmitting PDCP entity of one direction of a bearer over two legs (TS 38.323 §5.2.1).
//!
//! In: packets, statuses of the legs. Out: each packet with its COUNT and the legs that carry it.
//!
//! A split bearer submits a PDU to the leg over which it is expected to arrive first, among those
//! that want one ([`super::flow_control`]); below `ul-DataSplitThreshold` to the primary path
//! alone. The choice of the leg is the network's in the downlink, and the UE's in the uplink above
//! the threshold (TS 38.323 §5.2.1: "either").
//!
//! Left out: `discardTimer`, header compression. A PDU gets its COUNT when it is submitted, which
//! is the order of arrival, as nothing is removed from the queue.

use std::collections::VecDeque;

use super::config::{Config, Paths};
use super::flow_control::{Status, View};
use super::leg::{Leg, PerLeg};
use crate::net::{Direction, Packet};
use crate::unit::{Bytes, Duration};

/// The transmitting entity.
#[derive(Clone, Debug)]
pub(super) struct Router {
    paths: Paths,
    /// Additional delay over each leg.
    delays: PerLeg<Duration>,
    flow: super::flow_control::Config,
    header: Bytes,
    buffer: Option<Bytes>,
    queue: VecDeque<Box<Packet>>,
    /// Bytes of the PDUs in the queue.
    queued: Bytes,
    legs: PerLeg<View>,
    /// `TX_NEXT`
    tx_next: u64,
}

/// A PDU that is submitted to RLC.
#[derive(Debug)]
pub(super) struct Submitted {
    pub(super) packet: Box<Packet>,
    pub(super) count: u64,
    pub(super) size: Bytes,
    /// Legs that carry the PDU.
    pub(super) legs: PerLeg<bool>,
}

impl Router {
    pub(super) fn new(config: &Config, direction: Direction) -> Self {
        Self {
            paths: config.paths[direction],
            delays: PerLeg::of(|leg| config.delay(leg)),
            flow: config.flow,
            header: config.header,
            buffer: config.buffer,
            queue: VecDeque::new(),
            queued: Bytes::ZERO,
            legs: PerLeg::default(),
            tx_next: 0,
        }
    }

    /// Queues a packet, or returns it as an error if there is no room.
    pub(super) fn on_packet(&mut self, packet: Box<Packet>) -> Result<(), Box<Packet>> {
        let size = self.size(&packet);
        if self.buffer.is_some_and(|most| self.volume() + size > most) {
            return Err(packet);
        }
        self.queued += size;
        self.queue.push_back(packet);
        Ok(())
    }

    /// Records a status of a leg.
    pub(super) fn on_status(&mut self, leg: Leg, status: Status) {
        self.legs[leg].on_status(status);
    }

    /// Returns the next packet, if a leg wants it.
    pub(super) fn next(&mut self) -> Option<Submitted> {
        self.queue.front()?;
        let legs = self.choose()?;
        let packet = self.queue.pop_front().expect("there is a front");
        let size = self.size(&packet);
        self.queued -= size;
        for leg in Leg::BOTH.into_iter().filter(|&leg| legs[leg]) {
            self.legs[leg].submit(size);
        }
        let count = self.tx_next;
        self.tx_next += 1;
        Some(Submitted { packet, count, size, legs })
    }

    /// Returns the data volume of PDCP and of both RLC entities (TS 38.323 §5.6), as far as it is
    /// known.
    pub(super) fn volume(&self) -> Bytes {
        self.queued + self.legs.master.unsent() + self.legs.secondary.unsent()
    }

    /// Returns the packets that wait in PDCP.
    pub(super) fn queue(&self) -> impl ExactSizeIterator<Item = &Packet> {
        self.queue.iter().map(|packet| &**packet)
    }

    /// Returns the bytes of the PDUs of packets that wait in PDCP.
    pub(super) const fn queued(&self) -> Bytes {
        self.queued
    }

    /// Returns `true` if nothing waits in PDCP or, as far as is known, in a leg.
    pub(super) fn is_idle(&self) -> bool {
        self.volume().is_zero()
    }

    /// Returns the legs of the next PDU; `None` while no permitted leg wants it.
    fn choose(&self) -> Option<PerLeg<bool>> {
        let only = |chosen| PerLeg::of(|leg| leg == chosen);
        let has_room = |leg: &Leg| self.legs[*leg].has_room();
        match self.paths {
            Paths::One(leg) | Paths::Split { primary: leg, threshold: None } => Some(only(leg)),
            Paths::Split { primary, threshold: Some(threshold) } => {
                if self.volume() < threshold {
                    return Some(primary).filter(has_room).map(only);
                }
                let wanting = [primary, primary.other()].into_iter().filter(has_room);
                wanting.min_by_key(|&leg| self.arrival(leg)).map(only)
            }
            Paths::Duplicated => {
                let wanting = PerLeg::of(|leg| has_room(&leg));
                (wanting.master || wanting.secondary).then_some(wanting)
            }
        }
    }

    /// Returns the time after which a PDU that is submitted now starts to be sent, including the
    /// delay of X2.
    fn arrival(&self, leg: Leg) -> Duration {
        self.legs[leg].wait(&self.flow) + self.delays[leg]
    }

    fn size(&self, packet: &Packet) -> Bytes {
        packet.length + self.header
    }
}
