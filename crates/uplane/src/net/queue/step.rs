//! Marking by sojourn time: first in, first out, and a mark for each packet that has waited too
//! long. A base station does this for a QoS flow with "ECN marking for L4S" (TS 23.501 §5.37.3).
//!
//! In: packets; the time of each turn to send. Out: the packets in order, some of them marked.
//!
//! The specification leaves the rule of a base station open; a step is the simplest one, and
//! DCTCP's.
//!
//! Left out: a second queue. Other traffic shares the queue with an L4S sender, and its backlog
//! causes marks for the L4S sender; [`super::dual_pi2`] keeps them apart.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::store::Store;
use super::{Facts, Waiting};
use crate::net::Ecn;
use crate::unit::range::within;
use crate::unit::{Duration, Instant};

/// Parameters of step marking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "Step")]
pub struct Config {
    /// Queueing delay beyond which each ECN-capable packet is marked, as `ect0` allows. Other
    /// packets are neither marked nor dropped.
    #[schemars(transform = within("1 us", "10 s"))]
    pub threshold: Duration,
    /// Marks packets with ECT(0) too, whose senders react to a mark as to a loss. If false, only
    /// packets with ECT(1) are marked, which L4S senders use.
    pub ect0: bool,
}

impl Default for Config {
    /// Returns the step of RFC 9332 appendix A.1, in the middle of its ramp.
    fn default() -> Self {
        Self { threshold: Duration::from_millis(1), ect0: false }
    }
}

/// A queue with step marking.
#[derive(Clone, Debug)]
pub struct Step<T> {
    config: Config,
    store: Store<T>,
}

impl<T: Waiting> Step<T> {
    pub(super) fn new(config: Config) -> Self {
        Self { config, store: Store::default() }
    }

    pub(super) fn enqueue(&mut self, now: Instant, item: T) {
        self.store.push(now, item);
    }

    pub(super) fn dequeue(&mut self, now: Instant, facts: &mut Facts<T>) -> Option<T> {
        let (arrived, mut item) = self.store.pop()?;
        let is_meant = match item.packet().ecn() {
            Ecn::Ect1 => true,
            Ecn::Ect0 => self.config.ect0,
            Ecn::NotEct | Ecn::Ce => false,
        };
        if is_meant && now - arrived > self.config.threshold {
            facts.mark(&mut item);
        }
        Some(item)
    }

    /// Returns the packets that wait, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.store.iter()
    }

    /// Returns the packets that wait, in order, mutable.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.store.iter_mut()
    }

    /// Returns the arrival time of the oldest packet.
    pub(super) fn oldest(&self) -> Option<Instant> {
        self.store.oldest()
    }
}

#[cfg(test)]
mod tests {
    use crate::net::queue::testing::{Arrival, Fate, every, serve};
    use crate::net::queue::{Aqm, QueueLimit};
    use crate::unit::Duration;

    /// Packets of 1 ms each arrive in half that time: the third waits 1 ms, the fourth 1.5 ms.
    #[test]
    fn each_packet_that_has_waited_too_long_is_marked() {
        let marks = |tos, ect0| {
            let config = super::Config { ect0, ..super::Config::default() };
            let arrivals: Vec<_> = every(500, 9).iter().map(|it| Arrival { tos, ..*it }).collect();
            let fates = serve(Aqm::Step(config), QueueLimit::Unlimited, 1000, &arrivals);
            let late = Duration::from_millis(1);
            for (_, fate) in &fates {
                let Fate::Sent(wait, marked) = fate else { panic!("nothing is dropped") };
                assert!(!marked || *wait > late);
            }
            fates.iter().filter(|it| matches!(it.1, Fate::Sent(_, true))).count()
        };
        assert_eq!(
            [marks(1, false), marks(2, false), marks(2, true), marks(0, true)],
            [6, 0, 6, 0]
        );
    }
}
