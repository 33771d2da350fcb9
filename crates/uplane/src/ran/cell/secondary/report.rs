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
    /// One carrier of an NR cell that has several: its downlink and, with names in `up_`, its
    /// uplink.
    carriers: pub(in crate::ran::cell) CarrierRow {
        /// The carrier; 0 is the first one.
        carrier: u64,
        /// Slots in which it did anything.
        busy_slots: u64,
        /// Control channel elements used, both directions.
        cces: u64,
        /// Assignments and grants that its control channel could not carry.
        pdcch_blocked: u64,
        /// What was counted.
        counted: BlockStatistics,
        /// Part of the new blocks' bytes that is padding.
        padding_share: f64,
        /// Uplink grants given.
        up_grants: u64,
        /// New blocks of the uplink.
        up_blocks: u64,
        /// Their transmissions, first ones included.
        up_transmissions: u64,
        /// First transmissions that did not decode.
        up_first_failures: u64,
        /// Blocks lost for good.
        up_lost: u64,
        /// Resource blocks used, over all transmissions.
        up_resource_units: u64,
        /// Bytes of RLC PDUs in new blocks.
        up_sdu_bytes: u64,
        /// Bytes of MAC headers and control elements in new blocks.
        up_header_bytes: u64,
        /// Bytes of nothing in new blocks.
        up_padding_bytes: u64,
    }
}

impl CarrierRow {
    fn new(carrier: u64, counted: &CellStatistics) -> Self {
        let CellStatistics { slots, cces, pdcch_blocked, grants, downlink, uplink, .. } = *counted;
        Self {
            carrier,
            busy_slots: slots,
            cces,
            pdcch_blocked,
            counted: downlink,
            padding_share: downlink.padding_share(),
            up_grants: grants,
            up_blocks: uplink.blocks,
            up_transmissions: uplink.transmissions,
            up_first_failures: uplink.first_failures,
            up_lost: uplink.lost,
            up_resource_units: uplink.units,
            up_sdu_bytes: uplink.sdu_bytes,
            up_header_bytes: uplink.header_bytes,
            up_padding_bytes: uplink.padding_bytes,
        }
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
        for (carrier, counted) in (0..).zip(all) {
            tables.push(CarrierRow::new(carrier, &counted));
        }
    }
}
