//! Tests of the cell. This file has the bench that drives it.

mod access;
mod closed_form;
mod latency;
mod limits;
mod load;
mod losses;
mod properties;
mod slots;
mod uplink_cost;

use super::*;
use crate::net::{Body, Cause, Datagram, DropCause, Ledger, Packet};
use crate::ran::bearer;
use crate::ran::lte::preset::{self, TtiStudy};
use crate::ran::mac::timing::Delay;
use crate::ran::phy::LinkModel;
use crate::sim::{Stream, Wake};
use crate::unit::{Bitrate, Bytes, Duration, FlowId, HostId, PacketId, Probability};

/// Returns a cell with these parameters, which must be possible.
pub(super) fn cell(config: &Config, ues: u32, streams: Streams) -> Cell {
    Cell::new(&CellPlan::new(config.clone(), ues).expect("a cell that can be"), streams)
}

/// Drives a cell and keeps its effects.
struct Bench {
    cell: Cell,
    out: Outbox<Effect>,
    wake: Option<Instant>,
    delivered: Vec<(Instant, Direction, UeId, Box<Packet>)>,
    dropped: Vec<(Direction, DropCause)>,
    calls: u64,
    packets: u64,
}

impl Bench {
    fn new(config: &Config, ue_count: u32, seed: u64) -> Self {
        Self {
            cell: cell(config, ue_count, Streams::new(seed)),
            out: Outbox::default(),
            wake: None,
            delivered: Vec::new(),
            dropped: Vec::new(),
            calls: 0,
            packets: 0,
        }
    }

    fn send(&mut self, at: Instant, direction: Direction, ue: u32, length: u64) {
        self.send_marked(at, direction, ue, length, 0);
    }

    fn send_marked(&mut self, at: Instant, direction: Direction, ue: u32, length: u64, tos: u8) {
        self.run_until(at);
        let mut packet = datagram(self.packets, ue, length, at);
        packet.tos = tos;
        self.packets += 1;
        self.cell.on_packet(at, direction, UeId(ue), packet, &mut self.out);
        self.take(at);
    }

    fn send_to_port(&mut self, at: Instant, ue: u32, length: u64, remote: u16) {
        self.run_until(at);
        let mut packet = datagram(self.packets, ue, length, at);
        packet.ports.0 = remote;
        self.packets += 1;
        self.cell.on_packet(at, Direction::Down, UeId(ue), packet, &mut self.out);
        self.take(at);
    }

    /// Handles everything due before or at `end`.
    fn run_until(&mut self, end: Instant) {
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

    /// Returns the mean latency of the delivered packets, in TTIs.
    fn mean_ttis(&self) -> f64 {
        let tti = self.cell.setup.tti.as_secs_f64();
        let sum: f64 =
            self.delivered.iter().map(|(_, _, _, p)| p.ledger.total().as_secs_f64()).sum();
        sum / self.delivered.len() as f64 / tti
    }

    fn check_conservation(&self) {
        for direction in [Direction::Down, Direction::Up] {
            let tally = self.cell.tally(direction);
            assert_eq!(tally.held(), self.cell.held(direction), "{direction:?} {tally:?}");
        }
    }
}

pub(super) fn datagram(number: u64, ue: u32, length: u64, at: Instant) -> Box<Packet> {
    Box::new(Packet {
        id: PacketId(number),
        flow: FlowId(ue),
        source: HostId(1000),
        destination: HostId(ue),
        dont_fragment: true,
        ..Packet::plain(
            Body::Datagram(Datagram { number, payload: Bytes(length - 28) }),
            Bytes(length),
            at,
        )
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

/// Returns a cell in which the first transmission of a block fails with `p`, the second never.
fn with_one_retransmission(mut config: Config, p: f64) -> Config {
    let link = LinkModel::FixedBler(vec![probability(p), Probability::ZERO]);
    config.downlink.channel.link = link.clone();
    config.uplink.channel.link = link;
    config
}

/// Returns the mean latency in TTIs of lone packets at random times.
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

/// Sends packets of `length` bytes at `rate` for each UE in `direction`.
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
