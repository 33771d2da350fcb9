//! Interference between cells.

use super::*;
use crate::ran::cell::config::Capacity;
use crate::ran::cell::rbg::GroupSet;
use crate::ran::channel::Dbm;
use crate::ran::phy::{Layers, LinkModel};

/// Returns the SINRs of the groups of UE `ue` while the other populated cells use `groups`.
fn heard(air_config: &AirConfig, ue: usize, groups: GroupSet) -> Vec<Sinr> {
    heard_in(&preset::system_level(BANDWIDTH, Vec::new()), air_config, ue, groups)
}

/// Returns the SINRs of the groups of UE `ue` in a network of cells with this `config`, while the
/// other populated cells use `groups`.
fn heard_in(config: &Config, air: &AirConfig, ue: usize, groups: GroupSet) -> Vec<Sinr> {
    let network = network_of(config, air, 21, 4);
    let mut neighbours = Neighbours::new(network.addresses.len());
    neighbours.begin(1, |_, from, to| to - from);
    (0..network.addresses.len()).for_each(|cell| neighbours.send(cell, groups, 0.5));
    let (home, local) = network.homes[ue];
    let mut cell = network.member(home).cell.clone();
    cell.copy_neighbours(Some(&neighbours));
    let environment = cell.air.environment.as_ref().expect("it is in a network");
    let (shared, neighbours) = (Arc::clone(&environment.shared), environment.neighbours.clone());
    let radio = cell.air.links[local.index()].radio.as_mut().expect("it has a place");
    let mut sinrs = Vec::new();
    radio.sinrs(&shared, Instant::ZERO + ms(77), shared.grid().all(), &neighbours, &mut sinrs);
    sinrs
}

fn same(some: &[Sinr], others: &[Sinr]) {
    assert_eq!(some.len(), others.len());
    for (one, other) in some.iter().zip(others) {
        assert!((one.linear() / other.linear() - 1.0).abs() < 1e-9, "{one:?} {other:?}");
    }
}

/// Saturated neighbours equal full interference; silent neighbours leave only the noise.
#[test]
fn coupled_interference_lies_between_full_and_none() {
    let all = GroupSet(u32::MAX >> (32 - 13));
    for fading in [STILL, WALKING] {
        let coupled = air(COUPLED, fading, Edge::Wrapped);
        let full = air(Interference::Full, fading, Edge::Wrapped);
        let silent = air(Interference::Load(Probability::ZERO), fading, Edge::Wrapped);
        for ue in [0, 5, 20] {
            let quiet = heard(&silent, ue, GroupSet::NONE);
            let loud = heard(&full, ue, GroupSet::NONE);
            same(&heard(&coupled, ue, all), &loud);
            same(&heard(&coupled, ue, GroupSet::NONE), &quiet);
            // On some groups only.
            let some = heard(&coupled, ue, GroupSet(0b101));
            same(&some[..3], &[loud[0], quiet[1], loud[2]]);
        }
    }
}

/// Returns a downlink of two layers (TS 36.211 §6.3.4.2).
fn two_layers(air: &AirConfig) -> (Config, AirConfig) {
    let mut config = preset::system_level(BANDWIDTH, Vec::new());
    let Capacity::Carrier(carrier) = &mut config.downlink.channel.capacity else {
        panic!("a carrier")
    };
    let sizing = carrier.sizing.lte_mut().expect("an LTE cell");
    sizing.layers = Layers::Two;
    (config, AirConfig { antennas: Antennas::TwoByTwo, ..air.clone() })
}

/// A blocker of 20 dB that is always in the way of all UEs has the effect of a cell with 20 dB less
/// power: on each group and each layer, with any fading.
#[test]
fn a_blocker_is_like_a_weaker_cell() {
    let free = air(Interference::Load(Probability::ZERO), WALKING, Edge::Open);
    let mut weak = free.clone();
    weak.geometry.budget.base_power.0 -= 20.0;
    let mut blocked = free.clone();
    blocked.surroundings.blockage = Some(blockage::Config {
        between: Duration::from_nanos(1),
        lasting: Duration::from_secs(1_000_000),
        loss: Decibel(20.0),
        deviation: Decibel(0.0),
        ramp: Duration::ZERO,
    });
    let one = preset::system_level(BANDWIDTH, Vec::new());
    for ue in [0, 5, 20] {
        let heard = |air| heard_in(&one, air, ue, GroupSet::NONE);
        same(&heard(&blocked), &heard(&weak));
        assert!(heard(&free) != heard(&blocked));
        let heard = |air| {
            let (config, air) = two_layers(air);
            heard_in(&config, &air, ue, GroupSet::NONE)
        };
        assert_eq!(heard(&free).len(), 2 * 13);
        same(&heard(&blocked), &heard(&weak));
    }
}

#[test]
fn a_ue_alone_has_its_signal_to_noise_ratio() {
    let air = air(COUPLED, STILL, Edge::Open);
    let network = network(&air, 1);
    let report = network.ues(Instant::ZERO).next().expect("one UE");
    let expected = air.geometry.budget.after_transmit_error(Sinr::from(report.place.snr));
    let member = &network.member(network.homes[0].0).cell;
    let found = member.air.links[0].sinr.down;
    assert!((found.linear() / expected.linear() - 1.0).abs() < 1e-9, "{found:?} {expected:?}");
    let place = report.place;
    assert!(place.geometry < place.snr && place.coupling_loss.0 > 60.0);
}

