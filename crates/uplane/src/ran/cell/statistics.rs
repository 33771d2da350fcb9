//! Counters of a cell, and its rows in the tables.

use super::limits::SlotLimits;
use crate::net::{Direction, Packet};
use crate::ran::mac::header::Division;
use crate::ran::phy::{Cqi, GroupBits, Mcs};
use crate::record::{Tables, columns, counters, table};
use crate::unit::Bytes;

counters! {
    /// Counters of one cell since the start of the run.
    pub CellStatistics {
        /// Number of TTIs (LTE) or slots (NR) in which the cell was active.
        slots as busy_slots: u64,
        /// Number of control channel elements (CCEs) used by downlink assignments and uplink
        /// grants.
        cces: u64,
        /// Number of downlink assignments and uplink grants for which the PDCCH had no space.
        pdcch_blocked: u64,
        /// Number of scheduling requests sent by UEs.
        sr_sent: u64,
        /// Number of scheduling requests that the base station did not detect.
        sr_missed: u64,
        /// Number of scheduling requests that the base station ignored because a grant for the UE
        /// was still to come.
        sr_ignored: u64,
        /// Number of random access procedures started by UEs: after unanswered scheduling requests,
        /// instead of them, or to return to RRC_CONNECTED.
        random_accesses: u64,
        /// Number of preambles sent by UEs; 0 without a `rach` section.
        preambles_sent: u64,
        /// Number of preambles sent that another UE also sent in the same occasion.
        preambles_collided: u64,
        /// Number of random access procedures that failed after `preambleTransMax` preambles: radio
        /// link failures.
        random_access_problems: u64,
        /// Number of releases of UEs without data from RRC_CONNECTED.
        rrc_releases: u64,
        /// Number of paging messages sent, each for one UE.
        pages: u64,
        /// Number of changes of UEs from RRC_INACTIVE to RRC_CONNECTED.
        rrc_resumes: u64,
        /// Number of changes of UEs from RRC_IDLE to RRC_CONNECTED.
        rrc_setups: u64,
        /// Number of small data transmissions of UEs in RRC_INACTIVE by random access (RA-SDT).
        small_data_transmissions: u64,
        /// Number of small data transmissions of UEs in RRC_INACTIVE on a configured grant
        /// (CG-SDT).
        small_data_grants: u64,
        /// Number of retransmissions of first messages of CG-SDT after no answer.
        small_data_retransmissions: u64,
        /// Number of small data transmissions, by random access or configured grant, that had no
        /// answer before the UE entered RRC_IDLE.
        small_data_failures: u64,
        /// Number of regular and periodic buffer status reports sent by UEs.
        bsr_sent: u64,
        /// Number of buffer status reports sent by UEs instead of padding.
        padding_bsr_sent: u64,
        /// Number of uplink grants sent by the base station.
        grants: u64,
        /// Number of uplink grants that activated a configured grant of type 2.
        configured_grant_activations: u64,
        /// Number of PDCCH messages that released a configured grant of type 2.
        configured_grant_releases: u64,
        /// Number of Configured Grant Confirmation MAC CEs sent by UEs.
        configured_grant_confirmations: u64,
        /// Number of urgent downlink blocks that took resources of other blocks.
        preemptions: u64,
    } besides {
        /// Downlink blocks except urgent ones.
        downlink: BlockStatistics,
        /// Urgent downlink blocks.
        urgent: BlockStatistics,
        /// Uplink blocks.
        uplink: BlockStatistics,
        /// Limits of the downlink scheduler.
        down_limits: SlotLimits,
        /// Limits of the uplink scheduler.
        up_limits: SlotLimits,
    }
}

