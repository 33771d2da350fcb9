//! CoDel, controlled delay (RFC 8289).
//!
//! In: packets; the time of each turn to send. Out: the packet that is sent; packets marked or
//! dropped at the head.
//!
//! The waiting time of packets shows whether the queue is a standing one. If all packets of one
//! interval have waited longer than the target, one packet is dropped. Further ones are dropped at
//! intervals that shrink with the square root of their number, until a packet has waited less.
//!
//! Names are those of the pseudocode in RFC 8289 §5. A packet that can be marked is marked instead
//! of dropped, and sent.
//!
//! Left out: nothing of the pseudocode. `maxpacket` is the longest packet received so far, and not
//! the MTU of an interface, which a bearer does not have. This matters for a sender that sends only
//! small packets.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::store::Store;
use super::{Facts, Waiting};
use crate::unit::range::within;
use crate::unit::{Bytes, Duration, Instant};

/// Parameters of CoDel (RFC 8289 §4.2, §4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "Codel")]
pub struct Config {
    /// Acceptable queueing delay (`TARGET`, RFC 8289 §4.2). CoDel drops or marks no packet while
    /// the delay falls below it at least once in each `interval`.
    #[schemars(transform = within("1 ns", "10 s"))]
    pub target: Duration,
    /// Time for which the queueing delay must exceed `target` before CoDel drops or marks the first
    /// packet, about the maximum round-trip time (`INTERVAL`, RFC 8289 §4.3).
    #[schemars(transform = within("1 ns", "100 s"))]
    pub interval: Duration,
    /// Marks ECN-capable packets instead of dropping them (RFC 3168). If false, CoDel drops them
    /// like all others.
    pub ecn: bool,
}

/// One queue with its controller.
#[derive(Clone, Debug)]
pub struct Codel<T> {
    store: Store<T>,
    controller: Controller,
}

#[derive(Clone, Debug)]
struct Controller {
    config: Config,
    maxpacket: Bytes,
    first_above_time: Option<Instant>,
    dropping: bool,
    drop_next: Instant,
    count: u32,
    lastcount: u32,
}

/// The result of `dodeque`.
struct Head<T> {
    item: Option<T>,
    ok_to_drop: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self { target: Duration::from_millis(5), interval: Duration::from_millis(100), ecn: true }
    }
}

impl<T: Waiting> Codel<T> {
    pub(super) fn new(config: Config) -> Self {
        Self { store: Store::default(), controller: Controller::new(config) }
    }

    pub(super) fn enqueue(&mut self, now: Instant, item: T) {
        self.controller.maxpacket = self.controller.maxpacket.max(item.length());
        self.store.push(now, item);
    }

    /// Returns the next packet (RFC 8289 §5.5, `deque`).
    pub(super) fn dequeue(&mut self, now: Instant, facts: &mut Facts<T>) -> Option<T> {
        let mut head = self.dodeque(now);
        if self.controller.dropping {
            self.controller.dropping = head.ok_to_drop;
            while self.controller.dropping && now >= self.controller.drop_next {
                self.controller.count += 1;
                let was_dropped = self.mark_or_drop(now, &mut head, facts);
                self.controller.dropping = head.ok_to_drop;
                if head.ok_to_drop {
                    self.controller.drop_next = self.controller.law(self.controller.drop_next);
                }
                if !was_dropped {
                    break;
                }
            }
        } else if head.ok_to_drop {
            self.mark_or_drop(now, &mut head, facts);
            self.controller.start(now);
        }
        head.item
    }

    /// Returns the head, and whether all packets have waited too long for an interval (RFC 8289
    /// §5.6, `dodeque`).
    fn dodeque(&mut self, now: Instant) -> Head<T> {
        let controller = &mut self.controller;
        let Some((arrived, item)) = self.store.pop() else {
            controller.first_above_time = None;
            return Head { item: None, ok_to_drop: false };
        };
        let is_good =
            now - arrived < controller.config.target || self.store.bytes() <= controller.maxpacket;
        if is_good {
            controller.first_above_time = None;
            return Head { item: Some(item), ok_to_drop: false };
        }
        let later = now + controller.config.interval;
        let first_above_time = *controller.first_above_time.get_or_insert(later);
        Head { item: Some(item), ok_to_drop: now >= first_above_time }
    }

    /// Marks the head, or drops it and takes the next one. Returns `true` for a drop.
    fn mark_or_drop(&mut self, now: Instant, head: &mut Head<T>, facts: &mut Facts<T>) -> bool {
        let Some(mut item) = head.item.take() else { return false };
        if self.controller.config.ecn && facts.mark(&mut item) {
            head.item = Some(item);
            return false;
        }
        facts.drop_early(item);
        *head = self.dodeque(now);
        true
    }

    /// Returns the number of bytes that wait.
    pub(super) fn bytes(&self) -> Bytes {
        self.store.bytes()
    }

    /// Removes the head, to be dropped because the queue is full. The controller does not count it.
    pub(super) fn drop_head(&mut self) -> Option<T> {
        self.store.pop().map(|(_, item)| item)
    }

    /// Returns the arrival time of the oldest packet.
    pub(super) fn oldest(&self) -> Option<Instant> {
        self.store.oldest()
    }

    /// Returns the packets that wait, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.store.iter()
    }

    /// Returns the packets that wait, in order, mutable.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.store.iter_mut()
    }
}

impl Controller {
    fn new(config: Config) -> Self {
        Self {
            config,
            maxpacket: Bytes::ZERO,
            first_above_time: None,
            dropping: false,
            drop_next: Instant::ZERO,
            count: 0,
            lastcount: 0,
        }
    }

    /// Enters the dropping state: near where the last one ended, if that was not long ago.
    fn start(&mut self, now: Instant) {
        self.dropping = true;
        let delta = self.count.saturating_sub(self.lastcount);
        let recent = now.saturating_since(self.drop_next) < self.config.interval * 16;
        self.count = if delta > 1 && recent { delta } else { 1 };
        self.drop_next = self.law(now);
        self.lastcount = self.count;
    }

    /// Returns the time of the next drop (RFC 8289 §5.4, `control_law`), rounded down to
    /// nanoseconds. Square root and division are exactly rounded on every platform (IEEE 754).
    fn law(&self, time: Instant) -> Instant {
        let interval = self.config.interval.as_nanos() as f64;
        time + Duration::from_nanos((interval / f64::from(self.count).sqrt()) as u64)
    }
}

#[cfg(test)]
mod tests;
