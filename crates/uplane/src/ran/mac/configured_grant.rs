//! Configured grants of one UE (TS 38.321 §5.4.1, §5.8.2, TS 38.214 §6.1.2.3).
//!
//! | file | contents |
//! |---|---|
//! | [`activation`] | a grant of type 2 as the base station knows it |
//! | [`confirmation`] | the grants of a UE as it knows them |
//! | [`set`] | a set of a UE's grants |
//!
//! In: occasions, which slots go up, blocks sent. Out: where a block may begin, its HARQ process,
//! its redundancy versions, and whether its process is held by `configuredGrantTimer`.
//!
//! An occasion is the first slot of a bundle of `repK` slots, which all carry the same block. The
//! occasion determines the process: two blocks of one process are `processes` periods apart. While
//! the timer of a process runs, the UE puts no new block into the process; when it expires without
//! a grant for a retransmission, the UE takes the block for received.
//!
//! Left out: several blocks in one period (`nrofSlotsInCG-Period`); blocks that a UE retransmits on
//! its own (`cg-RetransmissionTimer`, of unlicensed spectrum). The start of the timer with the
//! first transmission of a bundle is from memory, not checked against the standard.

pub mod activation;
pub mod confirmation;
pub mod set;

pub use activation::Activation;
pub use confirmation::{Confirmations, Confirmed};
pub use set::GrantSet;

/// The parameters of all UEs of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Type of the grant.
    pub kind: Kind,
    /// Number of its HARQ processes (`nrofHARQ-Processes`).
    pub processes: u32,
    /// The first of its processes (`harq-ProcID-Offset2`).
    pub first_process: u32,
    /// `configuredGrantTimer` in slots.
    pub timer: u64,
    /// `repK`: slots of a bundle.
    pub repetitions: u64,
    /// `repK-RV`
    pub sequence: RvSequence,
    /// Slots of 1024 frames, after which slot numbers restart.
    pub cycle: u64,
}

/// The two types of configured grants (TS 38.321 §5.8.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Type 1: by RRC, as long as the UE is connected.
    Type1,
    /// Type 2: by a message on the PDCCH, until another one releases it.
    Type2 {
        /// Number of occasions in a row without a block after which the grant is released.
        release_after: u64,
    },
}

/// `repK-RV`: redundancy versions of a bundle, and with them where it may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RvSequence {
    /// 0, 2, 3, 1: a bundle begins in its first slot.
    S0231,
    /// 0, 3, 0, 3: it begins in any slot with version 0.
    S0303,
    /// 0, 0, 0, 0: it begins in any slot but the last of eight.
    S0000,
}

/// The start of a block, and the occasion to which it belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// The first slot of the bundle.
    pub occasion: u64,
    /// The slot of the block's first transmission.
    pub slot: u64,
}

impl Config {
    /// Returns the `HARQ Process ID` of a bundle at `occasion`, with occasions every `period` slots
    /// (TS 38.321 §5.4.1).
    pub fn process_of(&self, occasion: u64, period: u64) -> usize {
        let place = (occasion % self.cycle / period) % u64::from(self.processes);
        self.first_process as usize + place as usize
    }

    /// Returns `true` for a HARQ process of this grant. No other grant of the UE has it (TS 38.321
    /// §5.4.1, note 5).
    pub fn has_process(&self, process: usize) -> bool {
        let first = self.first_process as usize;
        (first..first + self.processes as usize).contains(&process)
    }

    /// Returns the first possible start of a block in the bundle at `occasion`, at or after slot
    /// `first`.
    pub fn start_in(
        &self,
        occasion: u64,
        first: u64,
        goes_up: impl Fn(u64) -> bool,
    ) -> Option<Start> {
        let slots = first.max(occasion)..occasion + self.repetitions;
        let may = |&slot: &u64| {
            goes_up(slot) && self.sequence.may_begin(slot - occasion, self.repetitions)
        };
        slots.into_iter().find(may).map(|slot| Start { occasion, slot })
    }
}

