//! One direction of a wired link: a queue, a wire, and their effects on packets.
//!
//! In: IP packets, at any time. Out: the same packets later, in order; in fragments if the link's
//! MTU is too small for them; or dropped, with the cause.
//!
//! A frame waits for the frames before it, takes the sending node's processing time, is serialised
//! at the link's rate, and crosses the wire. All four times are known on its arrival, so they are
//! booked on its ledger at once, and the frame is one event, at its delivery. So the ledger of a
//! packet is ahead of the clock while the packet is in the link.
//!
//! If the queue is managed ([`super::queue`]), the next frame is known only when the link is free.
//! It is booked then, which is another event.
//!
//! Left out: corrupted frames that arrive; losses that depend on time (weather) and not on frames.
//! This matters for a microwave hop in rain.

pub mod capacity;
mod config;
pub mod gilbert_elliott;
mod late;
mod loss;
mod plain;
mod series;

pub use capacity::{RateStep, StepRate, Trace, Varying};
pub use config::Config;
pub use late::Reordering;
pub use loss::Loss;
pub(crate) use series::LinkSample;

use std::collections::VecDeque;

use super::ip;
use super::ledger::Cause;
use super::packet::Packet;
use super::queue::{Queue, Waiting};
use super::tally::{Count, DropCause, Tally};
use crate::sim::{Outbox, Streams};
use crate::unit::{Bytes, Duration, Instant};
use capacity::Server;
use late::Late;
use loss::Losses;
use series::Sampled;

/// The effects of a link.
#[derive(Debug)]
pub enum Effect {
    /// A packet or fragment arrives at the other end.
    Deliver(Box<Packet>),
    /// A packet or fragment is dropped.
    Drop(Box<Packet>, DropCause),
    /// A packet is dropped because it is too long, and its sender must be notified.
    TooBig {
        /// The packet, which is dropped.
        refused: Box<Packet>,
        /// Maximum length of a packet that would have passed.
        mtu: Bytes,
    },
}

/// One direction of a link.
#[derive(Clone, Debug)]
pub struct Link {
    config: Config,
    losses: Losses,
    varying: Option<Box<Server>>,
    late: Option<Box<Late>>,
    /// Time until which the wire and the node before it are busy.
    busy_until: Instant,
    /// All frames inside, first to last.
    frames: VecDeque<Frame>,
    /// Number of `frames`, from the back, that wait for their turn.
    unstarted: usize,
    /// Bytes of the frames that wait for their turn.
    waiting: Bytes,
    /// Frames may take the fast path of [`plain`].
    is_plain: bool,
    /// The managed queue, if there is one. All of `frames` have then started.
    managed: Option<Box<Queue<Queued>>>,
    tally: Tally,
    /// State at the last sample, if the link is sampled.
    sampled: Option<Box<Sampled>>,
}

/// An item of a managed queue.
#[derive(Clone, Debug)]
struct Queued {
    packet: Box<Packet>,
    /// The packet is lost by its number.
    lost: bool,
}

impl Waiting for Queued {
    fn length(&self) -> Bytes {
        self.packet.length
    }
    fn packet(&self) -> &Packet {
        &self.packet
    }
    fn packet_mut(&mut self) -> &mut Packet {
        &mut self.packet
    }
}

#[derive(Clone, Debug)]
struct Frame {
    starts: Instant,
    arrives: Instant,
    lost: bool,
    packet: Box<Packet>,
}

impl Link {
    /// Creates an idle link. The streams of `entity` give its random choices.
    pub fn new(config: &Config, streams: Streams, entity: &str) -> Self {
        let managed = |aqm| Queue::new(aqm, config.queue, streams.open(entity, "aqm"));
        Self {
            losses: Losses::new(config.loss, streams, entity),
            varying: config
                .varying
                .as_ref()
                .map(|varying| Box::new(Server::new((**varying).clone()))),
            late: config
                .reordering
                .map(|reordering| Box::new(Late::new(reordering, streams, entity))),
            busy_until: Instant::ZERO,
            frames: VecDeque::new(),
            unstarted: 0,
            waiting: Bytes::ZERO,
            is_plain: config.is_plain(),
            managed: config.aqm.map(|aqm| Box::new(managed(aqm))),
            tally: Tally::default(),
            sampled: None,
            config: config.clone(),
        }
    }

