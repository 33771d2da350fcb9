//! What a cell counts.

use crate::ran::mac::header::Division;

/// Counters of one cell since the start of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellStatistics {
    /// Blocks of the downlink.
    pub downlink: BlockStatistics,
    /// Blocks of the uplink.
    pub uplink: BlockStatistics,
    /// Slots in which the cell did anything.
    pub slots: u64,
    /// Control channel elements used, in both directions.
    pub cces: u64,
    /// Assignments and grants for which the control channel had no room.
    pub control_blocked: u64,
    /// Scheduling requests sent.
    pub requests: u64,
    /// Of these, lost on the way.
    pub requests_missed: u64,
    /// Of these, ignored because a grant was under way.
    pub requests_ignored: u64,
    /// Random accesses after requests without answer.
    pub random_accesses: u64,
    /// Regular and periodic reports sent.
    pub reports: u64,
    /// Reports sent in the place of padding.
    pub padding_reports: u64,
    /// Grants given.
    pub grants: u64,
}

/// Counters of one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockStatistics {
    /// New blocks.
    pub blocks: u64,
    /// Transmissions, first ones included.
    pub transmissions: u64,
    /// Transmissions that did not decode.
    pub failures: u64,
    /// First transmissions that did not decode.
    pub first_failures: u64,
    /// Blocks lost for good.
    pub lost: u64,
    /// Resource units used: resource blocks, or bytes where there are none.
    pub units: u64,
    /// Bytes of RLC PDUs in new blocks.
    pub sdu_bytes: u64,
    /// Bytes of MAC headers and control elements in new blocks.
    pub header_bytes: u64,
    /// Bytes of nothing in new blocks.
    pub padding_bytes: u64,
}

impl BlockStatistics {
    /// A new block was built.
    pub(super) fn on_block(&mut self, division: Division) {
        self.blocks += 1;
        self.sdu_bytes += division.sdus.0;
        self.header_bytes += division.headers.0;
        self.padding_bytes += division.padding.0;
    }

    /// A block was on the air.
    pub(super) fn on_transmission(&mut self, units: u64, first: bool, decoded: bool) {
        self.transmissions += 1;
        self.units += units;
        self.failures += u64::from(!decoded);
        self.first_failures += u64::from(first && !decoded);
    }

    /// Bytes of all new blocks.
    pub fn bytes(&self) -> u64 {
        self.sdu_bytes + self.header_bytes + self.padding_bytes
    }

    /// The share of padding in new blocks; zero without any.
    pub fn padding_share(&self) -> f64 {
        if self.bytes() == 0 { 0.0 } else { self.padding_bytes as f64 / self.bytes() as f64 }
    }
}
