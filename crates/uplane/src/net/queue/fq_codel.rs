//! FQ-CoDel: a queue with CoDel for each flow, served round robin (RFC 8290).
//!
//! In: packets; the time of each turn to send. Out: the packet that is sent; packets marked or
//! dropped at the head of their queue.
//!
//! A flow is a hash of addresses, protocol and ports, so two flows may share a queue. A queue that
//! was empty is new, and precedes the old ones until it has used its quantum: a flow that sends
//! less than a quantum per round does not wait for the others. If all queues together are too long,
//! packets are dropped from the head of the longest one.
//!
//! Names are those of RFC 8290 §4. In a tunnel all packets are one flow, since a router sees only
//! the outer header; so are all fragments between two hosts.
//!
//! Left out: nothing of RFC 8290 §4. The hash (§6) is our own, with a number that is drawn for each
//! queue.

use std::collections::VecDeque;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::codel::{self, Codel};
use super::{Facts, QueueLimit, Waiting};
use crate::net::packet::{Body, Packet};
use crate::net::tally::DropCause;
use crate::unit::range::within;
use crate::unit::{Bytes, Duration, Instant};

/// Parameters of FQ-CoDel (RFC 8290 §5.2). The limit of all queues together is that of the link or
/// bearer; the RFC has 10240 packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "FqCodel")]
pub struct Config {
    /// Acceptable queueing delay of each flow's queue (`TARGET`, RFC 8289 §4.2). CoDel drops or
    /// marks no packet of a flow while its delay falls below it at least once in each `interval`.
    #[schemars(transform = within("1 ns", "10 s"))]
    pub target: Duration,
    /// Time for which the queueing delay of a flow must exceed `target` before CoDel drops or marks
    /// its first packet, about the maximum round-trip time (`INTERVAL`, RFC 8289 §4.3).
    #[schemars(transform = within("1 ns", "100 s"))]
    pub interval: Duration,
    /// Number of bytes that a flow's queue may send in one round before the next flow's turn (RFC
    /// 8290 §5.2.4). Each packet counts with the 14 bytes of an Ethernet header. Default 1514 B,
    /// one full frame.
    #[schemars(transform = within("1 B", "1 MB"))]
    pub quantum: Bytes,
    /// Number of queues to which flows are hashed (RFC 8290 §5.2.5). Flows with the same hash share
    /// a queue; with 1, all flows do.
    #[schemars(transform = within(1, 65_536).unit("queues"))]
    pub flows: u32,
    /// Marks ECN-capable packets instead of dropping them (RFC 3168). If false, CoDel drops them
    /// like all others.
    pub ecn: bool,
}

impl Default for Config {
    fn default() -> Self {
        let codel::Config { target, interval, ecn } = codel::Config::default();
        Self { target, interval, quantum: Bytes(1514), flows: 1024, ecn }
    }
}

/// The queues of all flows.
#[derive(Clone, Debug)]
pub struct FqCodel<T> {
    quantum: i64,
    /// Number drawn at random, so that the flows that share a queue differ from run to run.
    perturbation: u64,
    queues: Vec<Flow<T>>,
    new_flows: VecDeque<usize>,
    old_flows: VecDeque<usize>,
}

/// The queue of one flow, with its own CoDel.
#[derive(Clone, Debug)]
struct Flow<T> {
    codel: Codel<T>,
    /// Number of bytes that the flow may still send in this round.
    credits: i64,
    is_active: bool,
}

impl<T: Waiting> FqCodel<T> {
    pub(super) fn new(config: Config, perturbation: u64) -> Self {
        let Config { target, interval, quantum, flows, ecn } = config;
        let flow = |_| Flow {
            codel: Codel::new(codel::Config { target, interval, ecn }),
            credits: 0,
            is_active: false,
        };
        Self {
            quantum: quantum.0.cast_signed(),
            perturbation,
            queues: (0..flows).map(flow).collect(),
            new_flows: VecDeque::new(),
            old_flows: VecDeque::new(),
        }
    }

