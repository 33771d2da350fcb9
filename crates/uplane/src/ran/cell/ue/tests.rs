//! The UE alone: its requests, and its reactions to grants. There is no base station, only the
//! messages of one.

use super::*;
use crate::net::PerDirection;
use crate::net::{Body, Datagram, Packet};
use crate::ran::cell::CellPlan;
use crate::ran::cell::Config;
use crate::ran::cell::config::{Access, Conditions};
use crate::ran::cell::draft::Scratch;
use crate::ran::cell::statistics::CellStatistics;
use crate::ran::lte::preset;
use crate::ran::mac::grant::OnRequest;
use crate::ran::mac::harq::Discipline;
use crate::ran::phy::lte::Bandwidth;
use crate::ran::phy::{Mcs, Modulation, Scheme};
use crate::ran::rlc;
use crate::ran::tables::qci::Qci;
use crate::sim::Outbox;

const QPSK: Scheme = Scheme { mcs: Mcs::LOWEST, modulation: Modulation::Qpsk };

struct Bench {
    setup: Setup,
    ue: Ue,
    bearers: Vec<Bearer>,
    statistics: CellStatistics,
}

impl Bench {
    /// Calls the occasion in `slot`, if the UE wants one.
    fn occasion(&mut self, slot: u64) -> Step {
        self.ue.planned_occasion = Some(slot);
        self.ue.on_occasion(slot)
    }

    fn new(access: Access) -> Self {
        Self::of(access, |_| ())
    }

    fn of(access: Access, change: impl FnOnce(&mut Config)) -> Self {
        let mut config: Config =
            preset::system_level(Bandwidth::Mhz10, vec![Conditions::default()]);
        config.uplink.access = access;
        change(&mut config);
        config.uplink.grants.on_request = OnRequest::Bytes(Bytes(80));
        let streams = Streams::new(1);
        let plan = CellPlan::new(config, 1).expect("a cell that can be");
        let setup = Setup::new(&plan, 1, streams);
        Self {
            ue: Ue::new(&setup, 0, UeId(0), streams),
            bearers: setup.config.bearers.iter().map(Bearer::new).collect(),
            statistics: CellStatistics::default(),
            setup,
        }
    }

    /// Creates a bench of two bearers with separate SR configurations: the default bearer has one
    /// occasion in 10 slots and at most one request, and a more urgent bearer has one in 2 slots,
    /// with one request in 100 slots.
    fn of_two_requests() -> Self {
        Self::of(Access::Standard, |config| {
            let urgent = bearer::Config::dedicated(Qci::new(1).expect("a class"), Vec::new());
            let request = bearer::Request { configuration: 1, ..urgent.request };
            config.bearers.push(bearer::Config { request, ..urgent });
            let prohibit = scheduling_request::Prohibit::Slots(100);
            let urgent =
                scheduling_request::Config { period: 2, prohibit, ..config.uplink.request.clone() };
            config.uplink.more_requests.push(urgent);
            config.uplink.request.dsr_trans_max = 1;
        })
    }

    fn write(&mut self, slot: u64, length: u64) -> Needs {
        self.write_to(0, slot, length)
    }

    fn write_to(&mut self, place: usize, slot: u64, length: u64) -> Needs {
        let now = self.setup.clock.start(slot);
        let body = Body::Datagram(Datagram { number: 0, payload: Bytes(length - 28) });
        let packet = Box::new(Packet::plain(body, Bytes(length), now));
        let sdu = self.bearers[place].pdcp.up.on_packet(now, packet);
        assert!(self.bearers[place].rlc.enqueue(Direction::Up, sdu).is_ok());
        let (scratch, effects) = (&mut Scratch::default(), &mut Outbox::default());
        self.ue.filter_at_arrival(place, &mut self.bearers[place], scratch, effects);
        self.ue.on_data(&self.setup, now, &self.bearers)
    }

