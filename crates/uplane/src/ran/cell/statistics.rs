//! What a cell counts, and its rows in the tables.

use crate::net::{Direction, Packet};
use crate::ran::mac::header::Division;
use crate::ran::phy::{Cqi, GroupBits, Mcs};
use crate::record::{Tables, columns, counters, table};
use crate::unit::Bytes;

counters! {
    /// Counters of one cell since the start of the run.
    pub CellStatistics {
        /// Slots in which the cell did anything.
        slots as busy_slots: u64,
        /// Control channel elements used, both directions.
        cces: u64,
        /// Assignments and grants that the control channel could not carry.
        pdcch_blocked: u64,
        /// Scheduling requests sent.
        sr_sent: u64,
        /// Of these, lost on the way.
        sr_missed: u64,
        /// Of these, ignored because a grant was under way.
        sr_ignored: u64,
        /// Random accesses: after requests without answer, and in their place.
        random_accesses: u64,
        /// Preambles sent, in a cell with a RACH.
        preambles_sent: u64,
        /// Of these, sent by another UE in the same occasion too.
        preambles_collided: u64,
        /// Random accesses without answer to `preambleTransMax` preambles: radio link failures.
        random_access_problems: u64,
        /// UEs without data released from RRC_CONNECTED.
        rrc_releases: u64,
        /// Pages sent, each for one UE.
        pages: u64,
        /// UEs that came back from RRC_INACTIVE into RRC_CONNECTED.
        rrc_resumes: u64,
        /// UEs that came back from RRC_IDLE.
        rrc_setups: u64,
        /// Data of UEs in RRC_INACTIVE sent with their random access (SDT).
        small_data_transmissions: u64,
        /// Data of UEs in RRC_INACTIVE sent on a configured grant (CG-SDT).
        small_data_grants: u64,
        /// First messages on it that were sent again, as nothing answered.
        small_data_retransmissions: u64,
        /// Small data without an answer until the UE was in RRC_IDLE, whichever way they went.
        small_data_failures: u64,
        /// Regular and periodic buffer status reports sent.
        bsr_sent: u64,
        /// Reports sent in the place of padding.
        padding_bsr_sent: u64,
        /// Uplink grants given.
        grants: u64,
        /// Of these, that activated a configured grant of type 2.
        configured_grant_activations: u64,
        /// Messages that released one.
        configured_grant_releases: u64,
        /// Configured Grant Confirmation MAC CEs sent.
        configured_grant_confirmations: u64,
        /// Urgent blocks that took resources of others.
        preemptions: u64,
    } besides {
        /// Blocks of the downlink, but urgent ones.
        downlink: BlockStatistics,
        /// Urgent blocks of the downlink.
        urgent: BlockStatistics,
        /// Blocks of the uplink.
        uplink: BlockStatistics,
    }
}

counters! {
    /// Counters of one direction.
    pub BlockStatistics {
        /// New blocks.
        blocks: u64,
        /// Transmissions, first ones included.
        transmissions: u64,
        /// Transmissions that did not decode.
        failures: u64,
        /// First transmissions that did not decode.
        first_failures: u64,
        /// Blocks lost for good.
        lost: u64,
        /// Resource blocks used, over all transmissions; bytes, where a cell has no resource
        /// blocks.
        units as resource_units: u64,
        /// Of these, those of transmissions after the first.
        units_again as resource_units_resent: u64,
        /// Bytes of transport blocks, or of their code block groups, that these carried.
        bytes_again as bytes_resent: u64,
        /// Code block groups that these carried; none where they are not told apart.
        groups_again as code_block_groups_resent: u64,
        /// Transmissions of which urgent blocks took a part.
        preempted: u64,
        /// Resource blocks that these lost, times the symbols for which they did.
        preempted_symbols: u64,
        /// Bytes of RLC PDUs in new blocks.
        sdu_bytes: u64,
        /// Bytes of MAC headers and control elements in new blocks.
        header_bytes: u64,
        /// Bytes of nothing in new blocks.
        padding_bytes: u64,
    }
}

columns! {
    /// Counters of one UE since the start of the run: its downlink, reports of it, and its uplink.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub UeCounters {
        /// New downlink blocks.
        blocks: u64,
        /// Their bytes.
        bytes: u64,
    } besides {
        /// The sum of their `I_MCS`.
        schemes: u64,
        /// Transmissions, first ones included.
        transmissions: u64,
        /// Their resource blocks; bytes, where a cell has none.
        units: u64,
        /// First transmissions that did not decode.
        first_failures: u64,
        /// Transmissions that decoded, of the downlink and of the uplink.
        decoded: [u64; 2],
        /// Reports of the channel quality that somebody looked at.
        cqi_reports: u64,
        /// The sum of their wideband CQIs.
        qualities: u64,
        /// Its uplink.
        uplink: UplinkCounters,
    }
}

