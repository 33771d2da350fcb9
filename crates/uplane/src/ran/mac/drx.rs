//! Discontinuous reception of one UE in connected mode, C-DRX (TS 36.321 §5.7, TS 38.321 §5.7).
//!
//! In: assignments and grants of new data, blocks that failed, scheduling requests. Out: the slots
//! in which the UE reads the control channel, its Active Time.
//!
//! The UE is awake at the start of each cycle (`drx-onDurationTimer`), after each assignment or
//! grant of new data (`drx-InactivityTimer`), when a block may be retransmitted
//! (`drx-RetransmissionTimer`), and while a scheduling request is pending. When the inactivity
//! timer expires, short cycles follow for a while if they are configured. Base station and UE run
//! the same timers.
//!
//! Left out: a HARQ RTT timer that differs from the time until the base station retransmits a
//! block; the MAC control element that sends a UE to sleep; wake-up signals; channel reports and
//! sounding that a sleeping UE omits; an assignment that the UE misses, after which it would sleep
//! earlier than the base station assumes. This matters for studies of energy.

use std::ops::Range;

use super::scheduling_request::Offset;
use crate::unit::Duration;

/// The parameters of all UEs of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// `drx-LongCycle`
    pub long_cycle: Duration,
    /// `drx-ShortCycle`, and the number of short cycles (`drx-ShortCycleTimer`).
    pub short_cycle: Option<(Duration, u64)>,
    /// `drx-onDurationTimer`
    pub on_duration: Duration,
    /// `drx-InactivityTimer`
    pub inactivity: Duration,
    /// `drx-RetransmissionTimer`
    pub retransmission: Duration,
    /// `drx-StartOffset`: UE by UE the next on-duration of a long cycle, or any slot.
    pub offset: Offset,
}

/// The cycles of one UE, in slots.
#[derive(Clone, Debug)]
pub struct Drx {
    long: u64,
    short: Option<(u64, u64)>,
    on: u64,
    inactivity: u64,
    retransmission: u64,
    offset: u64,
    /// The first slot in which the inactivity timer does not run.
    inactive_from: u64,
    /// The first slot in which no retransmission timer runs.
    settled_from: u64,
    /// A scheduling request is pending.
    awaits_grant: bool,
    /// The last slot in which there was something for the UE and it slept.
    last_asleep: Option<u64>,
    /// Active Time so far, for statistics.
    awake: AwakeTime,
}

/// Active Time of a UE in RRC_CONNECTED, counted whenever a timer changes.
#[derive(Clone, Copy, Debug)]
struct AwakeTime {
    /// The UE has cycles: it has not left RRC_CONNECTED or the cell.
    runs: bool,
    /// Number of slots awake before slot `until`.
    slots: u64,
    until: u64,
}

impl Config {
    /// Returns the cycles of a UE that begins its long cycles `offset` slots after the grid.
    /// `slots` converts a time to slots.
    pub fn begin(&self, offset: u64, slots: impl Fn(Duration) -> u64) -> Drx {
        let none_or = |span: Duration| if span.is_zero() { 0 } else { slots(span) };
        let long = slots(self.long_cycle);
        Drx {
            long,
            short: self.short_cycle.map(|(cycle, count)| (slots(cycle), count)),
            on: slots(self.on_duration),
            inactivity: none_or(self.inactivity),
            retransmission: none_or(self.retransmission),
            offset: offset % long,
            inactive_from: 0,
            settled_from: 0,
            awaits_grant: false,
            last_asleep: None,
            awake: AwakeTime { runs: true, slots: 0, until: 0 },
        }
    }

    /// Returns the offset of UE number `number`. `below` draws a number below its argument.
    pub fn offset_of(
        &self,
        number: u64,
        slots: impl Fn(Duration) -> u64,
        below: impl FnOnce(u64) -> u64,
    ) -> u64 {
        let (long, on) = (slots(self.long_cycle), slots(self.on_duration));
        match self.offset {
            Offset::InTurn => number % (long / on).max(1) * on,
            Offset::Random => below(long),
            Offset::Fixed(offset) => offset,
        }
    }
}

impl Drx {
    /// Returns `true` if the UE reads the control channel in `slot`. Call it for slots in order.
    pub fn is_awake(&mut self, slot: u64) -> bool {
        let awake = self.is_active(slot);
        if !awake {
            self.last_asleep = Some(slot);
        }
        awake
    }