impl RvSequence {
    /// Returns the redundancy version in slot number `number` of a bundle.
    pub const fn version(self, number: u64) -> u8 {
        let versions = match self {
            Self::S0231 => [0, 2, 3, 1],
            Self::S0303 => [0, 3, 0, 3],
            Self::S0000 => [0; 4],
        };
        versions[(number % 4) as usize]
    }

    /// Returns `true` if a block may begin in slot number `number` of a bundle of `repetitions`.
    const fn may_begin(self, number: u64, repetitions: u64) -> bool {
        match self {
            Self::S0231 => number == 0,
            Self::S0303 => self.version(number) == 0,
            Self::S0000 => repetitions < 8 || number + 1 < repetitions,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(repetitions: u64, sequence: RvSequence) -> Config {
        Config {
            kind: Kind::Type1,
            processes: 4,
            first_process: 0,
            timer: 20,
            repetitions,
            sequence,
            cycle: 20_480,
        }
    }

    /// TS 38.321 §5.4.1: a period of 10 slots and 4 processes.
    #[test]
    fn the_process_is_that_of_the_occasion() {
        let config = config(1, RvSequence::S0231);
        let of = |slot| config.process_of(slot, 10);
        assert_eq!([0, 10, 39, 40].map(of), [0, 1, 3, 0]);
        // 1024 frames are 2048 periods, and processes restart with 0.
        assert_eq!([20_470, 20_480, 20_490].map(of), [3, 0, 1]);
        // A period of 3 slots does not divide 20 480: processes restart with the frames all the
        // same.
        assert_eq!([20_478, 20_480].map(|slot| config.process_of(slot, 3)), [2, 0]);
    }

    /// TS 38.321 §5.4.1: `harq-ProcID-Offset2` is added, and keeps the processes of two grants
    /// apart.
    #[test]
    fn a_further_grant_has_processes_of_its_own() {
        let config = Config { first_process: 4, ..config(1, RvSequence::S0231) };
        assert_eq!([0, 10, 39, 40].map(|slot| config.process_of(slot, 10)), [4, 5, 7, 4]);
        assert_eq!(
            [3, 4, 7, 8].map(|process| config.has_process(process)),
            [false, true, true, false]
        );
    }

    fn begins(repetitions: u64, sequence: RvSequence) -> Vec<u64> {
        let config = config(repetitions, sequence);
        let mut slots: Vec<u64> = (0..repetitions)
            .filter_map(|from| config.start_in(100, 100 + from, |_| true))
            .map(|start| start.slot - 100)
            .collect();
        slots.dedup();
        slots
    }

    /// TS 38.214 §6.1.2.3.1
    #[test]
    fn a_bundle_begins_where_its_versions_allow() {
        assert_eq!(begins(8, RvSequence::S0231), [0]);
        assert_eq!(begins(8, RvSequence::S0303), [0, 2, 4, 6]);
        assert_eq!(begins(2, RvSequence::S0303), [0]);
        assert_eq!(begins(8, RvSequence::S0000), [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(begins(4, RvSequence::S0000), [0, 1, 2, 3]);
        assert_eq!(begins(1, RvSequence::S0000), [0]);
        let versions =
            |sequence: RvSequence| [0, 1, 2, 3, 4].map(|number| sequence.version(number));
        assert_eq!(versions(RvSequence::S0231), [0, 2, 3, 1, 0]);
        assert_eq!(versions(RvSequence::S0303), [0, 3, 0, 3, 0]);
        assert_eq!(versions(RvSequence::S0000), [0; 5]);
    }

    /// A downlink slot of the bundle is left out.
    #[test]
    fn a_bundle_begins_in_an_uplink_slot() {
        let goes_up = |slot| slot % 5 >= 3;
        let start = |sequence| config(4, sequence).start_in(100, 100, goes_up);
        assert_eq!(start(RvSequence::S0231), None);
        assert_eq!(start(RvSequence::S0000), Some(Start { occasion: 100, slot: 103 }));
        assert_eq!(start(RvSequence::S0303), None);
    }
}