counters! {
    /// What the uplink of one UE took and carried.
    pub UplinkCounters {
        /// IP packets that reached the network.
        packets: u64,
        /// Their bytes.
        bytes: Bytes,
        /// Of these packets, acknowledgements (TCP segments without payload).
        acks: u64,
        /// Their bytes.
        ack_bytes: Bytes,
        /// Occasions used: scheduling requests sent.
        sr_sent: u64,
        /// Uplink grants given.
        grants: u64,
        /// Control channel elements of these grants.
        cces as grant_cces: u64,
        /// Transmissions of uplink blocks, first ones included.
        transmissions: u64,
        /// Their resource blocks; bytes, where a cell has none.
        units as resource_units: u64,
    } besides {
        /// New blocks.
        blocks: u64,
        /// Their bytes.
        block_bytes: Bytes,
        /// The sum of their `I_MCS`.
        schemes: u64,
    }
}

table! {
    /// Transport blocks of one direction of an LTE cell.
    blocks: pub(super) BlockRow {
        /// `down` or `up`; or `urgent`: those of urgent bearers in the downlink, which are none of
        /// `down`.
        direction: &'static str,
        /// What was counted.
        counted: BlockStatistics,
        /// Part of all resources of these transmissions that urgent blocks took.
        preempted_share: f64,
        /// Part of the new blocks' bytes that is padding.
        padding_share: f64,
    }
}

table! {
    /// How one LTE cell gave out its resources.
    control: pub(super) ControlRow {
        /// What was counted.
        counted: CellStatistics,
        /// TTIs from one occasion for a scheduling request of a UE to its next; missing in a
        /// network, see `cells`.
        sr_period: Option<u64>,
        /// Resource blocks of a slot of the first carrier that may carry uplink data; missing where
        /// there are none, and in a network.
        uplink_prbs: Option<u64>,
    }
}

table! {
    /// What the uplink of one UE of an LTE cell took. Acknowledgements took the part `ack_share` of
    /// it: exactly, where a UE sends nothing else.
    uplinks: pub(super) UplinkRow {
        /// The UE.
        ue: String,
        /// What was counted.
        counted: UplinkCounters,
        /// Part of the bytes that are acknowledgements; missing where nothing came.
        ack_share: Option<f64>,
        /// Occasions for a scheduling request on the control channel (PUCCH format 1); missing in a
        /// cell without requests.
        sr_occasions: Option<u64>,
        /// Occasions for HARQ-ACKs used (PUCCH formats 1a and 1b): transmissions of downlink blocks
        /// that it answered.
        harq_acks: u64,
    }
}

/// What one transmission of a block carried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sent {
    /// Its resource units.
    pub(super) units: u64,
    /// Bytes of the block.
    pub(super) bytes: Bytes,
    /// Groups of its code blocks, where they are told apart.
    pub(super) groups: GroupBits,
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
    pub(super) fn on_transmission(&mut self, sent: Sent, first: bool, decoded: bool) {
        self.transmissions += 1;
        self.units += sent.units;
        if !first {
            self.units_again += sent.units;
            self.bytes_again += sent.bytes.0;
            self.groups_again += u64::from(sent.groups.count());
        }
        self.failures += u64::from(!decoded);
        self.first_failures += u64::from(first && !decoded);
    }

    /// An urgent block took so many resource blocks times symbols of a transmission, for the
    /// `first` time or again.
    pub(super) fn on_preempted(&mut self, symbols: u64, first: bool) {
        self.preempted += u64::from(first);
        self.preempted_symbols += symbols;
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

impl UplinkCounters {
    /// A new block was built.
    pub(super) fn on_block(&mut self, size: Bytes, mcs: Mcs) {
        self.blocks += 1;
        self.block_bytes += size;
        self.schemes += u64::from(mcs.index());
    }

    /// A packet reached the network.
    pub(super) fn on_packet(&mut self, packet: &Packet) {
        self.packets += 1;
        self.bytes += packet.length;
        if packet.is_bare_segment() {
            self.acks += 1;
            self.ack_bytes += packet.length;
        }
    }

    /// The share of acknowledgements in the bytes carried; none without any bytes.
    pub fn ack_share(&self) -> Option<f64> {
        let bytes = self.bytes.0;
        (bytes > 0).then(|| self.ack_bytes.0 as f64 / bytes as f64)
    }
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
        self.decoded[direction as usize] += u64::from(decoded);
        match direction {
            Direction::Down => {
                self.transmissions += 1;
                self.units += units;
                self.first_failures += u64::from(first && !decoded);
            }
            Direction::Up => {
                self.uplink.transmissions += 1;
                self.uplink.units += units;
            }
        }
    }

    /// What was counted on another carrier.
    pub(super) fn add_carrier(&mut self, other: &Self) {
        self.blocks += other.blocks;
        self.bytes += other.bytes;
        self.schemes += other.schemes;
        self.transmissions += other.transmissions;
        self.units += other.units;
        self.first_failures += other.first_failures;
        self.decoded.iter_mut().zip(other.decoded).for_each(|(sum, decoded)| *sum += decoded);
        self.uplink += other.uplink;
        self.cqi_reports += other.cqi_reports;
        self.qualities += other.qualities;
    }

    pub(super) fn on_report(&mut self, cqi: Cqi) {
        self.cqi_reports += 1;
        self.qualities += u64::from(cqi.index());
    }
}

