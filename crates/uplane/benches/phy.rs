//! Cost of the physical layer per block. Run with `cargo bench -p uplane --bench phy`.
//!
//! In: nothing. Out: nanoseconds per call, the median of 15 rounds.
//!
//! Left out: cold caches. A run with many cells touches the tables (about 50 kB) more rarely.

#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "a benchmark takes the time")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use uplane::ran::channel::{
    Antennas, Band, Budget, Edge, Fading, Hertz, Layout, Medium, Metres, Network, Profile,
};
use uplane::ran::phy::cqi::CqiTable;
use uplane::ran::phy::lte::{self, Bandwidth, McsTable};
use uplane::ran::phy::{
    CodeBlocks, LinkModel, Modulation, RateControl, Receiver, Reception, RedundancyVersion, Sinr,
    Sizing, SoftBuffer, TransportBlockSize, block_error, effective_sinr,
};
use uplane::sim::Streams;
use uplane::unit::{Decibel, Duration, Instant as Time, Probability, UeId};

const ROUNDS: usize = 15;
const CALLS: u32 = 20_000;

fn main() {
    let subbands: Vec<Sinr> = (0..13).map(|n| Decibel(8.0 + f64::from(n) / 2.0).into()).collect();
    effective(&subbands);
    first_transmission();
    retransmission();
    scheme(&subbands);
    report(&subbands);
    fading();
    placement();
}

fn measure(name: &str, mut call: impl FnMut(u32)) {
    let mut rounds = [0.0; ROUNDS];
    for round in &mut rounds {
        let start = Instant::now();
        (0..CALLS).for_each(&mut call);
        *round = start.elapsed().as_nanos() as f64 / f64::from(CALLS);
    }
    rounds.sort_by(f64::total_cmp);
    println!("{name:<50} {:>8.1} ns", rounds[ROUNDS / 2]);
}

fn effective(subbands: &[Sinr]) {
    measure("effective SINR of 13 subbands", |_| {
        black_box(effective_sinr::effective(
            Modulation::Qam64,
            black_box(subbands).iter().copied(),
        ));
    });
}

/// Returns a SINR that changes from call to call, so that branches are not learnt.
fn varied(call: u32) -> Sinr {
    Decibel(f64::from(call % 97) / 10.0 + 7.0).into()
}

fn reception(call: u32, transmission: u32) -> Reception {
    Reception {
        modulation: Modulation::Qam64,
        sinr: varied(call),
        rv: RedundancyVersion::of_transmission(transmission),
        coded_bits: 50 * 138 * 6,
    }
}

fn blocks() -> CodeBlocks {
    lte::code_blocks(TransportBlockSize::from_bits(19_848).expect("whole bytes"))
}

fn first_transmission() {
    let link = LinkModel::Sinr(Receiver::Ideal);
    let mut buffer = SoftBuffer::new(blocks());
    measure("SINR from dB (part of the next two)", |call| {
        black_box(varied(call));
    });
    let four = blocks();
    measure("first transmission, the formula alone", |call| {
        let (sinr, bits) = (varied(call), 50 * 138 * 6);
        black_box(block_error::first_transmission(
            &four,
            Modulation::Qam64,
            sinr,
            bits,
            Receiver::Ideal,
        ));
    });
    measure("first transmission, with a soft buffer", |call| {
        buffer.start(black_box(blocks()));
        black_box(link.block_error(&mut buffer, || reception(call, 0)));
    });
}

fn retransmission() {
    let link = LinkModel::Sinr(Receiver::Ideal);
    for transmission in [1, 2, 3] {
        let mut before = SoftBuffer::new(blocks());
        for earlier in 0..transmission {
            link.block_error(&mut before, || reception(0, earlier));
        }
        let mut buffer = before.clone();
        measure("copy of a buffer (part of the next)", |_| {
            buffer.clone_from(black_box(&before));
            black_box(&buffer);
        });
        measure(&format!("transmission {} and a copy of its buffer", transmission + 1), |call| {
            buffer.clone_from(&before);
            black_box(link.block_error(&mut buffer, || reception(call, transmission)));
        });
    }
}

fn scheme(subbands: &[Sinr]) {
    let sizing = Sizing::Lte(lte::Sizing::subframe(McsTable::Pdsch64Qam, 138));
    let allocation = sizing.allocate(0, 50);
    let control = RateControl::Adaptive(Probability::new(0.1).expect("a probability"));
    let receiver = Receiver::Ideal;
    measure("choice of scheme, 13 subbands", |_| {
        black_box(control.format(&allocation, receiver, black_box(subbands)));
    });
    measure("choice of scheme, one SINR", |call| {
        black_box(control.format(&allocation, receiver, &[varied(call)]));
    });
}

fn report(subbands: &[Sinr]) {
    measure("wideband CQI of 13 subbands", |_| {
        black_box(CqiTable::Qam64.wideband(Receiver::Ideal, black_box(subbands)));
    });
}

/// The first query of an instant costs the taps; each part of the band then costs one product a
/// tap.
fn fading() {
    let band = Band::of_groups(Bandwidth::Mhz20);
    let update = Duration::from_millis(5);
    for profile in [Profile::Epa, Profile::Etu] {
        let medium = Arc::new(Medium::multipath(&band, profile, Hertz(5.6), update));
        let mut stream = Streams::new(1).open("bench", "fading");
        let mut link = Fading::new(medium, Antennas::OneByOne, &mut stream);
        let mut updates = 0;
        measure(&format!("fading of one group at a new instant, {profile:?}"), |_| {
            updates += 1;
            black_box(link.at(Time::ZERO + update * updates).gain(7));
        });
        measure(&format!("fading of one group more, {profile:?}"), |call| {
            black_box(link.at(Time::ZERO).gain(black_box(call as usize % 25)));
        });
        measure(&format!("fading of 25 groups at a new instant, {profile:?}"), |_| {
            updates += 1;
            let now = link.at(Time::ZERO + update * updates);
            black_box((0..25).map(|part| now.gain(part)).sum::<f64>());
        });
    }
}

fn placement() {
    let layout = Layout::new(Metres(500.0), 1, Edge::Open);
    let network = Network::new(layout, Budget::case1(Bandwidth::Mhz20));
    measure("drop of one UE among 21 cells", |call| {
        black_box(network.place(UeId(call), Streams::new(1)));
    });
    let placement = network.place(UeId(0), Streams::new(1));
    let load = Probability::new(0.3).expect("a probability");
    measure("SINR of one UE among 21 cells", |_| {
        black_box(placement.sinr(|_| black_box(load)));
    });
}