    /// Adds the loss of the packets with these numbers. Packets with transport payload are counted
    /// from 1 in the order of their arrival, including those that the queue drops. A lost packet
    /// has used the link.
    pub fn losing(mut self, numbers: &[u64]) -> Self {
        self.losses.number(numbers);
        self.is_plain &= numbers.is_empty();
        self
    }

    /// Takes a packet at the sending end of the link.
    pub fn on_packet(&mut self, now: Instant, packet: Box<Packet>, out: &mut Outbox<Effect>) {
        let was_empty = self.frames.is_empty();
        if packet.length <= self.config.mtu {
            self.send(now, packet, out);
        } else if packet.may_fragment() {
            let (whole, mut fragments) = (packet.length, Count::default());
            for fragment in ip::fragment(packet, self.config.mtu) {
                fragments.add(fragment.length);
                self.send(now, fragment, out);
            }
            self.tally.cut(whole, fragments);
        } else {
            self.refuse(packet, out);
        }
        match self.first_arrival() {
            Some(arrives) if arrives <= now => self.on_timer(now, out),
            _ if self.managed.is_some() => out.wake(self.due(now)),
            Some(arrives) if was_empty => out.wake_at(arrives),
            _ => {}
        }
    }

    /// Delivers all frames that have arrived.
    pub fn on_timer(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        if self.managed.is_some() {
            self.serve(now, out);
        }
        self.start_waiting(now);
        while self.frames.front().is_some_and(|frame| frame.arrives <= now) {
            let frame = self.frames.pop_front().expect("the first to arrive is there");
            match &mut self.late {
                Some(late) => late.take(frame),
                None => self.arrive(frame, out),
            }
        }
        while let Some(frame) = self.late.as_mut().and_then(|late| late.arrived(now)) {
            self.arrive(frame, out);
        }
        out.wake(self.due(now));
    }

    /// Returns the counts of the link. A packet that is fragmented counts as its fragments.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Counts the packets inside, in the queue or on the wire, one by one.
    pub fn held(&self) -> Count {
        let mut sum = Count::default();
        self.frames.iter().for_each(|frame| sum.add(frame.packet.length));
        if let Some(managed) = &self.managed {
            managed.each(|queued| sum.add(queued.packet.length));
        }
        if let Some(late) = &self.late {
            late.frames.iter().for_each(|frame| sum.add(frame.packet.length));
        }
        sum
    }

    /// Returns the count of packets and fragments that wait for their turn.
    pub fn queued(&mut self, now: Instant) -> Count {
        if let Some(managed) = &self.managed {
            return managed.waiting();
        }
        self.start_waiting(now);
        self.waits()
    }

    fn arrive(&mut self, frame: Frame, out: &mut Outbox<Effect>) {
        if frame.lost {
            self.drop(frame.packet, DropCause::Loss, out);
        } else {
            self.tally.leave(frame.packet.length);
            out.emit(Effect::Deliver(frame.packet));
        }
    }

    #[inline]
    fn first_arrival(&self) -> Option<Instant> {
        let first = self.frames.front().map(|frame| frame.arrives);
        match &self.late {
            None => first,
            Some(late) => Instant::sooner(first, late.first()),
        }
    }

    /// Returns the time at which the first frame arrives, or the next one may start.
    #[inline]
    fn due(&mut self, now: Instant) -> Option<Instant> {
        let waits = self.managed.as_ref().is_some_and(|managed| managed.waiting().packets > 0);
        let turn = waits.then(|| self.turn(now.max(self.busy_until)));
        Instant::sooner(self.first_arrival(), turn)
    }

    /// Returns the time at which the node begins to process a frame that is there at `from`, so
    /// that it is ready when the link can take it.
    #[inline]
    fn turn(&mut self, from: Instant) -> Instant {
        let processing = self.config.processing;
        match &mut self.varying {
            None => from,
            Some(varying) => varying.begins(from + processing) - processing,
        }
    }

