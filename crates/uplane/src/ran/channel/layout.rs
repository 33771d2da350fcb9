//! Positions of sites: a hexagonal grid with three sectors per site (TR 36.814 §A.2.1.1.1).
//!
//! In: the distance between sites, the number of rings around the first site. Out: positions of
//! sites, directions of sectors, the path from a site to a UE.
//!
//! Site 0 is the origin. Cell number `3·site + sector` has the boresight 30°, 150° or 270°; the six
//! neighbours of a site lie at 30°, 90°, …, so a sector faces its neighbour's site, and the three
//! hexagons of its sectors meet at the mast.
//!
//! With wrap-around the plane is tiled with copies of the cluster, and each site is received from
//! its nearest copy. All cells then have the same neighbours and count in the statistics.
//!
//! Left out: real sites, which are less regular. This matters for comparison with a measured
//! network.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::quantity::{Degrees, Metres};
use crate::record::columns;
use crate::sim::Stream;
use crate::unit::{CellId, math};

columns! {
    /// Position on the map, in m east and north of site 0.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub Position {
        /// Distance east of the first site, in m.
        x as x_m: f64,
        /// Distance north of the first site, in m.
        y as y_m: f64,
    }
}

/// The path from a site to a UE over the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundPath {
    /// Length of the path on the ground.
    pub distance: Metres,
    /// Direction of the path, counted from east to north.
    pub azimuth: Degrees,
}

/// Surroundings of the outer sites.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "EdgeKind")]
pub enum Edge {
    /// No further sites around the outer ones: UEs are in cells of the first site, and all other
    /// sites only interfere.
    #[default]
    Open,
    /// Copies of all sites surround the outer ones (wrap-around): UEs are in all cells, and all
    /// cells have the same neighbours.
    Wrapped,
}

/// The layout of all sites.
#[derive(Clone, Debug)]
pub struct Layout {
    between_sites: Metres,
    edge: Edge,
    sites: Vec<Position>,
    /// Offsets from the cluster to its copies, including zero for the cluster itself.
    copies: Vec<Position>,
}

impl Layout {
    /// Creates a layout of a site with `rings` rings of sites around it: 1, 7, 19, … sites.
    pub fn new(between_sites: Metres, rings: u32, edge: Edge) -> Self {
        let on_grid = |a: u32, direction: usize, b: u32, turn: usize| {
            let [along, across] = [DIRECTIONS[direction % 6], DIRECTIONS[(direction + turn) % 6]];
            along
                .scaled(f64::from(a) * between_sites.0)
                .plus(across.scaled(f64::from(b) * between_sites.0))
        };
        let mut sites = vec![Position::default()];
        for ring in 1..=rings {
            for corner in 0..6 {
                // A ring is a hexagon: from each corner `ring` steps towards the next.
                sites.extend((0..ring).map(|step| on_grid(ring, corner, step, 2)));
            }
        }
        let mut copies = vec![Position::default()];
        if edge == Edge::Wrapped {
            copies.extend((0..6).map(|direction| on_grid(rings + 1, direction, rings, 1)));
        }
        Self { between_sites, edge, sites, copies }
    }

    /// Returns the positions of the sites, ring by ring.
    pub fn sites(&self) -> &[Position] {
        &self.sites
    }

    /// Returns the distance between neighbouring sites.
    pub fn between_sites(&self) -> Metres {
        self.between_sites
    }

    /// Returns the surroundings of the outer sites.
    pub fn edge(&self) -> Edge {
        self.edge
    }

    /// Returns all cells, three per site.
    pub fn cells(&self) -> impl Iterator<Item = CellId> + use<> {
        (0..(self.sites.len() * SECTORS) as u32).map(CellId)
    }

    /// Returns the cells in which UEs are dropped.
    pub fn cells_with_ues(&self) -> impl Iterator<Item = CellId> + use<> {
        let sites = match self.edge {
            Edge::Open => 1,
            Edge::Wrapped => self.sites.len(),
        };
        (0..(sites * SECTORS) as u32).map(CellId)
    }

    /// Returns the shortest path from the site, or one of its copies, to `place`.
    pub fn ground_path(&self, site: usize, place: Position) -> GroundPath {
        let from = place.minus(self.sites[site]);
        let mut shortest = from;
        for copy in &self.copies[1..] {
            let other = from.minus(*copy);
            if other.squared() < shortest.squared() {
                shortest = other;
            }
        }
        GroundPath {
            distance: Metres(shortest.squared().sqrt()),
            azimuth: Degrees(math::atan2(shortest.y, shortest.x).to_degrees()),
        }
    }

    /// Returns the six corners of the area that is nearer to this site than to any other, for a
    /// map.
    pub fn outline(&self, site: usize) -> [Position; 6] {
        let between = self.between_sites.0 / 3.0;
        std::array::from_fn(|corner| {
            // A corner is equally far from three sites: the mean of their positions.
            let [one, other] = [DIRECTIONS[corner], DIRECTIONS[(corner + 1) % 6]];
            self.sites[site].plus(one.plus(other).scaled(between))
        })
    }

