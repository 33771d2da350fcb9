//! Random access of a UE that is connected (TS 38.321 §5.1, TS 36.321 §5.1).
//!
//! In: the preambles of an occasion, a slot. Out: the result of each preamble, the slots of the
//! next occasion and of the answer.
//!
//! ```text
//!  four steps: preamble ─► RAR ─► Msg3: C-RNTI, report, data ─► grant by C-RNTI
//!  two steps:  preamble, MsgA: C-RNTI, report ─► grant by C-RNTI
//! ```
//!
//! A UE draws one of `preambles` in an occasion. If two UEs draw the same one, both get the same
//! RAR and send Msg3 in the same resources, neither is decoded, and both notice it when
//! `ra-ContentionResolutionTimer` expires. A UE whose preamble is not detected notices it at the
//! end of `ra-ResponseWindow`. In both cases it draws a back-off and sends another preamble in the
//! next occasion, up to `preambleTransMax` times.
//!
//! Left out: power ramping, the resource blocks of PRACH, RAR and MsgB, the capture of the stronger
//! of two in Msg3, the fallback of two steps to four, access without contention. This matters for
//! studies of coverage, or of many accesses a second. A UE backs off after each failure, even
//! without a RAR that has a back-off indicator: this is our choice.

use super::timeline::Timeline;
use crate::unit::{Duration, Probability};

/// The parameters of all UEs of a cell (`RACH-ConfigCommon`, TS 38.331 §6.3.2).
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Messages until contention is resolved.
    pub steps: Steps,
    /// Slots from one PRACH occasion to the next.
    pub period: u64,
    /// Slot of each period that has the occasion.
    pub offset: u64,
    /// Preambles for contention-based access.
    pub preambles: u64,
    /// `ra-ResponseWindow`, from the slot after the preamble on, or `msgB-ResponseWindow` from the
    /// one after MsgA: slots.
    pub response_window: u64,
    /// Minimum time between the end of a RAR and Msg3: `N_T,1 + N_T,2 + 0.5 ms` (TS 38.213 §8.3).
    pub msg3_delay: Duration,
    /// `ra-ContentionResolutionTimer`
    pub contention_resolution: Duration,
    /// Maximum back-off; it is drawn uniformly, starting at zero.
    pub back_off: Duration,
    /// `preambleTransMax`
    pub preamble_trans_max: u32,
    /// Probability that the base station does not detect a preamble.
    pub preamble_missed: Probability,
    /// UEs have resources for scheduling requests, and use random access only when requests fail.
    pub requests: bool,
}

/// Messages until contention is resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steps {
    /// Preamble, RAR, Msg3, contention resolution.
    Four,
    /// MsgA and MsgB.
    Two,
}

/// Result of a preamble in its occasion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detection {
    /// Only this UE drew the preamble.
    Alone,
    /// Another UE drew the same preamble.
    Collided,
    /// The base station did not detect the preamble.
    Missed,
}

/// One UE's preamble in an occasion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preamble {
    /// The UE that sent it.
    pub ue: u32,
    /// Index of the preamble.
    pub index: u64,
    /// The preamble is too weak for the base station.
    pub missed: bool,
}

impl Config {
    /// Returns the slot of MsgA's payload for a preamble in `slot`: the first uplink slot after it
    /// (`msgA-PUSCH-TimeDomainOffset`, TS 38.331 §6.3.2).
    pub fn payload(timeline: &Timeline, slot: u64) -> u64 {
        timeline.next_uplink(slot + 1)
    }

    /// Returns the slot in which a preamble of `slot` is answered, by a RAR or by a grant.
    pub fn answered(&self, timeline: &Timeline, slot: u64) -> u64 {
        match self.steps {
            Steps::Four => timeline.next_downlink(timeline.request_known(slot)),
            Steps::Two => timeline.report_known(Self::payload(timeline, slot)),
        }
    }

    /// Returns the first slot of the window for that answer.
    pub fn listens_from(&self, timeline: &Timeline, slot: u64) -> u64 {
        match self.steps {
            Steps::Four => slot + 1,
            Steps::Two => Self::payload(timeline, slot) + 1,
        }
    }

    /// Returns the first occasion at or after `slot`.
    pub const fn next_occasion(&self, slot: u64) -> u64 {
        let past = (slot + self.period - self.offset) % self.period;
        if past == 0 { slot } else { slot + self.period - past }
    }
}

/// Returns the result of each preamble of one occasion.
pub fn detect(preambles: &[Preamble]) -> impl Iterator<Item = (u32, Detection)> + '_ {
    preambles.iter().map(|own| {
        let mut same = preambles.iter().filter(|other| other.index == own.index);
        let detection = match (same.clone().count(), same.any(|other| !other.missed)) {
            (_, false) => Detection::Missed,
            (1, true) => Detection::Alone,
            (_, true) => Detection::Collided,
        };
        (own.ue, detection)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ran::mac::timing::{Clock, Timing};
    use crate::unit::Instant;

    fn preamble(ue: u32, index: u64, missed: bool) -> Preamble {
        Preamble { ue, index, missed }
    }

    /// `ra-ResponseWindow` begins after the preamble, `msgB-ResponseWindow` after MsgA, whose
    /// payload is sent in the next uplink slot (TS 38.321 §5.1.4, §5.1.4a).
    #[test]
    fn the_window_follows_the_answered_message() {
        let clock = Clock::new(Instant::ZERO, 1_000_000, 1).expect("a TTI takes time");
        let timeline = Timeline::new(&Timing::standard(), &clock);
        let opens = |steps| Config { steps, ..config() }.listens_from(&timeline, 5);
        assert_eq!((opens(Steps::Four), opens(Steps::Two)), (6, 7));
    }

    fn config() -> Config {
        Config {
            steps: Steps::Four,
            period: 10,
            offset: 0,
            preambles: 64,
            response_window: 10,
            msg3_delay: Duration::ZERO,
            contention_resolution: Duration::from_millis(64),
            back_off: Duration::ZERO,
            preamble_trans_max: 10,
            preamble_missed: Probability::ZERO,
            requests: false,
        }
    }

    /// Preambles that two UEs drew collide as soon as one of them is detected.
    #[test]
    fn preambles_are_detected_one_by_one() {
        let sent = [
            preamble(0, 7, false),
            preamble(1, 9, true),
            preamble(2, 5, false),
            preamble(3, 5, true),
            preamble(4, 1, true),
            preamble(5, 1, true),
        ];
        let found: Vec<Detection> = detect(&sent).map(|(_, detection)| detection).collect();
        let (alone, both, none) = (Detection::Alone, Detection::Collided, Detection::Missed);
        assert_eq!(found, [alone, none, both, both, none, none]);
    }
}