    /// Queues a packet (RFC 8290 §4.1).
    pub(super) fn enqueue(
        &mut self,
        now: Instant,
        item: T,
        limit: QueueLimit,
        facts: &mut Facts<T>,
    ) {
        let number = self.queue_of(item.packet());
        let flow = &mut self.queues[number];
        flow.codel.enqueue(now, item);
        if !flow.is_active {
            (flow.is_active, flow.credits) = (true, self.quantum);
            self.new_flows.push_back(number);
        }
        while !limit.holds(facts.waiting) {
            self.drop_from_longest(limit, facts);
        }
    }

    /// Returns the next packet (RFC 8290 §4.2).
    pub(super) fn dequeue(&mut self, now: Instant, facts: &mut Facts<T>) -> Option<T> {
        loop {
            let is_new = !self.new_flows.is_empty();
            let list = if is_new { &mut self.new_flows } else { &mut self.old_flows };
            let number = *list.front()?;
            let flow = &mut self.queues[number];
            if flow.credits <= 0 {
                flow.credits += self.quantum;
                list.pop_front();
                self.old_flows.push_back(number);
                continue;
            }
            if let Some(item) = flow.codel.dequeue(now, facts) {
                flow.credits -= (item.length() + ETHERNET_HEADER).0.cast_signed();
                return Some(item);
            }
            list.pop_front();
            // A new queue that is empty becomes an old one for one round; otherwise a flow could
            // always be new.
            if is_new && !self.old_flows.is_empty() {
                self.old_flows.push_back(number);
            } else {
                flow.is_active = false;
            }
        }
    }

    /// Returns the arrival time of the oldest packet.
    pub(super) fn oldest(&self) -> Option<Instant> {
        let active = self.new_flows.iter().chain(&self.old_flows);
        active.filter_map(|&number| self.queues[number].codel.oldest()).min()
    }

    /// Returns the packets that wait, queue by queue.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.queues.iter().flat_map(|flow| flow.codel.iter())
    }

    /// Returns the packets that wait, queue by queue, mutable.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.queues.iter_mut().flat_map(|flow| flow.codel.iter_mut())
    }

    /// Drops half of the longest queue, at most 64 packets, or the excess (RFC 8290 §4.1).
    fn drop_from_longest(&mut self, limit: QueueLimit, facts: &mut Facts<T>) {
        let active = self.new_flows.iter().chain(&self.old_flows);
        let longest = active.copied().max_by_key(|&number| {
            // The first one of equals.
            (self.queues[number].codel.bytes(), usize::MAX - number)
        });
        let codel = &mut self.queues[longest.expect("a packet waits somewhere")].codel;
        let half = Bytes(codel.bytes().0 / 2);
        for number in 0..MOST_DROPS {
            if number > 0 && (codel.bytes() <= half || limit.holds(facts.waiting)) {
                return;
            }
            let Some(item) = codel.drop_head() else { return };
            facts.drop(item, DropCause::Queue);
        }
    }

    /// Returns the queue of a packet's flow (RFC 8290 §4.1.1).
    fn queue_of(&self, packet: &Packet) -> usize {
        let (kind, ports) = match (&packet.tunnel, &packet.body) {
            (Some(_), _) => (0, 0),
            (None, Body::Fragment(_)) => (1, 0),
            (None, Body::Tcp(_)) => {
                (6, u64::from(packet.ports.0) << 16 | u64::from(packet.ports.1))
            }
            (None, Body::Datagram(_) | Body::Quic(_)) => {
                (17, u64::from(packet.ports.0) << 16 | u64::from(packet.ports.1))
            }
            (None, Body::Echo(_) | Body::TooBig(_)) => (2, 0),
        };
        let hosts = match packet.tunnel {
            Some(_) => 0,
            None => u64::from(packet.source.0) << 32 | u64::from(packet.destination.0),
        };
        let hash = mix(mix(mix(self.perturbation) ^ hosts) ^ (ports << 8 | kind));
        ((u128::from(hash) * self.queues.len() as u128) >> 64) as usize
    }
}

/// Spreads the bits of a number over all others (the finaliser of SplitMix64, Steele et al. 2014).
const fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// Maximum number of packets dropped at once (RFC 8290 §4.1).
const MOST_DROPS: u32 = 64;
/// Length of the Ethernet header that a quantum counts with each packet (RFC 8290 §5.2.4).
const ETHERNET_HEADER: Bytes = Bytes(14);

#[cfg(test)]
mod tests;
