use super::*;
use crate::ran::channel::Antenna;
use crate::ran::channel::Hertz;
use crate::ran::channel::budget::{Beams, CASE_1_BETWEEN_SITES, CASE_3_BETWEEN_SITES};
use crate::ran::channel::layout::SECTORS;
use crate::ran::phy::lte::numerology::{AntennaPorts, Bandwidth, Cfi};
use crate::ran::phy::lte::{McsTable, Sizing as LteSizing};
use crate::ran::phy::{RateControl, Receiver, Sizing};

const UES: u32 = 10_000;

fn case1(rings: u32, edge: Edge) -> Network {
    Network::new(Layout::new(CASE_1_BETWEEN_SITES, rings, edge), Budget::case1(Bandwidth::Mhz20))
}

fn streams() -> Streams {
    Streams::new(1)
}

fn share(value: f64) -> Probability {
    Probability::new(value).expect("in [0, 1]")
}

fn percentile(sorted: &[f64], percent: usize) -> f64 {
    sorted[sorted.len() * percent / 100]
}

/// Returns SINRs in dB, sorted, if the UE's own site sends with `own` and its neighbours with
/// `others`.
fn sinrs(placements: &[Placement], own: f64, others: f64) -> Vec<f64> {
    let [own, others] = [own, others].map(share);
    let sinr = |placement: &Placement| {
        let site = layout::site(placement.serving);
        let of = |cell| if layout::site(cell) == site { own } else { others };
        Decibel::from(placement.sinr(of)).0
    };
    let mut all: Vec<f64> = placements.iter().map(sinr).collect();
    all.sort_by(f64::total_cmp);
    all
}

/// Returns the MCS on all 100 resource blocks at 10 % errors, one antenna and three control
/// symbols.
fn scheme(db: f64) -> f64 {
    let res = Bandwidth::Mhz20.pdsch_res_per_prb(Cfi::Three, AntennaPorts::One);
    let sizing = Sizing::Lte(LteSizing::subframe(McsTable::Pdsch64Qam, res));
    let sinr = Sinr::from(Decibel(db));
    let control = RateControl::Adaptive(share(0.1));
    let format = control.format(&sizing.allocate(0, 100), Receiver::Ideal, &[sinr]);
    format.map_or(0.0, |format| f64::from(format.scheme.mcs.index()))
}

/// An independent computation of TR 36.814 case 1 for 20 MHz and UEs at one of seven sites: loads
/// of the own and of the other sites, SINR in dB at five percentiles, schemes at three.
const REFERENCE: [([f64; 2], [f64; 5], [f64; 3]); 6] = [
    ([1.0, 1.0], [-1.4, -0.4, 7.2, 18.2, 20.0], [5.0, 13.0, 25.0]),
    ([1.0, 0.5], [-0.1, 0.9, 8.1, 18.5, 19.9], [6.0, 14.0, 26.0]),
    ([1.0, 0.2], [0.5, 2.0, 9.7, 18.6, 20.1], [7.0, 16.0, 26.0]),
    ([1.0, 0.0], [0.7, 2.6, 12.0, 19.0, 20.4], [7.0, 19.0, 27.0]),
    ([0.3, 0.3], [3.0, 4.6, 12.3, 22.8, 24.8], [11.0, 19.5, 27.0]),
    ([0.1, 0.1], [7.2, 8.6, 15.9, 26.6, 28.4], [15.0, 23.0, 27.0]),
];

/// TR 36.814 §A.2.1.1, case 1: within 1 dB and one scheme.
#[test]
fn sinrs_and_schemes_of_case_1_are_those_of_an_independent_computation() {
    let placements = case1(1, Edge::Open).place_all(UES, streams());
    for ([own, others], sinrs_db, schemes) in REFERENCE {
        let found = sinrs(&placements, own, others);
        for (percent, reference) in [5, 10, 50, 90, 95].into_iter().zip(sinrs_db) {
            let ours = percentile(&found, percent);
            assert!(
                (ours - reference).abs() <= 1.0,
                "{own}/{others}, {percent} %: {ours} dB, not {reference} dB"
            );
        }
        for (percent, reference) in [10, 50, 90].into_iter().zip(schemes) {
            let ours = scheme(percentile(&found, percent));
            assert!(
                (ours - reference).abs() <= 1.0,
                "{own}/{others}, {percent} %: MCS {ours}, not {reference}"
            );
        }
    }
}

