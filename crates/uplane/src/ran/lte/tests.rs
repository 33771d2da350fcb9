use super::preset::{self, TtiStudy};
use super::*;
use crate::net::{Body, Datagram, Ledger};
use crate::ran::phy::LinkModel;
use crate::sim::{Stream, Wake};
use crate::unit::{Bitrate, FlowId, HostId, PacketId, Probability};

/// Drives a cell and keeps what comes out.
pub(super) struct Bench {
    pub(super) cell: Cell,
    out: Outbox<Effect>,
    wake: Option<Instant>,
    pub(super) delivered: Vec<(Instant, Direction, UeId, Box<Packet>)>,
    pub(super) dropped: Vec<(Direction, DropCause)>,
    pub(super) calls: u64,
    packets: u64,
}

impl Bench {
    pub(super) fn new(config: &Config, ue_count: u32, seed: u64) -> Self {
        Self {
            cell: Cell::new(config, ue_count, Streams::new(seed)),
            out: Outbox::default(),
            wake: None,
            delivered: Vec::new(),
            dropped: Vec::new(),
            calls: 0,
            packets: 0,
        }
    }

    pub(super) fn send(&mut self, at: Instant, direction: Direction, ue: u32, length: u64) {
        self.run_until(at);
        let packet = datagram(self.packets, ue, length, at);
        self.packets += 1;
        self.cell.on_packet(at, direction, UeId(ue), packet, &mut self.out);
        self.take(at);
    }

    /// Everything due before or at `end` happens.
    pub(super) fn run_until(&mut self, end: Instant) {
        while let Some(now) = self.wake.filter(|&at| at <= end) {
            self.wake = None;
            self.calls += 1;
            self.cell.on_timer(now, &mut self.out);
            self.take(now);
        }
    }

    fn take(&mut self, now: Instant) {
        match self.out.take_wake() {
            Wake::Unchanged => {}
            Wake::At(at) => self.wake = Some(at),
            Wake::Never => self.wake = None,
        }
        for effect in self.out.drain() {
            match effect {
                Effect::Deliver { direction, ue, packet } => {
                    assert_eq!(packet.ledger.booked(), now, "all time is booked");
                    self.delivered.push((now, direction, ue, packet));
                }
                Effect::Drop { direction, cause, .. } => self.dropped.push((direction, cause)),
            }
        }
    }

    /// Mean latency of what was delivered, in TTIs.
    fn mean_ttis(&self) -> f64 {
        let tti = self.cell.tti.as_secs_f64();
        let sum: f64 =
            self.delivered.iter().map(|(_, _, _, p)| p.ledger.total().as_secs_f64()).sum();
        sum / self.delivered.len() as f64 / tti
    }

    pub(super) fn check_conservation(&self) {
        for direction in [Direction::Down, Direction::Up] {
            let tally = self.cell.tally(direction);
            assert_eq!(tally.held(), self.cell.held(direction), "{direction:?} {tally:?}");
        }
    }
}

fn datagram(number: u64, ue: u32, length: u64, at: Instant) -> Box<Packet> {
    Box::new(Packet {
        id: PacketId(number),
        flow: FlowId(ue),
        source: HostId(1000),
        destination: HostId(ue),
        ports: (1, 2),
        ip: crate::net::IpVersion::V4,
        tos: 0,
        dont_fragment: true,
        length: Bytes(length),
        tunnel: None,
        body: Body::Datagram(Datagram { number, payload: Bytes(length - 28) }),
        ledger: Ledger::start(at),
    })
}

fn mbps(rate: u64) -> Bitrate {
    Bitrate::from_bps(rate * 1_000_000).expect("not zero")
}

fn probability(p: f64) -> Probability {
    Probability::new(p).expect("a probability")
}

fn study(tti_micros: u64, period: u64) -> Config {
    let tti = Tti::of(Duration::from_micros(tti_micros));
    preset::tti_study(tti, period, mbps(21), TtiStudy::Literal)
}

/// The first transmission of a block fails with `p`, the second never.
fn with_one_retransmission(mut config: Config, p: f64) -> Config {
    let link = LinkModel::FixedBler(vec![probability(p), Probability::ZERO]);
    config.downlink.channel.link = link.clone();
    config.uplink.channel.link = link;
    config
}

