//! Flow control between PDCP and the legs of a bearer (TS 38.425 §5.4.1, §5.5.2.2).
//!
//! In: bytes sent by the transmitter of a leg, period by period. Out: its desired buffer size, and
//! PDCP's knowledge of its queue.
//!
//! PDUs that are assigned to legs too early wait behind one another in the slower leg, and all
//! others wait for them in the receiver. So PDCP keeps a PDU until a leg wants it. The node of a
//! leg reports the bytes sent, and its desired buffer size: the bytes that it sends in a given
//! time, at its best recent rate. In the downlink of the leg that is not at PDCP's node this is the
//! DOWNLINK DATA DELIVERY STATUS, one per period, which arrives after the delay of X2. Everywhere
//! else transmitter and PDCP are in one node, and PDCP knows it at once.
//!
//! Left out: reports for other reasons than the period, lost PDUs and their retransmission from
//! PDCP, the desired data rate, an X2 whose load causes losses or delays. This matters for studies
//! of a congested X2.

use crate::unit::{Bytes, Duration};

/// Requests of the legs' nodes for PDUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Interval between two delivery statuses. The rate of a leg is measured over the same
    /// interval.
    pub period: Duration,
    /// Desired buffer size, as the time in which the leg sends it.
    pub desired_buffer: Duration,
}

/// Status of a bearer in the node of a leg.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// Bytes sent at least once (the highest transmitted sequence number, as bytes).
    pub sent: Bytes,
    /// Desired buffer size of the leg.
    pub desired: Bytes,
    /// Bytes that the leg sends in a period; zero while unknown.
    pub rate: Bytes,
}

/// Counts the bytes that a leg sends, in its node.
#[derive(Clone, Debug, Default)]
pub(super) struct Meter {
    received: Bytes,
    sent: Bytes,
    /// `sent` at the end of the last period.
    before: Bytes,
    /// Bytes waited at the end of the last period.
    was_busy: bool,
    rate: Bytes,
}

/// PDCP's knowledge of a leg.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct View {
    submitted: Bytes,
    status: Status,
}

impl Meter {
    /// Records a PDU that arrived at the leg.
    pub(super) fn receive(&mut self, size: Bytes) {
        self.received += size;
    }

    /// Returns the status while `unsent` bytes are not yet sent.
    pub(super) fn status(&mut self, config: &Config, unsent: Bytes) -> Status {
        // Bytes that RLC sends again from the beginning still count as sent.
        self.sent = self.sent.max(self.received.saturating_sub(unsent));
        let periods = (config.desired_buffer.as_nanos(), config.period.as_nanos());
        let desired = Bytes(scaled(self.rate.0, periods)).max(LEAST);
        Status { sent: self.sent, desired, rate: self.rate }
    }

    /// Ends a period, and returns the status.
    pub(super) fn end_period(&mut self, config: &Config, unsent: Bytes) -> Status {
        let sent = self.status(config, unsent).sent;
        let now = sent.saturating_sub(self.before);
        // An idle leg is not slower for having nothing to send.
        let is_busy = !unsent.is_zero();
        let decayed = if self.was_busy && is_busy {
            Bytes(self.rate.0 - (self.rate.0.saturating_sub(now.0)) / MEMORY)
        } else {
            self.rate
        };
        self.rate = decayed.max(now);
        (self.before, self.was_busy) = (sent, is_busy);
        self.status(config, unsent)
    }
}

impl View {
    /// Records a PDU that PDCP submitted to the leg.
    pub(super) fn submit(&mut self, size: Bytes) {
        self.submitted += size;
    }

    /// Records a status that arrived at PDCP.
    pub(super) fn on_status(&mut self, status: Status) {
        self.status = status;
    }

    /// Returns the bytes that the leg has not yet sent, as far as PDCP knows.
    pub(super) fn unsent(&self) -> Bytes {
        self.submitted.saturating_sub(self.status.sent)
    }

    /// Returns `true` if the leg wants another PDU.
    pub(super) fn has_room(&self) -> bool {
        self.unsent() < self.status.desired.max(LEAST)
    }

    /// Returns the time after which the leg would start to send a new PDU.
    pub(super) fn wait(&self, config: &Config) -> Duration {
        if self.status.rate.is_zero() {
            return Duration::ZERO;
        }
        let periods = (self.unsent().0, self.status.rate.0);
        Duration::from_nanos(scaled(config.period.as_nanos(), periods))
    }
}

/// `amount · numerator / denominator`
fn scaled(amount: u64, (numerator, denominator): (u64, u64)) -> u64 {
    (u128::from(amount) * u128::from(numerator) / u128::from(denominator)) as u64
}

/// Minimum desired buffer size, also that of a leg with unknown rate: three packets of 1500 bytes.
const LEAST: Bytes = Bytes(4500);
/// Time constant of the decay to a lower rate, in periods: each busy period removes an eighth of
/// the difference.
const MEMORY: u64 = 8;
