//! Proofs of the network: what cells do to each other, and what they do not.

use super::super::base_station::UeContext;
use super::*;
use crate::ran::cell::air::{Config as AirConfig, FadingKind, Reports, Surroundings};
use crate::ran::cell::rbg::GroupSet;
use crate::ran::cell::tests::datagram;
use crate::ran::cell::ue;
use crate::ran::channel::blockage;
use crate::ran::channel::fading::Antennas;
use crate::ran::channel::{
    Balance, Budget, Dbm, Edge, Layout, Metres, Network as Geometry, PowerControl, Profile, Speed,
};
use crate::ran::lte::preset;
use crate::ran::phy::lte::Bandwidth;
use crate::ran::phy::{Layers, LinkModel, Sinr, Sizing};
use crate::sim::Wake;
use crate::unit::{Decibel, Duration, Probability};

const BANDWIDTH: Bandwidth = Bandwidth::Mhz5;

/// Drives a cell or a network and keeps what comes out.
struct Bench<R> {
    radio: R,
    wake: Option<Instant>,
    delivered: Vec<(Instant, Direction, UeId, u64)>,
    calls: u64,
    packets: u64,
}

trait Driven {
    fn packet(&mut self, at: Instant, way: Direction, ue: UeId, packet: Box<Packet>, out: &mut Out);
    fn timer(&mut self, now: Instant, out: &mut Out);
}

type Out = Outbox<Effect>;

macro_rules! driven {
    ($radio:ty) => {
        impl Driven for $radio {
            fn packet(
                &mut self,
                at: Instant,
                way: Direction,
                ue: UeId,
                packet: Box<Packet>,
                out: &mut Out,
            ) {
                self.on_packet(at, way, ue, packet, out);
            }
            fn timer(&mut self, now: Instant, out: &mut Out) {
                self.on_timer(now, out);
            }
        }
    };
}
driven!(Cell);
driven!(Network);

impl<R: Driven> Bench<R> {
    fn new(radio: R) -> Self {
        Self { radio, wake: None, delivered: Vec::new(), calls: 0, packets: 0 }
    }

    fn send(&mut self, at: Instant, direction: Direction, ue: u32, length: u64) {
        self.run_until(at);
        let mut out = Outbox::default();
        let packet = datagram(self.packets, ue, length, at);
        self.packets += 1;
        self.radio.packet(at, direction, UeId(ue), packet, &mut out);
        self.take(at, &mut out);
    }

    fn run_until(&mut self, end: Instant) {
        let mut out = Outbox::default();
        while let Some(now) = self.wake.filter(|&at| at <= end) {
            self.wake = None;
            self.calls += 1;
            self.radio.timer(now, &mut out);
            self.take(now, &mut out);
        }
    }

    fn take(&mut self, now: Instant, out: &mut Out) {
        match out.take_wake() {
            Wake::Unchanged => {}
            Wake::At(at) => self.wake = Some(at),
            Wake::Never => self.wake = None,
        }
        for effect in out.drain() {
            if let Effect::Deliver { direction, ue, packet } = effect {
                self.delivered.push((now, direction, ue, packet.id.0));
            }
        }
    }

    /// Packets of 1000 bytes down and 100 up for these UEs, each so often.
    fn load(&mut self, ues: &[u32], gap: Duration, span: Duration) {
        let mut at = Instant::ZERO + Duration::from_micros(137);
        while at < Instant::ZERO + span {
            for &ue in ues {
                self.send(at, Direction::Down, ue, 1000);
                self.send(at, Direction::Up, ue, 100);
            }
            at += gap;
        }
    }
}

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn air(interference: Interference, fading: Option<FadingKind>, edge: Edge) -> AirConfig {
    let layout = Layout::new(Metres(500.0), 1, edge);
    let mut geometry = Geometry::new(layout, Budget::case1(BANDWIDTH));
    geometry.balance = Balance::EqualPerCell;
    AirConfig {
        geometry,
        interference,
        fading,
        antennas: Antennas::OneByOne,
        subbands: fading.is_some(),
        reports: Reports { period: 5, delay: 8 },
        sounding: Reports { period: 10, delay: 8 },
        power: PowerControl::default(),
        uplink_coupled: false,
        surroundings: Surroundings::default(),
    }
}

const COUPLED: Interference = Interference::Coupled { idle: Probability::ZERO };