#[test]
fn activity_0_gives_the_snr_and_activity_1_the_geometry() {
    for placement in case1(1, Edge::Open).place_all(50, streams()) {
        let at = |activity: f64| placement.sinr(|_| share(activity)).linear();
        assert_eq!(Sinr::from_linear(at(0.0)), placement.snr());
        assert_eq!(Sinr::from_linear(at(1.0)), placement.geometry());
        assert!(at(0.0) > at(0.3) && at(0.3) > at(1.0));
        // Interference sums as powers: 1/γ is linear in the load.
        let inverse = |activity: f64| 1.0 / at(activity);
        let middle = f64::midpoint(inverse(0.0), inverse(1.0));
        assert!((inverse(0.5) / middle - 1.0).abs() < 1e-9);
        // The transmission of the serving cell is signal, not interference.
        let own = placement.serving;
        let alone = placement.sinr(|cell| share(f64::from(u8::from(cell == own))));
        assert_eq!(alone, placement.snr());
    }
}

/// Computed by hand: 26 dBm per resource block against −112.447 dBm of noise.
#[test]
fn the_snr_is_power_less_loss_less_noise() {
    for placement in case1(1, Edge::Open).place_all(20, streams()) {
        let snr = Decibel::from(placement.snr()).0;
        assert!((snr - (26.0 + 112.447 - placement.coupling_loss().0)).abs() < 1e-3);
    }
}

fn is_same(a: &Placement, b: &Placement) -> bool {
    a.position == b.position && a.serving == b.serving && a.gains == b.gains
}

#[test]
fn drops_depend_on_the_seed_and_one_ue_more_moves_nobody() {
    let network = case1(1, Edge::Open);
    let few = network.place_all(10, streams());
    let many = network.place_all(11, streams());
    assert!(few.iter().zip(&many).all(|(a, b)| is_same(a, b)));
    let other = network.place_all(10, Streams::new(2));
    assert!(few.iter().zip(&other).all(|(a, b)| !is_same(a, b)));
    assert!(!is_same(&many[0], &many[1]));
}

#[test]
fn every_ue_has_the_strongest_cell_of_the_sites_with_ues() {
    for placement in case1(1, Edge::Open).place_all(500, streams()) {
        assert_eq!(layout::site(placement.serving), 0);
        let best = placement.gain(placement.serving);
        assert!((0..21).all(|cell| placement.gain(CellId(cell)) <= best));
    }
}

#[test]
fn equal_shares_give_each_cell_its_ues_in_turn() {
    for edge in [Edge::Open, Edge::Wrapped] {
        let mut network = case1(1, edge);
        network.balance = Balance::EqualPerCell;
        let cells = network.layout.cells_with_ues().count() as u32;
        for placement in network.place_all(2 * cells, streams()) {
            assert_eq!(placement.serving.0, placement.ue.0 % cells);
        }
    }
}

#[test]
fn with_wrap_around_all_cells_serve_alike() {
    let network = case1(1, Edge::Wrapped);
    let mut served = [0_u32; 21];
    let placements = network.place_all(UES, streams());
    for placement in &placements {
        served[placement.serving.index()] += 1;
    }
    // 476 each, with a standard deviation of 21.
    assert!(served.iter().all(|served| (380..=580).contains(served)), "{served:?}");
    let site_of = |placement: &&Placement| layout::site(placement.serving) == 0;
    let centre: Vec<Placement> = placements.iter().filter(site_of).cloned().collect();
    let median = |placements: &[Placement]| percentile(&sinrs(placements, 1.0, 1.0), 50);
    assert!((median(&placements) - median(&centre)).abs() < 1.0);
}

/// Additional rings of interferers have less and less effect: the second ring of 12 sites is twice
/// as far.
#[test]
fn the_second_ring_takes_less_than_the_first() {
    let median = |rings| {
        let placements = case1(rings, Edge::Open).place_all(4_000, streams());
        percentile(&sinrs(&placements, 1.0, 1.0), 50)
    };
    let [alone, one, two] = [0, 1, 2].map(median);
    assert!(alone - one > 3.0 * (one - two) && one > two, "{alone}, {one}, {two} dB");
}

