//! Configured grants of type 2 (TS 38.321 §5.8.2): the base station activates them by one message,
//! and releases them by another.
//!
//! In: UEs that need a grant, occasions without a block, confirmations. Out: grants that activate a
//! configured grant, messages that release one.
//!
//! A UE that needs a grant gets the first of its grants of type 2 that are inactive and that it has
//! use for: one that the channels with the configuration of its request may use, or those of a
//! group with data according to its report. The message replaces an ordinary grant, for a block of
//! the size of the configured grant. Remaining data get ordinary grants.
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

/// A block that is granted to a UE.
pub(super) struct Chosen {
    /// Units of the block.
    pub(super) used: u64,
    /// Size of the block; `None` for as many bytes as the UE needs.
    pub(super) size: Option<Bytes>,
    pub(super) process: usize,
    /// Number of the configured grant whose first block it is.
    pub(super) activates: Option<u8>,
}

/// Kind of grant for a UE.
pub(super) enum Choice {
    /// A block that activates a configured grant.
    Activate(Chosen),
    /// A block of an ordinary grant.
    Ordinary,
    /// No grant in this slot: a bundle gets more slots if it begins in another.
    Wait,
}

impl BaseStation {
    /// Decides whether a UE that needs a grant in `target`, of whose units `units` are free, gets a
    /// configured grant.
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

    /// Returns the number of an inactive configured grant that a UE has use for.
    fn wanted_type_2(&self, setup: &Setup, ue: u32) -> Option<usize> {
        let context = &self.ues[ue as usize].up;
        let configured = context.configured.as_ref()?;
        // A grant that answers a preamble is for Msg3.
        if context.demand.unanswered > 0 && configured.request_configuration.is_none() {
            return None;
        }
        let active = configured.active();
        let groups = context.demand.estimate.groups();
        let has_use = |bearer: &&bearer::Config| {
            configured.request_configuration == Some(bearer.request.configuration)
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

    /// Activates a configured grant with a block in `target`, and takes the further slots of its
    /// bundle.
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

    /// Releases a configured grant that has been idle for long enough, or checks it later.
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

    /// Sends the messages that release configured grants, as far as other messages leave room on
    /// the control channel.
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

    /// Handles a UE's confirmation that these grants are released.
    pub(in crate::ran::cell) fn on_confirmed(&mut self, ue: u32, cleared: GrantSet) {
        if let Some(configured) = &mut self.ues[ue as usize].up.configured {
            configured.clear(cleared);
        }
    }
}
