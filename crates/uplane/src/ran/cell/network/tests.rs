//! Tests of the network: the behaviour of a cell in it, and its cost.

mod instants;
mod interference;
mod workers;

use super::super::base_station::UeContext;
use super::*;
use crate::ran::bearer;
use crate::ran::cell::air::{self, Config as AirConfig, Fading, Reports, Surroundings};
use crate::ran::cell::config::{Capacity, Config};
use crate::ran::cell::tests::{cell, datagram};
use crate::ran::cell::ue;
use crate::ran::channel::blockage;
use crate::ran::channel::fading::Antennas;
use crate::ran::channel::{
    Balance, Budget, Edge, Layout, Metres, Network as Geometry, PowerControl, Profile, Speed,
};
use crate::ran::lte::preset;
use crate::ran::phy::lte::Bandwidth;
use crate::ran::phy::{LinkModel, RateControl, Receiver, Sinr};
use crate::sim::Wake;
use crate::unit::{Decibel, Duration, Probability};

const BANDWIDTH: Bandwidth = Bandwidth::Mhz5;

/// Drives a cell or a network and keeps its effects.
struct Bench<R> {
    radio: R,
    wake: Option<Instant>,
    delivered: Vec<(Instant, Direction, UeId, u64)>,
    dropped: Vec<(Instant, Direction, UeId, u64)>,
    calls: u64,
    packets: u64,
}

trait Driven {
    fn packet(
        &mut self,
        at: Instant,
        direction: Direction,
        ue: UeId,
        packet: Box<Packet>,
        out: &mut Out,
    );
    fn timer(&mut self, now: Instant, out: &mut Out);
}

type Out = Outbox<Effect>;