counters! {
    /// Counters of the transport blocks of one direction.
    pub BlockStatistics {
        /// Number of new transport blocks.
        blocks: u64,
        /// Number of transmissions of transport blocks, first ones and HARQ retransmissions.
        transmissions: u64,
        /// Number of transmissions after which the receiver could not decode the block.
        failures: u64,
        /// Number of first transmissions after which the receiver could not decode the block.
        first_failures: u64,
        /// Number of transport blocks that HARQ did not deliver.
        lost: u64,
        /// Number of resource blocks of all transmissions; bytes in a cell without resource blocks.
        units as resource_units: u64,
        /// Number of resource blocks of HARQ retransmissions; bytes in a cell without resource
        /// blocks.
        units_resent as resource_units_resent: u64,
        /// Bytes of transport blocks, or of their code block groups, in HARQ retransmissions.
        bytes_resent: u64,
        /// Number of code block groups in HARQ retransmissions; 0 if whole blocks are
        /// retransmitted.
        groups_resent as code_block_groups_resent: u64,
        /// Number of transmissions of which urgent blocks took a part.
        preempted: u64,
        /// Resources that transmissions lost to urgent blocks: resource blocks times symbols.
        preempted_symbols: u64,
        /// Bytes of RLC PDUs in new transport blocks.
        sdu_bytes: u64,
        /// Bytes of MAC subheaders and control elements in new transport blocks.
        header_bytes: u64,
        /// Bytes of padding in new transport blocks.
        padding_bytes: u64,
    }
}

columns! {
    /// Counters of one UE since the start of the run: downlink, CQI reports and uplink.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub UeCounters {
        /// Number of new downlink transport blocks of the UE.
        blocks: u64,
        /// Bytes of new downlink transport blocks of the UE, headers and padding included.
        bytes: u64,
    } besides {
        /// Sum of `I_MCS` of new downlink blocks.
        schemes: u64,
        /// Number of downlink transmissions, first ones included.
        transmissions: u64,
        /// Resource blocks of downlink transmissions; bytes in a cell without resource blocks.
        units: u64,
        /// Number of first downlink transmissions that did not decode.
        first_failures: u64,
        /// Number of transmissions that decoded, downlink and uplink.
        decoded: [u64; 2],
        /// Number of CQI reports that the scheduler used.
        cqi_reports: u64,
        /// Sum of the wideband CQIs of these reports.
        qualities: u64,
        /// Counters of the uplink.
        uplink: UplinkCounters,
    }
}

counters! {
    /// Resources and traffic of the uplink of one UE.
    pub UplinkCounters {
        /// Number of uplink IP packets of the UE that reached the network.
        packets: u64,
        /// Bytes of uplink IP packets of the UE that reached the network.
        bytes: Bytes,
        /// Number of ACKs (TCP segments without payload) of the UE that reached the network.
        acks: u64,
        /// Bytes of ACKs (TCP segments without payload) of the UE that reached the network, IP
        /// headers included.
        ack_bytes: Bytes,
        /// Number of scheduling requests sent by the UE.
        sr_sent: u64,
        /// Number of uplink grants sent to the UE.
        grants: u64,
        /// Number of control channel elements (CCEs) of the uplink grants to the UE.
        cces as grant_cces: u64,
        /// Number of transmissions of uplink transport blocks of the UE, first ones and HARQ
        /// retransmissions.
        transmissions: u64,
        /// Number of resource blocks of all uplink transmissions of the UE; bytes in a cell without
        /// resource blocks.
        units as resource_units: u64,
    } besides {
        /// Number of new uplink blocks.
        blocks: u64,
        /// Bytes of new uplink blocks.
        block_bytes: Bytes,
        /// Sum of `I_MCS` of new uplink blocks.
        schemes: u64,
    }
}

table! {
    /// Transport blocks of one direction, all LTE or NR cells together.
    blocks: pub(super) BlockRow {
        /// Direction of the blocks: `down`, `up`, or `urgent` for downlink blocks of urgent
        /// bearers, which `down` does not include.
        direction: &'static str,
        /// Counters.
        counted: BlockStatistics,
        /// Ratio of the resources that urgent blocks took to all resources of transmissions in this
        /// direction (resource blocks times symbols).
        preempted_share: f64,
        /// Ratio of padding bytes to all bytes of new transport blocks.
        padding_share: f64,
    }
}

