//! Cells under load: rates and shares.

use super::*;
use crate::net::PerDirection;
use crate::ran::lte::config::DownlinkQueueView;
use crate::ran::mac::scheduler::Metric;
use crate::ran::mac::sharing::Sharing;
use crate::ran::phy::feedback::FeedbackErrors;
use crate::ran::phy::lte::Bandwidth;
use crate::ran::tables::qci::Qci;
use crate::unit::Decibel;

#[test]
fn a_saturated_downlink_carries_its_rate() {
    let mut bench = Bench::new(&study(1000, 5), 1, 1);
    load(&mut bench, Direction::Down, 1, 1500, mbps(25), 1_000);
    let mbps = delivered_bytes(&bench, 0) as f64 * 8.0 / 1e6;
    assert!(mbps > 20.7 && mbps < 21.0, "{mbps} Mbit/s");
    bench.check_conservation();
}
fn ten_conditions() -> Vec<Conditions> {
    let at = |ue: i32| Decibel(5.0 + 1.5 * f64::from(ue));
    (0..10).map(|ue| Conditions { downlink: at(ue), uplink: at(ue) }).collect()
}

/// Keeps every UE's buffer full, for two seconds.
fn saturate(config: &Config, ues: u32) -> Bench {
    let mut bench = Bench::new(config, ues, 5);
    load(&mut bench, Direction::Down, ues, 1400, mbps(8), 2_000);
    bench.check_conservation();
    bench
}

fn shares(bench: &Bench, ues: u32) -> Vec<f64> {
    let bytes: Vec<f64> = (0..ues).map(|ue| delivered_bytes(bench, ue) as f64).collect();
    let sum: f64 = bytes.iter().sum();
    bytes.into_iter().map(|bytes| bytes / sum).collect()
}

/// Round robin gives equal UEs exactly one slot in N each.
#[test]
fn round_robin_shares_the_slots_equally() {
    let mut config = preset::system_level(Bandwidth::Mhz5, vec![Conditions::default()]);
    config.downlink.channel.metric = Metric::RoundRobin;
    config.downlink.channel.link = LinkModel::Ideal;
    let bench = saturate(&config, 7);
    for share in shares(&bench, 7) {
        assert!((share * 7.0 - 1.0).abs() < 0.01, "{share}");
    }
}

/// Proportional fair gives all UEs equal time, whatever their channels, so that throughputs are
/// proportional to the rates.
#[test]
fn proportional_fair_shares_time() {
    let mut config = preset::system_level(Bandwidth::Mhz5, ten_conditions());
    config.downlink.channel.link = LinkModel::Ideal;
    let bench = saturate(&config, 10);
    let rate = |ue: usize| {
        let link = &bench.cell.base.ues[ue].down.link;
        link.size(&bench.cell.setup.config.downlink.channel.capacity, 0, 25).0 as f64
    };
    let sum: f64 = (0..10).map(rate).sum();
    for (ue, share) in shares(&bench, 10).into_iter().enumerate() {
        assert!((share / (rate(ue) / sum) - 1.0).abs() < 0.03, "UE {ue}: {share}");
    }
}

/// Errors that do not depend on the scheme carry no information about it: a cell with a given error
/// rate keeps the schemes of its SINRs.
#[test]
fn a_given_error_rate_leaves_the_scheme_alone() {
    for rate in [0.0, 0.5] {
        let mut config = preset::system_level(Bandwidth::Mhz5, vec![Conditions::default()]);
        config.downlink.channel.link = LinkModel::FixedBler(vec![probability(rate)]);
        let before = Bench::new(&config, 1, 5).cell.base.ues[0].down.link.mcs();
        assert_eq!(saturate(&config, 1).cell.base.ues[0].down.link.mcs(), before, "{rate}");
    }
}

#[test]
fn other_metrics_have_other_winners() {
    let mut config = preset::system_level(Bandwidth::Mhz5, ten_conditions());
    config.downlink.channel.metric = Metric::MaximumThroughput;
    let greedy = shares(&saturate(&config, 10), 10);
    assert!(greedy[..5].iter().all(|&share| share < 1e-9), "{greedy:?}");
    config.downlink.channel.metric = Metric::BlindEqualThroughput;
    let equal = shares(&saturate(&config, 10), 10);
    assert!(equal.iter().all(|share| (share * 10.0 - 1.0).abs() < 0.05), "{equal:?}");
    config.uplink.channel.metric = Metric::MaximumThroughput;
    let mut bench = Bench::new(&config, 10, 5);
    load(&mut bench, Direction::Up, 10, 1400, mbps(8), 2_000);
    let greedy = shares(&bench, 10);
    assert!(greedy[..5].iter().all(|&share| share < 1e-9), "{greedy:?}");
}

