//! The air of a network without a cell: its measurements, and the SINR of links computed by hand.

use std::sync::Arc;

use super::propagation::Propagation;
use super::*;
use crate::net::PerDirection;
use crate::ran::cell::config::Capacity;
use crate::ran::cell::rbg::GroupSet;
use crate::ran::channel::fading::Antennas;
use crate::ran::channel::{
    Balance, Budget, Layout, Metres, Network, Placement, PowerControl, Profile, Speed,
};
use crate::ran::lte::preset;
use crate::ran::mac::timing::Clock;
use crate::ran::phy::lte::Bandwidth;
use crate::ran::phy::{Layers, Sinr};
use crate::sim::Streams;
use crate::unit::{CellId, Decibel, Duration, Probability, UeId, math};

/// One UE in the air of 21 cells, all of which transmit all the time.
struct Bench {
    environment: Environment,
    link: UeLink,
    clock: Clock,
    placement: Placement,
    report: CqiReport,
}

impl Bench {
    fn new(config: &Config, layers: Layers) -> Self {
        let cell = preset::system_level(BANDWIDTH, Vec::new());
        let Capacity::Carrier(mut carrier) = cell.downlink.channel.capacity else {
            panic!("a carrier")
        };
        let sizing = carrier.sizing.lte_mut().expect("an LTE cell");
        sizing.layers = layers;
        let shared = Arc::new(Propagation::new(config, &carrier, SLOT, 1));
        let streams = Streams::new(4);
        let placement = config.geometry.place_all(1, streams).remove(0);
        let heard = |_| Neighbour::Mean(1.0);
        let radio = RadioLink::new(&shared, &placement, 21, heard, |_| None, streams);
        let sinr = PerDirection { down: Sinr::ZERO, up: Sinr::ZERO };
        Self {
            environment: Environment::new(shared, CellId(0), 0, 1),
            link: UeLink::new(UeId(0), "radio/ue/0", Some(Box::new(radio)), sinr, streams),
            clock: Clock::new(Instant::ZERO, SLOT.as_nanos(), 1).expect("a slot"),
            placement,
            report: CqiReport::default(),
        }
    }

    fn radio(&mut self) -> (&mut RadioLink, &Propagation) {
        (self.link.radio.as_mut().expect("it has a place"), &self.environment.shared)
    }

    /// Returns the slots up to 50 in which a downlink report comes into force.
    fn reported(&mut self, erased: Probability) -> Vec<u64> {
        let Self { environment, link, clock, report, .. } = self;
        let mut comes = |slot| environment.downlink_report(link, slot, clock, erased, report);
        (0..50).filter(|&slot| comes(slot).is_some()).collect()
    }

    /// Returns the slots up to 50 in which an uplink measurement of the eNB comes into force.
    fn measured(&mut self) -> Vec<u64> {
        let Self { environment, link, clock, .. } = self;
        let mut comes = |slot| environment.uplink_measurement(link, slot, clock);
        (0..50).filter(|&slot| comes(slot).is_some()).collect()
    }

    /// Returns the SINR at the eNB on the whole band, while the power of other UEs there is
    /// `others` times the noise.
    fn uplink(&mut self, others: f64) -> f64 {
        let (radio, air) = self.radio();
        let (all, air) = (air.grid().all(), air.clone());
        radio.uplink_sinr(&air, Instant::ZERO, all, others, &mut Vec::new()).linear()
    }
}

const BANDWIDTH: Bandwidth = Bandwidth::Mhz5;
const SLOT: Duration = Duration::from_millis(1);

fn config(profile: Profile) -> Config {
    let layout = Layout::new(Metres(500.0), 1, crate::ran::channel::Edge::Open);
    let mut geometry = Network::new(layout, Budget::case1(BANDWIDTH));
    geometry.balance = Balance::EqualPerCell;
    geometry.budget.transmit_error = 0.0;
    Config {
        geometry,
        interference: Interference::Full,
        fading: Fading { profile, speed: Speed(3.0) },
        antennas: Antennas::OneByOne,
        subbands: true,
        reports: Reports::of_any_slot(5, 8),
        sounding: Reports::of_any_slot(10, 8),
        power: PowerControl { interference_over_thermal: Decibel(5.0), ..PowerControl::default() },
        uplink_coupled: false,
        surroundings: Surroundings::default(),
    }
}