table! {
    /// Control channels and access procedures, all LTE or NR cells together.
    control: pub(super) ControlRow {
        /// Counters.
        counted: CellStatistics,
        /// SR period of a UE, in TTIs (LTE) or slots (NR); missing in a network and with dual
        /// connectivity, where `cells` has it.
        sr_period: Option<u64>,
        /// Number of resource blocks of the first carrier that may carry uplink data in a slot;
        /// missing without resource blocks, and in a network or with dual connectivity, where
        /// `cells` has it.
        uplink_prbs: Option<u64>,
    }
}

table! {
    /// Resources and traffic of the uplink of one UE in an LTE or NR cell. ACKs took the ratio
    /// `ack_share` of them: exactly, if a UE sends nothing else.
    uplinks: pub(super) UplinkRow {
        /// Name of the UE.
        ue: String,
        /// Counters.
        counted: UplinkCounters,
        /// Ratio of the bytes of ACKs to all uplink bytes that reached the network; missing without
        /// any.
        ack_share: Option<f64>,
        /// Number of PUCCH occasions of the UE for scheduling requests (format 1), used or not;
        /// missing in a cell without requests.
        sr_occasions: Option<u64>,
        /// Number of PUCCH occasions in which the UE sent HARQ feedback (formats 1a and 1b):
        /// downlink transmissions that it answered.
        harq_acks: u64,
    }
}

/// Content of one transmission of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sent {
    /// Number of resource units.
    pub(super) units: u64,
    /// Number of bytes of the block.
    pub(super) bytes: Bytes,
    /// Code block groups of the transmission, if they are acknowledged separately.
    pub(super) groups: GroupBits,
}

impl BlockStatistics {
    /// Counts a new block and the division of its bytes.
    pub(super) fn on_block(&mut self, division: Division) {
        self.blocks += 1;
        self.sdu_bytes += division.sdus.0;
        self.header_bytes += division.headers.0;
        self.padding_bytes += division.padding.0;
    }

    /// Counts a transmission and its result.
    pub(super) fn on_transmission(&mut self, sent: Sent, first: bool, decoded: bool) {
        self.transmissions += 1;
        self.units += sent.units;
        if !first {
            self.units_resent += sent.units;
            self.bytes_resent += sent.bytes.0;
            self.groups_resent += u64::from(sent.groups.count());
        }
        self.failures += u64::from(!decoded);
        self.first_failures += u64::from(first && !decoded);
    }

    /// Counts resource blocks times symbols of a transmission that an urgent block took. `first` is
    /// `true` for the first loss of this transmission.
    pub(super) fn on_preempted(&mut self, symbols: u64, first: bool) {
        self.preempted += u64::from(first);
        self.preempted_symbols += symbols;
    }

    /// Returns the bytes of all new blocks.
    pub fn bytes(&self) -> u64 {
        self.sdu_bytes + self.header_bytes + self.padding_bytes
    }

    /// Returns the ratio of padding in new blocks, or zero without any.
    pub fn padding_share(&self) -> f64 {
        if self.bytes() == 0 { 0.0 } else { self.padding_bytes as f64 / self.bytes() as f64 }
    }
}

impl UplinkCounters {
    /// Counts a new block with its MCS.
    pub(super) fn on_block(&mut self, size: Bytes, mcs: Mcs) {
        self.blocks += 1;
        self.block_bytes += size;
        self.schemes += u64::from(mcs.index());
    }

    /// Counts a packet that reached the network.
    pub(super) fn on_packet(&mut self, packet: &Packet) {
        self.packets += 1;
        self.bytes += packet.length;
        if packet.is_bare_segment() {
            self.acks += 1;
            self.ack_bytes += packet.length;
        }
    }

    /// Returns the ratio of ACKs in the bytes carried, or `None` without any bytes.
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

    /// Adds the counters of another carrier.
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

    /// Writes the rows of a cell, or of all cells together. In a cell with urgent blocks, the other
    /// blocks have `urgent_beside` symbols.
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

    /// Returns the limits of the scheduler of one direction.
    pub(super) const fn limits(&self, direction: Direction) -> SlotLimits {
        match direction {
            Direction::Down => self.down_limits,
            Direction::Up => self.up_limits,
        }
    }

    /// Returns the block counters of one direction.
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
    fn counters_add_up() {
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
        assert_eq!((cell.units_resent, cell.bytes_resent), (10, 140));
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
