//! What a cell says of itself, during a run or at its end.
//!
//! In: its state. Out: counts, and facts about its resources.

use std::collections::BTreeSet;

use super::{Access, Capacity, Cell, CellStatistics, UplinkReport};
use crate::net::{Count, Direction, Tally};
use crate::ran::ack_filter::AckFilter;
use crate::unit::{Instant, UeId};

impl Cell {
    /// What went through in this direction, all UEs together. `wire` counts transport blocks.
    pub fn tally(&self, direction: Direction) -> Tally {
        Tally { wire: self.air.sent[direction], ..self.tallies[direction] }
    }

    /// What the cell counted.
    pub fn statistics(&self) -> CellStatistics {
        self.air.statistics
    }

    /// Precedences of the packet filters that have claimed a packet.
    pub const fn claimed(&self) -> &BTreeSet<u8> {
        &self.claimed
    }

    /// What the uplinks of its UEs took until `now`.
    pub fn uplinks(&self, now: Instant) -> impl Iterator<Item = UplinkReport> {
        (0..self.ues.len()).map(move |ue| self.uplink_of(now, ue))
    }

    /// The same for the UE of this number in the cell.
    pub(super) fn uplink_of(&self, now: Instant, ue: usize) -> UplinkReport {
        let slots = self.setup.clock.at_or_after(now);
        let link = &self.air.links[ue];
        UplinkReport {
            ue: link.id,
            occasions: self.ues[ue].occasions_before(slots),
            harq_acks: link.counted.transmissions,
            counted: link.counted.uplink,
        }
    }

    /// The ACK filters, in the order of UEs and bearers.
    pub fn ack_filters(&self) -> impl Iterator<Item = (UeId, usize, &AckFilter)> {
        (0..self.ues.len()).flat_map(|ue| self.ack_filters_of(ue))
    }

    /// Those of one UE of the cell.
    pub(super) fn ack_filters_of(
        &self,
        ue: usize,
    ) -> impl Iterator<Item = (UeId, usize, &AckFilter)> {
        let id = self.air.links[ue].id;
        self.ues[ue].ack_filters().map(move |(position, filter)| (id, position, filter))
    }

    /// Resource blocks of a slot that may carry uplink data; none in a cell without any.
    pub fn uplink_prbs(&self) -> Option<u32> {
        match &self.setup.config.uplink.channel.capacity {
            Capacity::Carrier(carrier) => Some(carrier.prbs),
            Capacity::Unlimited | Capacity::Rate(_) => None,
        }
    }

    /// Slots from one occasion for a scheduling request of a UE to its next; none in a cell without
    /// requests.
    pub fn request_period(&self) -> Option<u64> {
        let uplink = &self.setup.config.uplink;
        (uplink.access != Access::IdealReports).then_some(uplink.request.period)
    }

    /// Packets that are inside in this direction, counted one by one.
    pub fn held(&self, direction: Direction) -> Count {
        let mut held = Count::default();
        let bearers = self.bearers.iter().flatten();
        bearers.for_each(|bearer| held += bearer.rlc.held(direction));
        if direction == Direction::Down {
            self.processing.iter().for_each(|processed| held.add(processed.packet.length));
        }
        held
    }
}
