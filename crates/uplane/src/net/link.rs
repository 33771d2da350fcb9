//! One direction of a wired link: a queue, a wire, and what they do to packets.
//!
//! In: IP packets, at any time. Out: the same packets later, in order; in fragments where the link
//! is too short for them; or dropped, with the cause.
//!
//! A frame waits for the frames before it, takes the sending node's processing time, is serialised
//! at the link's rate, and crosses the wire. All four are known when it comes in, so they are
//! booked on its ledger at once and the frame is one event, at its arrival. What a packet's ledger
//! says is thus ahead of the clock while the packet is in here.
//!
//! Left out: queues other than first-in first-out with tail drop; loss in bursts; reordering;
//! corrupted frames that arrive. Who studies AQM or a microwave hop in rain could tell.

use std::collections::VecDeque;

use super::framing::Framing;
use super::ip;
use super::ledger::Cause;
use super::packet::Packet;
use super::tally::{Count, DropCause, Tally};
use crate::sim::{Outbox, Stream};
use crate::unit::text::{self, Written, written};
use crate::unit::{Bitrate, Bytes, Duration, Instant, Probability, math};
use serde_json::Value;

/// What a link is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// Bits on the wire a second; `None` for a link that serialises in no time.
    pub rate: Option<Bitrate>,
    /// Propagation from end to end.
    pub delay: Duration,
    /// The longest IP packet it takes.
    pub mtu: Bytes,
    /// What may wait for it.
    pub queue: Queue,
    /// What it loses.
    pub loss: Loss,
    /// What it adds to each packet on the wire.
    pub framing: Framing,
    /// How long the sending node works on each frame, fragments included, before it can take the
    /// next one.
    pub processing: Duration,
    /// The sending node says so when a packet is too long and must not be cut. Without it such
    /// packets vanish: the black hole of RFC 2923 §2.1.
    pub icmp: bool,
}

/// How much may wait. The frame that is being processed or serialised does not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Queue {
    /// Everything.
    #[default]
    Unlimited,
    /// IP packets of this many bytes together.
    Bytes(Bytes),
    /// This many packets or fragments.
    Packets(u64),
}

impl Written for Queue {
    const NAME: &'static str = "QueueLimit";
    const EXPECTED: &'static str =
        "a queue length such as \"100 packets\" (at most 1000000000), \"64 kB\" or \"unlimited\"";
    const RANGE: Option<(&'static str, &'static str)> = Some(("1 B", "1000 GB"));
    const PATTERN: &'static str =
        r"^([0-9]+ ?packets?|[0-9]+(\.[0-9]+)? ?([kMG]?B|[KM]iB)|unlimited)$";

    fn read(text: &str) -> Option<Self> {
        if text == text::UNLIMITED {
            return Some(Self::Unlimited);
        }
        if let Some((num, den)) = text::exact(text, &[("packets", 1), ("packet", 1)]) {
            let whole = num % den == 0 && (1..=1_000_000_000).contains(&(num / den));
            return whole.then(|| Self::Packets((num / den) as u64));
        }
        Bytes::read(text).filter(|size| !size.is_zero()).map(Self::Bytes)
    }

    fn write(&self) -> Value {
        match self {
            Self::Unlimited => text::UNLIMITED.into(),
            Self::Bytes(bytes) => bytes.write(),
            Self::Packets(packets) => format!("{packets} packets").into(),
        }
    }
}

written!(Queue);

/// Independent losses, after serialisation: a lost frame has used the link.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Loss {
    /// For each packet, however many fragments it is in.
    pub per_packet: Probability,
    /// For each frame, so for each fragment.
    pub per_frame: Probability,
    /// For each byte on the wire.
    pub per_byte: Probability,
}

/// What a link wants.
#[derive(Debug)]
pub enum Effect {
    /// A packet or fragment has arrived at the other end.
    Deliver(Box<Packet>),
    /// A packet or fragment is gone.
    Drop(Box<Packet>, DropCause),
    /// A packet is gone because it is too long, and its sender shall be told.
    TooBig {
        /// The packet.
        refused: Box<Packet>,
        /// The longest that would have passed.
        mtu: Bytes,
    },
}

/// One direction of a link.
#[derive(Clone, Debug)]
pub struct Link {
    config: Config,
    stream: Stream,
    /// `ln(1 − per_byte)`
    keep_byte: f64,
    /// Up to when the wire and the node before it are taken.
    busy_until: Instant,
    /// All frames inside, first to last.
    frames: VecDeque<Frame>,
    /// How many of `frames`, from the front, are no longer waiting for their turn.
    started: usize,
    /// The length of the others.
    waiting: Bytes,
    tally: Tally,
}

#[derive(Clone, Debug)]
struct Frame {
    starts: Instant,
    arrives: Instant,
    lost: bool,
    packet: Box<Packet>,
}

