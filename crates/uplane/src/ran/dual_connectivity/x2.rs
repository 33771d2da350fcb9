//! X2 between the two nodes: what crosses it takes a constant time (X2-U, TS 36.424).
//!
//! In: packets of both directions, delivery statuses, time. Out: the same later, in order.
//!
//! Left out: its rate, GTP-U headers, losses. Who studies the load on X2 can tell.

use std::collections::VecDeque;

use super::flow_control::Status;
use crate::net::{Count, Direction, Packet, PerDirection};
use crate::unit::{Instant, UeId};

/// What is on its way between the nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct X2 {
    packets: PerDirection<VecDeque<(Instant, UeId, Box<Packet>)>>,
    statuses: VecDeque<(Instant, UeId, Status)>,
}

impl X2 {
    pub(super) fn send(
        &mut self,
        arrives: Instant,
        direction: Direction,
        ue: UeId,
        packet: Box<Packet>,
    ) {
        self.packets[direction].push_back((arrives, ue, packet));
    }

    pub(super) fn report(&mut self, arrives: Instant, ue: UeId, status: Status) {
        self.statuses.push_back((arrives, ue, status));
    }

    /// A packet that has crossed it.
    pub(super) fn arrived(
        &mut self,
        now: Instant,
        direction: Direction,
    ) -> Option<(UeId, Box<Packet>)> {
        let packets = &mut self.packets[direction];
        packets.front().filter(|(arrives, ..)| *arrives <= now)?;
        packets.pop_front().map(|(_, ue, packet)| (ue, packet))
    }

    /// A status that has.
    pub(super) fn reported(&mut self, now: Instant) -> Option<(UeId, Status)> {
        self.statuses.front().filter(|(arrives, ..)| *arrives <= now)?;
        self.statuses.pop_front().map(|(_, ue, status)| (ue, status))
    }

    /// When the next of all this arrives.
    pub(super) fn next(&self) -> Option<Instant> {
        let packets = self.packets.iter().filter_map(VecDeque::front).map(|&(arrives, ..)| arrives);
        packets.chain(self.statuses.front().map(|&(arrives, ..)| arrives)).min()
    }

    /// Packets on it in this direction.
    pub(super) fn held(&self, direction: Direction) -> Count {
        let mut held = Count::default();
        self.packets[direction].iter().for_each(|(_, _, packet)| held.add(packet.length));
        held
    }
}
