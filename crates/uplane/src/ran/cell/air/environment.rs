//! The radio environment of one cell of a network: signals at its receivers, and their
//! measurements.
//!
//! In: the links of its UEs, fading, transmissions of the other cells. Out: the SINR of a
//! transmission on its resource blocks, reports of the channel quality, each a few TTIs old.
//!
//! A UE's SINR is its signal over noise and interference, per resource block group, times the
//! fading of its own link. Reports are computed when the scheduler needs them, for the TTI in which
//! they were measured, so a UE without data costs nothing. The interference in a report is the mean
//! activity of the other cells over the last slots, as receivers average it.
//!
//! Left out: fading of interferers. The uplink has a constant interference over thermal noise, or
//! the mean power of other cells' UEs over the band and the last slots, never a single one of them
//! on its resource blocks. The age of the mean activity in a report (at most a dozen TTIs). The
//! place of an uplink block in the band is drawn for each transmission.

use std::sync::Arc;

use super::cqi_report::CqiReport;
use super::link::UeLink;
use super::neighbours::Neighbours;
use super::propagation::Propagation;
use super::radio_link::RadioLink;
use crate::net::Direction;
use crate::ran::cell::mcs_cache::ReportedSinr;
use crate::ran::cell::rbg::{GroupSet, Whose};
use crate::ran::mac::timing::Clock;
use crate::ran::phy::{Modulation, Sinr, effective_sinr};
use crate::unit::{CellId, Instant, Probability, UeId};

/// The radio environment of one cell.
#[derive(Clone, Debug)]
pub(in crate::ran::cell) struct Environment {
    pub(in crate::ran::cell) shared: Arc<Propagation>,
    /// Identity of the cell in the network.
    pub(in crate::ran::cell) id: CellId,
    /// The other simulated cells.
    pub(in crate::ran::cell) neighbours: Neighbours,
    /// Position of the cell among the simulated cells.
    place: u32,
    /// UEs that send in this slot, with their number of resource blocks. Empty unless other cells
    /// receive them.
    sent: Vec<(u32, u64)>,
    sinrs: Vec<Sinr>,
}

impl Environment {
    /// Creates the environment of the cell at `place` among `cells` simulated cells.
    pub(in crate::ran::cell) fn new(
        shared: Arc<Propagation>,
        id: CellId,
        place: u32,
        cells: usize,
    ) -> Self {
        let neighbours = Neighbours::new(cells);
        Self { shared, id, neighbours, place, sent: Vec::new(), sinrs: Vec::new() }
    }

    /// Forgets the transmissions of the last slot.
    pub(super) fn clear(&mut self) {
        self.sent.clear();
    }

    /// Records that a UE sends an uplink block on `prbs` resource blocks.
    pub(super) fn on_sent(&mut self, ue: u32, prbs: u64) {
        if self.shared.uplink_coupled {
            self.sent.push((ue, prbs));
        }
    }

    /// Adds the UEs that send in this slot to the interference at the other base stations.
    pub(in crate::ran::cell) fn interfere(&self, links: &[UeLink], neighbours: &mut Neighbours) {
        for &(ue, prbs) in &self.sent {
            let Some(radio) = &links[ue as usize].radio else { continue };
            radio.interfere(&self.shared, prbs, neighbours);
        }
    }

    /// Returns the SINR of the newest downlink report known in `slot`; `None` if it was known at
    /// the last call.
    pub(in crate::ran::cell) fn downlink_report(
        &mut self,
        link: &mut UeLink,
        slot: u64,
        clock: &Clock,
        erased: Probability,
        report: &mut CqiReport,
    ) -> Option<ReportedSinr> {
        let radio = link.radio.as_mut()?;
        let shared = &*self.shared;
        if radio.is_constant(shared) && radio.has_reported() {
            return None;
        }
        let is_first = !radio.has_reported();
        let measured = radio.due_report(Direction::Down, &shared.reports, slot, link.id)?;
        if !is_first && !erased.is_zero() && link.control_errors.chance(erased) {
            return None;
        }
        let at = clock.start(measured);
        let cqi = radio.measure(shared, at, &self.neighbours, &mut self.sinrs, report);
        link.counted.on_report(cqi);
        Some(ReportedSinr::Exact(shared.table.threshold(cqi, shared.receiver)))
    }

    /// Returns the base station's newest uplink measurement known in `slot`; `None` if it was known
    /// at the last call.
    pub(in crate::ran::cell) fn uplink_measurement(
        &mut self,
        link: &mut UeLink,
        slot: u64,
        clock: &Clock,
    ) -> Option<ReportedSinr> {
        let radio = link.radio.as_mut()?;
        let shared = &*self.shared;
        if !radio.uplink_changes(shared) {
            return None;
        }
        let measured = radio.due_report(Direction::Up, &shared.sounding, slot, link.id)?;
        let others = self.neighbours.heard(self.place);
        let (at, all) = (clock.start(measured), shared.subbands.grid.all());
        let sinr = radio.uplink_sinr(shared, at, all, others, &mut self.sinrs);
        Some(ReportedSinr::in_tenths(sinr))
    }

    /// Returns the SINR at the UE of a block on these groups; `None` if the SINR never changes.
    pub(super) fn downlink_sinr(
        &mut self,
        radio: &mut RadioLink,
        at: Instant,
        groups: GroupSet,
        modulation: Modulation,
    ) -> Option<Sinr> {
        let shared = &*self.shared;
        if radio.is_constant(shared) {
            return None;
        }
        radio.sinrs(shared, at, groups, &self.neighbours, &mut self.sinrs);
        Some(effective_sinr::effective(modulation, self.sinrs.iter().copied()))
    }

    /// Returns the SINR at the base station of a block of `prbs` resource blocks; `None` if the
    /// SINR never changes.
    pub(super) fn uplink_sinr(
        &mut self,
        radio: &mut RadioLink,
        ue: UeId,
        slot: u64,
        at: Instant,
        prbs: u64,
    ) -> Option<Sinr> {
        let shared = &*self.shared;
        if !radio.uplink_changes(shared) {
            return None;
        }
        let grid = shared.subbands.grid;
        let groups = grid.take(grid.all(), grid.start(Whose::Ue(ue), slot), prbs);
        let others = self.neighbours.heard(self.place);
        Some(radio.uplink_sinr(shared, at, groups, others, &mut self.sinrs))
    }
}
