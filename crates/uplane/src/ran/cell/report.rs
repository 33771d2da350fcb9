//! Reports of a cell, during a run and at its end.
//!
//! In: its state. Out: counts, properties of its resources, and its rows in the tables.

use std::collections::BTreeSet;

use super::capture::{self, ChannelRow, PduRow, SduRow, TransmissionRow, TransportBlockRow};
use super::limits::LimitRow;
use super::network::{CellRow, UeRow};
use super::secondary::CarrierRow;
use super::series::RadioRow;
use super::statistics::{BlockRow, ControlRow, UplinkRow};
use super::ue_states::UeStateRow;
use super::{Access, Capacity, Cell, CellStatistics, SMALLEST_BLOCK, UeCounters};
use crate::net::{Count, Direction, Tally};
use crate::ran::ack_filter::AckFilterRow;
use crate::record::{Owner, Tables, Warned, Warning};
use crate::unit::{CellId, Duration, Instant};

/// The shortest duration.
const NEXT: Duration = Duration::from_nanos(1);

/// Adds the tables of cells.
pub(in crate::ran) fn declare(tables: Tables) -> Tables {
    let tables = tables.with::<BlockRow>().with::<ControlRow>().with::<AckFilterRow>();
    let tables = tables.with::<UplinkRow>().with::<UeRow>().with::<CellRow>().with::<RadioRow>();
    let tables = tables.with::<TransmissionRow>().with::<TransportBlockRow>().with::<PduRow>();
    tables
        .with::<SduRow>()
        .with::<ChannelRow>()
        .with::<CarrierRow>()
        .with::<LimitRow>()
        .with::<UeStateRow>()
}

impl Cell {
    /// Returns the traffic of all UEs in this direction. `wire` counts transport blocks.
    pub fn tally(&self, direction: Direction) -> Tally {
        let mut wire = self.air.sent[direction];
        self.secondaries.iter().for_each(|secondary| wire += secondary.sent(direction));
        Tally { wire, ..self.tallies[direction] }
    }

    /// Returns the number of packets inside in this direction, counted one by one.
    pub fn held(&self, direction: Direction) -> Count {
        let mut held = Count::default();
        let bearers = self.bearers.iter().flatten();
        bearers.for_each(|bearer| held += bearer.rlc.held(direction));
        self.rrc.iter().for_each(|rrc| held += rrc.held(direction));
        if direction == Direction::Down {
            self.processing.iter().for_each(|processed| held.add(processed.packet.length));
            self.handovers.iter().for_each(|handovers| held += handovers.held());
        } else {
            let processing = self.uplink_processing.iter();
            processing.for_each(|processed| held.add(processed.packet.length));
        }
        held
    }

    /// Returns the cell's counters, over all its carriers.
    pub fn statistics(&self) -> CellStatistics {
        let mut sum = self.air.statistics;
        self.secondaries.iter().for_each(|secondary| sum += secondary.statistics());
        sum
    }

    /// Returns a UE's counters, over all carriers.
    pub(super) fn counted(&self, ue: usize) -> UeCounters {
        let mut sum = self.air.links[ue].counted;
        self.secondaries.iter().for_each(|secondary| sum.add_carrier(&secondary.counted(ue)));
        sum
    }

    /// Writes the rows of the run until `now`; `ues` has the names of the UEs.
    pub fn report(&self, now: Instant, ues: &[String], tables: &mut Tables) {
        let (sr_period, uplink_prbs) = (self.request_period(), self.uplink_prbs());
        let urgent_beside = self.setup.urgent.as_ref().map(|_| self.setup.on_air);
        self.statistics().report(sr_period, uplink_prbs, urgent_beside, tables);
        for ue in 0..self.ues.len() {
            self.report_ue(ue, now, ues, tables);
        }
        self.report_idle_filters(&self.claimed, tables);
        self.report_carriers(tables);
        self.report_limits(CellId::default(), tables);
        self.report_channels(tables);
        self.report_capture(CellId::default(), now, ues, tables);
    }

    /// Captures all transmissions from now on.
    pub fn capture(&mut self) {
        self.air.capture = Some(Box::default());
    }

    /// Returns the number of captured facts so far. Each becomes a row.
    pub fn captured(&self) -> u64 {
        self.air.capture.as_ref().map_or(0, |capture| capture.len() as u64)
    }

    /// Writes the capture, if there is one.
    pub(super) fn report_capture(
        &self,
        id: CellId,
        end: Instant,
        ues: &[String],
        tables: &mut Tables,
    ) {
        self.air.capture.iter().for_each(|capture| capture.report(id, end, ues, tables));
    }

    /// Writes the parameters of bearers that a reader of the capture needs.
    pub(super) fn report_channels(&self, tables: &mut Tables) {
        if self.air.capture.is_some() {
            capture::report_channels(&self.setup, tables);
        }
    }

