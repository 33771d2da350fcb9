//! Requests, reports and grants, slot by slot.

use super::*;
use crate::ran::Phase;
use crate::ran::mac::buffer_status;
use crate::ran::mac::control_channel;
use crate::ran::mac::grant::{OnRequest, ProactiveGrant, Repeated, Sps};
use crate::ran::mac::header::SubHeaders;
use crate::ran::mac::scheduling_request::{Offset, Prohibit};
use crate::ran::phy::lte::Bandwidth;
use crate::unit::Decibel;

/// Returns a cell whose slots start with the run, with an occasion in slot 0 of each period.
fn aligned(mut config: Config) -> Config {
    config.phase = Phase::Fixed(Duration::ZERO);
    config.uplink.request.offset = Offset::Fixed(0);
    config
}

fn small_grants(period: u64) -> Config {
    let variant = TtiStudy::SmallGrants { grant_per_ms: Bytes(50) };
    aligned(preset::tti_study(Tti::SUBFRAME, period, mbps(21), variant))
}

fn half_ms(halves: u64) -> Instant {
    Instant::ZERO + Duration::from_micros(500 * halves)
}

/// Returns the arrival times of packets at the network, in half milliseconds.
fn arrivals(bench: &mut Bench) -> Vec<u64> {
    bench.run_until(Instant::ZERO + Duration::from_secs(1));
    let spared = bench.cell.setup.uplink_spared;
    bench.delivered.iter().map(|(at, ..)| (*at + spared).as_nanos() / 500_000).collect()
}

/// Appendix A of the TTI study: request in slot 5, grant in 9, data in 13, at the network 2.5 ms
/// later.
#[test]
fn a_request_is_answered_after_four_slots_and_the_grant_used_after_four_more() {
    let mut bench = Bench::new(&aligned(study(1000, 5)), 1, 1);
    bench.send(half_ms(1), Direction::Up, 0, 40);
    assert_eq!(arrivals(&mut bench), [2 * (5 + 8 + 1) + 3]);
    assert_eq!(bench.cell.statistics().sr_sent, 1);
}

/// TS 36.321 §5.4.4: the request is pending until a block with a report is built; with a period of
/// one slot it is repeated in each slot until then. The eNB ignores requests that its grant already
/// answers.
#[test]
fn a_pending_request_is_repeated_and_ignored() {
    let mut bench = Bench::new(&aligned(study(1000, 1)), 1, 1);
    bench.send(half_ms(1), Direction::Up, 0, 40);
    assert_eq!(arrivals(&mut bench), [2 * (1 + 8 + 1) + 3]);
    // Sent in slots 1 to 5; the block of slot 9 is built in slot 6.
    let statistics = bench.cell.statistics();
    assert_eq!((statistics.sr_sent, statistics.sr_ignored), (5, 4));
    assert_eq!(statistics.grants, 1);
}

#[test]
fn an_enb_may_answer_each_request() {
    let mut config = aligned(study(1000, 1));
    config.uplink.grants.repeated = Repeated::GrantEach;
    config.uplink.grants.on_request = OnRequest::Bytes(Bytes(80));
    let mut bench = Bench::new(&config, 1, 1);
    bench.send(half_ms(1), Direction::Up, 0, 40);
    arrivals(&mut bench);
    assert_eq!(bench.cell.statistics().grants, 5);
}

/// Small grants at a period of one slot: ten acknowledgements are 400 bytes, requested by eight
/// requests of 50 bytes in a row, and sent in eight blocks in a row.
#[test]
fn eager_requests_pipeline_small_grants() {
    let mut bench = Bench::new(&small_grants(1), 1, 1);
    for _ in 0..10 {
        bench.send(half_ms(1), Direction::Up, 0, 40);
    }
    let block = |n: u64| 2 * (1 + 8 + n + 1) + 3;
    // Packet k ends in byte 40(k + 1), that is in block ⌈40(k + 1)/50⌉ - 1.
    let expected: Vec<u64> = (0..10_u64).map(|k| block((40 * (k + 1)).div_ceil(50) - 1)).collect();
    assert_eq!(arrivals(&mut bench), expected);
    let statistics = bench.cell.statistics();
    assert_eq!((statistics.sr_sent, statistics.grants), (8, 8));
}

