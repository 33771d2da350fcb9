//! One direction of a UE's bearer: the transmitting and the receiving PDCP entity, and the PDUs
//! between them.
//!
//! In: packets, packets that a leg delivers, time. Out: packets, in order or dropped.

use super::config::Config;
use super::flow_control::Meter;
use super::leg::{Leg, PerLeg};
use super::on_the_way::OnTheWay;
use super::report::LegCounters;
use super::router::{Router, Submitted};
use crate::net::{Cause, Count, Direction, DropCause, Packet};
use crate::ran::pdcp::Receiver;
use crate::ran::rlc::Sdu;
use crate::record::Tables;
use crate::unit::Instant;

/// One direction of a bearer.
#[derive(Clone, Debug)]
pub(super) struct BearerDirection {
    pub(super) router: Router,
    /// Counters in the node of each leg.
    pub(super) meters: PerLeg<Meter>,
    on_the_way: OnTheWay,
    receiver: Receiver,
    pub(super) counted: PerLeg<LegCounters>,
}

/// Result of a packet in the receiving entity.
#[derive(Debug)]
pub(super) enum Outcome {
    Delivered(Box<Packet>),
    Dropped(Box<Packet>, DropCause),
}

impl BearerDirection {
    pub(super) fn new(config: &Config, direction: Direction) -> Self {
        Self {
            router: Router::new(config, direction),
            meters: PerLeg::default(),
            on_the_way: OnTheWay::default(),
            receiver: Receiver::new(config.reordering),
            counted: PerLeg::default(),
        }
    }

    /// Submits the next PDU, if a leg wants it.
    pub(super) fn submit(&mut self, now: Instant) -> Option<Submitted> {
        let mut submitted = self.router.next()?;
        submitted.packet.ledger.charge(Cause::RadioQueue, now);
        let mut copies = 0;
        for leg in Leg::BOTH.into_iter().filter(|&leg| submitted.legs[leg]) {
            self.counted[leg].packets += 1;
            self.counted[leg].bytes += submitted.size;
            copies += 1;
        }
        self.on_the_way.begin(&submitted.packet, submitted.count, copies);
        Some(submitted)
    }

    /// Receives a packet from a leg, after X2 if it is in between.
    pub(super) fn receive(
        &mut self,
        now: Instant,
        leg: Leg,
        packet: Box<Packet>,
        mut out: impl FnMut(Outcome),
    ) {
        let counted = &mut self.counted[leg];
        let Some(count) = self.on_the_way.receive(&packet) else {
            counted.duplicates += 1;
            return;
        };
        counted.first += 1;
        let sdu = Sdu { size: packet.length, packet, arrived: now, count };
        if let Err(late) = self.receiver.on_sdu(now, sdu, |sdu| out(delivered(now, sdu))) {
            counted.late += 1;
            out(Outcome::Dropped(late.packet, DropCause::Late));
        }
    }

    /// Handles a packet that a leg has dropped. Returns it if no other copy of it is left.
    pub(super) fn lose(&mut self, leg: Leg, packet: Box<Packet>) -> Option<Box<Packet>> {
        self.counted[leg].lost += 1;
        self.on_the_way.lose(&packet).then_some(packet)
    }

    /// Returns the time at which `t-Reordering` expires.
    pub(super) fn next_timer(&self) -> Option<Instant> {
        self.receiver.next_timer()
    }

    /// Handles the time at which `t-Reordering` may have expired.
    pub(super) fn on_timer(&mut self, now: Instant, mut out: impl FnMut(Outcome)) {
        self.receiver.on_timer(now, |sdu| out(delivered(now, sdu)));
    }

    /// Returns the packets inside: those in PDCP, and those of which no leg has delivered a copy.
    pub(super) fn held(&self) -> Count {
        let mut held = self.on_the_way.held();
        self.router.queue().for_each(|packet| held.add(packet.length));
        self.receiver.held().for_each(|sdu| held.add(sdu.packet.length));
        held
    }

    /// Warns of packets that its PDCP receiver dropped because too many were in flight.
    pub(super) fn warn(&self, ue: &str, direction: Direction, tables: &mut Tables) {
        self.receiver.warn(ue, direction, tables);
    }

    /// Returns all copies in legs and on X2.
    pub(super) fn copies(&self) -> Count {
        self.on_the_way.copies()
    }
}

fn delivered(now: Instant, mut sdu: Sdu) -> Outcome {
    sdu.packet.ledger.charge(Cause::PdcpReordering, now);
    Outcome::Delivered(sdu.packet)
}
