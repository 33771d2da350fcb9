//! UEs dropped into a layout: position, serving cell and received power of each UE (TR 36.814
//! §A.2.1.1).
//!
//! In: a layout, a link budget, the number of a UE. Out: its position, its serving cell, its SINR
//! for any load of the other cells.
//!
//! A UE's cell is the strongest one by distance, antenna pattern and shadowing together. Positions
//! are uniform in the hexagons of the sites that have UEs. At an open edge the strongest cell must
//! be one of site 0. Until it is, the shadowing of the UE is drawn again at the same position, so
//! that positions stay uniform. After a hundred attempts the position is drawn again, too.
//!
//! Every UE has its own streams. So two drops of one seed are equal, and an additional UE moves no
//! other.
//!
//! Left out: hot spots, and UEs that stay with a cell that is not the best (handover hysteresis).

use super::budget::{Budget, MINIMUM_DISTANCE};
use super::layout::{self, Edge, Layout, Position, SECTORS};
use super::line_of_sight::LosState;
use super::quantity::Metres;
use super::shadowing::Shadowing;
use super::views::Views;
use crate::ran::phy::Sinr;
use crate::sim::{Stream, Streams};
use crate::unit::{CellId, Decibel, Probability, UeId};

/// A network: sites and the link budget between them and the UEs.
#[derive(Clone, Debug)]
pub struct Network {
    /// Positions of the sites.
    pub layout: Layout,
    /// The link budget of all cells and UEs.
    pub budget: Budget,
    /// Distribution of UEs among the cells.
    pub balance: Balance,
    /// Minimum distance between a UE and its site.
    pub minimum_distance: Metres,
}

/// Distribution of UEs among the cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Balance {
    /// Random: by position and shadowing alone.
    #[default]
    Free,
    /// UE number n is served by the n-th cell, cyclically.
    EqualPerCell,
}

/// Position, serving cell and link gains of one UE.
#[derive(Clone, Debug)]
pub struct Placement {
    /// Id of the UE.
    pub ue: UeId,
    /// Position of the UE on the map.
    pub position: Position,
    /// The cell that serves the UE.
    pub serving: CellId,
    /// State of the line of sight to the mast of the serving cell, if it is drawn.
    pub los: Option<LosState>,
    /// Gains of the links to all cells, with shadowing, as factors.
    gains: Vec<f64>,
    /// Gain of beams on the link to the serving cell, as a factor.
    beams: f64,
    /// Transmit power of a cell in a resource block, in mW.
    power: f64,
    /// Noise power of the receiver in a resource block, in mW.
    noise: f64,
}

impl Network {
    /// Creates a network with UEs at random positions, at least 35 m from the mast.
    pub fn new(layout: Layout, budget: Budget) -> Self {
        let minimum_distance = MINIMUM_DISTANCE;
        Self { layout, budget, balance: Balance::Free, minimum_distance }
    }

    /// Draws position and cell of one UE.
    ///
    /// # Panics
    /// If the network has no position for the UE, see [`Network::has_places`].
    pub fn place(&self, ue: UeId, streams: Streams) -> Placement {
        self.try_place(ue, streams, MOST_PLACES)
            .unwrap_or_else(|| panic!("UE {} is at home at none of {MOST_PLACES} places", ue.0))
    }

    /// Returns `false` if a UE would hardly ever be served by the site or cell assigned to it:
    /// masts are so close that the strongest cell around each is another one's.
    pub fn has_places(&self) -> bool {
        // All sites have the same surroundings, so the three cells of one site represent all.
        let trials = (0..SECTORS as u32).map(UeId);
        trials.into_iter().all(|ue| self.try_place(ue, Streams::new(0), PLACES_TRIED).is_some())
    }

    /// Drops one UE. Returns `None` if none of `most` positions is served by the site or cell
    /// assigned to the UE.
    fn try_place(&self, ue: UeId, streams: Streams, most: u32) -> Option<Placement> {
        let entity = format!("radio/ue/{}", ue.0);
        let mut places = streams.open(&entity, "position");
        let mut shadows = streams.open(&entity, "shadowing");
        let sites = self.layout.sites().len();
        let wanted = self.wanted(ue, &mut places);
        let mut shadowing = Shadowing::new(self.budget.shadowing, sites, &mut shadows);
        let mut views = Views::new(&self.budget, streams.open(&entity, "line of sight"));
        let misalignment =
            self.budget.beams.misalignment.0 * streams.open(&entity, "beam").uniform();
        let mut gains = Vec::new();
        let is_drawn = self.budget.shadowing.deviation.0 > 0.0 || self.budget.los.is_some();
        let attempts = if is_drawn { ATTEMPTS_PER_PLACE } else { 1 };
        for _ in 0..most {
            let place = self.layout.draw(wanted.site, self.minimum_distance, &mut places);
            let mean = self.mean_gains(place);
            views.look(&self.layout, place);
            for _ in 0..attempts {
                shadowing.draw(&mut shadows);
                views.draw();
                gains.clear();
                gains.extend(mean.iter().enumerate().map(|(cell, mean)| {
                    let shadow = shadowing.towards(cell).0;
                    let hidden = views.hides(cell).then(|| views.more_hidden(cell, &shadowing).0);
                    mean.0 - shadow - hidden.unwrap_or_default()
                }));
                let serving = strongest(&gains);
                if wanted.accepts(serving) {
                    let los = views.los(serving.index(), &shadowing);
                    return Some(Placement {
                        ue,
                        position: place,
                        serving,
                        los,
                        gains: gains.iter().map(|gain| Decibel(*gain).linear()).collect(),
                        beams: self.beams(Decibel(misalignment)),
                        power: self.budget.prb_power().milliwatts(),
                        noise: self.budget.ue_noise().milliwatts(),
                    });
                }
            }
        }
        None
    }