/// With a period of five slots the report in the first block covers the bytes without a request:
/// their block follows eight slots after that block.
#[test]
fn a_report_is_followed_up_eight_slots_later() {
    let mut bench = Bench::new(&small_grants(5), 1, 1);
    for _ in 0..10 {
        bench.send(half_ms(1), Direction::Up, 0, 40);
    }
    // Requests in slots 5 and 10: 50 bytes in slots 13 and 18. The report of slot 13 has 350 bytes,
    // 50 of them granted: 300 more in slot 21.
    let block = |slot: u64| 2 * (slot + 1) + 3;
    let mut expected = vec![block(13)];
    expected.push(block(18));
    expected.extend([block(21); 8]);
    assert_eq!(arrivals(&mut bench), expected);
}

/// Study 000 as fitted: a request is repeated until a block with a report is built. Each request is
/// answered with room for one acknowledgement, and the report with the rest, twelve slots after its
/// block.
#[test]
fn each_request_is_answered_with_room_for_one_acknowledgement() {
    let mut config = aligned(study(1000, 5));
    config.uplink.grants.on_request = OnRequest::Bytes(Bytes(45));
    config.uplink.grants.repeated = Repeated::GrantEach;
    config.timing.report_to_grant = Delay::ttis(8);
    config.timing.fill_to_uplink = Delay::NONE;
    let mut bench = Bench::new(&config, 1, 1);
    for _ in 0..10 {
        bench.send(half_ms(1), Direction::Up, 0, 40);
    }
    let block = |slot: u64| 2 * (slot + 1) + 3;
    let mut expected = vec![block(13), block(18)];
    expected.extend([block(25); 8]);
    assert_eq!(arrivals(&mut bench), expected);
    let statistics = bench.cell.statistics();
    assert_eq!((statistics.sr_sent, statistics.grants), (2, 3), "in slots 5 and 10");
}

fn standard(period: u64) -> Config {
    let mut config = aligned(study(1000, period));
    config.sub_headers = SubHeaders::LTE;
    config.uplink.grants.header_share = 0.06;
    config.bearers = vec![bearer::Config::default_bearer()];
    config.uplink.report = buffer_status::Config::default();
    config.uplink.grants.on_request = OnRequest::Bytes(Bytes(32));
    config.timing.fill_to_uplink = Delay::NONE;
    config
}

/// TS 36.321 §5.4.5: the first grant carries the report, the second the rest. 1 000 bytes with PDCP
/// are 1 002; 32 bytes are 2 of report, 1 of MAC, 2 of RLC and 27 of data.
#[test]
fn a_small_first_grant_carries_the_report_and_the_second_the_rest() {
    let mut bench = Bench::new(&standard(5), 1, 1);
    bench.send(half_ms(1), Direction::Up, 0, 1000);
    assert_eq!(arrivals(&mut bench), [2 * (5 + 8 + 8 + 1) + 3]);
    let statistics = bench.cell.statistics();
    assert_eq!((statistics.sr_sent, statistics.grants, statistics.bsr_sent), (2, 2, 1));
    assert_eq!(statistics.sr_ignored, 1, "the one of slot 10");
    assert_eq!(statistics.uplink.sdu_bytes, 1002 + 2 + 2);
}

/// TS 36.321 §5.4.5: later data in a backlogged channel trigger nothing. The report of the first
/// block does not include them; the second block is full and has no report, so the eNB gives
/// another grant.
#[test]
fn later_arrivals_are_learnt_of_from_full_blocks_and_padding() {
    let mut bench = Bench::new(&standard(5), 1, 1);
    bench.send(half_ms(1), Direction::Up, 0, 300);
    // After the block of slot 13 was built, before that of slot 21.
    bench.send(half_ms(2 * 13 + 1), Direction::Up, 0, 300);
    let arrivals = arrivals(&mut bench);
    assert_eq!(arrivals[0], 2 * (21 + 1) + 3);
    assert!(arrivals[1] > arrivals[0] && arrivals[1] < arrivals[0] + 2 * 25, "{arrivals:?}");
}

