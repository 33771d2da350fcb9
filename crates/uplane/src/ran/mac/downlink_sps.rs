//! Semi-persistent scheduling of the downlink of one UE (TS 38.321 §5.8.1): blocks at regular
//! occasions. A control message announces only the first block.
//!
//! In: the slot of the message that activates it, blocks sent. Out: whether a slot is an occasion,
//! and the HARQ process of its block.
//!
//! An occasion without data carries nothing, at no cost. After `release_after` such occasions in a
//! row the base station releases the assignment.
//!
//! Left out: the control message that releases it, one in a burst of packets; a first message that
//! the UE misses (1 % by the choice of its level).

use crate::unit::Bytes;

/// The parameters of all UEs of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Distance between two occasions, in slots (`periodicity`).
    pub period: u64,
    /// Size of each block.
    pub bytes: Bytes,
    /// HARQ processes, the first ones of the UE (`nrofHARQ-Processes`).
    pub processes: u32,
    /// Number of occasions without data after which the assignment is released.
    pub release_after: u64,
    /// Slots of 1024 frames, after which slot numbers restart.
    pub cycle: u64,
}

/// The configured assignment of one UE, while it is active.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The slot of its first block.
    first: u64,
    /// The slot of its last block.
    last: u64,
}

impl Config {
    /// Returns the `HARQ Process ID` of a block in `slot` (TS 38.321 §5.3.1).
    pub fn process_of(&self, slot: u64) -> usize {
        ((slot % self.cycle / self.period) % u64::from(self.processes)) as usize
    }
}

impl Assignment {
    /// Creates an assignment that was activated with a block in `slot`.
    pub const fn new(slot: u64) -> Self {
        Self { first: slot, last: slot }
    }

    /// Returns `true` until the assignment is released.
    pub const fn is_active(&self, config: &Config, slot: u64) -> bool {
        slot <= self.last + config.release_after * config.period
    }

    /// Returns `true` if a block may be sent in `slot` without a message.
    pub const fn is_due(&self, config: &Config, slot: u64) -> bool {
        (slot - self.first).is_multiple_of(config.period) && self.is_active(config, slot)
    }

    /// Records a block that was sent in `slot`.
    pub const fn on_sent(&mut self, slot: u64) {
        self.last = slot;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFIG: Config =
        Config { period: 20, bytes: Bytes(100), processes: 3, release_after: 2, cycle: 10_240 };

    /// TS 38.321 §5.3.1: `floor(slot · 10 / (slots of a frame · period in ms)) mod processes`; 1024
    /// frames of 1 ms slots are 512 periods of 20 ms.
    #[test]
    fn the_process_is_that_of_the_slot() {
        let of = |slot| CONFIG.process_of(slot);
        assert_eq!([7, 27, 47, 67].map(of), [0, 1, 2, 0]);
        assert_eq!([10_227, 10_247].map(of), [511 % 3, 0], "frames begin anew");
    }

    /// TS 38.321 §5.8.1: occasions follow the first block.
    #[test]
    fn occasions_follow_the_first_block() {
        let mut assignment = Assignment::new(7);
        let due = |of: &Assignment| (8..90).filter(|&slot| of.is_due(&CONFIG, slot)).collect();
        let all: Vec<u64> = due(&assignment);
        assert_eq!(all, [27, 47], "two occasions without data, and it is released");
        assignment.on_sent(47);
        let all: Vec<u64> = due(&assignment);
        assert_eq!(all, [27, 47, 67, 87]);
        assert!(!assignment.is_active(&CONFIG, 88));
    }
}
