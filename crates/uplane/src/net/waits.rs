//! The reasons why a sender is not sending, with the time spent under each.
//!
//! In: the reason that holds from now on. Out: the time spent under each reason so far.
//!
//! There is one stopwatch for the connection, as there is one ledger for the packet: it always runs
//! for exactly one reason. The difference between its states at the application's write and at the
//! segment's departure gives the waits of the data. All transports have it.

use super::ledger::{Cause, Ledger};
use crate::record::{columns, named};
use crate::unit::{Duration, Instant};

named! {
    /// Reason why a sender is not sending.
    pub Limit {
        /// The congestion window is full.
        CongestionWindow = "cwnd",
        /// The receive window of the peer is full.
        ReceiveWindow = "rwnd",
        /// Data is in flight and the application has written no more, or Nagle's algorithm waits
        /// for more, or data waits for the connection to open.
        Application = "application",
        /// The application has more data, but unacknowledged data fills the send buffer.
        SendBuffer = "sndbuf",
        /// The sender recovers from losses.
        Recovery = "recovery",
        /// The next segment waits for its pacing time.
        Pacing = "pacing",
        /// No data to send and none in flight.
        Idle = "idle",
    }
}

/// Time spent under each [`Limit`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Waits([Duration; Limit::ALL.len()]);

columns! {
    /// Ratios of the time since the connection opened: they sum to one, or are all zero before.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub Shares {
        /// Ratio of the connection's time in which the congestion window of this end was full.
        cwnd as limited_cwnd: f64,
        /// Ratio of the connection's time in which the receive window of the other end was full.
        rwnd as limited_rwnd: f64,
        /// Ratio of the connection's time in which data was in flight and this end's application
        /// had written no more.
        application as limited_app: f64,
        /// Ratio of the connection's time in which unacknowledged data filled the send buffer and
        /// this end's application had more.
        send_buffer as limited_sndbuf: f64,
        /// Ratio of the connection's time in which this end recovered from losses.
        recovery as limited_recovery: f64,
        /// Ratio of the connection's time in which this end's next segment waited for its pacing
        /// time.
        pacing as limited_pacing: f64,
        /// Ratio of the connection's time in which this end had no data to send and none in flight.
        idle: f64,
    }
}

/// The stopwatch of one sender.
#[derive(Clone, Debug)]
pub struct LimitAccount {
    waits: Waits,
    current: Limit,
    /// Time up to which all time is booked.
    booked: Instant,
}

impl Limit {
    /// Returns `true` if the congestion window keeps the sender from sending, or its substitute
    /// does: the pacer, or the repair of losses.
    pub(crate) const fn is_window(self) -> bool {
        matches!(self, Self::CongestionWindow | Self::Pacing | Self::Recovery)
    }

    /// Returns the cause in the ledger of a packet that waits.
    const fn cause(self) -> Cause {
        match self {
            Self::CongestionWindow => Cause::CongestionWindow,
            Self::ReceiveWindow => Cause::ReceiveWindow,
            Self::Recovery => Cause::LossRecovery,
            Self::Pacing => Cause::Pacing,
            Self::Application | Self::SendBuffer | Self::Idle => Cause::ApplicationWait,
        }
    }
}

impl Waits {
    /// Returns the time spent under `limit`.
    pub fn spent(&self, limit: Limit) -> Duration {
        self.0[limit as usize]
    }

    /// Returns the time spent since `earlier`, a former state of the same account.
    pub fn since(&self, earlier: &Self) -> Self {
        let mut waits = *self;
        for (wait, before) in waits.0.iter_mut().zip(&earlier.0) {
            *wait -= *before;
        }
        waits
    }

    /// Returns the total time.
    pub fn total(&self) -> Duration {
        self.0.iter().fold(Duration::ZERO, |sum, &wait| sum + wait)
    }

    /// Returns each reason's share of the total time.
    pub fn shares(&self) -> Shares {
        let total = self.total();
        if total.is_zero() {
            return Shares::default();
        }
        let share = |limit| self.spent(limit).as_secs_f64() / total.as_secs_f64();
        Shares {
            cwnd: share(Limit::CongestionWindow),
            rwnd: share(Limit::ReceiveWindow),
            application: share(Limit::Application),
            send_buffer: share(Limit::SendBuffer),
            recovery: share(Limit::Recovery),
            pacing: share(Limit::Pacing),
            idle: share(Limit::Idle),
        }
    }

    /// Books these waits on the ledger of data that left at `sent`.
    pub fn charge(&self, ledger: &mut Ledger, sent: Instant) {
        for &limit in Limit::ALL {
            let span = self.spent(limit);
            if !span.is_zero() {
                ledger.charge_span(limit.cause(), span, sent);
            }
        }
    }
}

impl LimitAccount {
    /// Starts at `now`, with the reason idle.
    pub fn start(now: Instant) -> Self {
        Self { waits: Waits::default(), current: Limit::Idle, booked: now }
    }

    /// Books all time up to `now` on the current reason.
    pub fn advance(&mut self, now: Instant) {
        if now > self.booked {
            self.waits.0[self.current as usize] += now - self.booked;
            self.booked = now;
        }
    }

    /// Sets the reason that holds from `now` on.
    pub fn enter(&mut self, now: Instant, limit: Limit) {
        self.advance(now);
        self.current = limit;
    }

    /// Returns the current reason.
    pub fn current(&self) -> Limit {
        self.current
    }

    /// Returns the time spent up to the last call.
    pub fn waits(&self) -> Waits {
        self.waits
    }

    /// Returns the time spent up to `now`.
    pub fn waits_at(&self, now: Instant) -> Waits {
        let mut account = self.clone();
        account.advance(now);
        account.waits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(nanos: u64) -> Instant {
        Instant::from_nanos(nanos)
    }

    #[test]
    fn a_packet_waits_for_what_limited_the_sender_between_writing_and_sending() {
        let mut account = LimitAccount::start(at(0));
        account.enter(at(10), Limit::CongestionWindow);
        account.advance(at(12)); // written here
        let written = account.waits();
        account.enter(at(20), Limit::Recovery);
        account.enter(at(25), Limit::Idle); // sent here
        let waits = account.waits().since(&written);
        let mut ledger = Ledger::start(at(25) - waits.total());
        waits.charge(&mut ledger, at(25));
        assert_eq!(ledger.started(), at(12));
        assert_eq!(ledger.spent(Cause::CongestionWindow), Duration::from_nanos(8));
        assert_eq!(ledger.spent(Cause::LossRecovery), Duration::from_nanos(5));
        assert_eq!(ledger.total(), Duration::from_nanos(13));
    }

    #[test]
    fn the_limits_partition_all_time() {
        let mut account = LimitAccount::start(at(3));
        for (step, limit) in Limit::ALL.iter().copied().cycle().take(30).enumerate() {
            account.enter(at(3 + step as u64 * 7), limit);
        }
        assert_eq!(account.waits_at(at(1000)).total(), Duration::from_nanos(997));
    }

    #[test]
    fn a_limit_is_its_own_index() {
        for (index, limit) in Limit::ALL.iter().copied().enumerate() {
            assert_eq!(limit as usize, index);
        }
    }
}