/// TS 36.321 §5.4.4: dsr-TransMax requests without an answer, then random access, then requests.
#[test]
fn requests_without_answer_end_in_random_access() {
    let mut config = standard(5);
    config.feedback.sr_missed = probability(1.0);
    config.uplink.request.dsr_trans_max = 4;
    config.uplink.request.back_off = Duration::ZERO;
    let mut bench = Bench::new(&config, 1, 1);
    bench.send(half_ms(1), Direction::Up, 0, 40);
    bench.run_until(Instant::ZERO + Duration::from_millis(199));
    // Requests in slots 5, 10, 15, 20; random access in slot 25, which ends in slot 40. So each 35
    // slots: requests until slot 195, random access in slots 25, 60, 95, 130 and 165.
    let statistics = bench.cell.statistics();
    assert_eq!((statistics.sr_sent, statistics.random_accesses), (4 * 6, 5));
    assert_eq!(statistics.sr_missed, statistics.sr_sent);
    assert!(bench.delivered.is_empty());
}

/// TS 36.321 §5.4.4: sr-ProhibitTimer spaces requests, and the ledger has its cost.
#[test]
fn a_prohibited_request_is_booked_as_such() {
    let mut config = standard(5);
    config.uplink.request.prohibit = Prohibit::Periods(3);
    config.feedback.sr_missed = probability(0.5);
    let mut bench = Bench::new(&config, 1, 3);
    for n in 0..200 {
        bench.send(half_ms(1 + 1_000 * n), Direction::Up, 0, 40);
    }
    bench.run_until(Instant::ZERO + Duration::from_secs(110));
    assert_eq!(bench.delivered.len(), 200);
    let prohibited = bench
        .delivered
        .iter()
        .filter(|(.., packet)| !packet.ledger.spent(Cause::SchedulingRequestProhibit).is_zero());
    assert!(prohibited.count() > 50);
}

/// Proactive grants: while downlink data flow, acknowledgements get a grant every five slots
/// without a request.
#[test]
fn grants_in_advance_spare_the_request() {
    let mut config = standard(80);
    config.uplink.grants.proactive =
        Some(ProactiveGrant { every: 5, bytes: Bytes(80), inactivity: 50 });
    let mut bench = Bench::new(&config, 1, 1);
    // The downlink starts in slot 100.
    for n in 10..410 {
        bench.send(half_ms(20 * n), Direction::Down, 0, 1000);
        bench.send(half_ms(20 * n + 9), Direction::Up, 0, 40);
    }
    bench.run_until(Instant::ZERO + Duration::from_secs(5));
    for (_, direction, _, packet) in bench.delivered.iter().skip(2) {
        let waits = [Cause::SchedulingRequestWait, Cause::RadioQueue];
        let asked = waits.iter().any(|&cause| !packet.ledger.spent(cause).is_zero());
        assert!(*direction == Direction::Down || !asked, "{:?}", packet.ledger);
    }
    let up = bench.delivered.iter().filter(|(_, direction, ..)| *direction == Direction::Up);
    // The first packet arrives before proactive grants have started.
    let worst = up.skip(1).map(|(.., packet)| packet.ledger.total()).max().expect("packets");
    // At most five slots to the next block, its slot, and 1.5 for decoding.
    assert!(worst <= Duration::from_micros(7_500), "{worst}");
    let grants = bench.cell.statistics().grants;
    assert!((790..=830).contains(&grants), "one each 5 ms, and 50 slots more: {grants}");
}

/// If a slot carries anything, all UEs with requests in one slot get a block in one slot.
#[test]
fn an_unlimited_slot_serves_all_ues() {
    let mut bench = Bench::new(&aligned(study(1000, 5)), 3, 1);
    (0..3).for_each(|ue| bench.send(half_ms(1), Direction::Up, ue, 1500));
    assert_eq!(arrivals(&mut bench), [2 * (5 + 8 + 1) + 3; 3]);
}

