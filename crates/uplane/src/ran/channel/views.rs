//! Lines of sight between a UE and all masts, while its position is drawn.
//!
//! In: a budget with links without line of sight, a position. Out: for each cell the additional
//! loss without line of sight; whether the UE has a line of sight to its own mast.
//!
//! The sectors of a site share a mast. The shadowing of a link is the same Gaussian in both states,
//! scaled to the deviation of each.

use super::budget::Budget;
use super::layout::{Layout, Position, SECTORS};
use super::line_of_sight::{Config, LosState};
use super::shadowing::Shadowing;
use crate::sim::Stream;
use crate::unit::{Decibel, Probability};

/// The masts around one UE.
pub(super) struct Views<'a> {
    /// Parameters of links without line of sight. `None` if all links have one.
    config: Option<&'a Config>,
    budget: &'a Budget,
    stream: Stream,
    sites: Vec<View>,
}

/// The link from one mast to the UE.
struct View {
    probability: Probability,
    /// Additional path loss without line of sight.
    more: Decibel,
    nlos: bool,
}

impl<'a> Views<'a> {
    pub(super) fn new(budget: &'a Budget, stream: Stream) -> Self {
        Self { config: budget.los.as_ref(), budget, stream, sites: Vec::new() }
    }

    /// Moves the UE to this position.
    pub(super) fn look(&mut self, layout: &Layout, place: Position) {
        let Some(config) = self.config else { return };
        let view = |site| {
            let ground = layout.ground_path(site, place).distance;
            let clear = self.budget.path_loss.over(ground).0;
            View {
                probability: config.line_of_sight.probability(ground),
                more: Decibel(config.nlos.over(ground).0 - clear),
                nlos: false,
            }
        };
        self.sites = (0..layout.sites().len()).map(view).collect();
    }

    /// Draws the masts to which the UE has a line of sight.
    pub(super) fn draw(&mut self) {
        for site in &mut self.sites {
            site.nlos = !self.stream.chance(site.probability);
        }
    }

    /// Returns `true` if the UE has no line of sight to the mast of a cell.
    pub(super) fn hides(&self, cell: usize) -> bool {
        self.sites.get(cell / SECTORS).is_some_and(|site| site.nlos)
    }

    /// Returns the additional loss of a cell without line of sight.
    pub(super) fn more_hidden(&self, cell: usize, shadowing: &Shadowing) -> Decibel {
        let Some(config) = self.config else { return Decibel(0.0) };
        // If shadowing is switched off, it is so in both states.
        let shadows = self.budget.shadowing.deviation.0 > 0.0;
        let hidden = if shadows { config.nlos_deviation.0 } else { 0.0 };
        let shadow = hidden * shadowing.deviations(cell) - shadowing.towards(cell).0;
        Decibel(self.sites[cell / SECTORS].more.0 + shadow)
    }

    /// Returns the state of the link to the UE's own cell.
    pub(super) fn los(&self, cell: usize, shadowing: &Shadowing) -> Option<LosState> {
        let view = self.sites.get(cell / SECTORS)?;
        let more = self.more_hidden(cell, shadowing).0;
        let other = Decibel(if view.nlos { more } else { -more }).linear();
        Some(LosState { los: !view.nlos, probability: view.probability, other })
    }
}
