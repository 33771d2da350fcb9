//! The base station alone: its reaction to messages. There is no UE, only the messages of one.

mod configured;
mod limits;

use super::*;
use crate::net::{Body, Datagram, Direction, Packet};
use crate::ran::bearer;
use crate::ran::cell::CellPlan;
use crate::ran::cell::Config;
use crate::ran::cell::air::{Bsr, Grant, GrantCause, Sending, Sr, UeLink, UplinkResult};
use crate::ran::lte::preset;
use crate::ran::mac::buffer_status::Groups;
use crate::ran::mac::grant::ProactiveGrant;
use crate::ran::mac::harq::{Discipline, Verdict};
use crate::ran::phy::LinkModel;
use crate::ran::phy::lte::Bandwidth;
use crate::ran::tables::qci::Qci;
use crate::sim::Streams;
use crate::unit::{Bytes, Duration, UeId};

/// A base station with UEs on the other side of the air.
struct Bench {
    setup: Setup,
    base: BaseStation,
    air: Air,
    bearers: Vec<Vec<Bearer>>,
}

impl Bench {
    fn new(config: &Config) -> Self {
        Self::with_ues(config, 1)
    }

    fn with_ues(config: &Config, ues: u32) -> Self {
        let streams = Streams::new(1);
        let plan = CellPlan::new(config.clone(), ues).expect("a cell that can be");
        let setup = Setup::new(&plan, ues, streams);
        let conditions = Conditions::default();
        let attachment =
            Attachment { conditions, most_prbs: None, reports_cqi: false, drx_offset: 0 };
        let sinr = PerDirection { down: conditions.downlink.into(), up: conditions.uplink.into() };
        let links = (0..ues)
            .map(|ue| UeLink::new(UeId(ue), &format!("radio/ue/{ue}"), None, sinr, streams));
        let bearers = || setup.config.bearers.iter().map(Bearer::new).collect();
        Self {
            base: BaseStation::new(&setup, &vec![attachment; ues as usize], None),
            air: Air::new(links.collect(), None),
            bearers: (0..ues).map(|_| bearers()).collect(),
            setup,
        }
    }

    fn turn(&mut self, slot: u64) -> (&mut BaseStation, BaseTurn<'_>) {
        let now = self.setup.clock.start(slot);
        let Self { setup, base, air, bearers } = self;
        (base, BaseTurn { setup, slot, now, air, bearers })
    }

    /// Queues a packet of 500 bytes for the first UE.
    fn queue(&mut self, position: usize, now: Instant) {
        let body = Body::Datagram(Datagram { number: 0, payload: Bytes(472) });
        let packet = Box::new(Packet::plain(body, Bytes(500), now));
        let bearer = &mut self.bearers[0][position];
        let sdu = bearer.pdcp.down.on_packet(now, packet);
        assert!(bearer.rlc.enqueue(Direction::Down, sdu).is_ok());
        self.base.on_packet(0, position, bearer, true);
    }

    /// Reports `bytes` in the buffer of a UE.
    fn report(&mut self, slot: u64, ue: u32, bytes: Bytes) {
        let mut groups = Groups::default();
        groups[3] = bytes;
        let (base, turn) = self.turn(slot);
        base.on_bsr(&turn, &Bsr { ue, slot, groups: Some(groups) });
    }

    fn grants(&mut self, slot: u64) -> Vec<Grant> {
        self.base.begin(0);
        let (base, mut turn) = self.turn(slot);
        base.schedule_uplink(&mut turn);
        self.air.grants.drain(..).collect()
    }
}

fn config() -> Config {
    let mut config = preset::system_level(Bandwidth::Mhz10, vec![Conditions::default()]);
    config.downlink.channel.link = LinkModel::Ideal;
    config.uplink.channel.link = LinkModel::Ideal;
    config
}

/// TR 36.912 annex B.2: a request is answered once, by a grant for the slot four TTIs later.
#[test]
fn a_request_is_answered_once() {
    let mut bench = Bench::new(&config());
    assert!(bench.grants(9).is_empty(), "nobody asked");
    let sr = Sr { ue: 0, slot: 6, configuration: 0, prohibited_from: None };
    let (base, mut turn) = bench.turn(10);
    assert!(base.on_sr(&mut turn, &sr));
    assert!(!base.on_sr(&mut turn, &Sr { slot: 7, ..sr }), "it will be answered");
    let [grant] = bench.grants(10)[..] else { panic!("one grant") };
    assert_eq!((grant.ue, grant.slot, grant.answers_sr), (0, 14, true));
    assert!(matches!(grant.cause, GrantCause::Sr { .. }) && grant.size >= Some(Bytes(32)));
    assert!(bench.grants(11).is_empty());
    // The UE may have sent this request before it knew of its grant.
    let (base, mut turn) = bench.turn(12);
    assert!(!base.on_sr(&mut turn, &Sr { slot: 8, ..sr }), "the grant under way answers it");
    let (base, mut turn) = bench.turn(18);
    assert!(!base.on_sr(&mut turn, &Sr { slot: 13, ..sr }), "and all before its slot");
    assert_eq!(bench.air.statistics.sr_ignored, 3);
    // This request is for data that arrived after the block was filled.
    let (base, mut turn) = bench.turn(18);
    assert!(base.on_sr(&mut turn, &Sr { slot: 14, ..sr }));
}