    /// Draws a position, uniform in the hexagon around `site`, at least `minimum` from the mast.
    ///
    /// # Panics
    /// If `minimum` leaves no such position.
    pub fn draw(&self, site: usize, minimum: Metres, stream: &mut Stream) -> Position {
        assert!(minimum.0 < self.between_sites.0 / 2.0, "no place {} m off the mast", minimum.0);
        let corner = self.between_sites.0 / 3.0_f64.sqrt();
        // More than a third of the square around the hexagon is far enough from the mast.
        for _ in 0..MOST_DRAWS {
            let mut coordinate = || (2.0 * stream.uniform() - 1.0) * corner;
            let place = Position { x: coordinate(), y: coordinate() };
            if place.squared() >= minimum.0 * minimum.0 && self.is_in_hexagon(place) {
                return place.plus(self.sites[site]);
            }
        }
        panic!("none of {MOST_DRAWS} places is {} m off the mast and in its hexagon", minimum.0)
    }

    fn is_in_hexagon(&self, place: Position) -> bool {
        let half = self.between_sites.0 / 2.0;
        DIRECTIONS.iter().all(|direction| direction.x * place.x + direction.y * place.y <= half)
    }
}

/// Returns the site of a cell.
pub const fn site(cell: CellId) -> usize {
    cell.index() / SECTORS
}

/// Returns the boresight of a cell's antenna.
pub const fn boresight(cell: CellId) -> Degrees {
    [Degrees(30.0), Degrees(150.0), Degrees(270.0)][cell.index() % SECTORS]
}

impl Position {
    fn plus(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y }
    }

    fn minus(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y }
    }

    fn scaled(self, factor: f64) -> Self {
        Self { x: self.x * factor, y: self.y * factor }
    }

    fn squared(self) -> f64 {
        self.x * self.x + self.y * self.y
    }
}

/// Number of sectors of a site.
pub const SECTORS: usize = 3;

/// Maximum number of draws of one position, far more than any needs.
const MOST_DRAWS: u32 = 10_000;

/// `√3 / 2`
const HALF_ROOT: f64 = 0.866_025_403_784_438_6;

/// Unit vectors at 30°, 90°, …: from a site to its neighbours.
const DIRECTIONS: [Position; 6] = [
    Position { x: HALF_ROOT, y: 0.5 },
    Position { x: 0.0, y: 1.0 },
    Position { x: -HALF_ROOT, y: 0.5 },
    Position { x: -HALF_ROOT, y: -0.5 },
    Position { x: 0.0, y: -1.0 },
    Position { x: HALF_ROOT, y: -0.5 },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Streams;

    fn layout(rings: u32, edge: Edge) -> Layout {
        Layout::new(Metres(500.0), rings, edge)
    }

    fn distances(layout: &Layout, place: Position) -> Vec<u64> {
        let sites = 0..layout.sites().len();
        let mut all: Vec<u64> =
            sites.map(|site| layout.ground_path(site, place).distance.0.round() as u64).collect();
        all.sort_unstable();
        all
    }

    /// TR 36.814 §A.2.1.1.1: 19 sites, 57 cells.
    #[test]
    fn rings_have_six_sites_more_each() {
        for (rings, sites) in [(0, 1), (1, 7), (2, 19), (3, 37)] {
            let layout = layout(rings, Edge::Open);
            assert_eq!(layout.sites().len(), sites);
            assert_eq!(layout.cells().count(), 3 * sites);
            assert_eq!(layout.cells_with_ues().count(), 3);
        }
    }

    #[test]
    fn the_first_ring_is_one_distance_away_and_begins_at_30_degrees() {
        let layout = layout(1, Edge::Open);
        for (site, place) in layout.sites().iter().enumerate().skip(1) {
            let path = layout.ground_path(0, *place);
            assert!((path.distance.0 - 500.0).abs() < 1e-9);
            let direction = Degrees(30.0 + 60.0 * (site as f64 - 1.0)).signed();
            assert!((Degrees(path.azimuth.0 - direction.0).signed().0).abs() < 1e-9);
        }
        let second = self::layout(2, Edge::Open);
        let expected = [[0; 1].as_slice(), &[500; 6], &[866; 6], &[1000; 6]].concat();
        assert_eq!(distances(&second, Position::default()), expected);
    }

    /// With wrap-around no site is at the edge: each one sees the others at the same distances.
    #[test]
    fn a_wrapped_cluster_looks_the_same_from_every_site() {
        for rings in [1, 2, 3] {
            let layout = layout(rings, Edge::Wrapped);
            let first = distances(&layout, layout.sites()[0]);
            for place in layout.sites() {
                assert_eq!(distances(&layout, *place), first);
            }
            assert_eq!(layout.cells_with_ues().count(), layout.cells().count());
        }
    }

    #[test]
    fn drawn_places_are_nearest_to_their_site_and_fill_its_hexagon() {
        let layout = layout(1, Edge::Open);
        let mut stream = Streams::new(1).open("test", "places");
        let (mut sum, mut farthest) = (0.0, 0.0_f64);
        for _ in 0..20_000 {
            let place = layout.draw(2, Metres(35.0), &mut stream);
            let own = layout.ground_path(2, place).distance.0;
            assert!(own >= 35.0);
            assert!((0..7).all(|site| layout.ground_path(site, place).distance.0 >= own - 1e-9));
            sum += own * own;
            farthest = farthest.max(own);
        }
        // The mean square of a hexagon of side a is 5/12 a², here a = 500/√3 (and a hole of 35 m).
        let side = 500.0_f64 / 3.0_f64.sqrt();
        assert!((sum / 20_000.0 / (side * side) - 5.0 / 12.0).abs() < 0.02);
        assert!(farthest > 0.97 * side && farthest <= side);
        for corner in layout.outline(2) {
            assert!((layout.ground_path(2, corner).distance.0 - side).abs() < 1e-9);
        }
    }
}
