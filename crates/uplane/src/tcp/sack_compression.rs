//! One acknowledgement for several segments out of order, as in Linux (`tcp_comp_sack_nr`).
//!
//! In: segments out of order, the receiver's knowledge of the round trip, acknowledgements that
//! left. Out: whether the acknowledgement may wait, and until which instant.
//!
//! RFC 5681 §4.2 asks for an acknowledgement of each segment out of order at once. Linux sends the
//! first three for one missing segment, since three show a loss, and holds the following ones for a
//! share of the round trip, but never long: the acknowledgement then has the newest blocks.
//!
//! Left out: the slack of the timer (`tcp_comp_sack_slack_ns`), by which a kernel without other
//! timers holds them 0.1 ms longer. This matters only for the times of single acknowledgements.

use super::profile::Acks;
use crate::unit::{Duration, Instant};

/// Held acknowledgements of data out of order.
#[derive(Clone, Debug)]
pub(super) struct SackCompression {
    /// Maximum number of held acknowledgements.
    most: u32,
    longest: Duration,
    percent: u32,
    /// `RCV.NXT` at the last segment out of order.
    nxt: u64,
    /// Acknowledgements sent at once since `nxt` last moved, at most [`AT_ONCE`].
    sent: u32,
    /// Number of acknowledgements held now.
    held: u32,
    due: Option<Instant>,
    /// The shorter round trip of those that the receiver and the sender of this end measure.
    round_trip: Option<Duration>,
}

impl SackCompression {
    /// Returns `None` if the profile holds nothing.
    pub(super) fn new(acks: &Acks) -> Option<Self> {
        (acks.compressed_sacks > 0).then_some(Self {
            most: acks.compressed_sacks,
            longest: acks.compressed_delay,
            percent: acks.compressed_percent,
            nxt: 0,
            sent: 0,
            held: 0,
            due: None,
            round_trip: None,
        })
    }

    /// Sets the round trip that limits the delay.
    pub(super) fn on_round_trip(&mut self, round_trip: Option<Duration>) {
        self.round_trip = round_trip;
    }

    /// Processes a segment that is not next or leaves others out of order; `nxt` is missing.
    /// Returns `true` if its acknowledgement is held. If the round trip is unknown nothing is held.
    pub(super) fn holds(&mut self, now: Instant, nxt: u64) -> bool {
        if self.nxt != nxt {
            (self.nxt, self.sent) = (nxt, 0);
        }
        if self.sent < AT_ONCE {
            self.sent += 1;
            return false;
        }
        let Some(round_trip) = self.round_trip.filter(|_| self.held < self.most) else {
            return false;
        };
        self.held += 1;
        let share = round_trip * u64::from(self.percent) / 100;
        self.due.get_or_insert(now + share.min(self.longest));
        true
    }

    /// Resets the count of held acknowledgements: an acknowledgement with all blocks left, or no
    /// gap remains.
    pub(super) fn reset(&mut self) {
        self.held = 0;
        self.due = None;
    }

    /// Returns the time at which the acknowledgement for all held ones must leave.
    pub(super) fn due(&self) -> Option<Instant> {
        self.due
    }
}

/// Linux: `TCP_FASTRETRANS_THRESH`, RFC 5681 §3.2
const AT_ONCE: u32 = 3;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::profile::Profile;

    const TRIP: Duration = Duration::from_millis(100);

    fn at(micros: u64) -> Instant {
        Instant::ZERO + Duration::from_micros(micros)
    }

    fn compression(most: u32, round_trip: Option<Duration>) -> SackCompression {
        let acks = Acks { compressed_sacks: most, ..Profile::rfc().acks };
        let mut compression = SackCompression::new(&acks).expect("it holds some");
        compression.on_round_trip(round_trip);
        compression
    }

    /// Returns which of `segments` segments beyond one gap are acknowledged at once, one each 10
    /// µs.
    fn at_once(compression: &mut SackCompression, nxt: u64, segments: u64) -> Vec<bool> {
        let arrivals = (0..segments).map(|number| at(number * 10));
        let answers = arrivals.map(|now| {
            let now = !compression.holds(now, nxt);
            if now {
                compression.reset();
            }
            now
        });
        answers.collect()
    }

    #[test]
    fn acknowledgements_beyond_three_of_a_gap_are_held() {
        let mut compression = compression(2, Some(TRIP));
        let first = [true, true, true, false, false, true, false];
        assert_eq!(at_once(&mut compression, 1000, 7), first);
        // The gap is filled, and there is another one.
        assert_eq!(at_once(&mut compression, 5000, 4), [true, true, true, false]);
    }

    /// 5 % of 100 ms, at most 1 ms; 5 % of 10 ms; and counted from the first that is held.
    #[test]
    fn acknowledgements_are_held_for_a_round_trip_share() {
        for (round_trip, due) in [(100, 30 + 1000), (10, 30 + 500)] {
            let mut compression = compression(44, Some(Duration::from_millis(round_trip)));
            at_once(&mut compression, 1000, 6);
            assert_eq!(compression.due(), Some(at(due)));
            compression.reset();
            assert_eq!(compression.due(), None);
        }
    }

    #[test]
    fn unknown_round_trip_holds_no_acknowledgement() {
        assert_eq!(at_once(&mut compression(44, None), 1000, 5), [true; 5]);
    }

    #[test]
    fn by_default_nothing_is_held() {
        assert!(SackCompression::new(&Profile::rfc().acks).is_none());
    }
}