    fn grant(&mut self, slot: u64, size: u64) -> &Block {
        let received = self.setup.clock.end(slot);
        let (size, cause) = (Some(Bytes(size)), GrantCause::Proactive);
        let of = slot + 4;
        let grant = Grant {
            ue: 0,
            slot: of,
            process: of as usize % 8,
            size,
            units: 2,
            answers_sr: true,
            activates: None,
            cause,
            received,
        };
        self.ue.on_grant(slot, &grant);
        let mut turn = UeTurn {
            setup: &self.setup,
            carrier: &self.setup,
            slot: of,
            now: self.setup.clock.start(of),
            bearers: &mut self.bearers,
            statistics: &mut self.statistics,
            effects: &mut Outbox::default(),
            scratch: &mut Scratch::default(),
        };
        self.ue.build(&mut turn, &grant, QPSK);
        self.ue.on_data(&self.setup, self.setup.clock.start(of), &self.bearers);
        self.ue.harq.block(grant.process)
    }
}

/// TS 36.321 §5.4.4: data after an empty buffer keep a request pending until a report was sent.
#[test]
fn a_request_is_pending_until_a_report() {
    let mut bench = Bench::new(Access::Standard);
    assert_eq!(bench.ue.plan_occasion(0), None, "nothing to ask for");
    assert!(bench.write(1, 1000).occasion);
    assert_eq!(bench.ue.plan_occasion(2), Some(10), "one occasion in ten slots");
    assert_eq!(bench.occasion(10), Step::Send { missed: None });
    assert_eq!(bench.ue.plan_occasion(11), Some(20));
    let block = bench.grant(14, 32);
    assert!(block.report.is_some_and(|report| report.groups[3] > Bytes(900)));
    assert_eq!(bench.occasion(20), Step::Nothing);
    assert_eq!(bench.ue.plan_occasion(21), None);
}

/// TS 36.321 §5.4.5: more data behind a backlog trigger no request.
#[test]
fn a_backlog_triggers_one_request() {
    let mut bench = Bench::new(Access::Standard);
    bench.write(1, 1000);
    bench.grant(4, 32);
    bench.write(9, 1000);
    assert_eq!(bench.ue.plan_occasion(10), None);
    assert!(bench.ue.retx_bsr_expires().is_some(), "but it is not forgotten");
}

/// TS 36.321 §5.4.5: a report is cancelled if the grant fits all data but not the report. 100 bytes
/// are 102 with PDCP and 104 with RLC, plus a sub-header of 1; a short report has 2. Padding of one
/// or two bytes is sub-headers (§6.1.2).
#[test]
fn a_report_gives_way_to_the_last_data() {
    for size in 103..115 {
        let mut bench = Bench::new(Access::Standard);
        bench.write(1, 100);
        let block = bench.grant(4, size);
        let (is_reported, is_full) = (block.report.is_some(), block.full);
        assert_eq!(is_reported, !(105..107).contains(&size), "{size} bytes");
        assert_eq!(is_full, size < 107 + 3, "{size} bytes");
        assert_eq!(bench.ue.waiting().is_zero(), size >= 105, "{size} bytes");
    }
}

/// An eager UE sends requests while it waits for more bytes than were granted.
#[test]
fn an_eager_ue_requests_all_its_bytes() {
    let mut bench = Bench::new(Access::EagerRequests);
    bench.write(1, 200);
    let first_grant = bench.setup.first_grant();
    let mut asked = Bytes::ZERO;
    for occasion in [10, 20, 30] {
        assert_eq!(bench.occasion(occasion), Step::Send { missed: None });
        bench.ue.on_request_received();
        asked += first_grant;
    }
    assert!(asked >= bench.ue.waiting());
    assert_eq!(bench.occasion(40), Step::Nothing);
    bench.ue.on_request_ignored();
    assert_eq!(bench.occasion(50), Step::Send { missed: None });
}

/// The expected bytes are those of the grant, no longer those of the request.
#[test]
fn an_eager_ue_requests_bytes_beyond_a_small_grant() {
    let mut bench = Bench::new(Access::EagerRequests);
    bench.write(1, 60);
    bench.ue.on_request_received();
    let block = bench.grant(4, 40);
    assert!(!block.full, "nobody would listen");
    assert_eq!(bench.occasion(10), Step::Send { missed: None });
}

