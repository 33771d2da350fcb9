//! Schedule of acknowledgements for data received in order (RFC 9293 §3.8.6.3, RFC 5681 §4.2).
//!
//! In: segments in order, and acknowledgements that left. Out: whether to acknowledge at once or at
//! which instant.
//!
//! A segment that fills a gap or comes twice is acknowledged at once, without this file. A segment
//! out of order uses it only where such acknowledgements are held (`sack_compression`).
//!
//! Left out: the size of segments: a sender of many small segments gets an acknowledgement for
//! every second segment, not for every two full sizes. Receive offload, which delivers a burst as
//! one segment and acknowledges it once: bursts get more acknowledgements here.

use std::collections::VecDeque;

use super::profile::{AckPolicy, Acks};
use super::sack_compression::SackCompression;
use super::timer::Clock;
use crate::unit::{Duration, Instant};

/// Acknowledgements that a receiver has to send.
#[derive(Clone, Debug)]
pub(super) struct AckSchedule {
    acks: Acks,
    clock: Clock,
    /// Segments in order since the last acknowledgement.
    pending: u32,
    /// Time by which pending segments must be acknowledged.
    deadline: Option<Instant>,
    /// Number of coming segments that will be acknowledged at once.
    quick: u32,
    /// Segments in order since the last gap.
    streak: u32,
    /// `ato` of Linux: maximum delay of an acknowledgement at the present rate of arrivals.
    ato: Option<Duration>,
    last_arrival: Instant,
    /// Held acknowledgements: the time at which each leaves, and its acknowledgement number.
    held: VecDeque<(Instant, u64)>,
    /// Compression of SACKs, if both ends use SACK and the profile compresses.
    compression: Option<Box<SackCompression>>,
}

/// Time of an acknowledgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AckTiming {
    /// At once (RFC 5681 §4.2).
    Now,
    /// At the instant returned by [`AckSchedule::due`].
    Later,
}

impl AckSchedule {
    pub(super) fn new(acks: Acks, clock: Clock) -> Self {
        let quick = match acks.policy {
            AckPolicy::Delayed | AckPolicy::Adaptive | AckPolicy::Timed => acks.quick,
            AckPolicy::Stretching | AckPolicy::FixedDelay => 0,
        };
        Self {
            acks,
            clock,
            pending: 0,
            deadline: None,
            quick,
            streak: 0,
            ato: None,
            last_arrival: Instant::ZERO,
            held: VecDeque::new(),
            compression: None,
        }
    }

    /// Starts the compression of SACKs, if the profile has one: both ends agreed on SACK.
    pub(super) fn on_sack_agreed(&mut self) {
        self.compression = SackCompression::new(&self.acks).map(Box::new);
    }

    /// Processes a segment in order; everything before `nxt` has been received.
    pub(super) fn on_in_order(&mut self, now: Instant, nxt: u64) -> AckTiming {
        self.pending += 1;
        self.streak = self.streak.saturating_add(1);
        let Acks { policy, every, timer, longest, quick, .. } = self.acks;
        let when = match policy {
            AckPolicy::Delayed => self.every(now, every, timer),
            AckPolicy::Timed => self.every(now, u32::MAX, timer),
            AckPolicy::Adaptive => self.adapt(now, quick, timer, longest.max(timer)),
            AckPolicy::Stretching => {
                let segments = if self.streak > quick { every } else { 2 };
                self.every(now, segments, timer)
            }
            AckPolicy::FixedDelay => self.hold(now, every, timer, nxt),
        };
        self.last_arrival = now;
        when
    }

    /// Processes the peer's FIN in order, which is acknowledged without delay except with a fixed
    /// delay.
    pub(super) fn on_fin(&mut self, now: Instant, nxt: u64) -> AckTiming {
        if self.acks.policy != AckPolicy::FixedDelay {
            return AckTiming::Now;
        }
        self.pending += 1;
        self.hold(now, self.acks.every, self.acks.timer, nxt)
    }

    /// Linux: returns `true` if a segment in order with PSH must be acknowledged at once.
    pub(super) fn is_due_at_push(&self) -> bool {
        self.acks.at_push && self.pending > 0
    }

    /// Forces a quick acknowledgement of the next segment (Linux: `quick |= 1`).
    pub(super) fn force_quick_ack(&mut self) {
        self.quick |= 1;
    }

    /// Processes ECN marks: Linux then acknowledges this number of segments at once
    /// (`tcp_enter_quickack_mode`).
    pub(super) fn on_marks(&mut self, segments: u32) {
        if self.acks.policy == AckPolicy::Adaptive {
            self.quick = self.quick.max(segments);
        }
    }

    /// Ends the streak: a segment arrived out of order.
    pub(super) fn on_gap(&mut self) {
        self.streak = 0;
    }