fn close(found: f64, expected: f64) {
    assert!((found / expected - 1.0).abs() < 1e-9, "{found}, by hand {expected}");
}

/// TS 36.213 §7.2.2: the report of slot 0 at once, that of slot 5 in slot 13, and so on; only the
/// first report for a link that never changes. The base station misses erased reports, but the
/// first, with which a UE attached, is never erased.
#[test]
fn a_report_comes_into_force_once() {
    let mut fading = Bench::new(&config(Profile::Epa), Layers::One);
    assert_eq!(fading.reported(Probability::ZERO), [0, 13, 18, 23, 28, 33, 38, 43, 48]);
    assert_eq!(fading.link.counted.cqi_reports, 9);
    let mut erased = Bench::new(&config(Profile::Epa), Layers::One);
    assert_eq!(erased.reported(Probability::new(1.0).expect("certain")), [0]);
    let mut constant = Bench::new(&config(Profile::None), Layers::One);
    assert_eq!(constant.reported(Probability::ZERO), [0]);
}

/// An uplink that never changes is not measured.
#[test]
fn an_uplink_is_measured_once_in_a_period() {
    assert_eq!(Bench::new(&config(Profile::None), Layers::One).measured(), [0; 0]);
    let coupled = Config { uplink_coupled: true, ..config(Profile::None) };
    for config in [config(Profile::Epa), coupled] {
        assert_eq!(Bench::new(&config, Layers::One).measured(), [0, 18, 28, 38, 48]);
    }
}

/// Two antennas receive twice the signal, and two layers share it.
#[test]
fn a_mean_is_the_geometry_times_antennas_over_layers() {
    let one = config(Profile::None);
    let mean = |antennas, layers| {
        let mut bench = Bench::new(&Config { antennas, ..one.clone() }, layers);
        let geometry = bench.placement.geometry().linear();
        let (radio, air) = bench.radio();
        radio.mean(air).linear() / geometry
    };
    close(mean(Antennas::OneByOne, Layers::One), 1.0);
    close(mean(Antennas::OneByTwo, Layers::One), 2.0);
    close(mean(Antennas::TwoByTwo, Layers::Two), 1.0);
}

/// Power of other cells' UEs that equals the sum of noise and constant interference doubles that
/// sum.
#[test]
fn heard_uplinks_add_to_the_constant_interference() {
    let mut bench = Bench::new(&config(Profile::None), Layers::One);
    let alone = bench.radio().0.mean_uplink().linear();
    close(bench.uplink(0.0), alone);
    close(bench.uplink(math::db_to_linear(5.0)), alone / 2.0);
    close(bench.uplink(3.0 * math::db_to_linear(5.0)), alone / 4.0);
}

/// TS 36.213 §5.1.1.1: a UE behind a blocker of 20 dB sends like a UE whose path loses 20 dB more.
#[test]
fn an_uplink_behind_a_blocker_is_one_with_more_loss() {
    let mut config = config(Profile::None);
    config.surroundings.blockage = Some(crate::ran::channel::blockage::Config {
        between: Duration::from_nanos(1),
        lasting: Duration::from_secs(1_000_000),
        loss: Decibel(20.0),
        deviation: Decibel(0.0),
        ramp: Duration::ZERO,
    });
    let mut bench = Bench::new(&config, Layers::One);
    let loss = Decibel(bench.placement.coupling_loss().0 + 20.0);
    let most = bench.radio().0.most_prbs as u32;
    let expected = config.power.sinr(&config.geometry.budget, loss, most).linear();
    close(bench.uplink(0.0), expected);
    close(bench.uplink(math::db_to_linear(5.0)), expected / 2.0);
}