/// TS 36.321 §5.1.4: the longer the back-off, the rarer random access.
#[test]
fn a_ue_backs_off_before_new_requests() {
    let accesses = |back_off| {
        let mut config = standard(5);
        config.feedback.sr_missed = probability(1.0);
        config.uplink.request.back_off = Duration::from_millis(back_off);
        let mut bench = Bench::new(&config, 1, 1);
        bench.send(half_ms(1), Direction::Up, 0, 40);
        bench.run_until(Instant::ZERO + Duration::from_secs(20));
        bench.cell.statistics().random_accesses
    };
    let [none, short, long] = [0, 10, 100].map(accesses);
    assert!(none > short && short > long, "{none} {short} {long}");
}

/// A UE requests the bytes that the answer to a request did not cover: an eNB without room for the
/// intended grants starves nobody.
#[test]
fn an_eager_ue_does_not_count_on_more_than_it_was_granted() {
    let mut config = small_grants(1);
    config.uplink.grants.on_request = OnRequest::Bytes(Bytes(1000));
    config.uplink.channel.capacity = Capacity::Rate(Bitrate::from_bps(400_000).expect("not zero"));
    let mut bench = Bench::new(&config, 1, 1);
    for number in 0..50 {
        bench.send(half_ms(1 + number), Direction::Up, 0, 300);
    }
    assert_eq!(arrivals(&mut bench).len(), 50);
}

/// A packet behind the requested one has waited for the request too: until slot 20, for the grant
/// until 25, in the queue until the report of slot 28, and for its own grant until 33.
#[test]
fn packets_behind_the_first_wait_for_its_request_too() {
    let mut bench = Bench::new(&standard(20), 1, 1);
    bench.send(half_ms(1), Direction::Up, 0, 60);
    bench.send(half_ms(1), Direction::Up, 0, 400);
    assert_eq!(arrivals(&mut bench), [2 * 37 + 3; 2]);
    let ledger = &bench.delivered[1].3.ledger;
    let waits = [Cause::SchedulingRequestWait, Cause::GrantWait, Cause::RadioQueue];
    let expected = [39, 20, 6].map(|halves| Duration::from_micros(500 * halves));
    assert_eq!(waits.map(|cause| ledger.spent(cause)), expected);
}

/// 1.4 MHz has four control channel elements; a UE at −4 dB needs eight.
#[test]
fn a_ue_gets_messages_on_a_tiny_control_channel() {
    let weak = Conditions { downlink: Decibel(-4.0), uplink: Decibel(0.0) };
    let mut bench = Bench::new(&preset::system_level(Bandwidth::Mhz1_4, vec![weak]), 1, 1);
    bench.send(half_ms(1), Direction::Down, 0, 40);
    bench.send(half_ms(2), Direction::Up, 0, 40);
    assert_eq!(arrivals(&mut bench).len(), 2);
}

/// TS 36.321 §5.10.2: a semi-persistent grant needs neither request nor control channel.
#[test]
fn a_semi_persistent_grant_needs_no_request() {
    let mut config = standard(10);
    config.uplink.grants.sps =
        vec![Sps { period: 10, bytes: Bytes(80), slots: None, skips: false, configured: None }];
    let mut bench = Bench::new(&config, 1, 1);
    bench.send(half_ms(5), Direction::Up, 0, 40);
    bench.send(half_ms(2 * 10 + 5), Direction::Up, 0, 40);
    // Blocks in slots 10 and 20; 40 bytes with headers fit into each.
    assert_eq!(arrivals(&mut bench), [2 * 11 + 3, 2 * 21 + 3]);
    let statistics = bench.cell.statistics();
    assert_eq!((statistics.sr_sent, statistics.grants, statistics.cces), (0, 0, 0));
}