    /// Processes a segment above the gap that begins at `nxt`. Nothing is held while quick
    /// acknowledgements remain.
    pub(super) fn on_out_of_order(&mut self, now: Instant, nxt: u64) -> AckTiming {
        let compression = self.compression.as_mut().filter(|_| self.quick == 0);
        let is_held = compression.is_some_and(|compression| compression.holds(now, nxt));
        if is_held { AckTiming::Later } else { AckTiming::Now }
    }

    /// Updates the round-trip time on which the compression of SACKs is based.
    #[inline]
    pub(super) fn on_round_trip(&mut self, round_trip: Option<Duration>) {
        if let Some(compression) = &mut self.compression {
            compression.on_round_trip(round_trip);
        }
    }

    /// Clears the schedule: an acknowledgement of everything left, alone or with data.
    pub(super) fn on_sent(&mut self) {
        self.pending = 0;
        self.deadline = None;
        self.held.clear();
    }

    /// Resets the compression: an acknowledgement with all SACK blocks left, or no gap remains.
    pub(super) fn on_blocks_sent(&mut self) {
        if let Some(compression) = &mut self.compression {
            compression.reset();
        }
    }

    /// Returns the time at which the next acknowledgement must leave.
    pub(super) fn due(&self) -> Option<Instant> {
        let held = self.held.front().map(|&(at, _)| at);
        Instant::sooner(Instant::sooner(self.deadline, held), self.blocks_due())
    }

    /// Returns the time at which the acknowledgement that replaces held SACKs must leave.
    pub(super) fn blocks_due(&self) -> Option<Instant> {
        self.compression.as_ref().and_then(|compression| compression.due())
    }

    /// Removes the held acknowledgement that is due at `now`, and returns its acknowledgement
    /// number.
    pub(super) fn take_held(&mut self, now: Instant) -> Option<u64> {
        let (at, nxt) = self.held.front().copied()?;
        if at > now {
            return None;
        }
        self.held.pop_front();
        Some(nxt)
    }

    fn every(&mut self, now: Instant, segments: u32, delay: Duration) -> AckTiming {
        if self.quick > 0 {
            self.quick -= 1;
            return AckTiming::Now;
        }
        if self.pending >= segments {
            return AckTiming::Now;
        }
        self.deadline.get_or_insert(self.clock.after(now, delay));
        AckTiming::Later
    }

    /// Linux: the delay follows the gaps between arrivals, and a pause restores quick
    /// acknowledgements.
    fn adapt(
        &mut self,
        now: Instant,
        quick: u32,
        shortest: Duration,
        longest: Duration,
    ) -> AckTiming {
        let gap = now.saturating_since(self.last_arrival);
        let ato = match self.ato {
            None => shortest,
            Some(old) if gap <= shortest / 2 => old / 2 + shortest / 2,
            Some(old) if gap < old => old / 2 + gap,
            Some(old) => {
                if gap > longest {
                    self.quick = quick;
                }
                old
            }
        };
        self.ato = Some(ato.min(longest));
        self.every(now, 2, ato.clamp(shortest, longest))
    }