    /// Drops UEs number 0 to `count − 1`.
    pub fn place_all(&self, count: u32, streams: Streams) -> Vec<Placement> {
        (0..count).map(|number| self.place(UeId(number), streams)).collect()
    }

    /// Returns the maximum number of UEs in one cell, of `count` UEs.
    pub fn most_in_a_cell(&self, count: u32) -> u32 {
        match self.balance {
            Balance::Free => count,
            Balance::EqualPerCell => count.div_ceil(self.layout.cells_with_ues().count() as u32),
        }
    }

    fn wanted(&self, ue: UeId, stream: &mut Stream) -> Wanted {
        let sites = self.layout.sites().len();
        match (self.balance, self.layout.edge()) {
            (Balance::EqualPerCell, _) => {
                let cells = self.layout.cells_with_ues().count();
                let cell = CellId((ue.index() % cells) as u32);
                Wanted { site: layout::site(cell), served_by: ServedBy::Cell(cell) }
            }
            (Balance::Free, Edge::Open) => Wanted { site: 0, served_by: ServedBy::Site(0) },
            (Balance::Free, Edge::Wrapped) => {
                Wanted { site: stream.below(sites as u64) as usize, served_by: ServedBy::Any }
            }
        }
    }

    /// Returns the gains of all cells at `place` in dB, before shadowing.
    fn mean_gains(&self, place: Position) -> Vec<Decibel> {
        let gain = |cell: CellId| {
            let path = self.layout.ground_path(layout::site(cell), place);
            self.budget.gain(path, layout::boresight(cell))
        };
        self.layout.cells().map(gain).collect()
    }

    /// Returns the gain of beams on the power of the serving cell, as a factor.
    fn beams(&self, misalignment: Decibel) -> f64 {
        let beams = &self.budget.beams;
        Decibel(beams.base.0 + beams.ue.0 - misalignment.0).linear()
    }
}

/// Returns the first of the cells with the highest gain.
fn strongest(gains: &[f64]) -> CellId {
    let stronger = |best: usize, cell| if gains[cell] > gains[best] { cell } else { best };
    CellId((1..gains.len()).fold(0, stronger) as u32)
}

impl Placement {
    /// Returns the SINR of a resource block in which each other cell sends with its share of
    /// `activity`: 0 or 1 for its transmission in a TTI, or its load for the mean interference.
    pub fn sinr(&self, activity: impl Fn(CellId) -> Probability) -> Sinr {
        let others = self.gains.iter().enumerate().map(|(cell, gain)| {
            let cell = CellId(cell as u32);
            if cell == self.serving { 0.0 } else { activity(cell).value() * gain }
        });
        let interference: f64 = others.sum::<f64>() * self.power;
        let signal = self.gains[self.serving.index()] * self.power * self.beams;
        Sinr::from_linear(signal / (self.noise + interference))
    }

    /// Returns the SINR if all other cells send all the time.
    pub fn geometry(&self) -> Sinr {
        let always = Probability::new(1.0).expect("in [0, 1]");
        self.sinr(|_| always)
    }

    /// Returns the signal-to-noise ratio: no other cell sends.
    pub fn snr(&self) -> Sinr {
        self.sinr(|_| Probability::ZERO)
    }

    /// Returns the gain of the link to a cell, equal in both directions: path, wall, pattern,
    /// shadow, without beams. It is negative.
    pub fn gain(&self, cell: CellId) -> Decibel {
        Decibel::from_linear(self.gains[cell.index()])
    }

    /// Returns the power of another cell relative to the serving cell with its beams, as a factor.
    pub fn relative(&self, cell: CellId) -> f64 {
        self.gain(cell).linear() / self.gain(self.serving).linear() / self.beams
    }

    /// Returns the loss of the link to the serving cell, less the gain of beams.
    pub fn coupling_loss(&self) -> Decibel {
        Decibel(-Decibel::from_linear(self.gains[self.serving.index()] * self.beams).0)
    }
}

/// The position and cell required of a UE.
struct Wanted {
    /// Site in whose hexagon the UE is dropped.
    site: usize,
    served_by: ServedBy,
}

enum ServedBy {
    Any,
    Site(usize),
    Cell(CellId),
}

impl Wanted {
    fn accepts(&self, serving: CellId) -> bool {
        match self.served_by {
            ServedBy::Any => true,
            ServedBy::Site(site) => layout::site(serving) == site,
            ServedBy::Cell(cell) => serving == cell,
        }
    }
}

/// Number of shadowing draws at one position before another position is drawn.
const ATTEMPTS_PER_PLACE: u32 = 100;
/// Trials of each of three UEs in [`Network::has_places`]. If all find a position, more than one in
/// 100 000 positions is suitable. (With fewer suitable ones, the network passes with a chance below
/// one in a million.) …
const PLACES_TRIED: u32 = 1000;
/// … So no UE ever needs `MOST_PLACES` trials.
const MOST_PLACES: u32 = 10_000_000;

#[cfg(test)]
mod tests;
