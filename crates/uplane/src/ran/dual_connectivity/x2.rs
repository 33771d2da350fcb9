//! X2 between the two nodes, with a constant delay (X2-U, TS 36.424).
//!
//! In: packets of both directions, delivery statuses, time. Out: these packets and statuses later,
//! in order.
//!
//! Left out: its rate, GTP-U headers, losses. This matters for studies of the load on X2.

use std::collections::VecDeque;

use super::flow_control::Status;
use crate::net::{Count, Direction, Packet, PerDirection};
use crate::unit::{Instant, UeId};

/// Packets and statuses between the nodes.
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

    /// Returns a packet that has crossed X2.
    pub(super) fn arrived(
        &mut self,
        now: Instant,
        direction: Direction,
    ) -> Option<(UeId, Box<Packet>)> {
        let packets = &mut self.packets[direction];
        packets.front().filter(|(arrives, ..)| *arrives <= now)?;
        packets.pop_front().map(|(_, ue, packet)| (ue, packet))
    }

    /// Returns a status that has crossed X2.
    pub(super) fn reported(&mut self, now: Instant) -> Option<(UeId, Status)> {
        self.statuses.front().filter(|(arrives, ..)| *arrives <= now)?;
        self.statuses.pop_front().map(|(_, ue, status)| (ue, status))
    }

    /// Returns the time of the next arrival.
    pub(super) fn next(&self) -> Option<Instant> {
        let packets = self.packets.iter().filter_map(VecDeque::front).map(|&(arrives, ..)| arrives);
        packets.chain(self.statuses.front().map(|&(arrives, ..)| arrives)).min()
    }

    /// Returns the packets on X2 in this direction.
    pub(super) fn held(&self, direction: Direction) -> Count {
        let mut held = Count::default();
        self.packets[direction].iter().for_each(|(_, _, packet)| held.add(packet.length));
        held
    }
}