/// Mean latency in TTIs of lone packets at random times.
fn measure(config: &Config, direction: Direction, packets: u64) -> f64 {
    let mut bench = Bench::new(config, 1, 11);
    let mut random: Stream = Streams::new(12).open("test", "arrivals");
    let tti = config.tti.length();
    let mut at = Instant::ZERO;
    for _ in 0..packets {
        // Far apart, so that each finds an empty cell, and at any place within a slot and a period.
        at += tti * 60 + Duration::from_nanos(random.below(tti.as_nanos() * 5));
        bench.send(at, direction, 0, 40);
    }
    bench.run_until(at + tti * 200);
    assert_eq!(bench.delivered.len() as u64, packets);
    bench.check_conservation();
    bench.mean_ttis()
}

fn close(measured: f64, expected: f64) {
    assert!((measured / expected - 1.0).abs() < 0.01, "measured {measured}, by hand {expected}");
}

/// TR 36.912 annex B.2.1: downlink (4 + 8p) TTI, whatever the TTI.
#[test]
fn the_measured_downlink_latency_is_the_formula() {
    for tti in [1000, 500, 100] {
        for p in [0.0, 0.1] {
            let config = with_one_retransmission(study(tti, 5), p);
            let packets = if p > 0.0 { 30_000 } else { 5_000 };
            let measured = measure(&config, Direction::Down, packets);
            close(measured, closed_form::downlink_ttis(probability(p)));
        }
    }
}

/// The TTI study's appendix A, steps 1 to 7: for all TTIs, request periods and error rates of its table.
#[test]
fn the_measured_uplink_latency_is_the_formula() {
    for tti in [1000, 500, 100] {
        for period in [5, 1] {
            for p in [0.0, 0.1] {
                let config = with_one_retransmission(study(tti, period), p);
                let measured = measure(&config, Direction::Up, 20_000);
                let by_hand = closed_form::uplink_ttis(period as f64, probability(p)).total();
                close(measured, by_hand);
            }
        }
    }
}

/// Keeps `rate` of packets of `length` bytes coming for each UE in `direction`.
fn load(bench: &mut Bench, direction: Direction, ues: u32, length: u64, rate: Bitrate, ms: u64) {
    let gap = Bytes(length) / rate;
    let mut at = Instant::ZERO;
    while at < Instant::ZERO + Duration::from_millis(ms) {
        for ue in 0..ues {
            bench.send(at, direction, ue, length);
        }
        at += gap;
    }
}

fn delivered_bytes(bench: &Bench, ue: u32) -> u64 {
    let of_ue = bench.delivered.iter().filter(|(_, _, of, _)| of.0 == ue);
    of_ue.map(|(_, _, _, packet)| packet.length.0).sum()
}

/// The LTE module of ns-3: 6 resource blocks of MCS 28 are 549 bytes a millisecond; RLC to RLC takes
/// 3 ms, so a lone packet takes 3 ms and on average half a slot.
#[test]
fn the_lena_cell_has_its_rate_and_latency() {
    let config =
        preset::lena(crate::ran::phy::Bandwidth::Mhz1_4, vec![bearer::Config::default_bearer()]);
    let measured = measure(&config, Direction::Down, 5_000);
    close(measured, 3.5);
    let up = measure(&config, Direction::Up, 5_000);
    close(up, 0.5 + 5.0 + 6.0 + 1.0);
    let mut bench = Bench::new(&config, 1, 1);
    load(&mut bench, Direction::Down, 1, 588, mbps(5), 2_000);
    bench.check_conservation();
    let statistics = bench.cell.statistics().downlink;
    assert_eq!(statistics.bytes() / statistics.blocks, 549);
    let mbps = delivered_bytes(&bench, 0) as f64 * 8.0 / 2e6;
    // 549 bytes less 2 to 4 of RLC, and 2 of PDCP a packet.
    let by_hand = 549.0 * 8e-3 * (588.0 / 590.0) * (1.0 - 3.5 / 549.0);
    assert!((mbps / by_hand - 1.0).abs() < 0.01, "{mbps} Mbit/s, by hand {by_hand}");
}

#[test]
fn a_saturated_downlink_carries_its_rate() {
    let mut bench = Bench::new(&study(1000, 5), 1, 1);
    load(&mut bench, Direction::Down, 1, 1500, mbps(25), 1_000);
    let mbps = delivered_bytes(&bench, 0) as f64 * 8.0 / 1e6;
    assert!(mbps > 20.7 && mbps < 21.0, "{mbps} Mbit/s");
    bench.check_conservation();
}