/// TS 36.321 §5.4.5: the bytes of a report are granted once.
#[test]
fn a_report_is_granted_to_the_end() {
    let mut bench = Bench::new(&config());
    let data = Bytes(20_000);
    bench.report(4, 0, data);
    let mut granted = Bytes::ZERO;
    for slot in 8..60 {
        for grant in bench.grants(slot) {
            granted += grant.size.expect("a carrier has sizes");
            assert!(!grant.answers_sr && matches!(grant.cause, GrantCause::Bsr { .. }));
        }
    }
    assert!(granted >= data && granted < Bytes(22_000), "{granted} for {data}");
}

/// A full block without a report means that there may be more data, once nothing else is under way.
#[test]
fn a_full_block_brings_a_grant() {
    let full = |slot| Bsr { ue: 0, slot, groups: None };
    let mut bench = Bench::new(&config());
    let (base, turn) = bench.turn(4);
    base.on_bsr(&turn, &full(4));
    let [grant] = bench.grants(8)[..] else { panic!("one grant") };
    assert_eq!(grant.slot, 12);
    for (slot, expected) in [(11, 0), (12, 1)] {
        let (base, turn) = bench.turn(slot);
        base.on_bsr(&turn, &full(slot));
        assert_eq!(bench.grants(slot + 4).len(), expected, "built in slot {slot}");
    }
}

/// A proactive grant has the cause of a request or a report that waits, if there is one.
#[test]
fn a_proactive_grant_has_the_pending_cause() {
    let mut config = config();
    config.uplink.grants.proactive =
        Some(ProactiveGrant { every: 5, bytes: Bytes(40), inactivity: 0 });
    let cause_after = |asks: fn(&mut Bench)| {
        let mut bench = Bench::new(&config);
        asks(&mut bench);
        let (base, mut turn) = bench.turn(10);
        base.on_proactive(&mut turn, 0);
        let [grant] = bench.grants(10)[..] else { panic!("one grant") };
        grant.cause
    };
    assert!(matches!(cause_after(|_| ()), GrantCause::Proactive));
    let by_request = cause_after(|bench| {
        let (base, mut turn) = bench.turn(10);
        assert!(
            base.on_sr(&mut turn, &Sr { ue: 0, slot: 6, configuration: 0, prohibited_from: None })
        );
    });
    assert!(matches!(by_request, GrantCause::Sr { .. }), "{by_request:?}");
    let by_report = cause_after(|bench| bench.report(4, 0, Bytes(20)));
    assert!(matches!(by_report, GrantCause::Bsr { .. }), "{by_report:?}");
}

/// A queued packet is sent in a block, and its feedback is due a round trip later.
#[test]
fn a_queued_packet_is_sent_in_a_block() {
    let mut bench = Bench::new(&config());
    bench.queue(0, Instant::ZERO);
    assert!(bench.base.has_work());
    let (base, mut turn) = bench.turn(3);
    let room = base.send_retransmissions(&mut turn).expect("the whole slot is free");
    base.send_new_blocks(&mut turn, room);
    base.finish_slot(&mut turn);
    assert!(!bench.base.has_work(), "all of it is on the air");
    assert_eq!(bench.air.ring.next(), Some(11), "eight slots later (TS 36.213 §7)");
    let arrival = bench.air.arrivals.down.front().expect("an ideal link");
    assert!(!arrival.lost);
    let block = bench.base.block(0, arrival.process);
    assert!(block.arrived && block.size >= Bytes(500));
}