/// UEs with the same channel: Jain's index above 0.99 (proportional fair, equal statistics).
#[test]
fn equal_ues_get_equal_shares() {
    let config = preset::system_level(Bandwidth::Mhz5, vec![Conditions::default()]);
    let shares = shares(&saturate(&config, 8), 8);
    let sum: f64 = shares.iter().sum();
    let squares: f64 = shares.iter().map(|share| share * share).sum();
    assert!(sum * sum / (8.0 * squares) > 0.99, "{shares:?}");
}

/// Link adaptation lets 10 % of first transmissions fail, within the reach of its schemes.
#[test]
fn the_outer_loop_settles_at_ten_percent_of_first_errors() {
    let middle = Conditions { downlink: Decibel(9.3), uplink: Decibel(9.3) };
    let config = preset::system_level(Bandwidth::Mhz10, vec![middle]);
    for direction in Direction::BOTH {
        let mut bench = Bench::new(&config, 1, 5);
        load(&mut bench, direction, 1, 1400, mbps(40), 10_000);
        let statistics = *bench.cell.air.statistics.blocks_mut(direction);
        let rate = statistics.first_failures as f64 / statistics.blocks as f64;
        assert!((rate - 0.1).abs() < 0.02, "{direction:?}: {rate}");
        bench.check_conservation();
    }
}

/// No slot carries more resource blocks than the cell has.
#[test]
fn resource_blocks_are_given_once() {
    let config = preset::system_level(Bandwidth::Mhz5, ten_conditions());
    let bench = saturate(&config, 10);
    let statistics = bench.cell.statistics();
    assert!(statistics.downlink.units <= 25 * statistics.slots);
    // Saturated: nearly all of them are used, in all but the first few slots.
    assert!(statistics.downlink.units as f64 > 0.98 * 25.0 * 2_000.0, "{statistics:?}");
    let limit = (f64::from(21_u32) * 0.8) as u64;
    assert!(statistics.cces <= limit * statistics.slots);
}

/// Six small packets fit into one slot, but need three if two UEs may share a slot.
#[test]
fn a_slot_is_shared_by_no_more_ues_than_may() {
    let mut config = preset::lena(Bandwidth::Mhz10, vec![bearer::Config::default_bearer()]);
    let Capacity::Carrier(carrier) = &mut config.downlink.channel.capacity else {
        panic!("a carrier")
    };
    carrier.allocation = Groups::Of(3);
    for (most, slots) in [(10, [0; 6]), (2, [0, 0, 1, 1, 2, 2])] {
        config.downlink.channel.ues_per_slot = most;
        let mut bench = Bench::new(&config, 6, 1);
        let now = Instant::ZERO + Duration::from_micros(500);
        (0..6).for_each(|ue| bench.send(now, Direction::Down, ue, 100));
        bench.run_until(Instant::ZERO + Duration::from_millis(20));
        let first = bench.delivered[0].0;
        let later = bench.delivered.iter().map(|(at, ..)| (*at - first).as_nanos() / 1_000_000);
        assert_eq!(later.collect::<Vec<_>>(), slots);
    }
}

/// Retransmissions go first. New blocks get the remaining UEs and resource blocks of a slot: two
/// UEs wait for the next slot if two may share one. A UE that needs all resource blocks gets the
/// rest: 48 in groups of 3, as the last two of 50 are assigned only together with all.
#[test]
fn new_blocks_get_the_rest_after_retransmissions() {
    let mut config = preset::lena(Bandwidth::Mhz10, vec![bearer::Config::default_bearer()]);
    let Capacity::Carrier(carrier) = &mut config.downlink.channel.capacity else {
        panic!("a carrier")
    };
    (carrier.prbs, carrier.allocation) = (50, Groups::Of(3));
    let half_ms = |halves: u64| Instant::ZERO + Duration::from_micros(500 * halves);
    for (most, later) in [(10, 7), (2, 8)] {
        let mut config = with_one_retransmission(config.clone(), 1.0);
        config.downlink.channel.ues_per_slot = most;
        let mut bench = Bench::new(&config, 4, 1);
        (0..2).for_each(|ue| bench.send(half_ms(1), Direction::Down, ue, 100));
        // Sent in slot 1; feedback arrives seven slots later.
        (2..4).for_each(|ue| bench.send(half_ms(2 * 7 + 1), Direction::Down, ue, 100));
        bench.run_until(half_ms(100));
        let first = bench.delivered[0].0;
        let at = bench.delivered.iter().map(|(at, ..)| (*at - first).as_nanos() / 1_000_000);
        assert_eq!(at.collect::<Vec<_>>(), [0, 0, later, later]);
    }
    let mut bench = Bench::new(&with_one_retransmission(config, 1.0), 3, 1);
    (0..2).for_each(|ue| bench.send(half_ms(1), Direction::Down, ue, 1400));
    (0..5).for_each(|_| bench.send(half_ms(2 * 7 + 1), Direction::Down, 2, 1400));
    bench.run_until(half_ms(2 * 7 + 1));
    let before = bench.cell.statistics().downlink;
    bench.run_until(half_ms(2 * 8 + 1));
    let slot = bench.cell.statistics().downlink;
    assert_eq!((slot.transmissions - before.transmissions, slot.units - before.units), (3, 48));
}