macro_rules! driven {
    ($radio:ty) => {
        impl Driven for $radio {
            fn packet(
                &mut self,
                at: Instant,
                direction: Direction,
                ue: UeId,
                packet: Box<Packet>,
                out: &mut Out,
            ) {
                self.on_packet(at, direction, ue, packet, out);
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
        let (delivered, dropped) = (Vec::new(), Vec::new());
        Self { radio, wake: None, delivered, dropped, calls: 0, packets: 0 }
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
            let (list, (direction, ue, packet)) = match effect {
                Effect::Deliver { direction, ue, packet } => {
                    (&mut self.delivered, (direction, ue, packet))
                }
                Effect::Drop { direction, ue, packet, .. } => {
                    (&mut self.dropped, (direction, ue, packet))
                }
            };
            list.push((now, direction, ue, packet.id.0));
        }
    }

    /// Sends packets of 1000 bytes down and 100 up for these UEs, every `gap`.
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

fn air(interference: Interference, fading: Fading, edge: Edge) -> AirConfig {
    let layout = Layout::new(Metres(500.0), 1, edge);
    let mut geometry = Geometry::new(layout, Budget::case1(BANDWIDTH));
    geometry.balance = Balance::EqualPerCell;
    AirConfig {
        geometry,
        interference,
        fading,
        antennas: Antennas::OneByOne,
        subbands: fading != STILL,
        reports: Reports::of_any_slot(5, 8),
        sounding: Reports::of_any_slot(10, 8),
        power: PowerControl::default(),
        uplink_coupled: false,
        surroundings: Surroundings::default(),
    }
}

const COUPLED: Interference = Interference::Coupled { idle: Probability::ZERO };

const STILL: Fading = Fading { profile: Profile::None, speed: Speed(3.0) };
const WALKING: Fading = Fading { profile: Profile::Epa, ..STILL };

fn network(air: &AirConfig, ues: u32) -> Network {
    network_of(&preset::system_level(BANDWIDTH, Vec::new()), air, ues, 4)
}

fn network_of(cell: &Config, air: &AirConfig, ues: u32, seed: u64) -> Network {
    let plan = NetworkPlan::new(cell.clone(), air.clone(), ues).expect("a network that can be");
    Network::new(&plan, Streams::new(seed))
}

fn check_conservation(network: &Network) {
    for direction in [Direction::Down, Direction::Up] {
        assert_eq!(network.tally(direction).held(), network.held(direction), "{direction:?}");
    }
}

/// A network with one cell behaves exactly like that cell alone, to the nanosecond.
#[test]
fn a_network_of_one_cell_is_that_cell() {
    let conditions =
        [4.0, 11.0, 17.0].map(|db| Conditions { downlink: Decibel(db), uplink: Decibel(db - 2.0) });
    for config in [preset::system_level(BANDWIDTH, conditions.to_vec()), lena(conditions.to_vec())]
    {
        let cell = || cell(&config, 3, Streams::new(7));
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
}

/// Returns a cell as in ns-3, with schemes and errors by the SINR.
fn lena(conditions: Vec<Conditions>) -> Config {
    let mut config = preset::lena(BANDWIDTH, vec![bearer::Config::default_bearer()]);
    config.conditions = conditions;
    let target = Probability::new(0.1).expect("a probability");
    for channel in [&mut config.downlink.channel, &mut config.uplink.channel] {
        channel.link = LinkModel::Sinr(Receiver::Ideal);
        if let Capacity::Carrier(carrier) = &mut channel.capacity {
            carrier.rate_control = RateControl::Adaptive(target);
        }
    }
    config
}

/// 24 of 25 resource blocks in each slot for one UE, or each group for the UE that is best on it:
/// the last group stays empty.
#[test]
fn cells_of_ns3_give_whole_groups_in_a_network() {
    for fading in [STILL, WALKING] {
        let air = air(COUPLED, fading, Edge::Open);
        let mut bench = Bench::new(network_of(&lena(Vec::new()), &air, 6, 4));
        bench.load(&[0, 1, 2, 3, 4, 5], ms(2), ms(300));
        let down = bench.radio.statistics().downlink;
        let slots: u64 = bench.radio.members().map(|it| it.cell.statistics().slots).sum();
        assert!(down.transmissions > 300 && down.units <= 24 * slots, "{down:?} {slots}");
        let shared = down.units < 24 * down.transmissions;
        assert_eq!(shared, fading == WALKING, "{down:?}");
        assert_eq!(down.units % 2, 0, "{down:?}");
        check_conservation(&bench.radio);
    }
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
    // A packet causes calls for its slot, its feedback, its arrival, a retransmission or two.
    assert!(bench.calls < 12, "{} calls", bench.calls);
    let sides = size_of::<ue::Ue>() + size_of::<UeContext>();
    let per_ue =
        sides + size_of::<air::UeLink>() + size_of::<RadioLink>() + size_of::<air::CqiReport>();
    assert!(per_ue < 4096, "{per_ue} bytes");
}

/// TS 36.213 §5.1.1.1: a UE at the edge sends on at most the resource blocks that its power is
/// enough for.
#[test]
fn the_power_of_a_ue_limits_its_resource_blocks() {
    let air = air(COUPLED, STILL, Edge::Open);
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

/// With old reports on a fading channel, the outer loop keeps the BLER of first transmissions near
/// its target.
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

/// With echoes a microsecond apart the groups of 5 MHz fade separately. A cell that knows the
/// quality of groups carries more, and shares a slot among no more UEs than allowed. The test
/// claims only an increase: its size depends on rounding of reports and on errors of old reports,
/// for which there is no closed form.
#[test]
fn knowledge_of_groups_increases_the_rate() {
    let run = |subbands: bool, ues_per_slot: u32| {
        let fading = Fading { profile: Profile::Etu, ..STILL };
        let mut air = air(Interference::Load(Probability::ZERO), fading, Edge::Open);
        air.subbands = subbands;
        let mut config = preset::system_level(BANDWIDTH, Vec::new());
        config.downlink.channel.ues_per_slot = ues_per_slot;
        let mut bench = Bench::new(network_of(&config, &air, 9, 4));
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

/// A UE behind a blocker of 100 dB receives nothing and is not received; at all other times it
/// receives all packets.
#[test]
fn nothing_crosses_a_blockage_and_all_goes_on_after_it() {
    let mut air = air(Interference::Load(Probability::ZERO), STILL, Edge::Open);
    air.surroundings.blockage = Some(blockage::Config {
        between: ms(1000),
        lasting: ms(300),
        loss: Decibel(100.0),
        deviation: Decibel(0.0),
        ramp: Duration::ZERO,
    });
    let mut config = preset::system_level(BANDWIDTH, Vec::new());
    // A report that is lost for good silences its UE until this timer triggers a request; the usual
    // 2.56 s would outlast the blockage.
    config.uplink.report.retransmission = Some(ms(40));
    let network = network_of(&config, &air, 1, 3);
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
        // Gaps longer than a HARQ round trip or two are blockage; their sum is its share of the
        // time.
        let gaps = times.windows(2).map(|pair| pair[1] - pair[0]).filter(|&gap| gap > ms(40));
        let outage: f64 = gaps.map(Duration::as_secs_f64).sum();
        assert!((outage / 20.0 - blocked).abs() < 0.03, "{direction:?}: {outage} s, {blocked}");
    }
}
