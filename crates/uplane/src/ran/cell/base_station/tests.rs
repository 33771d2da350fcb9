//! The base station by itself: what it makes of messages. No UE is here, only what one would say.

use super::*;
use crate::net::{Body, Datagram, Direction, Packet};
use crate::ran::cell::Config;
use crate::ran::cell::air::{Bsr, Grant, GrantCause, Sr, UeLink, UplinkFate};
use crate::ran::lte::preset;
use crate::ran::mac::harq::{Discipline, Verdict};
use crate::ran::mac::report::Groups;
use crate::ran::phy::LinkModel;
use crate::ran::phy::lte::Bandwidth;
use crate::sim::Streams;
use crate::unit::{Bytes, UeId};

/// A base station with one UE on the other side of the air.
struct Bench {
    setup: Setup,
    base: BaseStation,
    air: Air,
    bearers: Vec<Vec<Bearer>>,
}

impl Bench {
    fn new(config: &Config) -> Self {
        let streams = Streams::new(1);
        let setup = Setup::new(config, 1, streams);
        let conditions = Conditions::default();
        let attachment = Attachment { conditions, most_prbs: None, reports_cqi: false };
        let sinr = PerDirection { down: conditions.downlink.into(), up: conditions.uplink.into() };
        let link = UeLink::new(UeId(0), None, sinr, streams);
        Self {
            base: BaseStation::new(&setup, &[attachment], None),
            air: Air::new(vec![link], None),
            bearers: vec![setup.config.bearers.iter().map(Bearer::new).collect()],
            setup,
        }
    }

    fn turn(&mut self, slot: u64) -> (&mut BaseStation, BaseTurn<'_>) {
        let now = self.setup.clock.start(slot);
        let Self { setup, base, air, bearers } = self;
        (base, BaseTurn { setup, slot, now, air, bearers })
    }