/// Blocks of saturated coupled cells meet full interference: as many bytes within 5 %, once the
/// reports include the load of the neighbours.
#[test]
fn saturated_cells_disturb_each_other_as_much_as_full_interference() {
    let bytes = |interference| {
        let air = air(interference, STILL, Edge::Wrapped);
        let mut bench = Bench::new(network(&air, 21));
        bench.load(&(0..21).collect::<Vec<_>>(), ms(1) / 2, ms(800));
        check_conservation(&bench.radio);
        let statistics = bench.radio.statistics().downlink;
        assert!(statistics.units > 21 * 25 * 700, "saturated: {statistics:?}");
        if let Some(neighbours) = &bench.radio.neighbours {
            for cell in 0..21 {
                assert_eq!(neighbours.groups(cell).count(), 13, "cell {cell} uses its band");
                assert!(neighbours.load(cell) > 0.9 && neighbours.load(cell) < 1.01);
            }
        }
        let settled = Instant::ZERO + ms(300);
        let down = |delivered: &&(Instant, Direction, UeId, u64)| {
            delivered.0 > settled && delivered.1 == Direction::Down
        };
        bench.delivered.iter().filter(down).count() as f64
    };
    let (full, coupled) = (bytes(Interference::Full), bytes(COUPLED));
    let silent = bytes(Interference::Load(Probability::ZERO));
    assert!((coupled / full - 1.0).abs() < 0.05, "{coupled} {full}");
    assert!(silent > 1.5 * full, "{silent} {full}");
}

/// By hand: while each UE of the other two cells of a site fills its uplink, the eNB of the first
/// receives from each UE its power in a resource block times the gain of the path, relative to its
/// own noise, weighted with the share of the band that the UE uses.
#[test]
fn an_enb_hears_the_uplinks_of_other_cells_as_strong_as_they_are() {
    let mut air = air(Interference::Load(Probability::ZERO), STILL, Edge::Open);
    air.uplink_coupled = true;
    let mut config = preset::system_level(BANDWIDTH, Vec::new());
    config.uplink.channel.link = LinkModel::Ideal;
    let network = network_of(&config, &air, 3, 4);
    let mut bench = Bench::new(network);
    let mut at = Instant::ZERO;
    while at < Instant::ZERO + Duration::from_secs(2) {
        (1..3).for_each(|ue| bench.send(at, Direction::Up, ue, 1000));
        at += Duration::from_micros(400);
    }
    let placements = air.geometry.place_all(3, Streams::new(4));
    let (budget, power) = (&air.geometry.budget, &air.power);
    let expected = |ue: usize| {
        let (placement, statistics) = (&placements[ue], bench.radio.member(ue).cell.statistics());
        let prbs = statistics.uplink.units as f64 / statistics.uplink.transmissions as f64;
        let sent = power.prb_power(budget, placement.coupling_loss(), prbs.round() as u32);
        let heard = Dbm(sent.0 + placement.gain(CellId(0)).0 - budget.base_noise().0).milliwatts();
        // A block in each slot.
        heard * prbs / f64::from(BANDWIDTH.prbs())
    };
    let neighbours = bench.radio.neighbours.as_ref().expect("coupled");
    let found = neighbours.heard(0);
    let expected = expected(1) + expected(2);
    assert!((found / expected - 1.0).abs() < 0.1, "{found}, by hand {expected}");
}

/// The more UEs of other cells send, the fewer bytes a cell gets through its own uplink; constant
/// interference does not depend on them.
#[test]
fn the_uplink_of_a_cell_suffers_from_the_uplinks_of_others() {
    let delivered = |uplink_coupled: bool, senders: &[u32]| {
        let mut air = air(Interference::Load(Probability::ZERO), STILL, Edge::Open);
        air.uplink_coupled = uplink_coupled;
        air.power.interference_over_thermal = Decibel(0.0);
        let config = preset::system_level(BANDWIDTH, Vec::new());
        let mut bench = Bench::new(network_of(&config, &air, 9, 4));
        let mut at = Instant::ZERO;
        while at < Instant::ZERO + Duration::from_secs(2) {
            for &ue in senders {
                bench.send(at, Direction::Up, ue, 1000);
            }
            at += Duration::from_millis(1);
        }
        // UEs 0, 3, 6 are in the first cell.
        bench.delivered.iter().filter(|of| of.2.0.is_multiple_of(3)).count()
    };
    let (own, all) = ([0, 3, 6], [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(delivered(false, &own), delivered(false, &all));
    let (alone, among) = (delivered(true, &own), delivered(true, &all));
    assert!((among as f64) < 0.95 * alone as f64, "{among} among others, {alone} alone");
    // If other cells' UEs may interfere, the eNB measures, in tenths of a decibel.
    assert!((alone as f64 / delivered(false, &own) as f64 - 1.0).abs() < 0.01, "{alone}");
}
