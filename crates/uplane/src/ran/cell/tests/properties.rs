//! Properties of any cell.

use super::*;
use crate::ran::cell::config::DownlinkQueueView;
use crate::ran::mac::grant::{ProactiveGrant, Sps};
use crate::ran::mac::scheduler::Metric;
use crate::ran::mac::sharing::Sharing;
use crate::ran::phy::lte::Bandwidth;
use crate::ran::tables::qci::Qci;
use crate::unit::Decibel;

type Outcome = Vec<(Instant, Direction, UeId, PacketId, Ledger)>;

fn outcome(bench: &Bench, ue: u32) -> Outcome {
    (bench.delivered.iter())
        .filter(|(_, _, of, _)| of.0 == ue)
        .map(|(at, direction, of, packet)| (*at, *direction, *of, packet.id, packet.ledger.clone()))
        .collect()
}

/// Sends random packets of all of `ues` in both directions.
fn traffic(bench: &mut Bench, ues: &[u32], packets: u64, seed: u64) {
    let mut random = Streams::new(seed).open("test", "traffic");
    let mut at = Instant::ZERO;
    for _ in 0..packets {
        at += Duration::from_nanos(random.below(2_000_000));
        let direction = if random.below(2) == 0 { Direction::Down } else { Direction::Up };
        let ue = ues[random.below(ues.len() as u64) as usize];
        bench.send(at, direction, ue, 40 + random.below(1_460));
        bench.check_conservation();
    }
    bench.run_until(at + Duration::from_secs(20));
    bench.check_conservation();
}

fn noisy() -> Config {
    let conditions = Conditions { downlink: Decibel(8.0), uplink: Decibel(8.0) };
    preset::system_level(Bandwidth::Mhz5, vec![conditions])
}

/// An idle UE changes nothing, to the byte, and takes no time.
#[test]
fn an_idle_ue_changes_nothing() {
    let run = |ue_count| {
        let mut bench = Bench::new(&noisy(), ue_count, 41);
        traffic(&mut bench, &[0, 1], 2_000, 42);
        let both = [outcome(&bench, 0), outcome(&bench, 1)];
        (both, bench.calls, bench.cell.statistics())
    };
    assert_eq!(run(2), run(20));
}

#[test]
fn an_idle_cell_has_no_events() {
    let lena = preset::lena(Bandwidth::Mhz5, vec![bearer::Config::default_bearer()]);
    for config in [noisy(), lena] {
        let mut bench = Bench::new(&config, 5, 1);
        traffic(&mut bench, &[0, 3], 50, 2);
        let calls = bench.calls;
        bench.run_until(Instant::ZERO + Duration::from_secs(3600));
        assert_eq!(bench.calls, calls);
        assert_eq!(bench.wake, None);
    }
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let run = |seed| {
        let mut bench = Bench::new(&noisy(), 3, seed);
        traffic(&mut bench, &[0, 1, 2], 1_000, 5);
        (outcome(&bench, 0), bench.cell.statistics())
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1).0, run(2).0);
}

/// In a cell with any parameters: packets and bytes are conserved at each step, each packet's
/// causes sum to its latency, packets of one bearer are delivered in order, and at the end nothing
/// is left inside.
#[test]
fn packets_and_time_are_conserved_in_any_cell() {
    for seed in 0..48 {
        let mut random = Streams::new(seed).open("test", "configuration");
        let config = any_config(&mut random);
        let mut bench = Bench::new(&config, 4, seed);
        traffic(&mut bench, &[0, 1, 2, 3], 400, seed);
        for (at, _, _, packet) in &bench.delivered {
            let sum = packet.ledger.entries().fold(Duration::ZERO, |sum, (_, span)| sum + span);
            assert_eq!(sum, *at - packet.ledger.started());
        }
        for ue in 0..4 {
            for direction in [Direction::Down, Direction::Up] {
                let ids: Vec<PacketId> = (outcome(&bench, ue).iter())
                    .filter(|(_, of, ..)| *of == direction)
                    .map(|&(.., id, _)| id)
                    .collect();
                assert!(ids.is_sorted(), "seed {seed}: {direction:?} of UE {ue}");
            }
        }
        for direction in [Direction::Down, Direction::Up] {
            assert_eq!(bench.cell.held(direction).packets, 0, "seed {seed}: {config:?}");
        }
    }
}