    /// Returns `true` if `slot` belongs to the Active Time.
    pub fn is_active(&self, slot: u64) -> bool {
        self.awaits_grant
            || slot < self.inactive_from
            || slot < self.settled_from
            || self.is_on(slot)
    }

    /// Returns `true` if `slot` is in the on-duration of a long cycle, or of a short cycle after
    /// the inactivity timer.
    fn is_on(&self, slot: u64) -> bool {
        // Slots since the last start of a cycle of this length.
        let since = |cycle: u64| (slot + self.long - self.offset) % cycle;
        let is_short = |started: u64| {
            self.short.is_some_and(|(cycle, count)| {
                (self.inactive_from..self.inactive_from + cycle * count).contains(&started)
                    && self.inactive_from > 0
            })
        };
        let begun = |cycle: u64| {
            let since = since(cycle);
            (since < self.on && since <= slot).then(|| slot - since)
        };
        begun(self.long).is_some_and(|started| !is_short(started))
            || self.short.and_then(|(cycle, _)| begun(cycle)).is_some_and(is_short)
    }

    /// Returns the first slot in which the UE was awake after it slept while there was something
    /// for it.
    pub fn woke(&self) -> Option<u64> {
        self.last_asleep.map(|slot| slot + 1)
    }

    /// Returns the number of slots before `end` in which the UE was awake.
    pub fn slots_awake(&self, end: u64) -> u64 {
        self.awake.slots + self.active_in(self.awake.until.min(end)..end)
    }

    /// Stops the cycles: the UE leaves RRC_CONNECTED or the cell in `slot`.
    pub fn stop(&mut self, slot: u64) {
        self.count_until(slot);
        self.awake.runs = false;
    }

    /// Counts the slots awake before `slot`, in which a timer changes.
    fn count_until(&mut self, slot: u64) {
        let until = self.awake.until.max(slot);
        self.awake = AwakeTime { runs: true, slots: self.slots_awake(until), until };
    }

    /// Counts the slots of the Active Time in `slots`, if no timer changes.
    fn active_in(&self, slots: Range<u64>) -> u64 {
        let Range { start, end } = slots;
        if !self.awake.runs {
            return 0;
        }
        if self.awaits_grant {
            return end - start;
        }
        let asleep_from = self.inactive_from.max(self.settled_from).clamp(start, end);
        // Short cycles, and the on-duration that begins last in them: slot by slot.
        let short = self.short.map_or(0, |(cycle, count)| cycle * count);
        let long_from = (self.inactive_from + short + self.on).clamp(asleep_from, end);
        let in_short = (asleep_from..long_from).filter(|&slot| self.is_on(slot)).count() as u64;
        let in_long = self.long_on_before(end) - self.long_on_before(long_from);
        asleep_from - start + in_short + in_long
    }

    /// Counts the slots before `slot` that belong to on-durations of long cycles.
    fn long_on_before(&self, slot: u64) -> u64 {
        let Some(since) = slot.checked_sub(self.offset) else { return 0 };
        since / self.long * self.on.min(self.long) + (since % self.long).min(self.on)
    }

    /// Restarts the inactivity timer for an assignment of new data in `slot`.
    pub fn on_assignment(&mut self, slot: u64) {
        self.count_until(slot);
        self.inactive_from = slot + 1 + self.inactivity;
    }

    /// Restarts the inactivity timer for a grant of new data in `slot`, which answers a request.
    pub fn on_grant(&mut self, slot: u64) {
        self.count_until(slot);
        self.awaits_grant = false;
        self.on_assignment(slot);
    }

    /// Keeps the UE awake for a failed block that may be retransmitted from `slot` on.
    pub fn on_failure(&mut self, slot: u64) {
        self.count_until(slot);
        self.settled_from = self.settled_from.max(slot + self.retransmission);
    }

    /// Stops all timers, and restarts the inactivity timer as after an assignment in `slot`: the UE
    /// has just come into the cell.
    pub fn restart(&mut self, slot: u64) {
        self.count_until(slot);
        (self.awaits_grant, self.settled_from) = (false, 0);
        self.on_assignment(slot);
    }