/// TS 36.321 §5.4.2.2: an uplink block is retransmitted a round trip later, whatever is planned
/// there. A semi-persistent grant of the same UE in that slot, and with that process, waits for the
/// next occasion; so does a grant of another UE if there is no room for both.
#[test]
fn a_semi_persistent_grant_yields_to_a_retransmission() {
    let mut config = standard(10);
    config.uplink.grants.sps =
        vec![Sps { period: 8, bytes: Bytes(80), slots: None, skips: false, configured: None }];
    config.uplink.channel.link = LinkModel::FixedBler(vec![probability(1.0), probability(0.0)]);
    let arrivals_in = |rate| {
        let mut config = config.clone();
        config.uplink.channel.capacity = Capacity::Rate(rate);
        let mut bench = Bench::new(&config, 9, 1);
        for (at, ue) in [(1, 0), (2, 8), (19, 0), (20, 8)] {
            bench.send(half_ms(at), Direction::Up, ue, 40);
        }
        arrivals(&mut bench)
    };
    let block = |slot: u64| 2 * (slot + 1) + 3;
    // Both fit into a slot: both fail in 8 and arrive in 16; the packets that arrived meanwhile
    // fail in 24.
    assert_eq!(arrivals_in(mbps(21)), [16, 16, 32, 32].map(block));
    // 100 bytes a slot: one in 8 and 16, the other in 24 and 32, and so on.
    assert_eq!(
        arrivals_in(Bitrate::from_bps(800_000).expect("not zero")),
        [16, 32, 48, 64].map(block)
    );
}

/// A control channel of six elements, filled to 80 %, has room for two grants a slot: six UEs with
/// requests in one slot are served in three slots. The same three slots are needed if two UEs may
/// share a slot.
#[test]
fn grants_wait_for_room_on_the_control_channel() {
    // Four UEs are blocked in the first slot and two in the second.
    for (elements, ues_per_slot, blocked) in [(6, 10, 4 + 2), (60, 2, 0)] {
        let mut config = standard(10);
        config.control_channel = Some(control_channel::Config::of(elements));
        config.uplink.channel.ues_per_slot = ues_per_slot;
        config.uplink.grants.on_request = OnRequest::Bytes(Bytes(80));
        let mut bench = Bench::new(&config, 6, 1);
        for ue in 0..6 {
            bench.send(half_ms(1), Direction::Up, ue, 40);
        }
        let block = |slot: u64| 2 * (slot + 1) + 3;
        let expected = [18, 18, 19, 19, 20, 20].map(block);
        assert_eq!(arrivals(&mut bench), expected);
        assert_eq!(bench.cell.statistics().pdcch_blocked, blocked);
    }
}

/// The LTE module of ns-3: its scheduler takes each report as the current buffer, and grants bytes
/// twice. Packets that arrive in the middle of every other slot are each reported at the next
/// start, and each report leads to a block seven slots later. A packet leaves in the block of
/// another packet, three half slots after its arrival; four slots to the air and one on it follow.
/// Only the first packets wait for the block of the first.
#[test]
fn ideal_reports_lead_to_double_grants() {
    let config = preset::lena(Bandwidth::Mhz1_4, vec![bearer::Config::default_bearer()]);
    let mut bench = Bench::new(&config, 1, 1);
    let sent: Vec<u64> = (0..50).map(|number| 4 * number + 1).collect();
    for &at in &sent {
        bench.send(half_ms(at), Direction::Up, 0, 52);
    }
    let arrived = arrivals(&mut bench);
    let latencies: Vec<u64> = sent.iter().zip(arrived).map(|(sent, at)| at - sent).collect();
    assert_eq!(latencies[0], 1 + 2 * (5 + 6 + 1));
    assert_eq!(latencies[4..], [3 + 2 * (4 + 1); 46]);
}

/// The LTE module of ns-3: an uplink block leaves the symbol of sounding reference signals free (TS
/// 36.213 §8.2), and every block ends a nanosecond early. A lone packet takes 12 slots less that
/// time.
#[test]
fn an_uplink_block_of_the_lena_cell_spares_its_last_symbol() {
    for tti in [Duration::from_millis(1), Duration::from_micros(100)] {
        let mut config = preset::lena(Bandwidth::Mhz10, vec![bearer::Config::default_bearer()]);
        config.tti = Tti::of(tti);
        let mut bench = Bench::new(&config, 1, 1);
        let slot = |number: u64| Instant::ZERO + tti * number;
        bench.send(slot(3), Direction::Up, 0, 52);
        bench.run_until(slot(20));
        let symbol = Duration::from_nanos(tti.as_nanos() / 14);
        assert_eq!(bench.delivered[0].0 + symbol + Duration::from_nanos(2), slot(3 + 5 + 6 + 1));
    }
}
