//! The fast path through a link with constant rate and without losses, reordering or queue
//! management: nearly every packet of nearly every scenario takes it.
//!
//! In: a packet that fits into the MTU and the queue. Out: its arrival time, and the packet at that
//! time. Any other packet is returned, for the general path of [`super`]; both paths give the same
//! results.
//!
//! Left out: all effects of a link on a packet other than delay.

use super::{Frame, Link};
use crate::net::ledger::Cause;
use crate::net::packet::Packet;
use crate::unit::{Duration, Instant};

impl Link {
    /// Takes a packet on the fast path. Returns the time of the link's next call, if that is new;
    /// or the packet, if it has to take the general path.
    #[inline]
    pub fn carry(
        &mut self,
        now: Instant,
        mut packet: Box<Packet>,
    ) -> Result<Option<Instant>, Box<Packet>> {
        let length = packet.length;
        let first = self.frames.front().map(|frame| frame.arrives);
        // A first frame that arrives now must be delivered before anything else happens here.
        if !self.is_plain || length > self.config.mtu || first.is_some_and(|first| first <= now) {
            return Err(packet);
        }
        self.start_waiting(now);
        let starts = now.max(self.busy_until);
        let wire = self.config.framing.wire(length);
        let processed = starts + self.config.processing;
        let serialised = processed + self.config.rate.map_or(Duration::ZERO, |rate| wire / rate);
        let arrives = serialised + self.config.delay;
        if arrives <= now || (starts > now && !self.has_room(length)) {
            return Err(packet);
        }
        if starts > now {
            self.unstarted += 1;
            self.waiting += length;
            self.tally.queue_max = self.tally.queue_max.max(self.waiting);
        }
        packet.ledger.charge(Cause::CoreQueue, starts);
        packet.ledger.charge(Cause::Processing, processed);
        packet.ledger.charge(Cause::Serialisation, serialised);
        packet.ledger.charge(Cause::Propagation, arrives);
        self.tally.enter(length);
        self.tally.wire += wire;
        self.busy_until = serialised;
        self.frames.push_back(Frame { starts, arrives, lost: false, packet });
        Ok(first.is_none().then_some(arrives))
    }

    /// Returns the packet that arrives now, and the time of the link's next call. `None` if several
    /// packets arrive at once, or if the link is not a plain one.
    #[inline]
    pub fn arrival(&mut self, now: Instant) -> Option<(Box<Packet>, Option<Instant>)> {
        let next = self.frames.get(1).map(|frame| frame.arrives);
        let is_due = self.frames.front().is_some_and(|first| first.arrives <= now);
        if !self.is_plain || !is_due || next.is_some_and(|next| next <= now) {
            return None;
        }
        self.start_waiting(now);
        let Frame { packet, .. } = self.frames.pop_front()?;
        self.tally.leave(packet.length);
        Some((packet, next))
    }
}

#[cfg(test)]
mod tests {
    use crate::net::link::{Config, Effect, Link};
    use crate::net::packet::{Body, Datagram, Packet};
    use crate::net::queue::QueueLimit;
    use crate::sim::{Outbox, Streams, Wake};
    use crate::unit::{Bitrate, Bytes, Duration, Instant};

    /// A link with its outbox, and the time of its next call.
    struct Driven {
        link: Link,
        out: Outbox<Effect>,
        wake: Option<Instant>,
        takes_short_way: bool,
        said: Vec<String>,
    }

    impl Driven {
        fn new(config: &Config, takes_short_way: bool) -> Self {
            let link = Link::new(config, Streams::new(1), "link");
            Self { link, out: Outbox::default(), wake: None, takes_short_way, said: Vec::new() }
        }

        fn on_packet(&mut self, now: Instant, packet: Box<Packet>) {
            let mut rest = Some(packet);
            if self.takes_short_way {
                match rest.take().map(|packet| self.link.carry(now, packet)) {
                    Some(Ok(wake)) => self.wake = wake.or(self.wake),
                    Some(Err(packet)) => rest = Some(packet),
                    None => {}
                }
            }
            if let Some(packet) = rest {
                self.link.on_packet(now, packet, &mut self.out);
            }
            self.hear(now);
        }

        fn on_timer(&mut self, now: Instant) {
            self.wake = None;
            let arrival = if self.takes_short_way { self.link.arrival(now) } else { None };
            if let Some((packet, wake)) = arrival {
                self.said.push(format!("{now:?} {packet:?}"));
                self.wake = wake;
            } else {
                self.link.on_timer(now, &mut self.out);
            }
            self.hear(now);
        }

        fn hear(&mut self, now: Instant) {
            match self.out.take_wake() {
                Wake::Unchanged => {}
                Wake::At(at) => self.wake = Some(at),
                Wake::Never => self.wake = None,
            }
            for effect in self.out.drain() {
                match effect {
                    Effect::Deliver(packet) => self.said.push(format!("{now:?} {packet:?}")),
                    other => self.said.push(format!("{now:?} {other:?}")),
                }
            }
        }
    }

    /// Both paths give the same results for the same packets at the same times: packets that find
    /// the link idle, that wait, that are dropped, that are fragmented, and several at once.
    #[test]
    fn the_short_way_is_the_long_one() {
        let rate = Bitrate::from_bps(8_000_000);
        let micros = Duration::from_micros;
        let configs = [
            Config { rate, delay: micros(500), ..Config::default() },
            Config { rate, queue: QueueLimit::Packets(3), ..Config::default() },
            Config { rate, queue: QueueLimit::Bytes(Bytes(4_000)), ..Config::default() },
            Config { rate, processing: micros(300), mtu: Bytes(900), ..Config::default() },
            Config { delay: micros(700), ..Config::default() },
            Config::default(),
        ];
        let mut random = Streams::new(7).open("plain", "test");
        for config in configs {
            let mut ways = [true, false].map(|short| Driven::new(&config, short));
            let mut now = Instant::ZERO;
            for number in 0..2_000 {
                now += micros(100 * random.below(20));
                let length = Bytes(100 + 100 * random.below(14));
                for way in &mut ways {
                    while let Some(wake) = way.wake.filter(|wake| *wake <= now) {
                        way.on_timer(wake);
                    }
                    let payload = length - Bytes(28);
                    let body = Body::Datagram(Datagram { number, payload });
                    way.on_packet(now, Box::new(Packet::plain(body, length, now)));
                }
                let [short, long] = &mut ways;
                assert_eq!(short.wake, long.wake);
                assert_eq!(short.link.held(), long.link.held());
                assert_eq!(short.link.queued(now), long.link.queued(now));
            }
            let [short, long] = ways;
            assert_eq!(short.said, long.said);
            assert_eq!(short.link.tally(), long.link.tally());
        }
    }
}
