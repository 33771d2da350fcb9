//! Losses of HARQ, and their effects on RLC.

use super::*;
use crate::ran::mac::harq;
use crate::ran::mac::header::SubHeaders;
use crate::ran::phy::lte::Bandwidth;
use crate::unit::Bytes;

/// Sends a thousand packets a second of one block each, for `seconds`, on a link with these errors
/// and twice this capacity.
fn blocks(config: &mut Config, link: Vec<f64>, seconds: u64) -> Bench {
    config.downlink.channel.capacity = Capacity::Rate(mbps(16));
    config.tti = Tti::of(Duration::from_micros(500));
    config.downlink.channel.link =
        LinkModel::FixedBler(link.into_iter().map(probability).collect());
    let mut bench = Bench::new(config, 1, 21);
    for n in 0..seconds * 1000 {
        let at = Instant::ZERO + Duration::from_millis(n);
        bench.send(at, Direction::Down, 0, 1000);
    }
    bench.run_until(Instant::ZERO + Duration::from_secs(seconds + 2));
    bench.check_conservation();
    assert_eq!(bench.cell.held(Direction::Down).packets, 0, "nothing is left inside");
    bench
}

fn share(part: usize, whole: u64) -> f64 {
    part as f64 / whole as f64
}

/// TS 36.321 §5.4.2: a block is lost if all of its transmissions fail: p^4.
#[test]
fn a_block_is_lost_when_all_its_transmissions_fail() {
    let mut config = study(1000, 5);
    let bench = blocks(&mut config, vec![0.3], 100);
    let statistics = bench.cell.statistics().downlink;
    let lost = share(statistics.lost as usize, statistics.blocks);
    assert!((lost / (0.3 * 0.3 * 0.3 * 0.3) - 1.0).abs() < 0.12, "{lost}");
    let mean = share(statistics.transmissions as usize, statistics.blocks);
    assert!((mean - (1.0 + 0.3 + 0.09 + 0.027)).abs() < 0.01, "{mean}");
    assert_eq!(bench.dropped.len() as u64, statistics.lost, "each block had one packet");
}

/// TS 36.104 §8.3: a NACK that is read as ACK loses the block: p · P(NACK→ACK), whatever
/// retransmissions were left.
#[test]
fn a_misread_nack_loses_a_block_in_um() {
    let mut config = study(1000, 5);
    config.feedback.nack_as_ack = probability(0.01);
    let bench = blocks(&mut config, vec![0.1, 0.0], 300);
    let lost = share(bench.dropped.len(), 300_000);
    assert!((lost / 1e-3 - 1.0).abs() < 0.2, "{lost}");
}

/// An ACK that is read as NACK costs only a transmission.
#[test]
fn a_misread_ack_is_a_needless_retransmission() {
    let mut config = study(1000, 5);
    config.feedback.ack_as_nack = probability(0.1);
    let bench = blocks(&mut config, vec![0.0], 20);
    let statistics = bench.cell.statistics().downlink;
    assert!(bench.dropped.is_empty());
    assert_eq!(bench.delivered.len(), 20_000);
    assert!(statistics.transmissions > statistics.blocks * 108 / 100, "{statistics:?}");
    assert_eq!(statistics.failures, 0);
}

/// TS 36.322 §5.1.2.2: three retransmissions of 8 TTIs, here 4 ms, take 12 ms and sometimes a few
/// slots behind other retransmissions. A timer of 20 ms waits for them; one of 8 ms loses data that
/// HARQ would have recovered.
#[test]
fn a_reordering_timer_shorter_than_harq_loses_data() {
    let lost_with = |t_reordering| {
        let mut config = study(1000, 5);
        for rlc in config.bearers[0].rlc.iter_mut() {
            if let rlc::Config::Um(um) = rlc {
                um.t_reordering = Duration::from_millis(t_reordering);
            }
        }
        blocks(&mut config, vec![0.4, 0.4, 0.4, 0.0], 20).dropped.len()
    };
    assert_eq!(lost_with(35), 0);
    assert_eq!(lost_with(20), 0);
    assert!(lost_with(8) > 100);
}

fn acknowledged(mut config: Config) -> Config {
    let am = rlc::Config::Am(rlc::am::Config::default());
    config.bearers[0].rlc = PerDirection::both(am);
    config
}