const WALKING: Option<FadingKind> = Some(FadingKind { profile: Profile::Epa, speed: Speed(3.0) });

fn network(air: &AirConfig, ues: u32) -> Network {
    Network::new(&preset::system_level(BANDWIDTH, Vec::new()), air, ues, Streams::new(4))
}

fn check_conservation(network: &Network) {
    for direction in [Direction::Down, Direction::Up] {
        assert_eq!(network.tally(direction).held(), network.held(direction), "{direction:?}");
    }
}

/// The frame around cells adds nothing: one cell in it does what it does alone, to the nanosecond.
#[test]
fn a_network_of_one_cell_is_that_cell() {
    let conditions =
        [4.0, 11.0, 17.0].map(|db| Conditions { downlink: Decibel(db), uplink: Decibel(db - 2.0) });
    let config = preset::system_level(BANDWIDTH, conditions.to_vec());
    let cell = || Cell::new(&config, 3, Streams::new(7));
    let homes = (0..3).map(|ue| (0, UeId(ue))).collect();
    let network = Network::of(vec![(CellId(0), cell())], homes, Vec::new(), None);
    let (mut alone, mut framed) = (Bench::new(cell()), Bench::new(network));
    alone.load(&[0, 1, 2], ms(2), ms(500));
    framed.load(&[0, 1, 2], ms(2), ms(500));
    assert!(alone.delivered.len() > 1000);
    assert_eq!(alone.delivered, framed.delivered);
    assert_eq!(alone.radio.statistics(), framed.radio.statistics());
    check_conservation(&framed.radio);
}

/// SINRs of the groups of UE `ue` while the other populated cells use `groups`.
fn heard(air_config: &AirConfig, ue: usize, groups: GroupSet) -> Vec<Sinr> {
    heard_in(&preset::system_level(BANDWIDTH, Vec::new()), air_config, ue, groups)
}

