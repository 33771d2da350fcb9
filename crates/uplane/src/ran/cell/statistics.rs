//! What a cell counts.

use crate::net::{Count, Direction, Packet};
use crate::ran::mac::header::Division;
use crate::ran::phy::Cqi;
use crate::unit::{Bytes, UeId};

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
    pub pdcch_blocked: u64,
    /// Scheduling requests sent.
    pub sr_sent: u64,
    /// Of these, lost on the way.
    pub sr_missed: u64,
    /// Of these, ignored because a grant was under way.
    pub sr_ignored: u64,
    /// Random accesses after requests without answer.
    pub random_accesses: u64,
    /// Regular and periodic reports sent.
    pub bsr_sent: u64,
    /// Reports sent in the place of padding.
    pub padding_bsr_sent: u64,
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

/// Counters of one UE since the start of the run: its downlink, reports of it, and its uplink.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UeCounters {
    /// New blocks.
    pub blocks: u64,
    /// Their bytes.
    pub bytes: u64,
    /// The sum of their `I_MCS`.
    pub schemes: u64,
    /// Transmissions, first ones included.
    pub transmissions: u64,
    /// First transmissions that did not decode.
    pub first_failures: u64,
    /// Reports of the channel quality that somebody looked at.
    pub cqi_reports: u64,
    /// The sum of their wideband CQIs.
    pub qualities: u64,
    /// Its uplink.
    pub uplink: UplinkCounters,
}

/// What the uplink of one UE took and carried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UplinkCounters {
    /// Scheduling requests sent.
    pub sr_sent: u64,
    /// Grants that it was sent.
    pub grants: u64,
    /// Their control channel elements.
    pub cces: u64,
    /// Transmissions of blocks, first ones included.
    pub transmissions: u64,
    /// Their resource units: resource blocks, or bytes where there are none.
    pub units: u64,
    /// IP packets that reached the network.
    pub packets: Count,
    /// Of these, acknowledgements: TCP segments without payload.
    pub acks: Count,
}

impl UplinkCounters {
    /// A packet reached the network.
    pub(super) fn on_packet(&mut self, packet: &Packet) {
        self.packets.add(packet.length);
        if packet.is_bare_segment() {
            self.acks.add(packet.length);
        }
    }

    /// The share of acknowledgements in the bytes carried; none without any bytes.
    pub fn ack_share(&self) -> Option<f64> {
        let bytes = self.packets.bytes.0;
        (bytes > 0).then(|| self.acks.bytes.0 as f64 / bytes as f64)
    }
}

/// The uplink of one UE at the end of a run.
#[derive(Clone, Copy, Debug)]
pub struct UplinkReport {
    /// Which UE.
    pub ue: UeId,
    /// Occasions for a scheduling request that it had; none in a cell without requests.
    pub occasions: Option<u64>,
    /// HARQ-ACKs that it sent for downlink blocks.
    pub harq_acks: u64,
    /// What was counted.
    pub counted: UplinkCounters,
}

impl UeCounters {
    pub(super) fn on_block(&mut self, size: Bytes, mcs: u64) {
        self.blocks += 1;
        self.bytes += size.0;
        self.schemes += mcs;
    }

    pub(super) fn on_transmission(
        &mut self,
        direction: Direction,
        units: u64,
        first: bool,
        decoded: bool,
    ) {
        match direction {
            Direction::Down => {
                self.transmissions += 1;
                self.first_failures += u64::from(first && !decoded);
            }
            Direction::Up => {
                self.uplink.transmissions += 1;
                self.uplink.units += units;
            }
        }
    }

    pub(super) fn on_report(&mut self, cqi: Cqi) {
        self.cqi_reports += 1;
        self.qualities += u64::from(cqi.index());
    }
}

impl CellStatistics {
    /// Blocks of one direction.
    pub(super) const fn blocks_mut(&mut self, direction: Direction) -> &mut BlockStatistics {
        match direction {
            Direction::Down => &mut self.downlink,
            Direction::Up => &mut self.uplink,
        }
    }

    /// Adds what another cell counted.
    pub fn add(&mut self, other: &Self) {
        self.downlink.add(&other.downlink);
        self.uplink.add(&other.uplink);
        self.slots += other.slots;
        self.cces += other.cces;
        self.pdcch_blocked += other.pdcch_blocked;
        self.sr_sent += other.sr_sent;
        self.sr_missed += other.sr_missed;
        self.sr_ignored += other.sr_ignored;
        self.random_accesses += other.random_accesses;
        self.bsr_sent += other.bsr_sent;
        self.padding_bsr_sent += other.padding_bsr_sent;
        self.grants += other.grants;
    }
}

impl BlockStatistics {
    fn add(&mut self, other: &Self) {
        self.blocks += other.blocks;
        self.transmissions += other.transmissions;
        self.failures += other.failures;
        self.first_failures += other.first_failures;
        self.lost += other.lost;
        self.units += other.units;
        self.sdu_bytes += other.sdu_bytes;
        self.header_bytes += other.header_bytes;
        self.padding_bytes += other.padding_bytes;
    }
}
