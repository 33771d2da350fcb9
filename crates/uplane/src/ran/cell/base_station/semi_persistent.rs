//! Blocks of the downlink at the occasions of semi-persistent scheduling (TS 38.321 §5.8.1).
//!
//! In: UEs with data, the slot. Out: blocks that need no control message.
//!
//! | UE | data | result |
//! |---|---|---|
//! | not active | at most the size of an occasion | a block of that size, by the message that activates it |
//! | active, in an occasion | any | a block without a message |
//! | active, else | at most the size of an occasion | nothing until the next occasion |
//! | any | more | a block with its own message, as without semi-persistent scheduling |
//!
//! Left out: a modulation and resource blocks that stay fixed after the activation. Here each
//! occasion uses those of the link at that time.

use super::room::{Announced, Room};
use super::{BaseStation, BaseTurn};
use crate::ran::cell::rbg::GroupSet;
use crate::ran::mac::downlink_sps::{Assignment, Config};
use crate::unit::Bytes;

/// Treatment of a UE that the scheduler has picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// The UE gets a block as without semi-persistent scheduling.
    Dynamic,
    /// The data of the UE wait for an occasion.
    Waits,
    /// A block of this size in this process activates semi-persistent scheduling.
    Activates(Bytes, usize),
}

impl BaseStation {
    /// Sends blocks to UEs that have an occasion in this slot.
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

    /// Returns the treatment of a UE that was picked with `wanted` bytes.
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

    /// Records that a message has activated semi-persistent scheduling in this slot.
    pub(super) fn activate_semi_persistent(&mut self, slot: u64, ue: u32) {
        self.ues[ue as usize].down.sps = Some(Assignment::new(slot));
    }
}
