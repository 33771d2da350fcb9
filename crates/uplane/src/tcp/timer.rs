//! The timers of one connection: a handful of instants, the earliest of which is its agenda entry.
//!
//! In: `set` and `stop`. Out: the earliest, and which one is due.

use crate::net::Cause;
use crate::unit::Instant;

/// What a connection waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Timer {
    /// The oldest outstanding segment, or the SYN, was not acknowledged in time (RFC 6298 §5).
    Retransmission,
    /// The peer's window has been too small for too long (RFC 9293 §3.8.6.1).
    Persist,
    /// A delayed or held acknowledgement has to leave (RFC 5681 §4.2).
    Acknowledgement,
    /// The handshake's last acknowledgement was held long enough.
    HandshakeHold,
    /// The pacer lets the next segment go.
    Pacing,
    /// The connection has been quiet for long enough to be forgotten (RFC 9293 §3.6.1).
    TimeWait,
}

impl Timer {
    /// Why time passed until it was due.
    pub(super) const fn cause(self) -> Cause {
        match self {
            Self::Retransmission => Cause::LossRecovery,
            Self::Persist => Cause::ReceiveWindow,
            Self::Acknowledgement | Self::HandshakeHold => Cause::AcknowledgementDelay,
            Self::Pacing => Cause::Pacing,
            Self::TimeWait => Cause::ApplicationWait,
        }
    }
}

/// When each timer is due.
#[derive(Clone, Debug)]
pub(super) struct Timers {
    due: [Instant; ALL.len()],
}

impl Timers {
    /// All stopped.
    pub(super) fn new() -> Self {
        Self { due: [Instant::FAR_FUTURE; ALL.len()] }
    }

    /// Makes `timer` due at `at`, whatever it was before.
    pub(super) fn set(&mut self, timer: Timer, at: Instant) {
        self.due[timer as usize] = at;
    }

    /// Makes `timer` due at `at`, or stops it for `None`.
    pub(super) fn set_or_stop(&mut self, timer: Timer, at: Option<Instant>) {
        self.set(timer, at.unwrap_or(Instant::FAR_FUTURE));
    }

    /// Stops `timer`.
    pub(super) fn stop(&mut self, timer: Timer) {
        self.set(timer, Instant::FAR_FUTURE);
    }

    /// Stops all.
    pub(super) fn stop_all(&mut self) {
        *self = Self::new();
    }

    /// True while `timer` runs.
    pub(super) fn is_set(&self, timer: Timer) -> bool {
        self.due[timer as usize] != Instant::FAR_FUTURE
    }

    /// When the next timer is due.
    pub(super) fn earliest(&self) -> Option<Instant> {
        self.due.iter().copied().min().filter(|&at| at != Instant::FAR_FUTURE)
    }

    /// One timer that is due at `now`.
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

/// In the order in which simultaneous timers go: data first, since it carries acknowledgements.
const ALL: [Timer; 6] = [
    Timer::Retransmission,
    Timer::Persist,
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

    #[test]
    fn each_due_timer_goes_once() {
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

    /// A timer is its own index in the table.
    #[test]
    fn the_table_lists_the_timers_in_their_order() {
        for (index, &timer) in ALL.iter().enumerate() {
            assert_eq!(timer as usize, index);
        }
    }
}