/// TS 36.322 §5.2: acknowledged mode delivers everything once and in order, over a link that loses
/// every tenth block for good, in both directions at once.
#[test]
fn acknowledged_mode_delivers_everything_once_and_in_order() {
    let mut config = acknowledged(study(1000, 5));
    config.sub_headers = SubHeaders::LTE;
    config.uplink.grants.header_share = 0.06;
    for channel in [&mut config.downlink.channel, &mut config.uplink.channel] {
        channel.link = LinkModel::FixedBler(vec![probability(0.32)]);
        channel.harq = harq::Config { max_transmissions: 2, ..channel.harq };
    }
    let mut bench = Bench::new(&config, 1, 31);
    for n in 0..4_000 {
        let at = Instant::ZERO + Duration::from_micros(n * 2_500);
        bench.send(at, Direction::Down, 0, 300);
        bench.send(at + Duration::from_micros(100), Direction::Up, 0, 200);
    }
    bench.run_until(Instant::ZERO + Duration::from_secs(30));
    assert!(bench.dropped.is_empty());
    for direction in [Direction::Down, Direction::Up] {
        let ids: Vec<u64> = (bench.delivered.iter())
            .filter(|(_, of, ..)| *of == direction)
            .map(|(.., packet)| packet.id.0)
            .collect();
        let expected: Vec<u64> =
            (0..4_000).map(|n| 2 * n + u64::from(direction == Direction::Up)).collect();
        assert_eq!(ids, expected, "{direction:?}");
    }
    let statistics = bench.cell.statistics();
    assert!(statistics.downlink.lost > 50 && statistics.uplink.lost > 50, "{statistics:?}");
    let waited =
        |cause| bench.delivered.iter().any(|(.., packet)| !packet.ledger.spent(cause).is_zero());
    assert!(waited(Cause::RlcRetransmission) && waited(Cause::RadioReordering));
    bench.check_conservation();
}

/// A buffer of 10 240 bytes drops whole packets at its tail.
#[test]
fn a_full_buffer_drops_at_its_tail() {
    let mut config = study(1000, 5);
    for rlc in config.bearers[0].rlc.iter_mut() {
        if let rlc::Config::Um(um) = rlc {
            um.buffer = Some(Bytes(10_240));
        }
    }
    let mut bench = Bench::new(&config, 1, 1);
    for _ in 0..20 {
        bench.send(Instant::from_nanos(5), Direction::Down, 0, 1000);
    }
    bench.run_until(Instant::ZERO + Duration::from_secs(1));
    assert_eq!(bench.delivered.len(), 10);
    assert_eq!(bench.dropped, [(Direction::Down, DropCause::Queue); 10]);
    assert_eq!(bench.cell.tally(Direction::Down).queue_max, Bytes(10_000));
    bench.check_conservation();
}

/// TS 36.323 §5.4: packets that have waited for `discardTimer` are discarded, unless they are
/// partly sent. At twice the rate of the channel the other packets wait no longer than the timer,
/// the requests of the uplink and HARQ.
#[test]
fn packets_past_their_discard_timer_are_discarded() {
    for direction in Direction::BOTH {
        let mut config = preset::system_level(Bandwidth::Mhz1_4, vec![Conditions::default()]);
        for pdcp in config.bearers[0].pdcp.iter_mut() {
            pdcp.discard_timer = Some(Duration::from_millis(50));
        }
        let mut bench = Bench::new(&config, 1, 1);
        load(&mut bench, direction, 1, 1000, mbps(8), 1_000);
        bench.run_until(Instant::ZERO + Duration::from_secs(3));
        assert!(bench.dropped.len() > 100, "{} discarded", bench.dropped.len());
        assert!(bench.dropped.iter().all(|&it| it == (direction, DropCause::Late)));
        let latencies = bench.delivered.iter().map(|(.., packet)| packet.ledger.total());
        let longest = latencies.max().expect("some arrive");
        assert!(longest < Duration::from_millis(50 + 40), "{direction:?}: {longest}");
        assert_eq!(bench.dropped.len() + bench.delivered.len(), bench.packets as usize);
        bench.check_conservation();
    }
}