impl Link {
    /// A link at rest; `stream` decides its losses.
    pub fn new(config: Config, stream: Stream) -> Self {
        Self {
            config,
            stream,
            keep_byte: math::ln_1p(-config.loss.per_byte.value()),
            busy_until: Instant::ZERO,
            frames: VecDeque::new(),
            started: 0,
            waiting: Bytes::ZERO,
            tally: Tally::default(),
        }
    }

    /// Takes a packet.
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
            Some(arrives) if was_empty => out.wake_at(arrives),
            _ => {}
        }
    }

    /// Delivers all that has arrived.
    pub fn on_timer(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        self.start_waiting(now);
        while self.first_arrival().is_some_and(|arrives| arrives <= now) {
            let frame = self.frames.pop_front().expect("the first to arrive is there");
            self.started -= 1;
            if frame.lost {
                self.drop(frame.packet, DropCause::Loss, out);
            } else {
                self.tally.leave(frame.packet.length);
                out.emit(Effect::Deliver(frame.packet));
            }
        }
        out.wake(self.first_arrival());
    }

    /// What went through. A packet that is cut counts as its fragments.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// What is inside, waiting or on the wire, counted one by one.
    pub fn held(&self) -> Count {
        let mut sum = Count::default();
        self.frames.iter().for_each(|frame| sum.add(frame.packet.length));
        sum
    }

    /// The packets and fragments that wait for their turn.
    pub fn queued(&mut self, now: Instant) -> Count {
        self.start_waiting(now);
        Count { packets: (self.frames.len() - self.started) as u64, bytes: self.waiting }
    }

    fn first_arrival(&self) -> Option<Instant> {
        self.frames.front().map(|frame| frame.arrives)
    }

    fn send(&mut self, now: Instant, mut packet: Box<Packet>, out: &mut Outbox<Effect>) {
        let length = packet.length;
        self.tally.enter(length);
        self.start_waiting(now);
        let starts = now.max(self.busy_until);
        if starts > now && !self.has_room(length) {
            return self.drop(packet, DropCause::Queue, out);
        }
        let wire = self.config.framing.wire(length);
        let processed = starts + self.config.processing;
        let serialised = processed + self.config.rate.map_or(Duration::ZERO, |rate| wire / rate);
        let arrives = serialised + self.config.delay;
        packet.ledger.charge(Cause::CoreQueue, starts);
        packet.ledger.charge(Cause::Processing, processed);
        packet.ledger.charge(Cause::Serialisation, serialised);
        packet.ledger.charge(Cause::Propagation, arrives);
        let lost = self.loses(&packet, wire);
        self.busy_until = serialised;
        self.tally.wire += wire;
        self.frames.push_back(Frame { starts, arrives, lost, packet });
        if starts > now {
            self.waiting += length;
            self.tally.queue_max = self.tally.queue_max.max(self.waiting);
        } else {
            self.started += 1;
        }
    }

    /// Takes off the queue what has got its turn by now.
    fn start_waiting(&mut self, now: Instant) {
        while let Some(frame) = self.frames.get(self.started)
            && frame.starts <= now
        {
            self.waiting -= frame.packet.length;
            self.started += 1;
        }
    }

    fn has_room(&self, length: Bytes) -> bool {
        match self.config.queue {
            Queue::Unlimited => true,
            Queue::Bytes(limit) => self.waiting + length <= limit,
            Queue::Packets(limit) => ((self.frames.len() - self.started) as u64) < limit,
        }
    }

    /// Draws once for each kind of loss that there is, also when another kind has already struck.
    fn loses(&mut self, packet: &Packet, wire: Bytes) -> bool {
        let Loss { per_packet, per_frame, per_byte } = self.config.loss;
        let mut lost = false;
        if !per_packet.is_zero() && packet.carried().is_some() {
            lost |= self.stream.chance(per_packet);
        }
        if !per_frame.is_zero() {
            lost |= self.stream.chance(per_frame);
        }
        if !per_byte.is_zero() {
            lost |= self.loses_a_byte(wire.0 as f64, per_byte.value());
        }
        lost
    }

    /// True with probability 1 − (1 − p)^bytes.
    fn loses_a_byte(&mut self, bytes: f64, p: f64) -> bool {
        let drawn = self.stream.uniform();
        // Bernoulli's inequality: the probability is at most p · bytes, so most draws need no
        // exponential.
        drawn < p * bytes && drawn < -math::exp_m1(bytes * self.keep_byte)
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

/// A link that takes no time and loses nothing, for IP packets of up to 1500 bytes (the payload of
/// an Ethernet frame, IEEE 802.3 §3.2.7).
impl Default for Config {
    fn default() -> Self {
        Self {
            rate: None,
            delay: Duration::ZERO,
            mtu: Bytes(1500),
            queue: Queue::Unlimited,
            loss: Loss::default(),
            framing: Framing::None,
            processing: Duration::ZERO,
            icmp: true,
        }
    }
}

#[cfg(test)]
mod tests;
