//! Tail loss probes (RFC 8985 §7): after two round trips without an acknowledgement a segment
//! probes for a loss.
//!
//! In: departures and acknowledgements. Out: the time to probe, and whether the probe repaired a
//! loss.

use crate::tcp::profile::Profile;
use crate::tcp::ranges::Range;
use crate::tcp::timer::Clock;
use crate::unit::{Duration, Instant};

/// Probes of one sender; at most one is under way.
#[derive(Clone, Debug)]
pub(super) struct TailProbe {
    /// `TLP.max_ack_delay`
    max_ack_delay: Duration,
    clock: Clock,
    margin: Duration,
    /// `PTO`: time of the next probe.
    due: Option<Instant>,
    outstanding: Option<Probe>,
    /// `TLP.end_seq` of the last probe that was a retransmission.
    retransmitted: Option<u64>,
}

/// A probe that is under way.
#[derive(Clone, Copy, Debug)]
struct Probe {
    /// `TLP.end_seq`
    end: u64,
    /// `TLP.is_retrans`
    retransmitted: bool,
}

/// An acknowledgement, as far as a probe is concerned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
    /// `SEG.ACK`
    pub(super) una: u64,
    /// The acknowledgement, or SACK, reports new data.
    pub(super) news: bool,
    /// The acknowledgement looks like a duplicate (RFC 5681 §2).
    pub(super) duplicate: bool,
    /// Range that the acknowledgement reports as a duplicate.
    pub(super) twice: Option<Range>,
}

impl TailProbe {
    pub(super) fn new(profile: &Profile) -> Self {
        let &Profile { max_ack_delay, timer_tick, timer_margin: margin, .. } = profile;
        let clock = Clock::new(timer_tick);
        Self { max_ack_delay, clock, margin, due: None, outstanding: None, retransmitted: None }
    }

    /// Returns the time of the next probe.
    pub(super) fn due(&self) -> Option<Instant> {
        self.due
    }

    /// `TLP_calc_PTO` (RFC 8985 §7.2): schedules a probe after new data has left or more was
    /// acknowledged, with `segments` in flight. Without a round-trip time, after a second.
    pub(super) fn schedule(&mut self, now: Instant, srtt: Option<Duration>, segments: usize) {
        let wait = srtt.map_or(WITHOUT_SAMPLE, |srtt| srtt * 2);
        let delayed = if segments == 1 { self.max_ack_delay } else { self.margin };
        self.due = Some(self.clock.after(now, wait + delayed));
    }

    /// Returns the end of the last segment that a probe retransmitted, answered or not.
    pub(super) fn retransmitted(&self) -> Option<u64> {
        self.retransmitted
    }

    /// Cancels the scheduled probe.
    pub(super) fn cancel(&mut self) {
        self.due = None;
    }

    /// Returns `true` if a probe may leave (RFC 8985 §7.3: one at a time).
    pub(super) fn may_leave(&self) -> bool {
        self.outstanding.is_none()
    }

    /// Notes the departure of a probe: new data, or a segment `retransmitted`; all data sent ends
    /// at `nxt`.
    pub(super) fn on_sent(&mut self, nxt: u64, retransmitted: bool) {
        self.due = None;
        self.outstanding = Some(Probe { end: nxt, retransmitted });
        if retransmitted {
            self.retransmitted = Some(nxt);
        }
    }

    /// Resets the probe: a recovery begins, which repairs all losses.
    pub(super) fn reset(&mut self) {
        self.outstanding = None;
        self.due = None;
    }

    /// `TLP_process_ack` (RFC 8985 §7.4.2): returns `true` if the probe repaired a loss, which is a
    /// sign of congestion.
    pub(super) fn repaired(&mut self, answer: &Answer) -> bool {
        let Some(Probe { end, retransmitted }) = self.outstanding else { return false };
        if answer.una < end {
            return false;
        }
        let came_twice = answer.twice.is_some_and(|range| range.right == end);
        let is_repaired = retransmitted && !came_twice && answer.una > end;
        let only_copy = !answer.news && answer.duplicate;
        if !retransmitted || came_twice || is_repaired || only_copy {
            self.outstanding = None;
        }
        is_repaired
    }
}

/// RFC 8985 §7.2
const WITHOUT_SAMPLE: Duration = Duration::from_secs(1);

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    /// RFC 8985 §7.2
    #[test]
    fn probe_of_lone_segment_awaits_delayed_ack() {
        let mut probe = TailProbe::new(&Profile::rfc());
        for (srtt, segments, wait) in
            [(Some(ms(50)), 2, ms(100)), (Some(ms(50)), 1, ms(300)), (None, 2, ms(1000))]
        {
            probe.schedule(Instant::ZERO, srtt, segments);
            assert_eq!(probe.due(), Some(Instant::ZERO + wait));
        }
    }

    /// RFC 8985 §7.4.2, case by case: the end of a probe, and its verdict on a loss.
    #[test]
    fn answer_to_a_probe_decides_about_a_loss() {
        let twice = Some(Range { left: 900, right: 1000 });
        let plain = Answer { una: 1000, news: true, duplicate: false, twice: None };
        for (retransmitted, answer, repaired, over) in [
            (true, Answer { una: 900, ..plain }, false, false),
            (true, plain, false, false),
            (true, Answer { una: 1100, ..plain }, true, true),
            (true, Answer { twice, ..plain }, false, true),
            (true, Answer { news: false, duplicate: true, ..plain }, false, true),
            (false, plain, false, true),
        ] {
            let mut probe = TailProbe::new(&Profile::rfc());
            probe.on_sent(1000, retransmitted);
            assert_eq!(probe.repaired(&answer), repaired, "{retransmitted} {answer:?}");
            assert_eq!(probe.may_leave(), over, "{retransmitted} {answer:?}");
        }
    }
}
