//! Hosts: where packets come to the end of their routes, and where they begin.
//!
//! In: packets at their destinations, whole or in pieces, and those that hosts send. Out: whole
//! packets, each for its connection or application; a packet before the first stage of its route.

use super::recorder::Site;
use super::{Onward, Step, World, arm, flow};
use crate::net::{Body, Direction, Packet, ip};
use crate::sim::Agenda;
use crate::unit::{Host, HostId, Instant, PacketId};

impl World<'_> {
    /// A packet has come to the end of its route.
    #[inline(always)]
    pub(super) fn arrive(
        &mut self,
        now: Instant,
        direction: Direction,
        packet: Box<Packet>,
        agenda: &mut Agenda,
    ) {
        self.doors[direction as usize].arrived.add(packet.length);
        self.hand_over(now, packet, agenda);
    }

    /// The host of its destination takes a packet.
    fn hand_over(&mut self, now: Instant, packet: Box<Packet>, agenda: &mut Agenda) {
        match packet.body {
            Body::Fragment(_) => {
                let host = self.room_of(packet.destination);
                self.hosts[host].reassembler.on_packet(now, packet, &mut self.outboxes.host);
                self.after_host(now, host, agenda);
            }
            Body::Tcp(_) | Body::TooBig(_) => self.bring_to_end(now, packet, agenda),
            Body::Datagram(_) | Body::Echo(_) => self.bring_to_conversation(now, &packet),
        }
    }

    pub(super) fn after_host(&mut self, now: Instant, host: usize, agenda: &mut Agenda) {
        arm(agenda, self.hosts[host].slot, self.outboxes.host.take_wake());
        while let Some(effect) = self.outboxes.host.take_next() {
            match effect {
                ip::Effect::Deliver(packet) => self.hand_over(now, packet, agenda),
                ip::Effect::Drop(packet, cause) => self.on_drop(Site::Host, &packet, cause),
            }
        }
    }

    /// Where a host is among `hosts`.
    fn room_of(&self, host: HostId) -> usize {
        match host.host() {
            Host::Server(number) => number as usize,
            Host::Ue(ue) => self.plan.servers as usize + ue.index(),
        }
    }

    pub(super) fn next_packet(&mut self) -> PacketId {
        self.packets += 1;
        PacketId(self.packets - 1)
    }

    /// Sends a packet of a host on its way.
    pub(super) fn send(&mut self, packet: Box<Packet>) {
        let direction = flow::direction_from(packet.source);
        self.doors[direction as usize].sent.add(packet.length);
        self.work.push_back(Step::Packet(Onward { direction, stage: 0, packet }));
    }
}