    /// Writes the rows of one UE of the cell.
    pub(super) fn report_ue(&self, ue: usize, now: Instant, ues: &[String], tables: &mut Tables) {
        let name = &ues[self.air.links[ue].id.index()];
        tables.push(self.uplink_row(ue, now, name));
        self.report_ue_states(ue, now, name, tables);
        for (bearer, filter) in self.ues[ue].ack_filters() {
            tables.push(filter.row(name, bearer));
        }
        for direction in Direction::BOTH {
            self.warn_of_coverage(ue, direction, name, tables);
            self.bearers[ue].iter().for_each(|it| it.rlc.warn(name, direction, tables));
        }
    }

    /// Warns if packets of this UE wait for a block that no scheme can make, or if none of its
    /// blocks decoded. The UE is then out of coverage, or the carrier is too narrow for its scheme.
    fn warn_of_coverage(&self, ue: usize, direction: Direction, name: &str, tables: &mut Tables) {
        let counted = self.counted(ue);
        let (word, sent) = match direction {
            Direction::Down => ("downlink", counted.transmissions),
            Direction::Up => ("uplink", counted.uplink.transmissions),
        };
        let channel = self.setup.config.channel(direction);
        let Capacity::Carrier(carrier) = &channel.capacity else { return };
        let mut held = Count::default();
        self.bearers[ue].iter().for_each(|bearer| held += bearer.rlc.held(direction));
        let link = self.base.ues[ue].link(direction);
        let largest = link.size(&channel.capacity, carrier.widest_slot(), carrier.prbs.into());
        let (amount, words) = if sent == 0 && held.packets > 0 && largest < SMALLEST_BLOCK {
            let why = "whose SINR allows no transport block";
            (held.packets, format!("{{ue}}: {{amount}} packets wait for the {word}, {why}"))
        } else if sent >= channel.harq.max_transmissions.into()
            && counted.decoded[direction as usize] == 0
        {
            (sent, format!("{{ue}}: none of {{amount}} {word} transmissions decoded"))
        } else {
            return;
        };
        let owner = Owner { ue: name.to_owned(), ..Owner::default() };
        let amount = Some(amount);
        tables.warn(Warning { owner, amount, ..Warning::new(Warned::Coverage, words) });
    }

    pub(super) fn uplink_row(&self, ue: usize, now: Instant, name: &str) -> UplinkRow {
        let counted = self.counted(ue);
        UplinkRow {
            ue: name.to_owned(),
            counted: counted.uplink,
            ack_share: counted.uplink.ack_share(),
            // An occasion at this moment counts: its effects have happened.
            sr_occasions: self.ues[ue].occasions_before(self.setup.clock.at_or_after(now + NEXT)),
            harq_acks: counted.transmissions,
        }
    }

    /// Warns of packet filters that claimed no packet: the scenario has a bearer without effect.
    pub(super) fn report_idle_filters(&self, claimed: &BTreeSet<u8>, tables: &mut Tables) {
        let bearers = &self.setup.config.bearers;
        let filters = bearers.iter().flat_map(|bearer| bearer.template.filters());
        for filter in filters.filter(|filter| !claimed.contains(&filter.precedence)) {
            tables.warn(filter.idle());
        }
    }

    /// Returns the precedences of the packet filters that have claimed a packet.
    pub(super) const fn claimed(&self) -> &BTreeSet<u8> {
        &self.claimed
    }

    /// Writes its row of `cells`, as one of several cells.
    pub(in crate::ran) fn report_member(&self, id: CellId, tables: &mut Tables) {
        tables.push(CellRow::new(id, self));
        self.report_limits(id, tables);
    }

    /// Writes the rows of one UE that is in this cell and in `other` at the same time.
    pub(in crate::ran) fn report_ue_beside(
        &self,
        other: &Self,
        ue: usize,
        now: Instant,
        ues: &[String],
        tables: &mut Tables,
    ) {
        let name = &ues[ue];
        let [own, others] = [self, other].map(|cell| cell.uplink_row(ue, now, name));
        let mut counted = own.counted;
        counted += others.counted;
        tables.push(UplinkRow {
            counted,
            ack_share: counted.ack_share(),
            sr_occasions: own.sr_occasions.zip(others.sr_occasions).map(|(own, other)| own + other),
            harq_acks: own.harq_acks + others.harq_acks,
            ..own
        });
        for direction in Direction::BOTH {
            self.warn_of_coverage(ue, direction, name, tables);
            other.warn_of_coverage(ue, direction, name, tables);
        }
    }

    /// Returns the number of resource blocks of a slot that may carry uplink data; `None` in a cell
    /// without resource blocks.
    pub(super) fn uplink_prbs(&self) -> Option<u64> {
        match &self.setup.config.uplink.channel.capacity {
            Capacity::Carrier(carrier) => Some(carrier.prbs.into()),
            Capacity::Unlimited | Capacity::Rate(_) => None,
        }
    }

    /// Returns the SR period of a UE, in slots; `None` in a cell without requests.
    pub(super) fn request_period(&self) -> Option<u64> {
        let uplink = &self.setup.config.uplink;
        (uplink.access != Access::IdealReports).then_some(uplink.request.period)
    }
}