    fn grants(&mut self, slot: u64) -> Vec<Grant> {
        self.base.clear();
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

/// TR 36.912 annex B.2: a request is answered by a grant for the slot four TTIs later, once.
#[test]
fn a_request_is_answered_once() {
    let mut bench = Bench::new(&config());
    assert!(bench.grants(9).is_empty(), "nobody asked");
    let sr = Sr { ue: 0, slot: 6, prohibited_from: None };
    let (base, mut turn) = bench.turn(10);
    assert!(base.on_sr(&mut turn, &sr));
    assert!(!base.on_sr(&mut turn, &Sr { slot: 7, ..sr }), "it will be answered");
    let [grant] = bench.grants(10)[..] else { panic!("one grant") };
    assert_eq!((grant.ue, grant.slot, grant.answers_sr), (0, 14, true));
    assert!(matches!(grant.cause, GrantCause::Sr { .. }) && grant.size >= Some(Bytes(32)));
    assert!(bench.grants(11).is_empty());
    // The UE may not have known of its grant when it asked again.
    let (base, mut turn) = bench.turn(12);
    assert!(!base.on_sr(&mut turn, &Sr { slot: 8, ..sr }), "the grant under way answers it");
    let (base, mut turn) = bench.turn(18);
    assert!(!base.on_sr(&mut turn, &Sr { slot: 13, ..sr }), "and all before its slot");
    assert_eq!(bench.air.statistics.sr_ignored, 3);
    // What it asks for beside its block came after that was filled.
    let (base, mut turn) = bench.turn(18);
    assert!(base.on_sr(&mut turn, &Sr { slot: 14, ..sr }));
}

/// TS 36.321 §5.4.5: what a report says is granted, and not again.
#[test]
fn a_report_is_granted_to_the_end() {
    let mut bench = Bench::new(&config());
    let data = Bytes(20_000);
    let mut groups = Groups::default();
    groups[3] = data;
    let groups = Some(groups);
    bench.base.on_bsr(&bench.setup, &Bsr { ue: 0, slot: 4, groups });
    let mut granted = Bytes::ZERO;
    for slot in 8..60 {
        for grant in bench.grants(slot) {
            granted += grant.size.expect("a carrier has sizes");
            assert!(!grant.answers_sr && matches!(grant.cause, GrantCause::Bsr { .. }));
        }
    }
    assert!(granted >= data && granted < Bytes(22_000), "{granted} for {data}");
}

/// A full block without a report says that there may be more, once nothing else is under way.
#[test]
fn a_full_block_brings_a_grant() {
    let full = |slot| Bsr { ue: 0, slot, groups: None };
    let mut bench = Bench::new(&config());
    bench.base.on_bsr(&bench.setup, &full(4));
    let [grant] = bench.grants(8)[..] else { panic!("one grant") };
    assert_eq!(grant.slot, 12);
    for (slot, expected) in [(11, 0), (12, 1)] {
        bench.base.on_bsr(&bench.setup, &full(slot));
        assert_eq!(bench.grants(slot + 4).len(), expected, "built in slot {slot}");
    }
}

/// A block goes out for what is queued, and its feedback is due a round trip later.
#[test]
fn a_queued_packet_is_sent_in_a_block() {
    let mut bench = Bench::new(&config());
    let body = Body::Datagram(Datagram { number: 0, payload: Bytes(472) });
    let packet = Box::new(Packet::plain(body, Bytes(500), Instant::ZERO));
    let bearer = &mut bench.bearers[0][0];
    let sdu = bearer.pdcp.down.on_packet(Instant::ZERO, packet);
    assert!(bearer.rlc.enqueue(Direction::Down, sdu).is_ok());
    bench.base.on_packet(0, 0, &bench.bearers[0][0], true);
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

/// TS 38.321 §5.4.2: a grant names the process, and a block that did not decode is sent again by a
/// grant of its own. Every first transmission fails here, and every second arrives.
#[test]
fn an_asynchronous_uplink_sends_every_process_again_by_a_grant() {
    let mut config = config();
    config.uplink.discipline = Discipline::Granted;
    config.uplink.channel.harq.processes = 6;
    let mut bench = Bench::new(&config);
    let mut groups = Groups::default();
    groups[0] = Bytes(1_000_000);
    bench.base.on_bsr(&bench.setup, &Bsr { ue: 0, slot: 0, groups: Some(groups) });
    // Of each process: how often its block was on the air; and blocks that arrived.
    let (mut sent, mut arrived) = ([0; 6], [0; 6]);
    let mut on_air: Vec<(u64, usize)> = Vec::new();
    for slot in 1..400 {
        let due = bench.air.ring.take(slot);
        due.fates.iter().for_each(|&fate| bench.base.on_uplink_fate(fate));
        for again in &due.transmissions {
            assert!(again.retransmission && sent[again.process] == 1, "process {}", again.process);
            on_air.push((slot, again.process));
        }
        bench.air.ring.give_back(slot, due);
        for grant in bench.grants(slot) {
            assert_eq!(sent[grant.process], 0, "process {} is used twice", grant.process);
            let again = bench.air.ring.at(grant.slot).transmissions.len();
            assert_eq!(again, 0, "two blocks in slot {}", grant.slot);
            on_air.push((grant.slot, grant.process));
        }
        for (_, process) in on_air.extract_if(.., |(of, _)| *of == slot) {
            sent[process] += 1;
            let again = sent[process] == 1;
            let verdict = if again { Verdict::Again } else { Verdict::Delivered };
            arrived[process] += u32::from(!again);
            sent[process] %= 2;
            let (base, mut turn) = bench.turn(slot);
            base.on_uplink_block(&mut turn, 1, UplinkFate { ue: 0, process, units: 44, verdict });
        }
    }
    assert!(arrived.iter().all(|&blocks| blocks >= 20), "{arrived:?}");
    let blocks: u32 = arrived.iter().sum();
    // Both transmissions of a block have a grant; a few are under way.
    let grants = bench.air.statistics.grants;
    let of_arrived = 2 * u64::from(blocks);
    assert!((of_arrived..=of_arrived + 12).contains(&grants), "{grants} for {blocks}");
}

/// A scheduler cannot go by reports that nobody makes: shares by priority take queues as they are.
#[test]
#[should_panic(expected = "equal shares, UM and no maximum rates")]
fn reports_of_queues_that_nobody_makes_are_refused() {
    let mut config = config();
    config.downlink.knowledge = crate::ran::cell::config::Knowledge::Reports;
    Bench::new(&config);
}
