//! A filter in a UE that drops TCP acknowledgements which later ones supersede (Ohta et al., CSCN
//! 2018, doi 10.1109/CSCN.2018.8581802).
//!
//! In: the packets that enter one uplink bearer's queue, grants, the transport blocks of the
//! downlink. Out: the positions of the queued packets to drop.
//!
//! An acknowledgement may be dropped if a later one of its flow waits behind it that acknowledges
//! more and does not reduce the window ([`queue`]); so the newest one of each flow always stays.
//! Acknowledgements that contain more than a number are never dropped ([`class`]). The rule decides
//! which of the others are dropped:
//!
//! | rule | at an arrival ([`active`]) | at a grant ([`passive`]) |
//! |---|---|---|
//! | Basic | | |
//! | Passive, Granted | | a share, or all, of those that do not fit |
//! | Active, Highest | all beyond a threshold, or all but one | |
//! | Hybrid | all beyond a threshold | all that do not fit |
//! | Hybrid-opt | all beyond a threshold from the downlink's blocks ([`estimate`]) | all that do not fit |
//!
//! The owner of the bearer's queue calls the filter in the order of time.
//! [`AckFilter::on_arrival`]: the queue took a packet. [`AckFilter::on_grant`]: a block is about to
//! be filled. [`AckFilter::on_begun`]: packets left the front of the queue because their first byte
//! was sent. [`AckFilter::on_expired`] and [`AckFilter::on_restored`]: the queue has changed
//! otherwise. Positions are returned from the last to the first, so that each one is still correct
//! after the removals before it.
//!
//! Left out: a buffer status report after packets are dropped. None is due (TS 36.321 §5.4.5), so
//! the eNB grants too much until the next one. This matters for counting padding.

pub mod active;
pub mod class;
pub mod estimate;
pub mod passive;
pub mod queue;
mod threshold;

pub use active::Scope;
pub use estimate::{Block, Target};
pub use passive::{Grant, Ratio};
pub use threshold::Threshold;

use active::{Active, Limit};
use class::Classifier;
use estimate::Estimate;
use passive::Passive;
use queue::Queue;

use crate::net::Packet;
use crate::record::{columns, table};
use crate::unit::{Bytes, Instant};

/// The acknowledgements to drop.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Rule {
    /// Drops no acknowledgement.
    #[default]
    Basic,
    /// Drops this share of those that do not fit, at a grant.
    Passive(Ratio),
    /// Drops all that do not fit, at a grant: Passive with ratio 1.
    Granted,
    /// Drops all beyond this number, at an arrival.
    Active(Threshold),
    /// Drops all but the newest, at an arrival: Active with threshold 1.
    Highest,
    /// Active with this threshold, then Granted.
    Hybrid(Threshold),
    /// Hybrid with a threshold that follows the downlink.
    HybridOpt(Target),
}

/// The configuration of a filter.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Config {
    /// The acknowledgements to drop.
    pub rule: Rule,
    /// The acknowledgements that a threshold counts together.
    pub scope: Scope,
}

/// The filter of one uplink bearer.
#[derive(Clone, Debug)]
pub struct AckFilter {
    classifier: Classifier,
    queue: Queue,
    active: Option<Active>,
    passive: Option<Passive>,
    counts: Counts,
}

columns! {
    /// Pure ACKs in one uplink queue: generated = discarded + expired + sent + held.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub Counts {
        /// Number of pure ACKs that entered the uplink queue.
        generated: u64,
        /// Number of pure ACKs that the filter dropped when another one arrived.
        discarded_active: u64,
        /// Number of pure ACKs that the filter dropped at a grant.
        discarded_passive: u64,
        /// Number of pure ACKs that the PDCP discard timer dropped.
        expired: u64,
        /// Number of pure ACKs of which at least the first byte was sent.
        sent: u64,
    }
}

table! {
    /// Pure ACKs in the ACK filter of one uplink bearer, if the scenario has such filters:
    /// generated = discarded + expired + sent + held.
    ack_filters: pub(super) AckFilterRow {
        /// Name of the UE.
        ue: String,
        /// Number of the bearer within its UE; 0 is the default bearer.
        bearer: u64,
        /// Counters.
        counts: Counts,
        /// Number of pure ACKs in the uplink queue at the end of the run.
        held: u64,
        /// Threshold of queued ACKs at the end of the run; missing if any number may be queued.
        threshold: Option<u64>,
    }
}