/// TR 36.814 Table A.2.1.1-1: case 3 is three times as wide, so noise matters there.
#[test]
fn in_case_3_noise_matters_and_in_case_1_it_does_not() {
    let noise_share = |network: &Network| {
        let mut rises: Vec<f64> = network
            .place_all(2_000, streams())
            .iter()
            .map(|placement| {
                let noise = 1.0 / placement.snr().linear();
                noise * placement.geometry().linear()
            })
            .collect();
        rises.sort_by(f64::total_cmp);
        percentile(&rises, 50)
    };
    let layout = Layout::new(CASE_3_BETWEEN_SITES, 1, Edge::Wrapped);
    let case3 = Network::new(layout, Budget::case3(Bandwidth::Mhz20));
    let [small, large] = [noise_share(&case1(1, Edge::Wrapped)), noise_share(&case3)];
    assert!(small < 0.1 && large > 2.0 * small, "{small}, {large}");
}

/// One omnidirectional site without shadowing serves all UEs, whatever is drawn.
#[test]
fn without_shadows_a_place_decides() {
    let mut network = case1(1, Edge::Open);
    network.budget.shadowing.deviation = Decibel(0.0);
    network.budget.antenna = Antenna::Isotropic { gain: Decibel(0.0) };
    for placement in network.place_all(200, streams()) {
        let own = network.layout.ground_path(0, placement.position).distance;
        let nearest =
            (1..7).map(|site| network.layout.ground_path(site, placement.position).distance.0);
        assert!(nearest.fold(f64::INFINITY, f64::min) >= own.0);
        assert!(placement.serving.index() < SECTORS);
    }
}

/// Creates one site with masts in streets, at 28 GHz, without shadowing and with aligned beams.
fn street() -> Network {
    let mut budget = Budget::street_canyon(Bandwidth::Mhz20, Hertz(28e9));
    budget.shadowing.deviation = Decibel(0.0);
    budget.beams.misalignment = Decibel(0.0);
    Network::new(Layout::new(Metres(200.0), 0, Edge::Open), budget)
}

/// TR 38.901 Tables 7.4.1-1 and 7.4.2-1: with one site the coupling loss is that of the state
/// drawn, less 27 dB of arrays. UEs between 90 m and 100 m have a line of sight with the
/// probability at that distance.
#[test]
fn ues_in_a_street_are_hidden_as_often_as_the_formula_has_it() {
    let network = street();
    let (mut likely, mut seen, mut count) = (0.0, 0.0, 0.0);
    for placement in network.place_all(UES, streams()) {
        let los = placement.los.expect("drawn");
        let path = network.layout.ground_path(0, placement.position);
        let clear = network.budget.gain(path, layout::boresight(placement.serving)).0;
        let config = network.budget.los.expect("in streets");
        let more =
            config.nlos.over(path.distance).0 - network.budget.path_loss.over(path.distance).0;
        let expected = 27.0 + clear - if los.los { 0.0 } else { more };
        assert!((placement.coupling_loss().0 + expected).abs() < 1e-9, "{placement:?}");
        let other = Decibel::from_linear(los.other).0;
        assert!((other.abs() - more).abs() < 1e-9 && (other < 0.0) == los.los, "{los:?}");
        if (90.0..100.0).contains(&path.distance.0) {
            likely += los.probability.value();
            seen += f64::from(u8::from(los.los));
            count += 1.0;
        }
    }
    let deviation = (count * 0.25 * 0.75_f64).sqrt();
    assert!(count > 1000.0 && (seen - likely).abs() < 3.0 * deviation, "{seen}, not {likely}");
}

/// The beams of other cells point in random directions: on average their arrays do not increase the
/// interference.
#[test]
fn beams_lift_the_signal_over_the_interference() {
    let network = Network::new(Layout::new(Metres(200.0), 1, Edge::Open), street().budget);
    let mut plain = network.clone();
    plain.budget.beams = Beams::default();
    for ue in 0..20 {
        let [with, without] = [&network, &plain].map(|network| network.place(UeId(ue), streams()));
        let gain = with.geometry().linear() / without.geometry().linear();
        assert!((Decibel::from_linear(gain).0 - 27.0).abs() < 1e-9);
        let [with, without] = [with, without].map(|placement| placement.relative(CellId(20)));
        assert!((Decibel::from_linear(without / with).0 - 27.0).abs() < 1e-9);
    }
}
