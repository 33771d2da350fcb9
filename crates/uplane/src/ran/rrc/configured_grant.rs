//! Small data on a configured grant of type 1 in RRC_INACTIVE (CG-SDT, TS 38.321 §5.8.2, §5.27):
//! the occasions of each UE, and their validity.
//!
//! In: slots, the instant of a release. Out: the next occasion; the end of the time alignment, and
//! the failure of a first message without an answer.
//!
//! Left out: `sdt-RSRP-Threshold`, `cg-SDT-RSRP-ThresholdSSB` and `cg-SDT-RSRP-ChangeThreshold`,
//! since a cell has no beams here and a released UE measures nothing; this matters for studies of
//! coverage. Also left out, of release 18: `cg-SDT-PeriodicityExt`,
//! `cg-SDT-MaxDurationToNextCG-Occasion`, data in the answer to a page (MT-SDT). Two rules are
//! written from memory and were not checked: `cg-SDT-RetransmissionTimer` counts periods, and
//! `t319a` starts with the procedure.

use crate::unit::{Duration, Instant};

/// The grant of each UE of a cell (`SDT-MAC-PHY-CG-Config`, TS 38.331 §6.3.2), which the UE
/// receives with its release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfiguredGrant {
    /// Number of slots between two occasions of a UE.
    pub period: u64,
    /// The slots of a period that are occasions. UEs use them in turn.
    pub places: Box<[u64]>,
    /// `cg-SDT-RetransmissionTimer` in slots, whole periods.
    pub retransmission: u64,
    /// `cg-SDT-TimeAlignmentTimer`. `None`: infinity.
    pub alignment: Option<Duration>,
    /// Time from the start of a procedure until it fails without an answer.
    pub t319a: Duration,
}

impl ConfiguredGrant {
    /// Returns the first occasion of UE number `ue` at or after slot `first`.
    pub fn next_occasion(&self, ue: u32, first: u64) -> u64 {
        let place = self.places[ue as usize % self.places.len()];
        let past = (first + self.period - place) % self.period;
        if past == 0 { first } else { first + self.period - past }
    }

    /// Returns the end of the time alignment of a UE that is released at `now`. The alignment holds
    /// before that instant and no longer at it (TS 38.321 §5.2).
    pub fn aligned_until(&self, now: Instant) -> Instant {
        self.alignment.map_or(Instant::FAR_FUTURE, |span| now + span)
    }

    /// Returns the time at which a procedure fails that begins at `now` and receives no answer (TS
    /// 38.321 §5.2, TS 38.331 §5.3.13.5).
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

    /// TS 38.321 §5.8.2: the slots whose number is the offset modulo the period. Two offsets serve
    /// three UEs, the third with the first.
    #[test]
    fn ues_have_occasions_in_turn() {
        let grant = grant(None);
        let next = |ue| [0, 4, 5, 9, 10, 34].map(|first| grant.next_occasion(ue, first));
        assert_eq!(next(0), [4, 4, 14, 14, 14, 34]);
        assert_eq!(next(1), [9, 9, 9, 9, 19, 39]);
        assert_eq!(next(2), next(0));
    }

    /// TS 38.321 §5.2, TS 38.331 §7.1.1: the timer that ends first decides.
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