fn two_bearers() -> Vec<bearer::Config> {
    let voice = bearer::Filter { tos: Some((46 << 2, 0xff)), ..bearer::Filter::any() };
    let qci = Qci::new(7).expect("a standard class");
    vec![bearer::Config::default_bearer(), bearer::Config::dedicated(qci, vec![voice])]
}

/// Returns a cell with two bearers. Only with equal shares it uses the queue reports of ns-3.
fn two_that_share(sharing: Sharing) -> Config {
    let mut config = preset::lena(Bandwidth::Mhz1_4, two_bearers());
    config.downlink.channel.sharing = sharing;
    if sharing != Sharing::Equal {
        config.downlink.queue_view = DownlinkQueueView::Exact;
    }
    config
}

/// Sends bulk data on the default bearer and 200-byte packets each 20 ms on either bearer.
/// Returns mean and maximum latency of the small packets, and the bulk rate in Mbit/s.
fn voice_beside_bulk(marked: bool, sharing: Sharing) -> (f64, f64, f64) {
    let config = two_that_share(sharing);
    let mut bench = Bench::new(&config, 1, 9);
    let gap = Bytes(588) / mbps(6);
    let (mut bulk, mut voice) = (Instant::ZERO, Instant::ZERO + Duration::from_micros(333));
    let end = Instant::ZERO + Duration::from_secs(5);
    while bulk < end {
        bench.send(bulk, Direction::Down, 0, 588);
        bulk += gap;
        if voice <= bulk {
            let tos = if marked { 46 << 2 } else { 0 };
            bench.send_marked(bulk, Direction::Down, 0, 200, tos);
            voice += Duration::from_millis(20);
        }
    }
    bench.check_conservation();
    let is_voice = |packet: &Packet| packet.length == Bytes(200);
    let latencies: Vec<f64> = (bench.delivered.iter())
        .filter(|(.., packet)| is_voice(packet))
        .map(|(.., packet)| packet.ledger.total().as_millis_f64())
        .collect();
    let bytes: u64 = (bench.delivered.iter())
        .filter(|(.., packet)| !is_voice(packet))
        .map(|(.., packet)| packet.length.0)
        .sum();
    let mean = latencies.iter().sum::<f64>() / latencies.len() as f64;
    let longest = latencies.iter().copied().fold(0.0, f64::max);
    (mean, longest, bytes as f64 * 8.0 / 5e6)
}

/// The mechanism of the loss-latency study: in one buffer of 10 240 bytes at 4.4 Mbit/s a packet
/// waits up to 10 240·8/4.392 = 18.7 ms; on its own bearer it does not wait, and an equal split
/// takes half a slot from the bulk each 20 ms.
#[test]
fn a_bearer_of_its_own_takes_a_small_flow_out_of_the_queue() {
    let (mean, longest, bulk) = voice_beside_bulk(false, Sharing::Equal);
    let full = 10_240.0 * 8e-3 / 4.392;
    assert!(mean > 0.9 * full + 3.0 && longest < full + 3.0 + 2.0, "{mean} {longest}");
    let (marked_mean, marked_longest, marked_bulk) = voice_beside_bulk(true, Sharing::Equal);
    assert!(marked_mean < 4.1 && marked_longest < 5.1, "{marked_mean} {marked_longest}");
    assert!(marked_bulk / bulk > 0.98, "{marked_bulk} {bulk}");
    let (priority_mean, ..) = voice_beside_bulk(true, Sharing::Priority);
    assert!(priority_mean < 4.1, "{priority_mean}");
}

