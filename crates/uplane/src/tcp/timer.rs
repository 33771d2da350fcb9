//! The timers of one connection: a few instants, the earliest of which is its agenda entry.
//!
//! In: `set` and `stop`. Out: the earliest instant, and the timer that is due.

use crate::net::Cause;
use crate::unit::{Duration, Instant};

/// A timer of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Timer {
    /// A tail loss probe is due (RFC 8985 §7).
    TailProbe,
    /// The oldest outstanding segment, or the SYN, was not acknowledged in time (RFC 6298 §5).
    Retransmission,
    /// Late segments now count as lost (RFC 8985 §6.2 step 5).
    Reordering,
    /// The peer's window has been too small for too long (RFC 9293 §3.8.6.1).
    Persist,
    /// The application here has read more.
    Read,
    /// A delayed or held acknowledgement has to leave (RFC 5681 §4.2).
    Acknowledgement,
    /// The handshake's last acknowledgement was held long enough.
    HandshakeHold,
    /// The pacer releases the next segment.
    Pacing,
    /// The connection has been quiet long enough to be removed (RFC 9293 §3.6.1).
    TimeWait,
}

impl Timer {
    /// Returns the cause of the wait for this timer.
    pub(super) const fn cause(self) -> Cause {
        match self {
            Self::Retransmission | Self::Reordering | Self::TailProbe => Cause::LossRecovery,
            Self::Persist => Cause::ReceiveWindow,
            Self::Read => Cause::ReadWait,
            Self::Acknowledgement | Self::HandshakeHold => Cause::AcknowledgementDelay,
            Self::Pacing => Cause::Pacing,
            Self::TimeWait => Cause::ApplicationWait,
        }
    }
}

/// Clock of a host's timers: the host checks them once per tick, and none expires early.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    tick: Duration,
}

impl Clock {
    /// Returns a clock with this tick; zero: no ticks.
    pub(super) fn new(tick: Duration) -> Self {
        Self { tick }
    }

    /// Returns the expiry of a timer set at `now` for `delay`: the delay is rounded up to ticks,
    /// and the current tick does not count.
    #[inline]
    pub(super) fn after(self, now: Instant, delay: Duration) -> Instant {
        if self.tick.is_zero() {
            return now + delay;
        }
        let tick = self.tick.as_nanos();
        let ticks = now.as_nanos() / tick + delay.as_nanos().div_ceil(tick) + 1;
        Instant::from_nanos(ticks * tick)
    }

    /// Returns the expiry of a timer set at `now` for a time that ends at `end`.
    pub(super) fn at(self, now: Instant, end: Instant) -> Instant {
        self.after(now, end.saturating_since(now))
    }
}

/// Expiry time of each timer.
#[derive(Clone, Debug)]
pub(super) struct Timers {
    due: [Instant; ALL.len()],
}

impl Timers {
    /// Returns the timers, all stopped.
    pub(super) fn new() -> Self {
        Self { due: [Instant::FAR_FUTURE; ALL.len()] }
    }

    /// Sets `timer` to `at`, whatever it was before.
    pub(super) fn set(&mut self, timer: Timer, at: Instant) {
        self.due[timer as usize] = at;
    }

    /// Sets `timer` to `at`, or stops it for `None`.
    pub(super) fn set_or_stop(&mut self, timer: Timer, at: Option<Instant>) {
        self.set(timer, at.unwrap_or(Instant::FAR_FUTURE));
    }

    /// Stops `timer` if it runs.
    pub(super) fn stop(&mut self, timer: Timer) {
        self.set(timer, Instant::FAR_FUTURE);
    }

    /// Stops every timer of the connection.
    pub(super) fn stop_all(&mut self) {
        *self = Self::new();
    }

    /// Returns the time at which `timer` is due; in the far future while it is stopped.
    pub(super) fn due(&self, timer: Timer) -> Instant {
        self.due[timer as usize]
    }

    /// Returns `true` while `timer` runs.
    pub(super) fn is_set(&self, timer: Timer) -> bool {
        self.due[timer as usize] != Instant::FAR_FUTURE
    }

    /// Returns the time of the next timer.
    pub(super) fn earliest(&self) -> Option<Instant> {
        self.due.iter().copied().min().filter(|&at| at != Instant::FAR_FUTURE)
    }

    /// Returns one timer that is due at `now`.
    pub(super) fn first_due(&self, now: Instant) -> Option<Timer> {
        ALL.into_iter().find(|&timer| self.due[timer as usize] <= now)
    }

    /// Stops and returns one timer that is due at `now`.
    pub(super) fn take_due(&mut self, now: Instant) -> Option<Timer> {
        let timer = self.first_due(now)?;
        self.stop(timer);
        Some(timer)
    }
}

/// All timers, in the order in which simultaneous timers are handled: timers of data first, since
/// data carries acknowledgements; a probe before the timeout, which it restarts (RFC 8985 §7.2).
const ALL: [Timer; 9] = [
    Timer::TailProbe,
    Timer::Retransmission,
    Timer::Reordering,
    Timer::Persist,
    Timer::Read,
    Timer::Acknowledgement,
    Timer::HandshakeHold,
    Timer::Pacing,
    Timer::TimeWait,
];

#[cfg(test)]
mod tests {
    use super::*;

    fn at(nanos: u64) -> Instant {
        Instant::from_nanos(nanos)
    }

    /// A timer never expires early: 5 ns with ticks of 4 ns are two ticks, and the current tick
    /// does not count.
    #[test]
    fn a_timer_expires_with_a_tick() {
        let expiries = |tick| {
            let clock = Clock::new(Duration::from_nanos(tick));
            [(0, 4), (0, 5), (3, 4), (4, 4)]
                .map(|(now, delay)| clock.after(at(now), Duration::from_nanos(delay)).as_nanos())
        };
        assert_eq!(expiries(0), [4, 5, 7, 8]);
        assert_eq!(expiries(4), [8, 12, 8, 12]);
    }

    #[test]
    fn each_due_timer_expires_once() {
        let mut timers = Timers::new();
        assert_eq!(timers.earliest(), None);
        timers.set(Timer::Persist, at(5));
        timers.set(Timer::TimeWait, at(3));
        timers.set(Timer::Pacing, at(9));
        assert_eq!(timers.earliest(), Some(at(3)));
        assert_eq!(timers.take_due(at(5)), Some(Timer::Persist));
        assert_eq!(timers.take_due(at(5)), Some(Timer::TimeWait));
        assert_eq!(timers.take_due(at(5)), None);
        assert!(timers.is_set(Timer::Pacing));
    }

    /// A timer is its index in the table.
    #[test]
    fn the_table_lists_the_timers_in_their_order() {
        for (index, &timer) in ALL.iter().enumerate() {
            assert_eq!(timer as usize, index);
        }
    }
}
