//! The timestamps option: stamps to send, and segments that are too old (RFC 7323 §4.3, §5.3).
//!
//! In: timestamps of arriving segments. Out: the timestamps of departing ones, the verdict on old
//! duplicates (PAWS), and round-trip samples of segments that were sent twice.

use crate::net::Timestamps;
use crate::unit::{Duration, Instant};

/// State of the option at one end.
#[derive(Clone, Debug, Default)]
pub(super) struct TimestampOption {
    /// Both SYNs had the option.
    pub(super) enabled: bool,
    /// `TS.Recent`
    recent: u32,
    /// Time at which `TS.Recent` was set.
    recent_at: Instant,
}

impl TimestampOption {
    /// Returns the option of a segment that leaves at `now`.
    pub(super) fn stamp(&self, now: Instant) -> Option<Timestamps> {
        self.enabled.then(|| Timestamps { value: ticks(now), echo: self.recent })
    }

    /// Returns the option of a SYN that leaves at `now`, before the ends have agreed on it.
    pub(super) fn offer(&self, now: Instant) -> Timestamps {
        Timestamps { value: ticks(now), echo: self.recent }
    }

    /// RFC 7323 §5.3, R1: returns `false` for an old duplicate, whose numbers may have wrapped
    /// around since.
    pub(super) fn accepts(&self, now: Instant, stamp: Option<Timestamps>) -> bool {
        let Some(stamp) = stamp.filter(|_| self.enabled) else { return true };
        let age = stamp.value.wrapping_sub(self.recent).cast_signed();
        // RFC 7323 §5.5: after 24 days the clock itself may have wrapped around.
        age >= 0 || now.saturating_since(self.recent_at) > OUTDATED
    }

    /// Returns the age of this stamp, relative to the newest one.
    pub(super) fn late_by(&self, stamp: Option<Timestamps>) -> Duration {
        let age = stamp.map_or(0, |stamp| self.recent.wrapping_sub(stamp.value));
        Timestamps::TICK * u64::from(age)
    }

    /// RFC 7323 §4.3: echoes the stamp of the oldest segment that waits for an acknowledgement.
    /// `covers` says that the segment begins at or before the last acknowledgement sent.
    pub(super) fn on_segment(&mut self, now: Instant, stamp: Option<Timestamps>, covers: bool) {
        if let Some(stamp) = stamp
            && self.enabled
            && covers
            && (stamp.value.wrapping_sub(self.recent).cast_signed() >= 0
                || now.saturating_since(self.recent_at) > OUTDATED)
        {
            self.recent = stamp.value;
            self.recent_at = now;
        }
    }

    /// Processes the peer's SYN with the option.
    pub(super) fn on_syn(&mut self, now: Instant, stamp: Timestamps) {
        self.enabled = true;
        self.recent = stamp.value;
        self.recent_at = now;
    }

    /// Returns the start of the tick that an echo names; `None` if the echo is not ours.
    pub(super) fn echoed(&self, now: Instant, stamp: Option<Timestamps>) -> Option<Instant> {
        let stamp = stamp.filter(|_| self.enabled)?;
        let elapsed = ticks(now).wrapping_sub(stamp.echo);
        let age = Timestamps::TICK * u64::from(elapsed);
        let began = now.as_nanos() / Timestamps::TICK.as_nanos() * Timestamps::TICK.as_nanos();
        (elapsed.cast_signed() >= 0 && age.as_nanos() <= began)
            .then(|| Instant::from_nanos(began - age.as_nanos()))
    }

    /// Returns `true` if a stamp echoes the one that left at `sent`.
    pub(super) fn echoes(&self, sent: Instant, stamp: Option<Timestamps>) -> bool {
        stamp.is_some_and(|stamp| self.enabled && stamp.echo == ticks(sent))
    }

    /// RFC 7323 §4.1: returns the round-trip time that an echo shows, at least one tick.
    pub(super) fn sample(&self, now: Instant, stamp: Option<Timestamps>) -> Option<Duration> {
        let stamp = stamp.filter(|_| self.enabled)?;
        let elapsed = ticks(now).wrapping_sub(stamp.echo);
        // An echo from the future is not ours.
        (elapsed.cast_signed() >= 0).then(|| Timestamps::TICK * u64::from(elapsed.max(1)))
    }
}

/// Returns `true` if the segment that caused an echo left before the one of `sent`: before its tick
/// of the timestamp clock (RFC 3522 §3.2 step 5, RFC 8985 §6.2 step 2).
#[inline]
pub(super) fn is_echo_before(echoed: Instant, sent: Instant) -> bool {
    let tick = |at: Instant| at.as_nanos() / Timestamps::TICK.as_nanos();
    echoed < sent && tick(echoed) < tick(sent)
}

fn ticks(now: Instant) -> u32 {
    (now.as_nanos() / Timestamps::TICK.as_nanos()) as u32
}

/// RFC 7323 §5.5
const OUTDATED: Duration = Duration::from_secs(24 * 24 * 3600);

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: u64) -> Instant {
        Instant::ZERO + Duration::from_millis(millis)
    }

    const fn stamp(value: u32) -> Timestamps {
        Timestamps { value, echo: 0 }
    }

    fn option() -> TimestampOption {
        let mut option = TimestampOption::default();
        option.on_syn(at(0), Timestamps { value: u32::MAX - 5, echo: 0 });
        option
    }

    /// RFC 7323 §5.3: the comparison is modulo 2^32.
    #[test]
    fn older_stamp_is_refused_around_the_wrap() {
        let mut option = option();
        assert!(option.accepts(at(1), Some(stamp(3))));
        option.on_segment(at(1), Some(stamp(3)), true);
        assert!(!option.accepts(at(2), Some(stamp(u32::MAX))));
        assert!(option.accepts(at(2), Some(stamp(3))));
        assert!(option.accepts(at(2), None));
    }

    /// RFC 7323 §5.5
    #[test]
    fn after_24_days_any_stamp_is_new() {
        for (days, is_new) in [(23, false), (25, true)] {
            let (mut option, now) = (option(), at(days * 24 * 3_600_000));
            let (known, older) = (option.recent, stamp(u32::MAX - 500));
            assert_eq!(option.accepts(now, Some(older)), is_new, "{days} days");
            option.on_segment(now, Some(older), true);
            let echo = option.stamp(now).expect("it is agreed on").echo;
            assert_eq!(echo, if is_new { older.value } else { known }, "{days} days");
        }
    }

    /// RFC 7323 §4.3: with a delayed acknowledgement the older stamp is echoed.
    #[test]
    fn segment_beyond_last_acknowledgement_keeps_the_echo() {
        let mut option = option();
        option.on_segment(at(1), Some(stamp(5)), true);
        option.on_segment(at(2), Some(stamp(9)), false);
        assert_eq!(option.stamp(at(7)), Some(Timestamps { value: 7, echo: 5 }));
    }

    /// RFC 7323 §4.1
    #[test]
    fn an_echo_shows_the_round_trip_time() {
        let echo = |echo| Some(Timestamps { value: 0, echo });
        assert_eq!(option().sample(at(250), echo(200)), Some(Duration::from_millis(50)));
        assert_eq!(option().sample(at(250), echo(250)), Some(Duration::from_millis(1)));
        assert_eq!(option().sample(at(250), echo(251)), None);
    }
}
