//! One direction of one UE on the GERAN radio.
//!
//! In: packets, and the end of each busy TTI. Out: packets in order.
//!
//! A TTI is processed at its end: the data that was ready at its start is known then, and later
//! data is not taken. So a busy TTI costs one event and an idle one none. Only lost PDUs have their
//! own state; a packet merely counts how many of its PDUs have not arrived.
//!
//! The order of retransmissions, by readiness and then by sequence, needs no sorting: the losses of
//! one TTI become ready together, those of the next one a TTI later, and all losses of a TTI fit
//! into a TTI. So they also leave together, and every block and the queue of losses are always in
//! order.

use std::collections::VecDeque;

use super::Config;
use crate::net::{Cause, Count, Direction, Packet};
use crate::ran::Exit;
use crate::sim::Stream;
use crate::unit::{Bytes, Duration, Grid, Instant, Probability};

/// One direction of one UE.
#[derive(Clone, Debug)]
pub struct Channel {
    grid: Grid,
    pdus: usize,
    pdu: Bytes,
    bler: Probability,
    concatenation: bool,
    /// Time from the end of a lost PDU's TTI until the PDU is ready for retransmission.
    turnaround: Duration,
    errors: Stream,
    /// Packets not yet delivered, in order.
    transit: VecDeque<Transit>,
    /// Number of packets delivered, which is the number of the first packet in `transit`.
    delivered: u64,
    /// Position in `transit` of the first packet that is not yet sent whole.
    first_new: usize,
    /// Lost PDUs, by readiness, then sequence.
    lost: VecDeque<Pdu>,
    /// The first slot that has not been processed.
    next_slot: u64,
    /// Bytes that wait for their first transmission.
    queued: Bytes,
    /// The PDUs of one TTI; empty between calls.
    block: Vec<Pdu>,
}

/// A packet that is not yet delivered.
#[derive(Clone, Debug)]
struct Transit {
    packet: Box<Packet>,
    /// The first slot that starts at or after its arrival.
    first_slot: u64,
    /// Bytes not yet sent for the first time.
    unsent: Bytes,
    /// Number of PDUs that were sent and have not arrived.
    missing: u32,
    /// Start of the TTI with the packet's first byte.
    begun: Instant,
    /// End of the TTI with the packet's last byte, in its first transmission.
    sent: Instant,
    /// Arrival of the packet's last missing PDU.
    complete: Instant,
}

#[derive(Clone, Copy, Debug)]
struct Pdu {
    /// Number of the first packet of which the PDU carries bytes.
    packet: u64,
    /// Number of packets of which the PDU carries bytes.
    packets: u32,
    /// The first slot in which the PDU may be retransmitted.
    ready: u64,
}

impl Channel {
    pub(super) fn new(config: &Config, direction: Direction, grid: Grid, errors: Stream) -> Self {
        let one_way = config.one_way(direction);
        Self {
            grid,
            pdus: one_way.pdus as usize,
            pdu: one_way.pdu,
            bler: one_way.bler,
            concatenation: config.concatenation,
            turnaround: config.rlc_rtt.saturating_sub(config.tti),
            errors,
            transit: VecDeque::new(),
            delivered: 0,
            first_new: 0,
            lost: VecDeque::new(),
            next_slot: 0,
            queued: Bytes::ZERO,
            block: Vec::with_capacity(one_way.pdus as usize),
        }
    }

    /// Returns the next slot in which any PDU is sent.
    fn busy_slot(&self) -> Option<u64> {
        let new = self.transit.get(self.first_new).map(|transit| transit.first_slot);
        let lost = self.lost.front().map(|pdu| pdu.ready);
        let earliest = match (new, lost) {
            (Some(new), Some(lost)) => new.min(lost),
            (new, lost) => new.or(lost)?,
        };
        Some(earliest.max(self.next_slot))
    }

    /// Fills the block of `slot`: retransmissions that are ready, then new PDUs.
    fn fill_block(&mut self, slot: u64) {
        while self.block.len() < self.pdus
            && self.lost.front().is_some_and(|pdu| pdu.ready <= slot)
            && let Some(pdu) = self.lost.pop_front()
        {
            self.block.push(pdu);
        }
        while self.block.len() < self.pdus
            && let Some(pdu) = self.cut_pdu(slot)
        {
            self.block.push(pdu);
        }
    }

