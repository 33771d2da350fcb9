//! DualPI2: two queues with coupled marking, for L4S senders and all others (RFC 9332).
//!
//! In: packets; the time of each turn to send. Out: the packet that is sent; packets marked or
//! dropped at the head of their queue.
//!
//! Packets with ECT(1) or a mark go to the low-latency queue, all others to the classic one (RFC
//! 9331 §5). A PI controller of the longer queue's delay gives `p'`. Classic packets are marked or
//! dropped with its square, those of the other queue are marked with `k` times it, so that senders
//! of both kinds get the same rate. The low-latency queue also marks by a step: all packets that
//! have waited longer than that.
//!
//! Names are those of RFC 9332 appendix A. The queues are served by weighted round robin, which
//! gives the classic one at least its share (§4.2.2).
//!
//! Left out: the ramp that appendix A.1 has around the step, whose length of 400 µs is shorter than
//! most links' packets; and packets with identifiers other than ECN in the low-latency queue
//! (§2.5.1.1). This matters for links beyond 100 Mbit/s, and for DSCPs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::store::Store;
use super::{Facts, Waiting};
use crate::net::Ecn;
use crate::unit::range::{above, within};
use crate::unit::{Duration, Instant, Probability};

/// Parameters of DualPI2 (RFC 9332 appendix A.1).
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "DualPi2")]
pub struct Config {
    /// Target queueing delay of the PI controller (`target`, RFC 9332 appendix A.1). The controller
    /// compares it with the waiting time of the oldest packet of both queues, and sets the
    /// probabilities of drops and marks.
    #[schemars(transform = within("1 us", "10 s"))]
    pub target: Duration,
    /// Maximum round-trip time for which the PI controller must be stable (`RTT_max`, RFC 9332
    /// appendix A.1): a larger value makes it react more slowly. `Tupdate` is the shorter of
    /// `target` and `RTT_max / 3`. The gains are `alpha = 0.1 · Tupdate / RTT_max²` and `beta = 0.3
    /// / RTT_max`.
    #[schemars(transform = within("1 ms", "100 s"))]
    pub rtt_max: Duration,
    /// Coupling factor `k`: the low-latency queue marks with the probability `k · p'`, the classic
    /// queue drops or marks with `p'²` (RFC 9332 §2.1). A larger value gives the low-latency queue
    /// more marks, and so less throughput.
    #[schemars(transform = within(0.5, 10).unit("times p'"))]
    pub coupling: f64,
    /// Queueing delay beyond which every packet of the low-latency queue is marked, if another
    /// packet waits behind it. Below this delay, marks come from the coupling to the classic queue
    /// alone.
    #[schemars(transform = within("1 us", "1 s"))]
    pub step: Duration,
    /// Minimum ratio of the capacity of the link or bearer that the classic queue gets while both
    /// queues have packets (tc-dualpi2(8), `classic_protection`).
    #[schemars(transform = above(0, 1))]
    pub classic_share: Probability,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            target: Duration::from_millis(15),
            rtt_max: Duration::from_millis(100),
            coupling: 2.0,
            step: Duration::from_millis(1),
            classic_share: Probability::new(0.1).expect("a share"),
        }
    }
}

/// Both queues and the controller.
#[derive(Clone, Debug)]
pub struct DualPi2<T> {
    config: Config,
    /// `lq`: the low-latency queue.
    low: Lane<T>,
    /// `cq`: the classic queue.
    classic: Lane<T>,
    controller: Controller,
    /// Number of bytes by which the classic queue is behind its share.
    owed: f64,
}

/// One queue, and its deterministic draws.
#[derive(Clone, Debug)]
struct Lane<T> {
    store: Store<T>,
    /// `count` of `recur`.
    count: f64,
}

#[derive(Clone, Debug)]
struct Controller {
    target: f64,
    alpha: f64,
    beta: f64,
    t_update: Duration,
    next: Instant,
    /// `p'`: the base probability.
    base: f64,
    /// `prevq`: the previous queueing delay, in seconds.
    previous: f64,
}

/// The decision about a packet at the head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Send,
    Mark,
    Drop,
}

impl<T: Waiting> DualPi2<T> {
    pub(super) fn new(config: Config) -> Self {
        Self {
            low: Lane::default(),
            classic: Lane::default(),
            controller: Controller::new(config),
            owed: 0.0,
            config,
        }
    }

    /// Queues a packet (RFC 9332 §2.3).
    pub(super) fn enqueue(&mut self, now: Instant, item: T) {
        self.update(now);
        let lane = match item.packet().ecn() {
            Ecn::Ect1 | Ecn::Ce => &mut self.low,
            Ecn::NotEct | Ecn::Ect0 => &mut self.classic,
        };
        lane.store.push(now, item);
    }