/// With reports at no cost the UE sends no request, and its blocks carry no report.
#[test]
fn ideal_reports_take_no_room() {
    let mut bench = Bench::new(Access::IdealReports);
    let needs = bench.write(1, 1000);
    assert!(needs.report && !needs.occasion);
    assert!(!bench.write(1, 100).report, "one tells of both");
    assert_eq!(bench.ue.plan_occasion(2), None);
    let now = bench.setup.clock.start(2);
    let groups = bench.ue.report_ideally(&bench.setup, now, &bench.bearers);
    assert!(groups[3] >= Bytes(1100));
    assert!(!bench.ue.on_data(&bench.setup, now, &bench.bearers).report, "it said so");
    assert_eq!(bench.grant(3, 1200).report, None);
}

/// TS 36.323 §5.2.1.1: partly sent packets return to the queue when RLC in acknowledged mode is
/// re-established, and the filter of that queue counts them as queued.
#[test]
fn a_filter_counts_restored_packets() {
    let mut bench = Bench::of(Access::Standard, |config| {
        config.ack_filters = vec![ack_filter::Config::default()];
        config.bearers[0].rlc = PerDirection::both(rlc::Config::Am(rlc::am::Config::default()));
    });
    let queued = |bench: &Bench| bench.ue.ack_filters().next().map(|(_, filter)| filter.queued());
    for _ in 0..3 {
        bench.write(1, 100);
    }
    assert_eq!(queued(&bench), Some(3));
    bench.grant(4, 250);
    assert_eq!(queued(&bench), Some(0), "all are begun");
    bench.write(9, 100);
    let now = bench.setup.clock.start(10);
    bench.bearers[0].rlc.reestablish(now, &mut Outbox::default());
    bench.ue.notify_restored(0, &bench.bearers[0]);
    assert_eq!(queued(&bench), Some(4));
}

/// TS 38.321 §5.4.5: when `retxBSR-Timer` expires, the channel of the highest priority with data
/// triggers a request, whichever channel triggered the last one.
#[test]
fn the_most_urgent_bearer_repeats_the_request() {
    for (urgent, next) in [(false, 0), (true, 2)] {
        let mut bench = Bench::of_two_requests();
        bench.write(1, 1000);
        if urgent {
            bench.write_to(1, 1, 1000);
        }
        // A report is sent, and no grant arrives.
        bench.grant(3, 32);
        assert_eq!(bench.ue.plan_occasion(8), None, "it has reported");
        let expires = bench.ue.retx_bsr_expires().expect("data waits");
        bench.ue.on_retx_bsr(&bench.setup, bench.setup.clock.start(expires));
        let from = expires.next_multiple_of(10) + 1;
        let expected = if urgent { from + next - 1 } else { from + 9 };
        assert_eq!(bench.ue.plan_occasion(from), Some(expected), "urgent: {urgent}");
    }
}

/// In a slot with two occasions the UE sends the request of the more urgent bearer, which is this
/// model's choice (TS 38.321 §5.4.4 leaves it to the UE). The other request, limited to one
/// transmission, can still be sent later.
#[test]
fn the_more_urgent_request_is_first() {
    let mut bench = Bench::of_two_requests();
    bench.write(1, 1000);
    bench.write_to(1, 1, 1000);
    for (slot, expected) in [
        (10, Step::Send { missed: None }),
        (20, Step::Send { missed: None }),
        (30, Step::RandomAccess),
    ] {
        assert_eq!(bench.occasion(slot), expected, "{slot}");
    }
}

/// TS 36.321 §5.4.2.1 and §5.9: a UE that leaves a cell frees all its processes: one for each
/// subframe of the round trip, eight, whatever number is configured for other disciplines.
#[test]
fn a_ue_that_leaves_has_a_process_for_each_slot_of_the_round_trip() {
    let mut bench = Bench::of(Access::Standard, |config| {
        config.uplink.discipline = Discipline::Synchronous;
        config.uplink.channel.harq.processes = 3;
    });
    bench.ue.leave_cell(&bench.setup, Instant::ZERO);
    let free = (0..8).filter(|&process| bench.ue.harq.is_free(process)).count();
    assert_eq!(free as u64, bench.setup.timeline.uplink_round_trip());
    assert_eq!(free, 8);
}