/// The same in a network of cells that are like this.
fn heard_in(config: &Config, air: &AirConfig, ue: usize, groups: GroupSet) -> Vec<Sinr> {
    let network = Network::new(config, air, 21, Streams::new(4));
    let mut neighbours = Neighbours::new(network.cells.len());
    neighbours.begin(1);
    (0..network.cells.len()).for_each(|cell| neighbours.send(cell, groups, 0.5));
    let (home, local) = network.homes[ue];
    let mut cell = network.cells[home].cell.clone();
    cell.copy_neighbours(&neighbours);
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

/// Saturated neighbours are what full interference means, silent ones leave the noise alone.
#[test]
fn coupled_interference_lies_between_full_and_none() {
    let all = GroupSet(u32::MAX >> (32 - 13));
    for fading in [None, WALKING] {
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

/// A downlink of two layers (TS 36.211 §6.3.4.2).
fn two_layers(air: &AirConfig) -> (Config, AirConfig) {
    let mut config = preset::system_level(BANDWIDTH, Vec::new());
    let Capacity::Carrier(carrier) = &mut config.downlink.channel.capacity else {
        panic!("a carrier")
    };
    let Sizing::Lte(sizing) = &mut carrier.sizing;
    sizing.layers = Layers::Two;
    (config, AirConfig { antennas: Antennas::TwoByTwo, ..air.clone() })
}

/// Who stands for ever in the way of all UEs with 20 dB takes as much as a cell that sends 20 dB
/// less: on each group and each layer, with any fading.
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
    let air = air(COUPLED, None, Edge::Open);
    let network = network(&air, 1);
    let report = network.ues(Instant::ZERO).next().expect("one UE");
    let expected = air.geometry.budget.after_transmit_error(Sinr::from(report.place.snr));
    let member = &network.cells[network.homes[0].0].cell;
    let found = member.air.links[0].sinr.down;
    assert!((found.linear() / expected.linear() - 1.0).abs() < 1e-9, "{found:?} {expected:?}");
    let place = report.place;
    assert!(place.geometry < place.snr && place.coupling_loss.0 > 60.0);
}

/// Blocks of saturated coupled cells meet what full interference would be: as many bytes within 5
/// %, once the reports know that the neighbours are awake.
#[test]
fn saturated_cells_disturb_each_other_as_much_as_full_interference() {
    let bytes = |interference| {
        let air = air(interference, None, Edge::Wrapped);
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

#[test]
fn an_idle_ue_more_changes_nothing() {
    let run = |ues: u32| {
        let mut bench = Bench::new(network(&air(COUPLED, WALKING, Edge::Open), ues));
        bench.load(&[0, 1, 2, 3], ms(3), ms(300));
        (bench.delivered, bench.calls)
    };
    let few = run(4);
    assert!(few.0.len() > 500);
    assert_eq!(few, run(4), "the same seed");
    assert_eq!(few, run(5));
    assert_eq!(few, run(40));
}

#[test]
fn ten_thousand_idle_ues_are_never_called() {
    let mut bench = Bench::new(network(&air(COUPLED, WALKING, Edge::Open), 10_000));
    bench.run_until(Instant::ZERO + Duration::from_secs(3600));
    assert_eq!(bench.calls, 0);
    bench.send(Instant::ZERO + ms(1), Direction::Down, 9_999, 500);
    bench.run_until(Instant::ZERO + ms(500));
    assert_eq!(bench.delivered.len(), 1);
    // One packet: its slot, its feedback, its arrival, a retransmission or two.
    assert!(bench.calls < 12, "{} calls", bench.calls);
    let sides = size_of::<ue::Ue>() + size_of::<UeContext>();
    let per_ue =
        sides + size_of::<air::UeLink>() + size_of::<RadioLink>() + size_of::<air::CqiReport>();
    assert!(per_ue < 4096, "{per_ue} bytes");
}

/// TS 36.213 §5.1.1.1: a UE at the edge sends on no more resource blocks than its power is enough
/// for.
#[test]
fn the_power_of_a_ue_limits_its_resource_blocks() {
    let air = air(COUPLED, None, Edge::Open);
    let mut bench = Bench::new(network(&air, 30));
    let weakest = (bench.radio.ues(Instant::ZERO))
        .max_by(|one, other| one.place.coupling_loss.0.total_cmp(&other.place.coupling_loss.0))
        .expect("thirty");
    let most = air.power.most_prbs(&air.geometry.budget, weakest.place.coupling_loss, Decibel(0.0));
    assert!(most < 10, "{most} resource blocks at {} dB", weakest.place.coupling_loss.0);
    let mut at = Instant::ZERO;
    for _ in 0..200 {
        at += ms(1);
        bench.send(at, Direction::Up, weakest.ue.0, 1000);
    }
    let statistics = bench.radio.statistics().uplink;
    assert!(statistics.transmissions > 100);
    assert!(statistics.units <= u64::from(most) * statistics.transmissions, "{statistics:?}");
}

/// Reports are old and the channel fades: the outer loop still keeps the first errors near their
/// target.
#[test]
fn the_outer_loop_makes_up_for_old_reports() {
    let mut bench = Bench::new(network(&air(Interference::Full, WALKING, Edge::Open), 6));
    bench.load(&(0..6).collect::<Vec<_>>(), ms(1), ms(2_000));
    check_conservation(&bench.radio);
    let statistics = bench.radio.statistics().downlink;
    let rate = statistics.first_failures as f64 / statistics.blocks as f64;
    assert!((rate - 0.1).abs() < 0.03, "{rate}");
    for ue in bench.radio.ues(Instant::ZERO) {
        assert!(ue.counted.cqi_reports > 100 && ue.counted.blocks > 0, "{ue:?}");
    }
}

/// On echoes a microsecond apart the groups of 5 MHz fade one by one. A cell that knows which ones
/// suit whom carries more, and shares a slot among no more UEs than it may.
#[test]
fn a_cell_that_knows_its_groups_gives_each_to_whom_it_suits() {
    let run = |subbands: bool, ues_per_slot: u32| {
        let fading = Some(FadingKind { profile: Profile::Etu, speed: Speed(3.0) });
        let mut air = air(Interference::Load(Probability::ZERO), fading, Edge::Open);
        air.subbands = subbands;
        let mut config = preset::system_level(BANDWIDTH, Vec::new());
        config.downlink.channel.ues_per_slot = ues_per_slot;
        let mut bench = Bench::new(Network::new(&config, &air, 9, Streams::new(4)));
        let mut at = Instant::ZERO;
        while at < Instant::ZERO + Duration::from_secs(1) {
            (0..9).for_each(|ue| bench.send(at, Direction::Down, ue, 1400));
            at += Duration::from_micros(900);
        }
        let statistics = bench.radio.statistics();
        let sent = statistics.downlink.transmissions as f64 / statistics.slots as f64;
        (bench.delivered.len() as f64, sent)
    };
    let ((knowing, _), (blind, _)) = (run(true, 10), run(false, 10));
    assert!(knowing > blind, "{knowing} packets, {blind} without knowing");
    let (_, sent) = run(true, 2);
    assert!((1.5..=2.0).contains(&sent), "{sent} blocks a slot");
}

/// A UE behind a blocker of 100 dB gets nothing and is heard by nobody; all the time else it gets
/// what is sent.
#[test]
fn nothing_crosses_a_blockage_and_all_goes_on_after_it() {
    let mut air = air(Interference::Load(Probability::ZERO), None, Edge::Open);
    air.surroundings.blockage = Some(blockage::Config {
        between: ms(1000),
        lasting: ms(300),
        loss: Decibel(100.0),
        deviation: Decibel(0.0),
        ramp: Duration::ZERO,
    });
    let mut config = preset::system_level(BANDWIDTH, Vec::new());
    // A report that is lost for good silences its UE until this timer asks again; the usual 2.56 s
    // would outlast the blockage.
    config.uplink.report.retransmission = Some(ms(40));
    let network = Network::new(&config, &air, 1, Streams::new(3));
    let mut bench = Bench::new(network);
    bench.load(&[0], ms(10), Duration::from_secs(20));
    let end = Instant::ZERO + Duration::from_secs(20);
    bench.run_until(end);
    let report = bench.radio.ues(end).next().expect("a UE");
    let blocked = report.blocked_share.expect("there is blockage");
    assert!(blocked > 0.1 && report.clear_share.is_none(), "{report:?}");
    for direction in [Direction::Down, Direction::Up] {
        let times: Vec<Instant> =
            bench.delivered.iter().filter(|of| of.1 == direction).map(|of| of.0).collect();
        // Gaps longer than a HARQ round trip or two are blockage; together they are its share of
        // the time.
        let gaps = times.windows(2).map(|pair| pair[1] - pair[0]).filter(|&gap| gap > ms(40));
        let outage: f64 = gaps.map(Duration::as_secs_f64).sum();
        assert!((outage / 20.0 - blocked).abs() < 0.03, "{direction:?}: {outage} s, {blocked}");
    }
}

/// By hand: while each UE of the other two cells of a site fills its uplink, the eNB of the first
/// hears of each its power in a resource block times the gain to there, over its own noise, by the
/// share of the band that it uses.
#[test]
fn an_enb_hears_the_uplinks_of_other_cells_as_strong_as_they_are() {
    let mut air = air(Interference::Load(Probability::ZERO), None, Edge::Open);
    air.uplink_coupled = true;
    let mut config = preset::system_level(BANDWIDTH, Vec::new());
    config.uplink.channel.link = LinkModel::Ideal;
    let network = Network::new(&config, &air, 3, Streams::new(4));
    let mut bench = Bench::new(network);
    let mut at = Instant::ZERO;
    while at < Instant::ZERO + Duration::from_secs(2) {
        (1..3).for_each(|ue| bench.send(at, Direction::Up, ue, 1000));
        at += Duration::from_micros(400);
    }
    let placements = air.geometry.place_all(3, Streams::new(4));
    let (budget, power) = (&air.geometry.budget, &air.power);
    let expected = |ue: usize| {
        let (placement, statistics) = (&placements[ue], bench.radio.cells[ue].cell.statistics());
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

/// The more UEs of other cells send, the less a cell gets through its own uplink; constant
/// interference knows nothing of them.
#[test]
fn the_uplink_of_a_cell_suffers_from_the_uplinks_of_others() {
    let delivered = |uplink_coupled: bool, senders: &[u32]| {
        let mut air = air(Interference::Load(Probability::ZERO), None, Edge::Open);
        air.uplink_coupled = uplink_coupled;
        air.power.interference_over_thermal = Decibel(0.0);
        let config = preset::system_level(BANDWIDTH, Vec::new());
        let mut bench = Bench::new(Network::new(&config, &air, 9, Streams::new(4)));
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
    // Where others may come the eNB measures, in tenths of a decibel.
    assert!((alone as f64 / delivered(false, &own) as f64 - 1.0).abs() < 0.01, "{alone}");
}