impl CellStatistics {
    /// Writes the rows of several cells together.
    pub(in crate::ran) fn report_sum(self, tables: &mut Tables) {
        self.report(None, None, None, tables);
    }

    /// Writes the rows of a cell, or of all cells together. Where it has urgent blocks, the others
    /// have `urgent_beside` symbols.
    pub(super) fn report(
        self,
        sr_period: Option<u64>,
        uplink_prbs: Option<u64>,
        urgent_beside: Option<u64>,
        tables: &mut Tables,
    ) {
        let both = [(Direction::Down.name(), self.downlink), (Direction::Up.name(), self.uplink)];
        let urgent = urgent_beside.map(|_| ("urgent", self.urgent));
        for (direction, counted) in both.into_iter().chain(urgent) {
            let all = counted.units * urgent_beside.unwrap_or(0);
            let lost = counted.preempted_symbols as f64;
            tables.push(BlockRow {
                direction,
                counted,
                preempted_share: if all == 0 { 0.0 } else { lost / all as f64 },
                padding_share: counted.padding_share(),
            });
        }
        tables.push(ControlRow { counted: self, sr_period, uplink_prbs });
    }

    /// Blocks of one direction.
    pub(super) const fn blocks_mut(&mut self, direction: Direction) -> &mut BlockStatistics {
        match direction {
            Direction::Down => &mut self.downlink,
            Direction::Up => &mut self.uplink,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_adds_up() {
        let mut ue = UeCounters::default();
        ue.on_block(Bytes(100), 7);
        ue.on_block(Bytes(50), 9);
        assert_eq!((ue.blocks, ue.bytes, ue.schemes), (2, 150, 16));
        let mut cell = BlockStatistics::default();
        for (first, decoded) in [(true, false), (false, false), (false, true), (true, true)] {
            ue.on_transmission(Direction::Down, 9, first, decoded);
            ue.on_transmission(Direction::Up, 3, first, decoded);
            let sent = Sent { units: 5, bytes: Bytes(70), groups: GroupBits::NONE };
            cell.on_transmission(sent, first, decoded);
        }
        assert_eq!((ue.transmissions, ue.units, ue.first_failures), (4, 36, 1));
        assert_eq!(ue.decoded, [2, 2]);
        assert_eq!((ue.uplink.transmissions, ue.uplink.units), (4, 12));
        assert_eq!((cell.transmissions, cell.units), (4, 20));
        assert_eq!((cell.units_again, cell.bytes_again), (10, 140));
        assert_eq!((cell.failures, cell.first_failures), (2, 1));
        for padding in [Bytes(7), Bytes(3)] {
            cell.on_block(Division { sdus: Bytes(80), headers: Bytes(5), padding });
        }
        assert_eq!((cell.blocks, cell.bytes()), (2, 180));
        assert!((cell.padding_share() - 10.0 / 180.0).abs() < 1e-12);
    }

    #[test]
    fn nothing_has_no_shares() {
        assert_eq!(UplinkCounters::default().ack_share(), None);
        assert!(BlockStatistics::default().padding_share().abs() < 1e-12);
    }
}
