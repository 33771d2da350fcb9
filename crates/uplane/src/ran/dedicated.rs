//! A radio in which each UE has its own channel in each direction.
//!
//! In: packets and timer expiries. Out: calls of each channel for its own packets and at its own
//! times.
//!
//! Left out: anything that UEs share. A UE cannot affect another one here. This matters for studies
//! of cell load, which need a radio with a scheduler.
//!
//! Conservation of packets is counted here, where all packets enter and leave. An idle channel
//! costs nothing: only channels with work are on the radio's own agenda.

use super::Effect;
use super::series::Place;
use crate::net::{Count, Direction, DropCause, Packet, PerDirection, Tally};
use crate::record::{Activity, Tables};
use crate::sim::{Agenda, EntityId, Outbox};
use crate::unit::{Bytes, Instant, UeId};

/// One direction of one UE.
pub trait Channel {
    /// Takes a packet at the sending end.
    fn on_packet(&mut self, now: Instant, packet: Box<Packet>, exit: &mut Exit<'_>);

    /// Handles an expired timer.
    fn on_timer(&mut self, now: Instant, exit: &mut Exit<'_>);

    /// Returns the time of the next [`Channel::on_timer`].
    fn due(&self) -> Option<Instant>;

    /// Counts the packets inside, one by one.
    fn held(&self) -> Count;

    /// Returns the count of packets that are not yet sent.
    fn waiting(&mut self, now: Instant) -> Count;
}

/// The output of a channel: delivered and dropped packets.
#[derive(Debug)]
pub struct Exit<'a> {
    direction: Direction,
    ue: UeId,
    tally: &'a mut Tally,
    out: &'a mut Outbox<Effect>,
}

/// Two channels per UE, and counts of the packets that passed them.
#[derive(Clone, Debug)]
pub struct Dedicated<C> {
    agenda: Agenda,
    /// Downlink and uplink of the first UE, of the second UE, and so on.
    channels: Vec<(EntityId, C)>,
    tallies: PerDirection<Tally>,
    /// Activity of each channel at its last sample. Empty without samples.
    sampled: Vec<Activity>,
}

impl<C: Channel> Dedicated<C> {
    /// Creates a radio with the channels that `channel` returns.
    pub(super) fn of(ue_count: u32, mut channel: impl FnMut(UeId, Direction) -> C) -> Self {
        let mut agenda = Agenda::default();
        let mut channels = Vec::with_capacity(2 * ue_count as usize);
        for ue in (0..ue_count).map(UeId) {
            for direction in Direction::BOTH {
                channels.push((agenda.add(), channel(ue, direction)));
            }
        }
        Self { agenda, channels, tallies: PerDirection::default(), sampled: Vec::new() }
    }

    /// Takes a packet for `ue` (`Down`) or from `ue` (`Up`).
    pub fn on_packet(
        &mut self,
        now: Instant,
        direction: Direction,
        ue: UeId,
        packet: Box<Packet>,
        out: &mut Outbox<Effect>,
    ) {
        self.tallies[direction].enter(packet.length);
        let position = 2 * ue.index() + direction as usize;
        self.call(position, out, |channel, exit| channel.on_packet(now, packet, exit));
        out.wake(self.agenda.next_due());
    }

    /// Calls all channels that are due.
    pub fn on_timer(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        while let Some((_, slot)) = self.agenda.pop(now) {
            self.call(slot.index(), out, |channel, exit| channel.on_timer(now, exit));
        }
        out.wake(self.agenda.next_due());
    }

    /// Returns the counts of this direction, summed over all UEs.
    pub fn tally(&self, direction: Direction) -> Tally {
        self.tallies[direction]
    }

    /// Counts the packets inside in this direction, one by one.
    pub fn held(&self, direction: Direction) -> Count {
        let channels = self.channels.iter().skip(direction as usize).step_by(2);
        channels.fold(Count::default(), |mut sum, (_, channel)| {
            sum += channel.held();
            sum
        })
    }

    /// Writes a sample of all queues; `ues` are the names of the UEs.
    pub fn sample(&mut self, now: Instant, ues: &[String], tables: &mut Tables) {
        self.sampled.resize_with(self.channels.len(), Activity::default);
        let channels = self.channels.iter_mut().zip(&mut self.sampled).enumerate();
        for (position, ((_, channel), activity)) in channels {
            let direction = Direction::BOTH[position % 2];
            let place = Place { ue: &ues[position / 2], bearer: 0, direction };
            place.sample(now, channel.waiting(now), activity, tables);
        }
    }

    fn call(
        &mut self,
        position: usize,
        out: &mut Outbox<Effect>,
        what: impl FnOnce(&mut C, &mut Exit<'_>),
    ) {
        let direction = Direction::BOTH[position % 2];
        let tally = &mut self.tallies[direction];
        let (slot, channel) = &mut self.channels[position];
        what(channel, &mut Exit { direction, ue: UeId(position as u32 / 2), tally, out });
        match channel.due() {
            Some(at) => self.agenda.arm(*slot, at),
            None => self.agenda.disarm(*slot),
        }
    }
}

impl Exit<'_> {
    /// Delivers a packet at the far end.
    pub fn deliver(&mut self, packet: Box<Packet>) {
        self.tally.leave(packet.length);
        self.out.emit(Effect::Deliver { direction: self.direction, ue: self.ue, packet });
    }

    /// Drops a packet, with the cause.
    pub fn drop(&mut self, packet: Box<Packet>, cause: DropCause) {
        self.tally.drop(cause, packet.length);
        self.out.emit(Effect::Drop { direction: self.direction, ue: self.ue, packet, cause });
    }

    /// Counts bytes that went over the air.
    pub fn transmit(&mut self, bytes: Bytes) {
        self.tally.wire += bytes;
    }

    /// Records the current length of this channel's queue.
    pub fn queue(&mut self, bytes: Bytes) {
        self.tally.queue_max = self.tally.queue_max.max(bytes);
    }
}
