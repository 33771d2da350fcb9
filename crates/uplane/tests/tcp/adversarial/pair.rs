//! Pairs of a loss recovery and a congestion control, each with its share of the cases.

use std::fmt;

use proptest::prelude::*;
use uplane::tcp::{CongestionControl, EcnMode, Profile, SackRecovery};

use super::case::{self, Case};

/// Recovery and control of the first end of a case, and in half of the cases of the second one too.
#[derive(Clone, Copy)]
pub(crate) struct Pair {
    /// `None` for the recovery of RFC 6582, since neither end has SACK.
    recovery: Option<SackRecovery>,
    control: CongestionControl,
    /// The pair has ECN in one of its modes.
    ecn: bool,
}

impl Pair {
    /// Each recovery with each control, with and without ECN. Without ECN Prague is NewReno; BBR's
    /// data is never marked, so ECN makes no difference for it.
    pub(crate) fn all() -> Vec<Self> {
        let recoveries = [
            None,
            Some(SackRecovery::Rack),
            Some(SackRecovery::Rfc6675),
            Some(SackRecovery::NewReno),
            Some(SackRecovery::PartialResend),
            Some(SackRecovery::Ns3),
            Some(SackRecovery::Ns3Later),
        ];
        let mut pairs = Vec::new();
        for recovery in recoveries {
            for &control in CongestionControl::ALL {
                for ecn in [false, true] {
                    let needless = match control {
                        CongestionControl::Bbr => ecn,
                        CongestionControl::Prague => !ecn,
                        CongestionControl::NewReno | CongestionControl::Cubic => false,
                    };
                    if !needless {
                        pairs.push(Self { recovery, control, ecn });
                    }
                }
            }
        }
        pairs
    }

    /// Returns `true` if its reductions for marks can be seen.
    pub(crate) fn has_marks(self) -> bool {
        self.ecn
    }

    /// Any case with this pair.
    pub(crate) fn cases(self) -> impl Strategy<Value = Case> {
        (case::hostile(), any::<bool>(), any::<bool>()).prop_map(move |(mut case, both, counts)| {
            self.give_to(&mut case.ends[0].profile, counts);
            if both {
                self.give_to(&mut case.ends[1].profile, counts);
            }
            // SACK is agreed on or not.
            case.ends[1].profile.sack = self.recovery.is_some();
            case
        })
    }

    /// Sets this pair in a profile. With ECN, a control that does not count marks has classic or
    /// accurate feedback.
    fn give_to(self, profile: &mut Profile, counts: bool) {
        profile.sack = self.recovery.is_some();
        profile.sack_recovery = self.recovery.unwrap_or(profile.sack_recovery);
        profile.congestion_control = self.control.into();
        let accurate = counts || self.control == CongestionControl::Prague;
        profile.ecn = match (self.ecn, accurate) {
            (false, _) => EcnMode::Off,
            (true, false) => EcnMode::Classic,
            (true, true) => EcnMode::Accurate,
        };
    }
}

impl fmt::Display for Pair {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.recovery {
            None => write!(to, "no SACK")?,
            Some(recovery) => write!(to, "{recovery:?}")?,
        }
        let ecn = if self.ecn { "with" } else { "without" };
        write!(to, ", {:?}, {ecn} ECN", self.control)
    }
}