    /// Keeps the UE awake until a scheduling request, known in `slot`, is answered.
    pub fn on_request(&mut self, slot: u64) {
        self.count_until(slot);
        self.awaits_grant = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    fn drx(short_cycle: Option<(Duration, u64)>) -> Drx {
        let config = Config {
            long_cycle: MS(40),
            short_cycle,
            on_duration: MS(4),
            inactivity: MS(6),
            retransmission: MS(3),
            offset: Offset::InTurn,
        };
        config.begin(10, |span| span.as_nanos() / 1_000_000)
    }

    /// Runs of slots in which the UE is awake.
    fn awake(drx: &mut Drx, slots: Range<u64>) -> Vec<(u64, u64)> {
        let mut runs: Vec<(u64, u64)> = Vec::new();
        for slot in slots.filter(|&slot| drx.is_awake(slot)) {
            match runs.last_mut() {
                Some((_, end)) if *end == slot => *end += 1,
                _ => runs.push((slot, slot + 1)),
            }
        }
        runs
    }

    /// TS 38.321 §5.7: slots whose number is the offset modulo the cycle.
    #[test]
    fn a_ue_is_awake_at_the_start_of_each_cycle() {
        assert_eq!(awake(&mut drx(None), 0..100), [(10, 14), (50, 54), (90, 94)]);
    }

    #[test]
    fn an_assignment_keeps_it_awake() {
        let mut drx = drx(None);
        drx.on_assignment(12);
        assert_eq!(awake(&mut drx, 12..60), [(12, 19), (50, 54)]);
        assert_eq!(drx.woke(), Some(60));
        assert!(drx.last_asleep == Some(59));
    }

    /// Two short cycles after the inactivity timer, with the long offset modulo 8.
    #[test]
    fn short_cycles_follow_inactivity() {
        let mut drx = drx(Some((MS(8), 2)));
        // No short cycle before there was any activity.
        assert_eq!(awake(&mut drx, 0..20), [(10, 14)]);
        drx.on_assignment(51);
        // The timer expires in 58, and short cycles begin in 58 and 66; slot 74 is too late for a
        // third.
        assert_eq!(awake(&mut drx, 51..100), [(51, 62), (66, 70), (90, 94)]);
    }

    #[test]
    fn a_block_that_failed_and_a_request_keep_it_awake() {
        let mut drx = drx(None);
        drx.on_failure(20);
        drx.on_failure(19);
        assert_eq!(awake(&mut drx, 18..40), [(18, 23)]);
        drx.on_request(40);
        assert_eq!(awake(&mut drx, 40..60), [(40, 60)]);
        drx.on_grant(60);
        assert_eq!(awake(&mut drx, 60..80), [(60, 67)]);
    }

    /// Slots counted at changes of timers are the slots found awake one by one, with long and short
    /// cycles; a UE that left counts none until a request.
    #[test]
    fn slots_awake_are_counted_between_changes() {
        for short_cycle in [None, Some((MS(8), 2)), Some((MS(20), 3))] {
            let mut drx = drx(short_cycle);
            let mut expected = 0;
            for slot in 0..2_000 {
                assert_eq!(drx.slots_awake(slot), expected, "{short_cycle:?}, slot {slot}");
                match slot {
                    51 | 470 | 1_206 => drx.on_assignment(slot),
                    133 | 1_190 => drx.on_failure(slot),
                    260 | 1_200 => drx.on_request(slot),
                    300 | 1_203 => drx.on_grant(slot),
                    700 => drx.stop(slot),
                    _ => {}
                }
                expected += u64::from(!(700..1_190).contains(&slot) && drx.is_active(slot));
            }
        }
    }

    /// Ten on-durations of 4 fit into a cycle of 40.
    #[test]
    fn ues_have_their_cycles_in_turn() {
        let config = Config {
            long_cycle: MS(40),
            short_cycle: None,
            on_duration: MS(4),
            inactivity: MS(0),
            retransmission: MS(0),
            offset: Offset::InTurn,
        };
        let slots = |span: Duration| span.as_nanos() / 1_000_000;
        let of = |number| config.offset_of(number, slots, |_| unreachable!("nothing is drawn"));
        assert_eq!([0, 1, 9, 10].map(of), [0, 4, 36, 0]);
        let random = Config { offset: Offset::Random, ..config };
        assert_eq!(random.offset_of(7, slots, |places| places - 1), 39);
    }
}