/// A constant channel is alike in all groups: each promises bytes in proportion to its resource
/// blocks. With 25 resource blocks in groups of two, the last group has one.
#[test]
fn groups_promise_what_their_resource_blocks_carry() {
    let mut bench = Bench::new(&config(Profile::None), Layers::One);
    assert!(bench.environment.shared.knows_subbands());
    bench.reported(Probability::ZERO);
    let bytes = bench.report.bytes;
    assert!(bytes[0] > 0.0);
    (0..12).for_each(|group| close(bytes[group], 2.0 * bytes[12]));
    close(bench.report.bytes_of_band, 25.0 * bytes[12]);
    let band = Config { subbands: false, ..config(Profile::None) };
    assert!(!Bench::new(&band, Layers::One).environment.shared.knows_subbands());
}

/// TS 36.213 Table 7.2.1-3: subbands of 4 resource blocks at 5 MHz, each with its own CQI. By hand:
/// the CQI of the mean capacity of its two groups and of all layers on them.
#[test]
fn a_subband_is_reported_by_the_mean_capacity_of_its_groups() {
    for (layers, antennas) in [(Layers::One, Antennas::OneByOne), (Layers::Two, Antennas::TwoByTwo)]
    {
        let config = Config { antennas, ..config(Profile::Etu) };
        let mut bench = Bench::new(&config, layers);
        bench.reported(Probability::ZERO);
        let neighbours = Neighbours::new(1);
        let at = bench.clock.start(40);
        let (mut sinrs, mut report) = (Vec::new(), CqiReport::default());
        let air = bench.environment.shared.clone();
        let radio = bench.radio().0;
        let band = radio.measure(&air, at, &neighbours, &mut sinrs, &mut report);
        radio.sinrs(&air, at, air.grid().all(), &neighbours, &mut sinrs);
        let of_group = sinrs.len() / 13;
        assert_eq!(band, air.table.wideband(air.receiver, &sinrs));
        for subband in 0..7 {
            let own: Vec<f64> = (sinrs.iter().skip(subband * 2 * of_group).take(2 * of_group))
                .map(|sinr| math::log2(1.0 + sinr.linear()))
                .collect();
            let mean = own.iter().sum::<f64>() / own.len() as f64;
            let sinr = Sinr::from_linear(math::pow(2.0, mean) - 1.0);
            let expected = air.table.subband(air.receiver, band, sinr);
            assert_eq!(report.subbands[subband], expected, "{subband} {layers:?}");
        }
        assert!(report.subbands[..7].iter().any(|&cqi| cqi != band), "{band:?}");
        let promised: f64 = (0..13).map(|group| report.bytes[group]).sum();
        close(report.bytes_of_band, promised);
        assert_eq!(air.reported(&report, GroupSet(1)), air.reported(&report, GroupSet(0b11)));
    }
}

/// Outside of a network the base station learns a UE's SINR from reports: a fall at 22 ms is
/// measured in slot 25 and known in slot 33, unless reports are erased.
#[test]
fn a_sinr_that_changes_is_known_by_reports() {
    let step = |millis, sinr_db| SinrStep { at: Duration::from_millis(millis), sinr_db };
    let steps = PerDirection { down: vec![step(0, 20.0), step(22, 3.0)], up: Vec::new() };
    let clock = Clock::new(Instant::ZERO, 1_000_000, 1).expect("a slot");
    let learned = |erased: f64| {
        let sinr = Sinr::from(Decibel(20.0));
        let sinr = PerDirection { down: sinr, up: sinr };
        let mut link = UeLink::new(UeId(0), "radio/ue/0", None, sinr, Streams::new(1));
        link.varying = VaryingSinr::new(&steps);
        let erased = Probability::new(erased).expect("a probability");
        let learns = |slot: &u64| link.measured(Direction::Down, *slot, &clock, erased).is_some();
        (0..60).filter(learns).collect::<Vec<_>>()
    };
    assert_eq!(learned(0.0), [33]);
    assert!(learned(1.0).is_empty());
}
