//! Limits that hold data back in a slot: what the scheduler of one direction ran out of.
//!
//! In: the limits that one direction of a slot met. Out: counts of slots, and a row for each cell,
//! carrier and direction.
//!
//! Only data that the scheduler could have served in the slot counts as held back. A UE that
//! sleeps, has no free HARQ process or already has a block in the slot waits for something else.
//!
//! Left out: urgent downlink blocks, configured and semi-persistent grants, which need no
//! scheduler; bit rates of bearers (`mbr`, `ue_ambr`); which UE waited. The latency of each UE is
//! in `anatomy`.

use super::{Capacity, Cell};
use crate::net::Direction;
use crate::record::{Tables, counters, table};
use crate::unit::CellId;

/// A limit of the scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    /// The maximum number of UEs per slot.
    Ues = 1,
    /// The control channel elements.
    Cces = 2,
    /// The resource blocks of the slot; bytes in a cell without resource blocks.
    Units = 4,
    /// The transmit power of a UE.
    Power = 8,
}

/// The limits that one direction of a slot has met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Met(u8);

counters! {
    /// Slots of one direction of a carrier, by the limit that held data back. Several limits may
    /// hold back data in one slot.
    pub SlotLimits {
        /// Number of slots (LTE: TTIs) in which the scheduler served a UE or held data back.
        scheduled as scheduled_slots: u64,
        /// Number of scheduled slots in which any limit held data back.
        limited as limited_slots: u64,
        /// Number of scheduled slots in which `ues_per_slot` UEs were served with all resource
        /// blocks that they needed, resource blocks were left, and another UE had data.
        ues as limited_ues: u64,
        /// Number of scheduled slots in which the PDCCH had no space for the assignment or grant of
        /// a UE with data.
        cces as limited_cces: u64,
        /// Number of scheduled slots in which all resource blocks were used (bytes in a cell
        /// without resource blocks) and data was left.
        units as limited_prbs: u64,
        /// Number of scheduled slots in which the transmit power of a UE allowed fewer resource
        /// blocks than its data needed and the slot had; 0 in the downlink.
        power as limited_power: u64,
    }
}

table! {
    /// Limits of the scheduler in one direction of one carrier of an LTE or NR cell: slots in which
    /// data waited because UEs per slot, control channel elements, resource blocks or power were
    /// used up. A slot counts for each limit that held data back.
    limits: pub(super) LimitRow {
        /// Number of the cell, starting at 0.
        cell: CellId,
        /// Number of the carrier; 0 is the cell's own.
        carrier: u64,
        /// Direction: `down` or `up`.
        direction: &'static str,
        /// Maximum number of UEs that the scheduler serves in a slot.
        ues_per_slot: u64,
        /// Number of control channel elements of a slot, for both directions together; missing if
        /// the PDCCH has no limit.
        cces: Option<u64>,
        /// Number of resource blocks that may carry data in a slot; missing in a cell without
        /// resource blocks.
        prbs: Option<u64>,
        /// Counters of slots, by limit.
        counted: SlotLimits,
    }
}

impl Met {
    /// Notes that a limit holds data back.
    #[inline(always)]
    pub(super) const fn note(&mut self, limit: Limit) {
        self.0 |= limit as u8;
    }

    /// Notes a limit if it `holds` data back.
    #[inline(always)]
    pub(super) const fn note_if(&mut self, holds: bool, limit: Limit) {
        if holds {
            self.note(limit);
        }
    }

    /// Notes the limit for UEs that were not picked, with `units` left. Where a served UE lacked
    /// resource blocks already, more UEs per slot would carry no more.
    pub(super) const fn note_unpicked(&mut self, units: u64) {
        if units == 0 || self.has(Limit::Units) > 0 {
            self.note(Limit::Units);
        } else {
            self.note(Limit::Ues);
        }
    }

    const fn has(self, limit: Limit) -> u64 {
        (self.0 & limit as u8 != 0) as u64
    }
}

impl SlotLimits {
    /// Counts a slot in which UEs were `served`, or limits held data back.
    #[inline(always)]
    pub(super) fn count(&mut self, served: bool, met: Met) {
        self.scheduled += u64::from(served || met != Met::default());
        if met != Met::default() {
            self.limited += 1;
            self.ues += met.has(Limit::Ues);
            self.cces += met.has(Limit::Cces);
            self.units += met.has(Limit::Units);
            self.power += met.has(Limit::Power);
        }
    }
}

impl Cell {
    /// Writes the limits of both directions of all carriers.
    pub(super) fn report_limits(&self, cell: CellId, tables: &mut Tables) {
        let own = std::iter::once((&self.setup, self.air.statistics));
        let others = self.secondaries.iter().map(|it| (it.setup(), it.statistics()));
        for (carrier, (setup, statistics)) in (0..).zip(own.chain(others)) {
            for direction in Direction::BOTH {
                let channel = setup.config.channel(direction);
                let prbs = match &channel.capacity {
                    Capacity::Carrier(carrier) => Some(carrier.prbs.into()),
                    Capacity::Unlimited | Capacity::Rate(_) => None,
                };
                tables.push(LimitRow {
                    cell,
                    carrier,
                    direction: direction.name(),
                    ues_per_slot: channel.ues_per_slot.into(),
                    cces: setup.config.control_channel.map(|control| control.cces.into()),
                    prbs,
                    counted: statistics.limits(direction),
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slot_counts_for_each_limit_it_met() {
        let mut counted = SlotLimits::default();
        counted.count(false, Met::default());
        counted.count(true, Met::default());
        let mut met = Met::default();
        met.note(Limit::Ues);
        met.note(Limit::Ues);
        met.note_if(true, Limit::Power);
        met.note_if(false, Limit::Cces);
        counted.count(true, met);
        let one = SlotLimits { scheduled: 2, limited: 1, ues: 1, power: 1, ..counted };
        assert_eq!(counted, SlotLimits { cces: 0, units: 0, ..one });
    }
}
