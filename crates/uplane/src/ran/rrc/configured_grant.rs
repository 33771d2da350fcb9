//! Small data on a configured grant of type 1 in RRC_INACTIVE (CG-SDT, TS 38.321 §5.8.2, §5.27):
//! the occasions of each UE, and how long it may use them.
//!
//! In: slots, the instant of a release. Out: the next occasion; when the time alignment ends, and a
//! first message without an answer fails.
//!
//! Left out: `sdt-RSRP-Threshold`, `cg-SDT-RSRP-ThresholdSSB` and `cg-SDT-RSRP-ChangeThreshold`: a
//! cell has no beams here, and a UE that is released measures nothing; studies of coverage can
//! tell. Of release 18: `cg-SDT-PeriodicityExt`, `cg-SDT-MaxDurationToNextCG-Occasion`, data in the
//! answer to a page (MT-SDT). That `cg-SDT-RetransmissionTimer` counts periods, and that `t319a`
//! starts with the procedure, is recalled, not read.

use crate::unit::{Duration, Instant};

/// The grant of each UE of a cell (`SDT-MAC-PHY-CG-Config`, TS 38.331 §6.3.2), which it has with
/// its release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfiguredGrant {
    /// Slots from one occasion of a UE to its next.
    pub period: u64,
    /// The slots of a period that have them; UEs have one of these in turn.
    pub places: Box<[u64]>,
    /// `cg-SDT-RetransmissionTimer` in slots, whole periods.
    pub retransmission: u64,
    /// `cg-SDT-TimeAlignmentTimer`; it never ends for `None`.
    pub alignment: Option<Duration>,
    /// From the beginning of a procedure until it fails, if nothing answers.
    pub t319a: Duration,
}

impl ConfiguredGrant {
    /// The first occasion of UE number `ue` from slot `first` on.
    pub fn next_occasion(&self, ue: u32, first: u64) -> u64 {
        let place = self.places[ue as usize % self.places.len()];
        let past = (first + self.period - place) % self.period;
        if past == 0 { first } else { first + self.period - past }
    }

    /// When the time alignment ends of a UE that is released at `now`: it holds before that
    /// instant, and no longer at it (TS 38.321 §5.2).
    pub fn aligned_until(&self, now: Instant) -> Instant {
        self.alignment.map_or(Instant::FAR_FUTURE, |span| now + span)
    }

    /// When a procedure fails that begins at `now`, and to which nothing answers (TS 38.321 §5.2,
    /// TS 38.331 §5.3.13.5).
    pub fn fails(&self, now: Instant, aligned_until: Instant) -> Instant {
        aligned_until.min(now + self.t319a)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    fn grant(alignment: Option<Duration>) -> ConfiguredGrant {
        let places = Box::new([4, 9]);
        ConfiguredGrant { period: 10, places, retransmission: 20, alignment, t319a: MS(100) }
    }

    /// TS 38.321 §5.8.2: the slots whose number is the offset modulo the period; two places serve
    /// three UEs, the third with the first.
    #[test]
    fn ues_have_occasions_in_turn() {
        let grant = grant(None);
        let next = |ue| [0, 4, 5, 9, 10, 34].map(|first| grant.next_occasion(ue, first));
        assert_eq!(next(0), [4, 4, 14, 14, 14, 34]);
        assert_eq!(next(1), [9, 9, 9, 9, 19, 39]);
        assert_eq!(next(2), next(0));
    }

    /// TS 38.321 §5.2, TS 38.331 §7.1.1: whichever timer ends first.
    #[test]
    fn a_procedure_fails_with_the_first_of_its_timers() {
        let now = Instant::ZERO + MS(7);
        assert_eq!(grant(None).aligned_until(now), Instant::FAR_FUTURE);
        let grant = grant(Some(MS(500)));
        let until = grant.aligned_until(now);
        assert_eq!(until, now + MS(500));
        assert_eq!(grant.fails(now, until), now + MS(100));
        assert_eq!(grant.fails(now + MS(450), until), until);
    }
}
