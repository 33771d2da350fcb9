//! Counters of secondary carriers, and a row for each carrier.
//!
//! In: their counters. Out: the table `carriers`.

use super::Secondary;
use super::{CellStatistics, UeCounters};
use crate::net::Direction;
use crate::ran::cell::Cell;
use crate::ran::cell::statistics::BlockStatistics;
use crate::record::{Tables, table};
use crate::unit::Bytes;

table! {
    /// One carrier of an NR cell with several carriers: its downlink and, in columns with `up_`,
    /// its uplink.
    carriers: pub(in crate::ran::cell) CarrierRow {
        /// Number of the carrier; 0 is the cell's own.
        carrier: u64,
        /// Number of slots in which the carrier was active.
        busy_slots: u64,
        /// Number of control channel elements (CCEs) of the carrier used by downlink assignments
        /// and uplink grants.
        cces: u64,
        /// Number of downlink assignments and uplink grants for which the carrier's PDCCH had no
        /// space.
        pdcch_blocked: u64,
        /// Counters of the downlink.
        counted: BlockStatistics,
        /// Ratio of padding bytes to all bytes of new downlink transport blocks.
        padding_share: f64,
        /// Number of uplink grants for the carrier.
        up_grants: u64,
        /// Number of new uplink transport blocks.
        up_blocks: u64,
        /// Number of transmissions of uplink transport blocks, first ones and HARQ retransmissions.
        up_transmissions: u64,
        /// Number of first uplink transmissions that did not decode.
        up_first_failures: u64,
        /// Number of uplink transport blocks that HARQ did not deliver.
        up_lost: u64,
        /// Number of uplink resource blocks of all transmissions.
        up_resource_units: u64,
        /// Bytes of RLC PDUs in new uplink transport blocks.
        up_sdu_bytes: u64,
        /// Bytes of MAC subheaders and control elements in new uplink transport blocks.
        up_header_bytes: u64,
        /// Bytes of padding in new uplink transport blocks.
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

    /// Returns the bytes of all blocks sent.
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