fn any_config(random: &mut Stream) -> Config {
    let base = [
        noisy(),
        study(1000, 1 + random.below(10)),
        study(100, 5),
        preset::lena(Bandwidth::Mhz1_4, vec![bearer::Config::default_bearer()]),
        preset::tti_study(
            Tti::TWO_SYMBOLS,
            1 + random.below(5),
            mbps(10),
            TtiStudy::SmallGrants { grant_per_ms: Bytes(50) },
        ),
    ];
    let mut config = base[random.below(5) as usize].clone();
    let acknowledged = random.below(2) == 0;
    for rlc in config.bearers[0].rlc.iter_mut() {
        if acknowledged {
            *rlc = rlc::Config::Am(rlc::am::Config::default());
        } else if let rlc::Config::Um(um) = rlc {
            um.buffer = [None, Some(Bytes(4_000))][random.below(2) as usize];
        }
    }
    if matches!(config.downlink.channel.link, LinkModel::Ideal) {
        let link = LinkModel::FixedBler(vec![probability(0.2)]);
        config.downlink.channel.link = link.clone();
        config.uplink.channel.link = link;
    }
    let metrics = [
        Metric::RoundRobin,
        Metric::ProportionalFair,
        Metric::MLwdf,
        Metric::ExpPf,
        Metric::PrioritySet,
        Metric::ChannelQosAware,
        Metric::StrictQci,
    ];
    config.downlink.channel.metric = metrics[random.below(7) as usize];
    let sharing = [Sharing::Priority, Sharing::Buckets, Sharing::Equal];
    config.downlink.channel.sharing = sharing[random.below(3) as usize];
    config.uplink.channel.sharing = sharing[random.below(3) as usize];
    let grants = &mut config.uplink.grants;
    let sps = Sps { period: 10, bytes: Bytes(80), slots: None, skips: false, configured: None };
    grants.sps = (random.below(2) == 1).then_some(sps).into_iter().collect();
    grants.proactive = [None, Some(ProactiveGrant { every: 5, bytes: Bytes(80), inactivity: 50 })]
        [random.below(2) as usize];
    if !config.can_know_by_reports() {
        config.downlink.queue_view = DownlinkQueueView::Exact;
    }
    config
}

/// TS 36.321 §6.1.2: bytes of blocks are RLC PDUs, headers and padding; and PDUs of the RLC
/// entities are the content of blocks.
#[test]
fn bytes_of_blocks_add_up() {
    let qci = Qci::new(1).expect("a standard class");
    let mut config = noisy();
    config.bearers.push(bearer::Config::dedicated(
        qci,
        vec![bearer::Filter { tos: Some((184, 255)), ..bearer::Filter::any() }],
    ));
    let mut bench = Bench::new(&config, 1, 6);
    for n in 0..3_000 {
        let at = Instant::ZERO + Duration::from_micros(700 * n);
        let direction = if n % 2 == 0 { Direction::Down } else { Direction::Up };
        bench.send_marked(at, direction, 0, 40 + n % 900, [0, 184][(n / 7 % 2) as usize]);
    }
    bench.run_until(Instant::ZERO + Duration::from_secs(30));
    let statistics = bench.cell.statistics();
    for (direction, blocks) in
        [(Direction::Down, statistics.downlink), (Direction::Up, statistics.uplink)]
    {
        let built: u64 = bench.cell.bearers[0].iter().map(|b| b.rlc.tally(direction).wire.0).sum();
        assert_eq!(blocks.sdu_bytes, built);
        assert!(blocks.header_bytes >= blocks.blocks, "at least a sub-header a block");
        assert!(bench.cell.tally(direction).wire.0 >= blocks.bytes());
    }
}
