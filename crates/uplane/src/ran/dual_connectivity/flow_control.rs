//! Flow control between PDCP and the legs of a bearer (TS 38.425 §5.4.1, §5.5.2.2).
//!
//! In: what the transmitter of a leg has sent, period by period. Out: how much it wants to have in
//! its queue, and what PDCP knows of that.
//!
//! PDUs of which the legs are sure too early wait behind one another in the slower leg, and all
//! others wait for them in the receiver. So PDCP keeps a PDU until a leg wants it. The node of a
//! leg tells what it has sent, and its desired buffer size: what it sends in a given time, at the
//! best rate of late. In the downlink of the leg that is not at PDCP's node this is the DOWNLINK
//! DATA DELIVERY STATUS, one a period, which crosses X2 and is as old as that; everywhere else
//! transmitter and PDCP are in one node and it is known at once.
//!
//! Left out: reports for other reasons than the period, lost PDUs and their retransmission from
//! PDCP, the desired data rate, X2 that loses or delays by its load. Who studies a congested X2 can
//! tell.

use crate::unit::{Bytes, Duration};

/// How the nodes of legs ask for PDUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// From one delivery status to the next; the rate of a leg is measured over the same time.
    pub period: Duration,
    /// The desired buffer size as the time in which the leg sends it.
    pub desired_buffer: Duration,
}

/// What the node of a leg says of a bearer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// All bytes sent at least once (the highest transmitted sequence number, as bytes).
    pub sent: Bytes,
    /// The desired buffer size.
    pub desired: Bytes,
    /// What the leg sends in a period; none while that is not known.
    pub rate: Bytes,
}

/// The node of a leg: counts what it sends.
#[derive(Clone, Debug, Default)]
pub(super) struct Meter {
    received: Bytes,
    sent: Bytes,
    /// `sent` at the last period, and whether something waited then.
    before: Bytes,
    was_busy: bool,
    rate: Bytes,
}

/// What PDCP knows of a leg.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct View {
    submitted: Bytes,
    status: Status,
}

impl Meter {
    /// A PDU comes to the leg.
    pub(super) fn receive(&mut self, size: Bytes) {
        self.received += size;
    }

    /// The status while so much is unsent.
    pub(super) fn status(&mut self, config: &Config, unsent: Bytes) -> Status {
        // What RLC sends again from the beginning has been sent.
        self.sent = self.sent.max(self.received.saturating_sub(unsent));
        let periods = (config.desired_buffer.as_nanos(), config.period.as_nanos());
        let desired = Bytes(scaled(self.rate.0, periods)).max(LEAST);
        Status { sent: self.sent, desired, rate: self.rate }
    }

    /// A period ends.
    pub(super) fn end_period(&mut self, config: &Config, unsent: Bytes) -> Status {
        let sent = self.status(config, unsent).sent;
        let now = sent.saturating_sub(self.before);
        // A leg with nothing to send is no slower for it.
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
    /// PDCP gives the leg a PDU.
    pub(super) fn submit(&mut self, size: Bytes) {
        self.submitted += size;
    }

    /// A status comes to PDCP.
    pub(super) fn learn(&mut self, status: Status) {
        self.status = status;
    }

    /// What the leg has not yet sent, as far as PDCP knows.
    pub(super) fn unsent(&self) -> Bytes {
        self.submitted.saturating_sub(self.status.sent)
    }

    /// The leg wants another PDU.
    pub(super) fn has_room(&self) -> bool {
        self.unsent() < self.status.desired.max(LEAST)
    }

    /// In which time it would begin to send one.
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

/// What a leg wants whose rate is not known: three packets of 1500 bytes.
const LEAST: Bytes = Bytes(4500);
/// Over so many periods a rate is forgotten that the leg has no longer.
const MEMORY: u64 = 8;