/// TS 23.401 §4.7.3: a maximum rate caps a bearer, and leaves the rest of the cell to others.
#[test]
fn a_maximum_rate_is_not_exceeded() {
    let mut config = preset::system_level(Bandwidth::Mhz5, vec![Conditions::default()]);
    config.bearers[0].mbr.down = Some(mbps(2));
    let rate = |bench: &Bench| delivered_bytes(bench, 0) as f64 * 8.0 / 2e6;
    let limited = rate(&saturate(&config, 1));
    // 2 s of tokens and a bucket of 100 ms, less headers.
    assert!(limited > 1.95 && limited < 2.1, "{limited} Mbit/s");
    config.bearers[0].mbr.down = None;
    config.aggregate_maximum = Some(mbps(3));
    let aggregate = rate(&saturate(&config, 1));
    assert!(aggregate > 2.95 && aggregate < 3.15, "{aggregate} Mbit/s");
}

/// TS 23.401 §4.7.3: a guaranteed rate is met on a channel on which proportional fair alone would
/// miss it.
#[test]
fn a_guaranteed_rate_is_met_under_load() {
    let qci = Qci::new(4).expect("a standard class");
    let run = |guaranteed: Option<Bitrate>| {
        let conditions =
            [3.0, 18.0].map(|db| Conditions { downlink: Decibel(db), uplink: Decibel(db) });
        let mut config = preset::system_level(Bandwidth::Mhz5, conditions.to_vec());
        config.conditions.resize(8, conditions[1]);
        let video = bearer::Filter {
            remote_port: Some(bearer::PortRange::one(7)),
            ..bearer::Filter::any()
        };
        config.bearers.push(bearer::Config {
            gbr: PerDirection { down: guaranteed, up: None },
            ..bearer::Config::dedicated(qci, vec![video])
        });
        config.downlink.channel.sharing = Sharing::Priority;
        let mut bench = Bench::new(&config, 8, 5);
        let mut at = Instant::ZERO;
        for n in 0..5_000_u64 {
            at += Duration::from_micros(400);
            for ue in 1..8 {
                bench.send(at, Direction::Down, ue, 1400);
            }
            if n % 14 == 0 {
                // 1400 bytes each 5.6 ms are 2 Mbit/s; the filter matches the port.
                bench.send_to_port(at, 0, 1400, 7);
            }
        }
        delivered_bytes(&bench, 0) as f64 * 8.0 / 2e6
    };
    let without = run(None);
    let with = run(Some(mbps(2)));
    assert!(without < 1.2, "{without} Mbit/s");
    // Packets go first once they have waited half of their 280 ms on the radio: at the end the last
    // 140 of 2 000 ms are still waiting.
    assert!(with > 2.0 * (1.0 - 0.14 / 2.0) * 0.98, "{with} Mbit/s");
}

/// TS 23.203 §6.1.7: a UE is ranked by its most urgent bearer with data. Among six UEs with full
/// buffers, one of which is served in a slot, a call waits for nobody: a slot of processing, the
/// rest of the slot in which that ends, one on the air, 1.5 of processing, to the nanosecond.
/// Feedback is read without errors: an ACK that is read as NACK takes a slot for a needless
/// retransmission.
#[test]
fn a_ue_with_a_call_is_first() {
    let mut config = preset::system_level(Bandwidth::Mhz5, vec![Conditions::default()]);
    config.downlink.channel.link = LinkModel::Ideal;
    config.downlink.channel.metric = Metric::StrictQci;
    config.downlink.channel.ues_per_slot = 1;
    config.feedback = FeedbackErrors::NONE;
    config.bearers = two_bearers();
    let mut bench = Bench::new(&config, 6, 5);
    let (mut at, mut calls) = (Instant::ZERO, 0);
    while at < Instant::ZERO + Duration::from_secs(1) {
        (0..6).for_each(|ue| bench.send(at, Direction::Down, ue, 1400));
        if calls < (at - Instant::ZERO).as_nanos() / 7_300_000 {
            bench.send_marked(at, Direction::Down, 3, 200, 46 << 2);
            calls += 1;
        }
        at += Duration::from_micros(900);
    }
    bench.run_until(at + Duration::from_millis(10));
    let clock = bench.cell.setup.clock;
    let of_call = bench.delivered.iter().filter(|(.., packet)| packet.length == Bytes(200));
    let late = of_call.clone().filter(|(at, .., packet)| {
        let first = clock.first_after(packet.ledger.started(), config.timing.enb_processing);
        *at != clock.after(first + 1, config.timing.ue_processing)
    });
    let late: Vec<_> = late.map(|(at, .., packet)| (packet.ledger.started(), *at)).collect();
    assert_eq!((of_call.count() as u64, late), (calls, Vec::new()));
}

