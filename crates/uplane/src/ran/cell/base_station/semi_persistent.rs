//! Blocks of the downlink at the occasions of semi-persistent scheduling (TS 38.321 §5.8.1).
//!
//! In: UEs with data, the slot. Out: blocks that need no control message.
//!
//! | UE | data | what it gets |
//! |---|---|---|
//! | not active | as much as an occasion carries, at most | a block of that size, by the message that activates it |
//! | active, in an occasion | any | a block without a message |
//! | active, else | as much as an occasion carries, at most | nothing until then |
//! | any | more | a block by a message of its own, as without it |
//!
//! Left out: modulation and resource blocks that stay as they were when it was activated; they are
//! those of the link at each occasion.

use super::room::{Announced, Room};
use super::{BaseStation, BaseTurn};
use crate::ran::cell::rbg::GroupSet;
use crate::ran::mac::downlink_sps::{Assignment, Config};
use crate::unit::Bytes;

/// What semi-persistent scheduling makes of a UE that the scheduler has picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// It gets a block as without it.
    Dynamic,
    /// Its data wait for an occasion.
    Waits,
    /// A block of this size in this process activates it.
    Activates(Bytes, usize),
}

impl BaseStation {
    /// Blocks of UEs that have an occasion in this slot.
    #[inline(always)]
    pub(super) fn send_semi_persistent(&mut self, turn: &mut BaseTurn<'_>, room: &mut Room) {
        if let Some(config) = turn.setup.config.downlink.sps {
            self.send_at_occasion(turn, config, room);
        }
    }

    #[cold]
    fn send_at_occasion(&mut self, turn: &mut BaseTurn<'_>, config: Config, room: &mut Room) {
        let is_due = |ue: &u32| {
            let context = &self.ues[*ue as usize].down;
            context.sps.is_some_and(|sps| sps.is_due(&config, turn.slot))
                && context.harq.is_free(config.process_of(turn.slot))
        };
        let due: Vec<u32> = self.down.backlogged.iter().copied().filter(is_due).collect();
        for ue in due {
            if room.ues > 0 && self.wanted(turn, ue).is_some() {
                let used = self.send_occasion(turn, ue, &config, room.units);
                room.units -= used;
                room.ues -= u32::from(used > 0);
            }
        }
    }

    fn send_occasion(
        &mut self,
        turn: &mut BaseTurn<'_>,
        ue: u32,
        config: &Config,
        units: u64,
    ) -> u64 {
        let capacity = &turn.setup.config.downlink.channel.capacity;
        let on_air = turn.setup.timeline.downlink_on_air(turn.slot);
        let context = &mut self.ues[ue as usize].down;
        let used = context.link.units_for(capacity, on_air, config.bytes, units);
        let size = context.link.size(capacity, on_air, used);
        if size.is_zero() {
            return 0;
        }
        context.sps.as_mut().expect("it is due").on_sent(turn.slot);
        let announced = Announced::Before(config.process_of(turn.slot));
        self.send_block(turn, ue, (used, size), GroupSet::default(), announced);
        used
    }

    /// What becomes of a UE that was picked with `wanted` bytes.
    #[inline(always)]
    pub(super) fn semi_persistent_rule(&self, turn: &BaseTurn<'_>, ue: u32, wanted: Bytes) -> Rule {
        match turn.setup.config.downlink.sps {
            None => Rule::Dynamic,
            Some(config) => self.rule_with(turn, config, ue, wanted),
        }
    }

    #[cold]
    fn rule_with(&self, turn: &BaseTurn<'_>, config: Config, ue: u32, wanted: Bytes) -> Rule {
        let context = &self.ues[ue as usize].down;
        if wanted > config.bytes {
            return Rule::Dynamic;
        }
        if context.sps.is_some_and(|sps| sps.is_active(&config, turn.slot)) {
            return Rule::Waits;
        }
        let process = config.process_of(turn.slot);
        if !context.harq.is_free(process) {
            return Rule::Dynamic;
        }
        Rule::Activates(config.bytes, process)
    }

    /// A message has activated it in this slot.
    pub(super) fn activate_semi_persistent(&mut self, slot: u64, ue: u32) {
        self.ues[ue as usize].down.sps = Some(Assignment::new(slot));
    }
}