    /// Cuts the next new PDU from the packets that were there at the start of `slot`.
    fn cut_pdu(&mut self, slot: u64) -> Option<Pdu> {
        let packet = self.delivered + self.first_new as u64;
        let mut room = self.pdu;
        let mut packets = 0;
        while !room.is_zero()
            && (packets == 0 || self.concatenation)
            && let Some(transit) = self.transit.get_mut(self.first_new)
            && transit.first_slot <= slot
        {
            if transit.unsent == transit.packet.length {
                transit.begun = self.grid.start(slot);
            }
            let part = room.min(transit.unsent);
            room -= part;
            transit.unsent -= part;
            self.queued -= part;
            transit.missing += 1;
            packets += 1;
            if transit.unsent.is_zero() {
                transit.sent = self.grid.start(slot + 1);
                self.first_new += 1;
            }
        }
        (packets > 0).then_some(Pdu { packet, packets, ready: 0 })
    }

    /// Draws which PDUs of the block arrive at its end. The others wait for retransmission.
    fn send_block(&mut self, now: Instant) {
        let mut block = std::mem::take(&mut self.block);
        block.retain(|&pdu| {
            let lost = self.errors.chance(self.bler);
            if !lost {
                self.on_arrival(now, pdu);
            }
            lost
        });
        let ready = self.grid.at_or_after(now + self.turnaround);
        self.lost.extend(block.drain(..).map(|pdu| Pdu { ready, ..pdu }));
        self.block = block;
    }

    fn on_arrival(&mut self, now: Instant, pdu: Pdu) {
        let first = (pdu.packet - self.delivered) as usize;
        for transit in self.transit.range_mut(first..first + pdu.packets as usize) {
            transit.missing -= 1;
            if transit.is_complete() {
                transit.complete = now;
            }
        }
    }

    fn deliver_in_order(&mut self, now: Instant, exit: &mut Exit<'_>) {
        while self.transit.front().is_some_and(Transit::is_complete)
            && let Some(transit) = self.transit.pop_front()
        {
            self.delivered += 1;
            self.first_new -= 1;
            exit.deliver(transit.into_packet(&self.grid, now));
        }
    }
}

impl crate::ran::Channel for Channel {
    fn on_packet(&mut self, now: Instant, packet: Box<Packet>, exit: &mut Exit<'_>) {
        self.queued += packet.length;
        exit.queue(self.queued);
        self.transit.push_back(Transit {
            first_slot: self.grid.at_or_after(now),
            unsent: packet.length,
            missing: 0,
            begun: now,
            sent: now,
            complete: now,
            packet,
        });
    }

    fn on_timer(&mut self, now: Instant, exit: &mut Exit<'_>) {
        let slot = self.busy_slot().expect("only a busy channel is armed");
        debug_assert_eq!(now, self.grid.start(slot + 1), "called at the end of the busy slot");
        self.fill_block(slot);
        exit.transmit(self.pdu * self.block.len() as u64);
        self.next_slot = slot + 1;
        self.send_block(now);
        self.deliver_in_order(now, exit);
    }

    fn due(&self) -> Option<Instant> {
        self.busy_slot().map(|slot| self.grid.start(slot + 1))
    }

    fn held(&self) -> Count {
        let mut sum = Count::default();
        self.transit.iter().for_each(|transit| sum.add(transit.packet.length));
        sum
    }

    fn waiting(&mut self, _: Instant) -> Count {
        Count { packets: (self.transit.len() - self.first_new) as u64, bytes: self.queued }
    }
}

impl Transit {
    fn is_complete(&self) -> bool {
        self.unsent.is_zero() && self.missing == 0
    }

    fn into_packet(self, grid: &Grid, now: Instant) -> Box<Packet> {
        let mut packet = self.packet;
        packet.ledger.charge(Cause::RadioAlignment, grid.start(self.first_slot));
        packet.ledger.charge(Cause::RadioQueue, self.begun);
        packet.ledger.charge(Cause::RadioTransmission, self.sent);
        packet.ledger.charge(Cause::RadioRetransmission, self.complete);
        packet.ledger.charge(Cause::RadioReordering, now);
        packet
    }
}