/// TS 36.321 §5.4.3.1: in an uplink block, too, the urgent bearer is first, and the other gets the
/// rest.
#[test]
fn an_uplink_block_carries_all_bearers_the_urgent_one_first() {
    let mut config = preset::system_level(Bandwidth::Mhz1_4, vec![Conditions::default()]);
    config.uplink.channel.link = LinkModel::Ideal;
    config.bearers = two_bearers();
    for sharing in [Sharing::Priority, Sharing::Buckets] {
        config.uplink.channel.sharing = sharing;
        let mut bench = Bench::new(&config, 1, 1);
        let now = Instant::ZERO + Duration::from_micros(500);
        bench.send_marked(now, Direction::Up, 0, 900, 0);
        bench.send_marked(now, Direction::Up, 0, 700, 46 << 2);
        bench.send_marked(now, Direction::Up, 0, 300, 0);
        bench.run_until(Instant::ZERO + Duration::from_secs(1));
        let lengths: Vec<u64> = bench.delivered.iter().map(|it| it.3.length.0).collect();
        assert_eq!(lengths, [700, 900, 300], "{sharing:?}");
        bench.check_conservation();
    }
}

/// The LTE module of ns-3: a bearer with its own buffer size keeps it; 10 240 bytes apply to the
/// others.
#[test]
fn a_bearer_of_the_lena_cell_may_have_its_own_buffer() {
    let mut bearers = two_bearers();
    let rlc::Config::Um(um) = &mut bearers[1].rlc.down else { panic!("unacknowledged mode") };
    um.buffer = Some(Bytes(4_000));
    let config = preset::lena(Bandwidth::Mhz1_4, bearers);
    let buffers = [0, 1].map(|bearer: usize| match &config.bearers[bearer].rlc.down {
        rlc::Config::Um(um) => um.buffer,
        _ => None,
    });
    assert_eq!(buffers, [Some(Bytes(10_240)), Some(Bytes(4_000))]);
}

/// The LTE module of ns-3: the bearers of a block are in the order of their numbers, whatever their
/// class; with any other sharing rule the urgent bearer is first.
#[test]
fn with_equal_shares_the_default_bearer_is_first_in_a_block() {
    for (sharing, first) in [(Sharing::Equal, 100), (Sharing::Priority, 200)] {
        let config = two_that_share(sharing);
        let mut bench = Bench::new(&config, 1, 1);
        let now = Instant::ZERO + Duration::from_micros(500);
        bench.send_marked(now, Direction::Down, 0, 200, 46 << 2);
        bench.send_marked(now, Direction::Down, 0, 100, 0);
        bench.run_until(Instant::ZERO + Duration::from_millis(10));
        assert_eq!(bench.delivered.len(), 2);
        assert_eq!(bench.delivered[0].3.length, Bytes(first));
    }
}

/// The LTE module of ns-3: of 544 bytes of RLC SDU the scheduler counts 546, and two shares of 274
/// bytes leave 2 on its account. So a third block reserves a share for an empty bearer, and the
/// other bearer gets half of it; with exact queues it gets the whole block.
#[test]
fn a_bearer_that_counts_as_active_takes_half_a_block_for_nothing() {
    for (queue_view, last) in [(DownlinkQueueView::Reports, 7), (DownlinkQueueView::Exact, 6)] {
        let mut config = preset::lena(Bandwidth::Mhz1_4, two_bearers());
        config.downlink.queue_view = queue_view;
        let mut bench = Bench::new(&config, 1, 1);
        let now = Instant::ZERO + Duration::from_micros(500);
        bench.send_marked(now, Direction::Down, 0, 542, 46 << 2);
        // With 2 bytes of PDCP: twice 272 in half blocks, then 400 in a whole one, or 272 in a half
        // one and 128. The first block is built at 1 ms, and each arrives 3 ms later.
        bench.send_marked(now, Direction::Down, 0, 942, 0);
        bench.run_until(Instant::ZERO + Duration::from_millis(20));
        let bulk = bench.delivered.iter().find(|(.., packet)| packet.length == Bytes(942));
        let (at, ..) = bulk.expect("it is delivered");
        assert_eq!(*at, Instant::ZERO + Duration::from_millis(last));
    }
}