    /// Returns the next packet (RFC 9332 appendix A, `dualpi2_dequeue`).
    pub(super) fn dequeue(&mut self, now: Instant, facts: &mut Facts<T>) -> Option<T> {
        self.update(now);
        loop {
            let is_low = self.is_low_next()?;
            let lane = if is_low { &mut self.low } else { &mut self.classic };
            let (arrived, mut item) = lane.store.pop()?;
            let verdict = if is_low {
                self.of_low(now - arrived)
            } else {
                self.of_classic(item.packet().ecn())
            };
            match verdict {
                Verdict::Drop => {
                    facts.drop_early(item);
                    continue;
                }
                Verdict::Mark => {
                    facts.mark(&mut item);
                }
                Verdict::Send => {}
            }
            self.account(is_low, item.length().0 as f64);
            return Some(item);
        }
    }

    /// Returns the packets that wait, queue by queue.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.low.store.iter().chain(self.classic.store.iter())
    }

    /// Returns the packets that wait, queue by queue, mutable.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.low.store.iter_mut().chain(self.classic.store.iter_mut())
    }

    /// Returns the arrival time of the oldest packet.
    pub(super) fn oldest(&self) -> Option<Instant> {
        Instant::sooner(self.low.store.oldest(), self.classic.store.oldest())
    }

    /// Returns whether the low-latency queue is next, by weighted round robin. `None` if no packet
    /// waits.
    fn is_low_next(&mut self) -> Option<bool> {
        match (self.low.store.is_empty(), self.classic.store.is_empty()) {
            (true, true) => None,
            (false, false) => Some(self.owed <= 0.0),
            (is_classic, _) => {
                self.owed = 0.0;
                Some(!is_classic)
            }
        }
    }

    fn account(&mut self, is_low: bool, bytes: f64) {
        let share = self.config.classic_share.value();
        self.owed += if is_low { share * bytes } else { (share - 1.0) * bytes };
    }

    /// Decides about a packet of the low-latency queue. If the coupled probability is saturated it
    /// is dropped like a classic one, and else marked (appendix A.2).
    fn of_low(&mut self, sojourn: Duration) -> Verdict {
        let coupled = self.config.coupling * self.controller.base;
        if coupled >= 1.0 {
            let is_struck = self.low.recur(self.controller.classic());
            return if is_struck { Verdict::Drop } else { Verdict::Mark };
        }
        // A single packet is no queue (`Th_len`).
        let is_late = sojourn > self.config.step && !self.low.store.is_empty();
        let native = if is_late { 1.0 } else { 0.0 };
        if self.low.recur(coupled.max(native)) { Verdict::Mark } else { Verdict::Send }
    }

    /// Decides about a packet of the classic queue. Beyond `p_Cmax` it is dropped although it could
    /// be marked.
    fn of_classic(&mut self, ecn: Ecn) -> Verdict {
        let probability = self.controller.classic();
        let highest = (1.0 / (self.config.coupling * self.config.coupling)).min(1.0);
        if !self.classic.recur(probability) {
            Verdict::Send
        } else if ecn == Ecn::NotEct || probability >= highest {
            Verdict::Drop
        } else {
            Verdict::Mark
        }
    }

    /// Makes all updates that were due. The queues do not change between two calls, so each update
    /// sees the same state as it would have in time.
    fn update(&mut self, now: Instant) {
        let oldest = self.oldest();
        while self.controller.next <= now {
            let at = self.controller.next;
            if oldest.is_none() && self.controller.is_at_rest() {
                let missed = (now - at).as_nanos() / self.controller.t_update.as_nanos();
                self.controller.next = at + self.controller.t_update * (missed + 1);
                return;
            }
            let delay = oldest.map_or(Duration::ZERO, |arrived| at.saturating_since(arrived));
            self.controller.on_update(delay.as_secs_f64());
        }
    }
}

impl Controller {
    fn new(config: Config) -> Self {
        let rtt_max = config.rtt_max.as_secs_f64();
        let t_update = config.target.min(config.rtt_max / 3);
        Self {
            target: config.target.as_secs_f64(),
            alpha: 0.1 * t_update.as_secs_f64() / (rtt_max * rtt_max),
            beta: 0.3 / rtt_max,
            t_update,
            next: Instant::ZERO + t_update,
            base: 0.0,
            previous: 0.0,
        }
    }

    /// Updates `p'` for the delay of the longer queue in seconds (RFC 9332 appendix A,
    /// `dualpi2_update`).
    fn on_update(&mut self, delay: f64) {
        let change = self.alpha * (delay - self.target) + self.beta * (delay - self.previous);
        self.base = (self.base + change).clamp(0.0, 1.0);
        self.previous = delay;
        self.next += self.t_update;
    }

    /// Returns `p_C`, the probability of the classic queue.
    fn classic(&self) -> f64 {
        self.base * self.base
    }

    /// Returns `true` if nothing changes while the queues are empty.
    fn is_at_rest(&self) -> bool {
        self.base <= 0.0 && self.previous <= 0.0
    }
}

impl<T> Default for Lane<T> {
    fn default() -> Self {
        Self { store: Store::default(), count: 0.0 }
    }
}

impl<T> Lane<T> {
    /// Returns `true` as often as the likelihood says, evenly spread (RFC 9332 appendix A,
    /// `recur`).
    fn recur(&mut self, likelihood: f64) -> bool {
        self.count += likelihood;
        let is_struck = self.count > 1.0;
        if is_struck {
            self.count -= 1.0;
        }
        is_struck
    }
}

#[cfg(test)]
mod tests;