/// TS 38.321 §5.4.2: a grant names the process, and a separate grant retransmits a block that did
/// not decode. Every first transmission fails here, and every second arrives.
#[test]
fn a_grant_retransmits_each_asynchronous_process() {
    let mut config = config();
    config.uplink.discipline = Discipline::Granted;
    config.uplink.channel.harq.processes = 6;
    let mut bench = Bench::new(&config);
    bench.report(0, 0, Bytes(1_000_000));
    // Transmissions of the block of each process; and number of blocks that arrived.
    let (mut sent, mut arrived) = ([0; 6], [0; 6]);
    let mut on_air: Vec<(u64, usize)> = Vec::new();
    for slot in 1..400 {
        let due = bench.air.ring.take(slot);
        due.results.iter().for_each(|&result| bench.base.on_uplink_result(0, result));
        for again in &due.transmissions {
            assert!(
                again.kind == Sending::Retransmission && sent[again.process] == 1,
                "process {}",
                again.process
            );
            on_air.push((slot, again.process));
        }
        bench.air.ring.recycle(slot, due);
        for grant in bench.grants(slot) {
            assert_eq!(sent[grant.process], 0, "process {} is used twice", grant.process);
            let again = bench.air.ring.at(grant.slot).transmissions.len();
            assert_eq!(again, 0, "two blocks in slot {}", grant.slot);
            on_air.push((grant.slot, grant.process));
        }
        for (_, process) in on_air.extract_if(.., |(of, _)| *of == slot) {
            sent[process] += 1;
            let again = sent[process] == 1;
            let verdict = if again { Verdict::Retransmit } else { Verdict::Delivered };
            arrived[process] += u32::from(!again);
            sent[process] %= 2;
            let (base, mut turn) = bench.turn(slot);
            base.on_uplink_block(&mut turn, UplinkResult { ue: 0, process, units: 44, verdict });
        }
    }
    assert!(arrived.iter().all(|&blocks| blocks >= 20), "{arrived:?}");
    let blocks: u32 = arrived.iter().sum();
    // Both transmissions of a block have a grant; a few are under way.
    let grants = bench.air.statistics.grants;
    let of_arrived = 2 * u64::from(blocks);
    assert!((of_arrived..=of_arrived + 12).contains(&grants), "{grants} for {blocks}");
}

/// Retransmissions take their part of a slot first: resource blocks (two of three fifths of the
/// band each do not fit), and a place among the UEs of a slot. The rest is for new blocks.
#[test]
fn retransmissions_take_their_part_of_a_slot() {
    let mut config = config();
    config.uplink.discipline = Discipline::Granted;
    for (ues_per_slot, new_blocks) in [(3, 1), (2, 1), (1, 0)] {
        config.uplink.channel.ues_per_slot = ues_per_slot;
        let mut bench = Bench::with_ues(&config, 3);
        let (target, band) = (14, bench.setup.capacity.up.units(14));
        let units = band * 3 / 5;
        for ue in 0..2 {
            bench.base.ues[ue as usize].up.harq.take(0, 6);
            bench.base.on_uplink_result(
                0,
                UplinkResult { ue, process: 0, units, verdict: Verdict::Retransmit },
            );
        }
        bench.report(4, 2, Bytes(1_000_000));
        let grants = bench.grants(10);
        assert_eq!(grants.len(), new_blocks, "{ues_per_slot} UEs a slot");
        let new_units: u64 = grants.iter().map(|grant| grant.units).sum();
        assert_eq!(bench.air.ring.uplink_units(target), units + new_units);
        assert!(units + new_units <= band, "{units} and {new_units} of {band}");
        assert!(new_blocks == 0 || new_units > band / 5, "{new_units} of {band}");
        let [again] = bench.air.ring.at(target).transmissions[..] else { panic!("one fits") };
        assert_eq!((again.ue, again.process, again.kind), (0, 0, Sending::Retransmission));
        // The other UE has its turn in the next slot.
        bench.grants(11);
        let [again] = bench.air.ring.at(target + 1).transmissions[..] else { panic!("one more") };
        assert_eq!(again.ue, 1);
    }
}

/// Two small retransmissions share a slot only if two UEs may.
#[test]
fn no_more_ues_are_granted_retransmissions_than_may_share_a_slot() {
    let mut config = config();
    config.uplink.discipline = Discipline::Granted;
    for ues_per_slot in [1, 2] {
        config.uplink.channel.ues_per_slot = ues_per_slot;
        let mut bench = Bench::with_ues(&config, 2);
        for ue in 0..2 {
            bench.base.ues[ue as usize].up.harq.take(0, 6);
            let result = UplinkResult { ue, process: 0, units: 4, verdict: Verdict::Retransmit };
            bench.base.on_uplink_result(0, result);
        }
        assert!(bench.grants(10).is_empty());
        let sent = bench.air.ring.at(14).transmissions.len() as u32;
        assert_eq!(sent, ues_per_slot);
    }
}

/// Among bearers of one class, the first determines the waiting time of a UE; a more urgent bearer
/// goes before them at any position.
#[test]
fn a_ue_has_the_age_of_its_first_most_urgent_bearer() {
    let qci = |number| Qci::new(number).expect("a standard class");
    let bearer = |number| bearer::Config::dedicated(qci(number), Vec::new());
    for (classes, expected) in [([9, 9], 30), ([9, 7], 10), ([7, 9], 30)] {
        let mut config = config();
        config.bearers = classes.map(bearer).to_vec();
        let mut bench = Bench::new(&config);
        let now = Instant::ZERO + Duration::from_millis(30);
        for (position, at) in [(0, 0), (1, 20)] {
            bench.queue(position, Instant::ZERO + Duration::from_millis(at));
        }
        let (quality, age, _) = bench.base.ues[0].most_urgent(now, &bench.bearers[0], true);
        assert_eq!(age, Duration::from_millis(expected), "{classes:?}");
        let urgent = classes.into_iter().min().expect("two");
        assert_eq!(quality.priority, qci(urgent).characteristics().priority);
    }
}
