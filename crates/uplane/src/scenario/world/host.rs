//! Hosts: the ends of the routes of packets.
//!
//! In: packets at their destinations, whole or in fragments, and those that hosts send. Out: whole
//! packets, each for its connection or application; a packet before the first stage of its route.

use super::recorder::Site;
use super::{Onward, Step, World, arm, flow};
use crate::net::{Body, Direction, Packet, ip};
use crate::sim::Agenda;
use crate::unit::{Instant, PacketId};

impl World<'_> {
    /// Takes a packet from its route, which ends before this stage.
    #[inline(always)]
    pub(super) fn arrive(
        &mut self,
        now: Instant,
        direction: Direction,
        stage: usize,
        packet: Box<Packet>,
        agenda: &mut Agenda,
    ) {
        self.doors[direction as usize].arrived[stage].add(packet.length);
        self.hand_over(now, packet, agenda);
    }

    /// Hands a packet to the host of its destination.
    fn hand_over(&mut self, now: Instant, packet: Box<Packet>, agenda: &mut Agenda) {
        if self.plan.record.headers {
            self.capture(now, &packet, false);
        }
        match packet.body {
            Body::Fragment(_) => {
                self.reassembler.on_packet(now, packet, &mut self.outboxes.host);
                self.after_reassembly(now, agenda);
            }
            Body::Tcp(_) | Body::TooBig(_) => self.bring_to_end(now, packet, agenda),
            Body::Quic(_) => self.bring_to_quic(now, packet, agenda),
            Body::Datagram(_) | Body::Echo(_) => self.bring_to_conversation(now, &packet),
        }
    }

    pub(super) fn after_reassembly(&mut self, now: Instant, agenda: &mut Agenda) {
        arm(agenda, self.hosts_entity, self.outboxes.host.take_wake());
        while let Some(effect) = self.outboxes.host.take_next() {
            match effect {
                ip::Effect::Deliver(packet) => self.hand_over(now, packet, agenda),
                ip::Effect::Drop(packet, cause) => self.on_drop(Site::Host, &packet, cause),
            }
        }
    }

    pub(super) fn next_packet(&mut self) -> PacketId {
        let number = PacketId(self.packets);
        self.packets += 1;
        number
    }

    /// Sends a packet of a host on its way.
    pub(super) fn send(&mut self, now: Instant, packet: Box<Packet>) {
        if self.plan.record.headers {
            self.capture(now, &packet, true);
        }
        let direction = flow::direction_from(packet.source);
        let stage = match direction {
            Direction::Down => self.server_door(direction, packet.source),
            Direction::Up => 0,
        };
        self.doors[direction as usize].sent[stage].add(packet.length);
        let stage = stage as u32;
        self.work.push_back(Step::Packet(Onward { direction, stage, packet }));
    }
}