    /// Each acknowledgement leaves `delay` after the segment that caused it: the last segment of a
    /// group, or a lone one.
    fn hold(&mut self, now: Instant, segments: u32, delay: Duration, nxt: u64) -> AckTiming {
        if self.pending >= segments {
            self.pending = 0;
            self.deadline = None;
            self.held.push_back((now + delay, nxt));
        } else {
            self.deadline.get_or_insert(now + delay);
        }
        AckTiming::Later
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn at(millis: u64) -> Instant {
        Instant::ZERO + ms(millis)
    }

    fn schedule(acks: Acks) -> AckSchedule {
        AckSchedule::new(acks, Clock::new(Duration::ZERO))
    }

    /// A policy with groups of `every` segments, a timer in ms, and `quick` quick segments.
    fn acks(policy: AckPolicy, every: u32, timer: u64, quick: u32) -> Acks {
        let usual = crate::tcp::Profile::rfc().acks;
        Acks { policy, every, timer: ms(timer), longest: ms(200), quick, ..usual }
    }

    /// Returns, for arrivals at these times in ms, which are acknowledged at once.
    fn at_once(policy: Acks, arrivals: &[u64]) -> Vec<bool> {
        let mut schedule = schedule(policy);
        arrivals
            .iter()
            .map(|&arrival| {
                if schedule.due().is_some_and(|due| due <= at(arrival)) {
                    schedule.on_sent();
                }
                let now = schedule.on_in_order(at(arrival), 0) == AckTiming::Now;
                if now {
                    schedule.on_sent();
                }
                now
            })
            .collect()
    }

    /// RFC 5681 §4.2: every second segment, and none later than the delay.
    #[test]
    fn every_second_segment_is_acknowledged_at_once() {
        let policy = acks(AckPolicy::Delayed, 2, 200, 0);
        assert_eq!(
            at_once(policy, &[0, 1, 2, 3, 300, 301]),
            [false, true, false, true, false, true]
        );
    }

    #[test]
    fn a_lone_segment_is_acknowledged_after_the_delay() {
        let mut schedule = schedule(acks(AckPolicy::Delayed, 2, 200, 0));
        schedule.on_in_order(at(7), 0);
        assert_eq!(schedule.due(), Some(at(207)));
    }

    /// RFC 5681 §4.2 asks for every second segment; a receiver that acknowledges by time alone
    /// sends fewer.
    #[test]
    fn timed_receiver_acknowledges_once_a_period() {
        let policy = acks(AckPolicy::Timed, 2, 25, 0);
        let mut schedule = schedule(policy);
        for arrival in 0..20 {
            assert_eq!(schedule.on_in_order(at(arrival), 0), AckTiming::Later);
        }
        assert_eq!(schedule.due(), Some(at(25)));
    }

    #[test]
    fn the_first_segments_are_acknowledged_one_by_one() {
        let policy = acks(AckPolicy::Delayed, 2, 200, 3);
        assert_eq!(at_once(policy, &[0, 1, 2, 3, 4]), [true, true, true, false, true]);
    }

    #[test]
    fn a_stream_without_gaps_stretches_the_acknowledgements() {
        let policy = acks(AckPolicy::Stretching, 3, 20, 4);
        let expected = [false, true, false, true, false, false, true];
        assert_eq!(at_once(policy, &[0, 0, 0, 0, 0, 0, 0]), expected);
    }

    #[test]
    fn a_pause_brings_back_quick_acknowledgements() {
        let policy = acks(AckPolicy::Adaptive, 2, 40, 1);
        let arrivals = [0, 1, 2, 500, 501];
        assert_eq!(at_once(policy, &arrivals), [true, false, true, true, false]);
    }

    /// Linux: a gap below the delay halves the delay and adds the gap, at least 40 ms.
    #[test]
    fn the_adaptive_delay_follows_the_gaps() {
        let mut schedule = schedule(acks(AckPolicy::Adaptive, 2, 40, 0));
        let due = [0, 30, 70, 80].map(|arrival| {
            schedule.on_in_order(at(arrival), 0);
            let due = schedule.due();
            schedule.on_sent();
            due
        });
        // Gaps of 30, 40 and 10 ms: 40/2 + 30, 50/2 + 40, and 65/2 + 40/2 for the short one.
        let last = at(80) + Duration::from_micros(52_500);
        assert_eq!(due, [at(40), at(30 + 50), at(70 + 65), last].map(Some));
    }

    #[test]
    fn held_pair_is_acknowledged_after_its_second() {
        let mut schedule = schedule(acks(AckPolicy::FixedDelay, 2, 100, 0));
        for (arrival, nxt) in [(0, 10), (20, 20), (40, 30), (60, 40), (80, 50)] {
            assert_eq!(schedule.on_in_order(at(arrival), nxt), AckTiming::Later);
        }
        assert_eq!(schedule.due(), Some(at(120)));
        assert_eq!(schedule.take_held(at(120)), Some(20));
        assert_eq!(schedule.due(), Some(at(160)));
        assert_eq!(schedule.take_held(at(160)), Some(40));
        assert_eq!((schedule.due(), schedule.take_held(at(180))), (Some(at(180)), None));
    }

    /// Linux: quick acknowledgements are not held, and a gap does not use them up.
    #[test]
    fn quick_acknowledgements_of_gaps_are_not_held() {
        for (quick, when) in [(1, AckTiming::Now), (0, AckTiming::Later)] {
            let acks = Acks { compressed_sacks: 44, ..acks(AckPolicy::Adaptive, 2, 40, quick) };
            let mut schedule = schedule(acks);
            schedule.on_sack_agreed();
            schedule.on_round_trip(Some(ms(100)));
            let answers = [0; 4].map(|_| schedule.on_out_of_order(at(0), 7));
            assert_eq!(answers, [AckTiming::Now, AckTiming::Now, AckTiming::Now, when]);
            assert_eq!(schedule.due(), (when == AckTiming::Later).then_some(at(1)));
        }
    }

    /// A receiver that stretches acknowledgements returns to every second segment after a loss.
    #[test]
    fn a_gap_ends_the_stretching() {
        let mut schedule = schedule(acks(AckPolicy::Stretching, 3, 20, 2));
        let next = |schedule: &mut AckSchedule| {
            let now = schedule.on_in_order(at(0), 0) == AckTiming::Now;
            if now {
                schedule.on_sent();
            }
            now
        };
        let first = [0; 5].map(|_| next(&mut schedule));
        assert_eq!(first, [false, true, false, false, true]);
        schedule.on_gap();
        assert_eq!([0; 2].map(|_| next(&mut schedule)), [false, true]);
    }
}
