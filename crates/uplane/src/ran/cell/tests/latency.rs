//! Measured latencies compared with formulas.

use super::*;
use crate::ran::phy::lte::Bandwidth;

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

/// The TTI study's appendix A, steps 1 to 7: for all TTIs, request periods and error rates of its
/// table.
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

/// The LTE module of ns-3: 6 resource blocks of MCS 28 are 549 bytes a millisecond; RLC to RLC
/// takes 3 ms, so a lone packet takes 3 ms and on average half a slot.
#[test]
fn the_lena_cell_has_its_rate_and_latency() {
    let config = preset::lena(Bandwidth::Mhz1_4, vec![bearer::Config::default_bearer()]);
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

/// The mean wait for an occasion is half a period (the TTI study's appendix A, step 1), and each
/// other cause of an uplink packet's latency has its step.
#[test]
fn each_cause_of_an_uplink_packet_is_a_step_of_the_appendix() {
    let config = study(1000, 10);
    let mut bench = Bench::new(&config, 1, 3);
    let mut random = Streams::new(4).open("test", "arrivals");
    let mut at = Instant::ZERO;
    for _ in 0..20_000 {
        at += Duration::from_nanos(60_000_000 + random.below(10_000_000));
        bench.send(at, Direction::Up, 0, 40);
    }
    bench.run_until(at + Duration::from_secs(1));
    let mean = |cause| {
        let spent = bench.delivered.iter().map(|(.., p)| p.ledger.spent(cause).as_millis_f64());
        spent.sum::<f64>() / bench.delivered.len() as f64
    };
    let steps = closed_form::uplink_ttis(10.0, Probability::ZERO);
    let wait = mean(Cause::SchedulingRequestWait);
    assert!((wait / steps.occasion - 1.0).abs() < 0.02, "{wait} ms");
    close(mean(Cause::GrantWait), steps.request + steps.enb + steps.grant);
    close(mean(Cause::RadioProcessing), steps.ue + steps.decoding);
    close(mean(Cause::RadioTransmission), steps.data);
}

/// TR 36.912 annex B.2.1: 1.5 TTI at the eNB are 1 of processing and on average half a slot.
#[test]
fn each_cause_of_a_downlink_packet_is_a_step_of_the_annex() {
    let config = with_one_retransmission(study(1000, 5), 0.2);
    let mut bench = Bench::new(&config, 1, 3);
    let mut random = Streams::new(5).open("test", "arrivals");
    let mut at = Instant::ZERO;
    for _ in 0..20_000 {
        at += Duration::from_nanos(30_000_000 + random.below(10_000_000));
        bench.send(at, Direction::Down, 0, 40);
    }
    bench.run_until(at + Duration::from_secs(1));
    let mean = |cause| {
        let spent = bench.delivered.iter().map(|(.., p)| p.ledger.spent(cause).as_millis_f64());
        spent.sum::<f64>() / bench.delivered.len() as f64
    };
    assert!((mean(Cause::RadioAlignment) - 0.5).abs() < 0.01);
    assert!((mean(Cause::RadioRetransmission) - 8.0 * 0.2).abs() < 0.08);
    close(mean(Cause::RadioProcessing), 1.0 + 1.5);
    close(mean(Cause::RadioTransmission), 1.0);
    assert!(mean(Cause::RadioQueue) < 1e-9);
}

/// Poisson arrivals of packets that fill a block each: M/D/1, whose mean wait is ρ/(2(1 − ρ))
/// services.
#[test]
fn the_wait_under_load_is_that_of_a_queue_with_constant_service() {
    let mut config = study(1000, 5);
    config.downlink.channel.capacity = Capacity::Rate(mbps(8));
    for (load, seed) in [(0.3, 1), (0.6, 2)] {
        let mut bench = Bench::new(&config, 1, seed);
        let mut random = Streams::new(seed).open("test", "arrivals");
        let mut at = Instant::ZERO;
        for _ in 0..150_000 {
            at += Duration::from_secs_f64(random.exponential(1e-3 / load));
            bench.send(at, Direction::Down, 0, 1000);
        }
        bench.run_until(at + Duration::from_secs(1));
        assert_eq!(bench.delivered.len(), 150_000);
        close(bench.mean_ttis(), 4.0 + load / (2.0 * (1.0 - load)));
    }
}

/// If the TTI and all times counted in TTIs become ten times longer, every latency does too, to the
/// nanosecond.
#[test]
fn latency_scales_with_the_tti() {
    let run = |tti_micros: u64, scale: u64| {
        let mut config = with_one_retransmission(study(tti_micros, 5), 0.1);
        config.phase = crate::ran::Phase::Fixed(Duration::ZERO);
        config.downlink.channel.capacity = Capacity::Unlimited;
        let mut bench = Bench::new(&config, 2, 7);
        let mut random = Streams::new(8).open("test", "arrivals");
        let mut at = Instant::ZERO;
        for _ in 0..3_000 {
            at += Duration::from_nanos(random.below(300_000) * scale);
            let direction = if random.below(2) == 0 { Direction::Down } else { Direction::Up };
            bench.send(at, direction, random.below(2) as u32, 40 + random.below(1000));
        }
        bench.run_until(at + Duration::from_secs(2));
        assert_eq!(bench.delivered.len(), 3_000);
        let what = |(at, _, _, packet): &(Instant, Direction, UeId, Box<Packet>)| {
            (packet.id, at.as_nanos() / scale, at.as_nanos() % scale)
        };
        bench.delivered.iter().map(what).collect::<Vec<_>>()
    };
    assert_eq!(run(100, 1), run(1000, 10));
}

/// Nodes that do not get faster: the grant arrives no sooner than 3 ms of processing allow.
#[test]
fn fixed_processing_keeps_its_share_of_the_latency() {
    let mut config = study(100, 1);
    let scaled = measure(&config, Direction::Up, 3_000);
    config.timing = config.timing.clone().with_fixed_processing(1.0);
    let fixed = measure(&config, Direction::Up, 3_000);
    close(scaled, 11.0);
    // 0.5 wait; 30 slots to the grant, 30 to the data, 1 on the air, 15 for decoding.
    close(fixed, 0.5 + 30.0 + 30.0 + 1.0 + 15.0);
}