    fn send(&mut self, now: Instant, packet: Box<Packet>, out: &mut Outbox<Effect>) {
        let length = packet.length;
        self.tally.enter(length);
        let lost = self.losses.counts_as_lost(&packet);
        if self.managed.is_some() {
            return self.wait(now, Queued { packet, lost }, out);
        }
        self.start_waiting(now);
        let starts = self.turn(now.max(self.busy_until));
        if starts > now && !self.has_room(length) {
            return self.drop(packet, DropCause::Queue, out);
        }
        self.book(starts, packet, lost);
        if starts > now {
            self.unstarted += 1;
            self.waiting += length;
            self.tally.queue_max = self.tally.queue_max.max(self.waiting);
        }
    }

    /// Puts a packet into the managed queue. A packet that finds the wire idle passes it at once.
    fn wait(&mut self, now: Instant, queued: Queued, out: &mut Outbox<Effect>) {
        self.serve(now, out);
        let managed = self.managed.as_mut().expect("called with a managed queue");
        let uncounted = self.config.counted_header() * (managed.waiting().packets + 1);
        managed.enqueue(now, queued, uncounted);
        self.serve(now, out);
        let waiting = self.managed.as_ref().map_or(Bytes::ZERO, |it| it.waiting().bytes);
        self.tally.queue_max = self.tally.queue_max.max(waiting);
    }

    /// Sends from the managed queue, as long as the wire is idle.
    fn serve(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        let Some(mut managed) = self.managed.take() else { return };
        while managed.waiting().packets > 0
            && self.turn(now.max(self.busy_until)) <= now
            && let Some(Queued { packet, lost }) = managed.dequeue(now)
        {
            self.book(now, packet, lost);
        }
        self.tally.marked += managed.take_marked();
        while let Some((queued, cause)) = managed.take_dropped() {
            self.drop(queued.packet, cause, out);
        }
        self.managed = Some(managed);
    }

    /// Books a frame from the start of its processing to its arrival.
    #[inline(always)]
    fn book(&mut self, starts: Instant, mut packet: Box<Packet>, numbered: bool) {
        let wire = self.config.framing.wire(packet.length);
        let processed = starts + self.config.processing;
        let serialised = match &mut self.varying {
            None => processed + self.config.rate.map_or(Duration::ZERO, |rate| wire / rate),
            Some(varying) => varying.serve(processed, wire),
        };
        let arrives = serialised + self.config.delay;
        packet.ledger.charge(Cause::CoreQueue, starts);
        packet.ledger.charge(Cause::Processing, processed);
        packet.ledger.charge(Cause::Serialisation, serialised);
        packet.ledger.charge(Cause::Propagation, arrives);
        let lost = self.losses.loses(&packet, wire) | numbered;
        self.busy_until = serialised;
        self.tally.wire += wire;
        self.frames.push_back(Frame { starts, arrives, lost, packet });
    }

    /// Removes from the queue the frames whose transmission has begun by now.
    #[inline]
    fn start_waiting(&mut self, now: Instant) {
        while self.unstarted > 0
            && let frame = &self.frames[self.frames.len() - self.unstarted]
            && frame.starts <= now
        {
            self.waiting -= frame.packet.length;
            self.unstarted -= 1;
        }
    }

    /// Returns the count of frames that wait for their turn.
    fn waits(&self) -> Count {
        Count { packets: self.unstarted as u64, bytes: self.waiting }
    }

    fn has_room(&self, length: Bytes) -> bool {
        let (header, waits) = (self.config.counted_header(), self.waits());
        let counted = Count { bytes: waits.bytes + header * waits.packets, ..waits };
        self.config.queue.has_room(counted, length + header)
    }

    fn refuse(&mut self, packet: Box<Packet>, out: &mut Outbox<Effect>) {
        self.tally.enter(packet.length);
        if self.config.icmp {
            self.tally.drop(DropCause::TooBig, packet.length);
            out.emit(Effect::TooBig { refused: packet, mtu: self.config.mtu });
        } else {
            self.drop(packet, DropCause::TooBig, out);
        }
    }

    fn drop(&mut self, packet: Box<Packet>, cause: DropCause, out: &mut Outbox<Effect>) {
        self.tally.drop(cause, packet.length);
        out.emit(Effect::Drop(packet, cause));
    }
}

#[cfg(test)]
mod tests;
