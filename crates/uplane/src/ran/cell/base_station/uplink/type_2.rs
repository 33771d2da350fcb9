//! Configured grants of type 2 (TS 38.321 §5.8.2): the base station activates them by one message,
//! and releases them by another.
//!
//! In: UEs to be granted something, occasions without a block, confirmations. Out: grants that
//! activate one, messages that release one.
//!
//! A UE that is to be granted something gets the first of its grants of type 2 that are not active
//! and that it has use for: the channels that ask by the configuration of its request may use it,
//! or those of a group with data by its report. The message takes the place of an ordinary grant,
//! for a block of the size of the configured grant. What does not fit goes by ordinary grants.
//!
//! Left out: other strategies of activation, such as by the class of a bearer.

use crate::net::Direction;
use crate::ran::bearer;
use crate::ran::cell::air::Release;
use crate::ran::cell::base_station::{BaseStation, BaseTurn};
use crate::ran::cell::setup::Setup;
use crate::ran::cell::slot_capacity::UNLIMITED;
use crate::ran::mac::configured_grant::GrantSet;
use crate::unit::Bytes;

/// A block that a UE is granted.
pub(super) struct Chosen {
    /// Units that it takes.
    pub(super) used: u64,
    /// Its size; as large as the UE needs for `None`.
    pub(super) size: Option<Bytes>,
    pub(super) process: usize,
    /// The configured grant whose first block it is.
    pub(super) activates: Option<u8>,
}

/// What a UE is granted.
pub(super) enum Choice {
    /// A block of a configured grant that is activated by it.
    Activate(Chosen),
    /// An ordinary block.
    Ordinary,
    /// Nothing in this slot: a bundle finds more slots if it begins in another.
    Wait,
}

impl BaseStation {
    /// Whether a UE that is to be granted something in `target`, of whose units `units` are free,
    /// gets a configured grant.
    pub(super) fn choose_type_2(&self, setup: &Setup, target: u64, ue: u32, units: u64) -> Choice {
        let Some(number) = self.wanted_type_2(setup, ue) else { return Choice::Ordinary };
        let sps = &setup.config.uplink.grants.sps[number];
        let Some(configured) = &sps.configured else { return Choice::Ordinary };
        if !sps.has_place(target) {
            return Choice::Wait;
        }
        let context = &self.ues[ue as usize].up;
        let capacity = &setup.config.uplink.channel.capacity;
        let used = context.link.units_for(capacity, target, sps.bytes, UNLIMITED);
        let size = context.link.size(capacity, target, used);
        let process = configured.process_of(target, sps.period);
        if used > units || size.is_zero() || !context.harq.is_free(process) {
            return Choice::Ordinary;
        }
        Choice::Activate(Chosen { used, size: Some(size), process, activates: Some(number as u8) })
    }

    /// The number of a configured grant that a UE has use for, and that is not active.
    fn wanted_type_2(&self, setup: &Setup, ue: u32) -> Option<usize> {
        let context = &self.ues[ue as usize].up;
        let configured = context.configured.as_ref()?;
        // What answers a preamble is for Msg3.
        if context.demand.unanswered > 0 && configured.asked_by.is_none() {
            return None;
        }
        let active = configured.active();
        let groups = context.demand.estimate.groups();
        let has_use = |bearer: &&bearer::Config| {
            configured.asked_by == Some(bearer.request.configuration)
                || !groups[usize::from(bearer.logical_channel_group)].is_zero()
        };
        let bearers = setup.config.bearers.iter().filter(has_use);
        let first = |bearer: &bearer::Config| {
            let numbers = 0..setup.config.uplink.grants.sps.len();
            let mut usable = numbers.filter(|&number| bearer.configured_grants.contains(number));
            usable.find(|&number| !active.contains(number))
        };
        bearers.filter_map(first).min()
    }

    /// A configured grant is activated with a block in `target`, and has the further slots of its
    /// bundle too.
    pub(super) fn activate(
        &mut self,
        turn: &mut BaseTurn<'_>,
        target: u64,
        (ue, number): (u32, usize),
        units: u64,
    ) {
        let setup = turn.setup;
        turn.air.statistics.configured_grant_activations += 1;
        if let Some(configured) = &mut self.ues[ue as usize].up.configured {
            configured.activate(number, target);
        }
        let sps = &setup.config.uplink.grants.sps[number];
        for slot in target + 1..sps.end_of(target) {
            if setup.timeline.next_uplink(slot) == slot {
                turn.air.ring.at(slot).uplink_units += units;
            }
        }
        self.on_idle_check(turn, ue, number);
    }

    /// The slot has come in which a configured grant may have been idle for long enough: it is to
    /// be released, or looked at again.
    pub(in crate::ran::cell) fn on_idle_check(
        &mut self,
        turn: &mut BaseTurn<'_>,
        ue: u32,
        number: usize,
    ) {
        let setup = turn.setup;
        let sps = &setup.config.uplink.grants.sps[number];
        let Some(configured) = &mut self.ues[ue as usize].up.configured else { return };
        let Some(occasion) = configured.idle_with(number, sps) else { return };
        let last = setup.timeline.next_uplink(sps.end_of(occasion) - 1);
        let known = setup.timeline.report_known(last);
        if known > turn.slot {
            turn.air.ring.at(known).idle_grants.push((ue, number));
        } else {
            configured.release(number);
            self.up.releases.push_back((ue, number));
        }
    }

    /// Messages that release configured grants, with what other messages have left of the control
    /// channel.
    pub(super) fn send_releases(&mut self, turn: &mut BaseTurn<'_>) {
        let Some(not_before) = turn.setup.timeline.granted_in(turn.slot).next() else { return };
        for _ in 0..self.up.releases.len() {
            let (ue, number) = self.up.releases.pop_front().expect("counted");
            if !self.is_awake(ue, turn.slot) || !self.take_control(turn.air, Direction::Up, ue) {
                self.up.releases.push_back((ue, number));
                continue;
            }
            let cces = self.ues[ue as usize].aggregation.cces();
            turn.air.send_release(Release { ue, number, not_before }, cces);
        }
    }

    /// A UE has confirmed that these grants are released.
    pub(in crate::ran::cell) fn on_confirmed(&mut self, ue: u32, cleared: GrantSet) {
        if let Some(configured) = &mut self.ues[ue as usize].up.configured {
            configured.clear(cleared);
        }
    }
}