impl AckFilter {
    /// Creates a filter for an empty queue. `scope`: the acknowledgements that a threshold counts
    /// together.
    pub fn new(rule: Rule, scope: Scope) -> Self {
        let active = |limit| Some(Active::new(limit, scope));
        let fixed = |threshold| active(Limit::Fixed(threshold));
        let (active, passive) = match rule {
            Rule::Basic => (None, None),
            Rule::Passive(ratio) => (None, Some(Passive::new(ratio))),
            Rule::Granted => (None, Some(Passive::new(Ratio::ALL))),
            Rule::Active(threshold) => (fixed(threshold), None),
            Rule::Highest => (fixed(Threshold::ONE), None),
            Rule::Hybrid(threshold) => (fixed(threshold), Some(Passive::new(Ratio::ALL))),
            Rule::HybridOpt(target) => {
                let limit = Limit::Estimated(Estimate::new(target));
                (active(limit), Some(Passive::new(Ratio::ALL)))
            }
        };
        let (classifier, queue) = (Classifier::default(), Queue::default());
        Self { classifier, queue, active, passive, counts: Counts::default() }
    }

    /// Processes a packet of `size` bytes (as an SDU) that was put at the end of the queue. Clears
    /// `discard` and writes the positions of the packets to drop to it.
    pub fn on_arrival(&mut self, packet: &Packet, size: Bytes, discard: &mut Vec<usize>) {
        discard.clear();
        let entry = self.classifier.classify(packet, size);
        self.counts.generated += u64::from(entry.is_pure());
        let flow = entry.flow();
        self.queue.push(entry);
        if let Some(active) = &self.active {
            active.on_arrival(flow, &mut self.queue, discard);
            self.counts.discarded_active += discard.len() as u64;
        }
    }

    /// Processes a grant that is about to be filled. Clears `discard` and writes the positions of
    /// the packets to drop to it.
    pub fn on_grant(&mut self, grant: Grant, discard: &mut Vec<usize>) {
        discard.clear();
        if let Some(passive) = &mut self.passive {
            passive.on_grant(grant, &mut self.queue, discard);
            self.counts.discarded_passive += discard.len() as u64;
        }
    }

    /// Removes the first `count` packets: their first byte was sent.
    pub fn on_begun(&mut self, count: usize) {
        self.counts.sent += self.queue.pop(count);
    }

    /// Removes the packet at this position, which the queue dropped for another reason (PDCP's
    /// discard timer, TS 36.323 §5.4).
    pub fn on_expired(&mut self, place: usize) {
        self.counts.expired += u64::from(self.queue.remove(place));
    }

    /// Puts `count` packets back to the front of the queue, after a failure of the radio link (TS
    /// 36.323 §5.2.1.1). They count as sent and are never dropped.
    pub fn on_restored(&mut self, count: usize) {
        self.queue.restore(count);
    }

    /// Processes a downlink block that the UE received.
    pub fn on_block(&mut self, now: Instant, block: Block) {
        if let Some(Limit::Estimated(estimate)) = self.active.as_mut().map(Active::limit_mut) {
            estimate.on_block(now, block);
        }
    }

    /// Returns the maximum number of pure acknowledgements that may wait now. `None`: unlimited.
    pub fn threshold(&self) -> Option<Threshold> {
        self.active.as_ref().and_then(Active::threshold)
    }

    /// Returns the number of pure acknowledgements in the queue.
    pub fn held(&self) -> u64 {
        self.queue.pure(None).count() as u64
    }

    /// Returns the number of packets in the queue, as the filter knows it.
    pub fn queued(&self) -> usize {
        self.queue.len()
    }

    /// Returns the counts of pure acknowledgements by their end.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Returns the table row of this filter, for bearer number `bearer`.
    pub(super) fn row(&self, ue: &str, bearer: usize) -> AckFilterRow {
        AckFilterRow {
            ue: ue.to_owned(),
            bearer: bearer as u64,
            counts: self.counts,
            held: self.held(),
            threshold: self.threshold().map(|threshold| threshold.acknowledgements() as u64),
        }
    }
}

#[cfg(test)]
mod tests;
