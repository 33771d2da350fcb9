//! What secondary carriers counted, and a row for each carrier.
//!
//! In: their counts. Out: the table `carriers`.

use super::Secondary;
use super::{CellStatistics, UeCounters};
use crate::net::Direction;
use crate::ran::cell::Cell;
use crate::ran::cell::statistics::BlockStatistics;
use crate::record::{Tables, table};
use crate::unit::Bytes;

table! {
    /// The downlink of one carrier of an NR cell that has several.
    carriers: pub(in crate::ran::cell) CarrierRow {
        /// The carrier; 0 is the first one.
        carrier: u64,
        /// Slots in which it did anything.
        busy_slots: u64,
        /// Control channel elements used; on the first carrier with those of uplink grants.
        cces: u64,
        /// Assignments that its control channel could not carry; likewise.
        pdcch_blocked: u64,
        /// What was counted.
        counted: BlockStatistics,
        /// Part of the new blocks' bytes that is padding.
        padding_share: f64,
    }
}

impl Secondary {
    pub(in crate::ran::cell) fn statistics(&self) -> CellStatistics {
        self.air.statistics
    }

    pub(in crate::ran::cell) fn counted(&self, ue: usize) -> UeCounters {
        self.air.links[ue].counted
    }

    /// Bytes of all blocks sent.
    pub(in crate::ran::cell) fn sent(&self, direction: Direction) -> Bytes {
        self.air.sent[direction]
    }
}

impl Cell {
    /// Writes the rows of a cell with several carriers.
    pub(in crate::ran::cell) fn report_carriers(&self, tables: &mut Tables) {
        if self.secondaries.is_empty() {
            return;
        }
        let secondaries = self.secondaries.iter().map(Secondary::statistics);
        let all = std::iter::once(self.air.statistics).chain(secondaries);
        for (carrier, CellStatistics { slots, cces, pdcch_blocked, downlink, .. }) in (0..).zip(all)
        {
            let (counted, padding_share) = (downlink, downlink.padding_share());
            let busy_slots = slots;
            tables.push(CarrierRow {
                carrier,
                busy_slots,
                cces,
                pdcch_blocked,
                counted,
                padding_share,
            });
        }
    }
}
