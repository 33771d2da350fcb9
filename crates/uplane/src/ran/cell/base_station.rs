//! The uplink in one slot: requests, reports, grants, blocks.
//!
//! In: buffers of the UEs. Out: blocks on the air, arrivals at the network.
//!
//! | file | where | what |
//! |---|---|---|
//! | [`uplink`] | eNB | what it believes and grants |
//!
//! Left out: errors on the PHICH. A UE that takes a NACK for an ACK loses a block as in the downlink; one
//! direction with such errors is enough to study them.

pub(in crate::ran::cell) mod buffer_view;
pub(in crate::ran::cell) mod downlink;
pub(in crate::ran::cell) mod frequency_selective;
pub(in crate::ran::cell) mod link_adaptation;
mod uplink;

use super::config;
use super::slot_ring::{Due, Transmission};
use super::{Cell, Effect};
use crate::ran::mac::scheduler::{Candidate, Scheduler};
use crate::sim::Outbox;

/// What the eNB's uplink scheduler knows, and which UEs have ideal reports to make.
#[derive(Clone, Debug)]
pub(super) struct UplinkSchedule {
    scheduler: Scheduler,
    /// UEs to be granted something, in ascending order.
    wanting: Vec<u32>,
    /// UEs whose buffers changed, for ideal reports.
    pub(super) changed: Vec<u32>,
    candidates: Vec<Candidate>,
}

impl UplinkSchedule {
    pub(super) fn new(config: &config::Uplink, ue_count: u32) -> Self {
        let channel = &config.channel;
        Self {
            scheduler: Scheduler::new(channel.metric, ue_count, channel.averaging_slots),
            wanting: Vec::with_capacity(ue_count as usize),
            changed: Vec::with_capacity(ue_count as usize),
            candidates: Vec::with_capacity(ue_count as usize),
        }
    }

    /// True when the next slot has something to do.
    pub(super) fn has_work(&self) -> bool {
        !self.wanting.is_empty() || !self.changed.is_empty()
    }

    fn set_wanting(&mut self, ue: u32, wants: bool) {
        match (self.wanting.binary_search(&ue), wants) {
            (Err(place), true) => self.wanting.insert(place, ue),
            (Ok(place), false) => {
                self.wanting.remove(place);
            }
            _ => {}
        }
    }
}

impl Cell {
    /// Requests and reports reach the scheduler.
    pub(super) fn uplink_news(&mut self, slot: u64, due: &Due) {
        for request in &due.requests {
            self.on_request(slot, request);
        }
        for report in &due.reports {
            self.on_report(report);
        }
        for &ue in &due.advances {
            self.grant_in_advance(slot, ue);
        }
    }

    /// Blocks are built, blocks are on the air, requests are sent.
    #[inline(always)]
    pub(super) fn uplink_blocks(&mut self, slot: u64, due: &Due, out: &mut Outbox<Effect>) {
        // The UE reports at the start of a slot; a grant of that slot is read a little later.
        self.report_ideally(slot);
        let mut units_now = due.uplink_units;
        for grant in &due.builds {
            let taken = if grant.slot == slot {
                &mut units_now
            } else {
                &mut self.ring.at(grant.slot).uplink_units
            };
            if !self.ues[grant.ue as usize].may_use(grant, *taken, self.supply.up) {
                *taken -= grant.units;
                self.wait_for_next_standing(slot, grant.ue);
                continue;
            }
            let process = self.build_uplink(slot, grant, out);
            let transmission = Transmission { ue: grant.ue, process, again: false };
            if grant.slot == slot {
                self.transmit_uplink(slot, transmission);
            } else {
                self.ring.at(grant.slot).transmissions.push(transmission);
            }
        }
        for &transmission in &due.transmissions {
            self.transmit_uplink(slot, transmission);
        }
        debug_assert!(
            units_now <= self.supply.up.units(slot),
            "slot {slot} has {} uplink units and sends {units_now}",
            self.supply.up.units(slot)
        );
        for &ue in &due.occasions {
            self.on_occasion(slot, ue);
        }
    }
}
