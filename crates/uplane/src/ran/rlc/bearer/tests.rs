use super::*;
use crate::net::{Body, Cause, Datagram};
use crate::ran::pdcp::receiver::Numbering;
use crate::ran::rlc::{am, nr, um};
use crate::sim::Streams;
use crate::unit::Duration;

const DOWN: Direction = Direction::Down;
const UP: Direction = Direction::Up;

fn at(millis: u64) -> Instant {
    Instant::from_nanos(millis * 1_000_000)
}

fn crossed(transmitted: u64, decoded: u64) -> Passage {
    Passage { transmitted: at(transmitted), decoded: at(decoded), preempted: false }
}

fn um() -> Bearer {
    let config = Config::Um(um::Config::default());
    Bearer::new(config.clone(), config)
}

fn am() -> Bearer {
    let config = Config::Am(am::Config::default());
    Bearer::new(config.clone(), config)
}

fn enqueue(bearer: &mut Bearer, direction: Direction, size: u64) {
    let body = Body::Datagram(Datagram { number: 0, payload: Bytes(size) });
    let packet = Box::new(Packet::plain(body, Bytes(size), Instant::ZERO));
    let sdu = Sdu { packet, size: Bytes(size), arrived: Instant::ZERO, count: 0 };
    bearer.enqueue(direction, sdu).expect("no limit");
}

/// Builds a PDU and charges the wait before it as a cell does.
fn build(bearer: &mut Bearer, now: u64, direction: Direction, grant: u64) -> Pdu {
    let pdu = bearer.build(at(now), direction, Bytes(grant)).expect("something to send");
    bearer.each_begun(direction, |ledger| ledger.charge(Cause::RadioQueue, at(now)));
    pdu
}

/// Returns the number of packets whose first byte is in the downlink PDU just built.
fn begun(bearer: &mut Bearer) -> usize {
    let mut count = 0;
    bearer.each_begun(DOWN, |_| count += 1);
    count
}

/// Returns the causes of delay of each packet delivered, in milliseconds.
fn causes(out: &mut Outbox<Effect>) -> Vec<Vec<(Cause, f64)>> {
    let delivered = out.drain().map(|effect| match effect {
        Effect::Deliver(_, packet) => packet.ledger,
        other => panic!("{other:?}"),
    });
    delivered
        .map(|ledger| ledger.entries().map(|(cause, span)| (cause, span.as_millis_f64())).collect())
        .collect()
}

#[test]
fn a_packet_lost_by_harq_is_charged_to_rlc_and_those_behind_it_to_reordering() {
    let (mut bearer, mut out) = (am(), Outbox::default());
    enqueue(&mut bearer, DOWN, 100);
    enqueue(&mut bearer, DOWN, 100);
    let first = build(&mut bearer, 1, DOWN, 102);
    let second = build(&mut bearer, 2, DOWN, 102);
    bearer.on_pdu(at(6), DOWN, &second, crossed(3, 3), &mut out);
    bearer.on_lost(at(33), DOWN, &first, crossed(2, 26), &mut out);
    bearer.on_timer(at(41), &mut out);
    let report = build(&mut bearer, 42, UP, 10);
    bearer.on_pdu(at(46), UP, &report, crossed(43, 43), &mut out);
    let again = build(&mut bearer, 47, DOWN, 102);
    assert!(out.is_empty());
    bearer.on_pdu(at(60), DOWN, &again, crossed(48, 56), &mut out);
    assert_eq!(
        causes(&mut out),
        [
            vec![
                (Cause::RadioQueue, 1.0),
                (Cause::RadioTransmission, 1.0),
                (Cause::RadioRetransmission, 31.0),
                (Cause::RlcRetransmission, 27.0),
            ],
            vec![
                (Cause::RadioQueue, 2.0),
                (Cause::RadioProcessing, 3.0),
                (Cause::RadioTransmission, 1.0),
                (Cause::RadioReordering, 54.0),
            ],
        ]
    );
}

#[test]
fn a_packet_in_two_blocks_is_charged_for_the_later_one() {
    let (mut bearer, mut out) = (um(), Outbox::default());
    enqueue(&mut bearer, DOWN, 200);
    enqueue(&mut bearer, DOWN, 50);
    let first = build(&mut bearer, 1, DOWN, 102);
    let second = build(&mut bearer, 2, DOWN, 154);
    bearer.on_pdu(at(6), DOWN, &second, crossed(3, 3), &mut out);
    bearer.on_pdu(at(13), DOWN, &first, crossed(2, 10), &mut out);
    assert_eq!(
        causes(&mut out),
        [
            vec![
                (Cause::RadioQueue, 1.0),
                (Cause::RadioProcessing, 6.0),
                (Cause::RadioTransmission, 2.0),
                (Cause::RadioRetransmission, 4.0),
            ],
            vec![
                (Cause::RadioQueue, 2.0),
                (Cause::RadioProcessing, 3.0),
                (Cause::RadioTransmission, 1.0),
                (Cause::RadioReordering, 7.0),
            ],
        ]
    );
}

/// TS 36.322 §5.1.3.1.1: control before retransmissions before new data.
#[test]
fn status_pdus_precede_retransmissions_and_new_data() {
    let (mut bearer, mut out) = (am(), Outbox::default());
    enqueue(&mut bearer, UP, 30);
    let lost = build(&mut bearer, 0, UP, 100);
    bearer.on_lost(at(4), UP, &lost, crossed(1, 1), &mut out);
    bearer.on_timer(at(45), &mut out); // t-PollRetransmit
    enqueue(&mut bearer, UP, 40);
    enqueue(&mut bearer, DOWN, 50);
    let data = build(&mut bearer, 46, DOWN, 100);
    bearer.on_pdu(at(50), DOWN, &data, crossed(47, 47), &mut out);

    let waiting = bearer.buffer_status(at(50), UP);
    assert_eq!(waiting.available(), Bytes(2 + 30 + 40));
    assert_eq!(waiting.demand(), Bytes(2 + 32 + 42));
    assert!(
        matches!(build(&mut bearer, 50, UP, 100), Pdu::Status(status) if status.size == Bytes(2))
    );
    let sizes = [100, 100].map(|grant| match build(&mut bearer, 50, UP, grant) {
        Pdu::Data(data) => (data.retransmission, data.size().0),
        Pdu::Status(status) => panic!("a second {status:?}"),
    });
    assert_eq!(sizes, [(true, 32), (false, 42)]);
    assert_eq!(bearer.tally(UP).wire, Bytes(32 + 2 + 32 + 42));
}

#[test]
fn the_wait_before_a_repetition_is_not_the_queue() {
    let mut bearer = am();
    enqueue(&mut bearer, DOWN, 10);
    bearer.build(at(1), DOWN, Bytes(12)).expect("an SDU");
    assert_eq!(begun(&mut bearer), 1);
    bearer.on_timer(at(46), &mut Outbox::default());
    bearer.build(at(46), DOWN, Bytes(12)).expect("the same again");
    assert_eq!(begun(&mut bearer), 0);
}

#[test]
fn an_sdu_taken_out_by_a_filter_leaves_no_gap() {
    let (mut bearer, mut out) = (um(), Outbox::default());
    for size in [10, 20, 30] {
        enqueue(&mut bearer, UP, size);
    }
    let first = build(&mut bearer, 1, UP, 7);
    assert_eq!(bearer.buffer(UP).queue().len(), 2);
    let taken = bearer.remove_at(UP, 0, DropCause::Late);
    assert_eq!(taken.length, Bytes(20));
    let second = build(&mut bearer, 2, UP, 100);
    assert_eq!(second.size(), Bytes(5 + 30 + 4));
    bearer.on_pdu(at(5), UP, &first, crossed(2, 2), &mut out);
    bearer.on_pdu(at(6), UP, &second, crossed(3, 3), &mut out);
    assert_eq!(causes(&mut out).len(), 2);
    assert_eq!(bearer.tally(UP).held(), Count::default());
    assert_eq!(bearer.next_timer(), None);
}

#[test]
#[should_panic(expected = "a bearer has one mode")]
fn modes_are_not_mixed() {
    let _ = Bearer::new(Config::Um(um::Config::default()), Config::Am(am::Config::default()));
}

/// The directions are independent, except for STATUS PDUs.
#[test]
fn timers_of_both_directions_are_kept() {
    let mut bearer = um();
    let mut out = Outbox::default();
    for direction in [DOWN, UP] {
        enqueue(&mut bearer, direction, 1);
        enqueue(&mut bearer, direction, 1);
        let _ = build(&mut bearer, 0, direction, 3);
    }
    let late = [DOWN, UP].map(|direction| build(&mut bearer, 1, direction, 3));
    bearer.on_pdu(at(8), DOWN, &late[0], crossed(2, 2), &mut out);
    bearer.on_pdu(at(7), UP, &late[1], crossed(2, 2), &mut out);
    assert_eq!(bearer.next_timer(), Some(at(7) + Duration::from_millis(35)));
    bearer.on_timer(at(42), &mut out);
    assert_eq!(bearer.next_timer(), Some(at(43)));
    assert_eq!(bearer.tally(UP).left.packets, 1);
    assert_eq!(bearer.tally(DOWN).left.packets, 0);
}

/// A cell reads the timers of a bearer only after a report that they may have moved.
#[test]
fn no_timer_moves_without_a_word() {
    let nr_um = Config::NrUm(nr::um::Config::default());
    let nr_um = Bearer::new(nr_um.clone(), nr_um);
    let reorders = Reordering {
        window: 1 << 11,
        t_reordering: Some(Duration::from_millis(20)),
        out_of_order: false,
        numbering: Numbering::AtArrival,
    };
    let reordered = |bearer: Bearer| bearer.reordered(&PerDirection::both(Some(reorders)));
    let nr_am = Config::NrAm(nr::am::Config::default());
    let nr_am = reordered(Bearer::new(nr_am.clone(), nr_am));
    let two = two_that_wait(Some(Duration::from_millis(20)), true, false);
    let bearers = [um(), am(), nr_um.clone(), reordered(nr_um), nr_am, two];
    for (number, mut bearer) in bearers.into_iter().enumerate() {
        let mut random = Streams::new(7).open("timers", &number.to_string());
        let (mut out, mut under_way) = (Outbox::default(), Vec::new());
        let (mut known, mut moves) = (None, 0);
        for millis in 0..4_000 {
            match random.below(9) {
                8 if bearer.buffer(DOWN).queue().len() > 1 => {
                    // Leaves a gap if packets are numbered early.
                    bearer.remove_at(DOWN, 0, DropCause::Late);
                }
                0..3 => enqueue(&mut bearer, DOWN, 1 + random.below(300)),
                3 => under_way.extend(bearer.build(at(millis), UP, Bytes(200)).map(|it| (UP, it))),
                4..6 => {
                    let built = bearer.build(at(millis), DOWN, Bytes(10 + random.below(300)));
                    under_way.extend(built.map(|it| (DOWN, it)));
                }
                _ if under_way.is_empty() => {}
                _ => {
                    let place = random.below(under_way.len().min(3) as u64) as usize;
                    let (way, pdu) = under_way.remove(place);
                    let passage = crossed(millis, millis);
                    if random.below(6) == 0 {
                        bearer.on_lost(at(millis), way, &pdu, passage, &mut out);
                    } else {
                        bearer.on_pdu(at(millis), way, &pdu, passage, &mut out);
                    }
                }
            }
            if bearer.next_timer().is_some_and(|due| due <= at(millis)) {
                bearer.on_timer(at(millis), &mut out);
            }
            let moved = bearer.take_timers_moved();
            assert!(moved || bearer.next_timer() == known, "bearer {number} at {millis} ms");
            moves += u32::from(bearer.next_timer() != known);
            known = bearer.next_timer();
            out.drain().for_each(drop);
        }
        assert!(moves > 50, "bearer {number}: {moves}");
    }
}

/// Data in order moves no timer of unacknowledged mode.
#[test]
fn no_timer_moves_while_pdus_arrive_in_order() {
    let (mut bearer, mut out) = (um(), Outbox::default());
    for millis in 0..5 {
        enqueue(&mut bearer, DOWN, 100);
        let pdu = build(&mut bearer, millis, DOWN, 80 + 20 * millis);
        bearer.on_pdu(at(millis), DOWN, &pdu, crossed(millis, millis), &mut out);
        assert!(!bearer.take_timers_moved());
    }
}

/// Only a packet that continues for the first time in this PDU has waited for it, and only without
/// a loss.
#[test]
fn a_packet_goes_on_in_the_pdu_after_that_of_its_first_byte() {
    let mut bearer = am();
    enqueue(&mut bearer, DOWN, 10);
    let first = build(&mut bearer, 1, DOWN, 8);
    assert!(bearer.continued(DOWN, &first).is_none(), "it begins here");
    let second = build(&mut bearer, 2, DOWN, 100);
    bearer.continued(DOWN, &second).expect("four bytes").charge(Cause::RadioQueue, at(2));
    bearer.on_timer(at(47), &mut Outbox::default());
    let again = build(&mut bearer, 47, DOWN, 100);
    assert!(bearer.continued(DOWN, &again).is_none(), "it went on before");
    bearer.on_lost(at(9), DOWN, &first, crossed(2, 2), &mut Outbox::default());
    assert!(bearer.continued(DOWN, &second).is_none(), "its time is that of the loss");
}

/// Returns the end of each packet of an interruption, in the order in which they left: `true` for
/// delivered ones, and the length.
fn ends(out: &mut Outbox<Effect>) -> Vec<(bool, u64)> {
    out.drain()
        .map(|effect| match effect {
            Effect::Deliver(_, packet) => (true, packet.length.0),
            Effect::Drop(_, packet, DropCause::Handover) => (false, packet.length.0),
            other => panic!("{other:?}"),
        })
        .collect()
}

/// TS 36.322 §5.4: a receiving UM entity delivers the SDUs that it has whole, in order. The others
/// are lost.
#[test]
fn um_delivers_whole_sdus_behind_a_gap() {
    let (mut bearer, mut out) = (um(), Outbox::default());
    for size in [100, 101, 102, 103] {
        enqueue(&mut bearer, DOWN, size);
    }
    // The second SDU begins in a block that does not arrive, the fourth ends in one.
    let _ = build(&mut bearer, 1, DOWN, 150);
    let second = build(&mut bearer, 2, DOWN, 2 + 2 + 55 + 102);
    let third = build(&mut bearer, 3, DOWN, 52);
    let _ = build(&mut bearer, 4, DOWN, 100);
    bearer.on_pdu(at(6), DOWN, &second, crossed(3, 3), &mut out);
    bearer.on_pdu(at(7), DOWN, &third, crossed(4, 4), &mut out);
    assert!(out.is_empty());
    bearer.leave_cell(at(20), true, &mut out);
    assert_eq!(ends(&mut out), [(false, 100), (false, 101), (true, 102), (false, 103)]);
    assert_eq!(bearer.held(DOWN), Count::default());
    assert_eq!(bearer.tally(DOWN).held(), Count::default());
}

/// TS 36.322 §5.4, TS 36.323 §5.1.2.1.2, §5.2.1.1: in acknowledged mode PDCP keeps the SDUs that
/// its RLC has whole, receives the rest by retransmission, and delivers all in order.
#[test]
fn am_keeps_whole_sdus_behind_a_gap() {
    let (mut bearer, mut out) = (am(), Outbox::default());
    for size in [100, 100, 100, 100] {
        enqueue(&mut bearer, DOWN, size);
    }
    // The third SDU is in two PDUs.
    let sent = [(1, 102), (2, 102), (3, 52), (4, 52), (5, 102)]
        .map(|(now, grant)| build(&mut bearer, now, DOWN, grant));
    for (pdu, now) in [(&sent[1], 6), (&sent[2], 7), (&sent[3], 8)] {
        bearer.on_pdu(at(now), DOWN, pdu, crossed(now - 2, now - 2), &mut out);
    }
    bearer.leave_cell(at(20), true, &mut out);
    bearer.arrive_in_cell(at(70));
    assert!(out.is_empty());
    assert_eq!(bearer.buffer_status(at(70), DOWN).new, Bytes(200));
    assert_eq!(bearer.held(DOWN).packets, 4);
    let first = build(&mut bearer, 71, DOWN, 102);
    bearer.on_pdu(at(76), DOWN, &first, crossed(72, 72), &mut out);
    let found = causes(&mut out);
    assert_eq!(found.len(), 3, "and not the fourth");
    assert_eq!(
        found[1],
        [
            (Cause::RadioQueue, 2.0),
            (Cause::RadioProcessing, 2.0),
            (Cause::RadioTransmission, 2.0),
            (Cause::RadioReordering, 14.0),
            (Cause::PdcpReordering, 56.0),
        ]
    );
    let last = build(&mut bearer, 77, DOWN, 102);
    bearer.on_pdu(at(82), DOWN, &last, crossed(78, 78), &mut out);
    assert_eq!(causes(&mut out).len(), 1);
    assert_eq!(bearer.held(DOWN), Count::default());
}

/// TS 36.322 §5.4: this also holds for byte segments of an AMD PDU whose rest is missing.
#[test]
fn am_keeps_segments_behind_a_gap() {
    let (mut bearer, mut out) = (am(), Outbox::default());
    for size in [100, 40, 41] {
        enqueue(&mut bearer, DOWN, size);
    }
    let _ = build(&mut bearer, 1, DOWN, 102);
    let _ = build(&mut bearer, 2, DOWN, 2 + 2 + 81);
    bearer.on_timer(at(47), &mut out); // t-PollRetransmit
    let segment = build(&mut bearer, 47, DOWN, 4 + 40);
    bearer.on_pdu(at(52), DOWN, &segment, crossed(48, 48), &mut out);
    bearer.leave_cell(at(60), true, &mut out);
    assert!(out.is_empty());
    assert_eq!(bearer.buffer_status(at(60), DOWN).new, Bytes(141));
}

/// Packets kept by PDCP are delivered with the next packet if those before it are not forwarded.
#[test]
fn kept_sdus_are_delivered_with_the_next() {
    let (mut bearer, mut out) = (am(), Outbox::default());
    enqueue(&mut bearer, DOWN, 100);
    enqueue(&mut bearer, DOWN, 101);
    let _ = build(&mut bearer, 1, DOWN, 102);
    let second = build(&mut bearer, 2, DOWN, 103);
    bearer.on_pdu(at(6), DOWN, &second, crossed(3, 3), &mut out);
    bearer.leave_cell(at(20), false, &mut out);
    assert_eq!(ends(&mut out), [(false, 100)]);
    assert_eq!(bearer.held(DOWN).packets, 1);
    bearer.arrive_in_cell(at(70));
    enqueue(&mut bearer, DOWN, 103);
    let third = build(&mut bearer, 71, DOWN, 105);
    bearer.on_pdu(at(76), DOWN, &third, crossed(72, 72), &mut out);
    assert_eq!(ends(&mut out), [(true, 101), (true, 103)]);
}

/// Creates two entities of NR's acknowledged mode, with duplication in these directions.
fn two(down: bool, up: bool) -> Bearer {
    two_that_wait(None, down, up)
}

/// Creates two entities of NR's acknowledged mode with `t-Reordering`.
fn two_that_wait(t_reordering: Option<Duration>, down: bool, up: bool) -> Bearer {
    let config = Config::NrAm(nr::am::Config::default());
    let reordering = Reordering {
        window: 1 << 17,
        t_reordering,
        out_of_order: false,
        numbering: Numbering::AtArrival,
    };
    Bearer::new(config.clone(), config)
        .reordered(&PerDirection::both(Some(reordering)))
        .duplicated(PerDirection { down, up })
}

/// Builds a PDU of the second entity, like [`build`].
fn build_second(bearer: &mut Bearer, now: u64, direction: Direction, grant: u64) -> Pdu {
    bearer.swap_entities(direction);
    let pdu = build(bearer, now, direction, grant);
    bearer.swap_entities(direction);
    pdu
}

/// TS 38.323 §5.11.2, TS 38.322 §5.4: a packet whose delivery one entity has confirmed is discarded
/// in the other one, unless a byte of it was sent. A packet that is sent by both is delivered once.
#[test]
fn the_other_entity_skips_confirmed_sdus() {
    for direction in Direction::BOTH {
        let (mut bearer, mut out) = (two(true, true), Outbox::default());
        for _ in 0..3 {
            enqueue(&mut bearer, direction, 100);
        }
        let first: Vec<Pdu> = (1..4).map(|ms| build(&mut bearer, ms, direction, 103)).collect();
        let half = build_second(&mut bearer, 1, direction, 53);
        assert_eq!(bearer.available_beside(at(4), direction), Bytes(250));
        for pdu in &first {
            bearer.on_pdu(at(5), direction, pdu, crossed(4, 4), &mut out);
        }
        assert_eq!(causes(&mut out).len(), 3);
        assert_eq!(bearer.available_beside(at(5), direction), Bytes(250), "nobody has said so");
        let report = build(&mut bearer, 6, direction.opposite(), 10);
        bearer.on_pdu(at(8), direction.opposite(), &report, crossed(7, 7), &mut out);
        assert_eq!(bearer.available_beside(at(8), direction), Bytes(50), "the rest of the first");
        let rest = build_second(&mut bearer, 9, direction, 200);
        for pdu in [half, rest] {
            bearer.on_pdu(at(11), direction, &pdu, crossed(10, 10), &mut out);
        }
        assert!(out.is_empty(), "its packet was delivered");
        assert_eq!(bearer.held(direction).packets, 0);
        assert_eq!(bearer.tally(direction).held(), bearer.held(direction));
    }
}

/// The opposite case: the second entity is faster.
#[test]
fn the_first_entity_skips_sdus_delivered_by_the_second() {
    let (mut bearer, mut out) = (two(true, true), Outbox::default());
    enqueue(&mut bearer, DOWN, 100);
    enqueue(&mut bearer, DOWN, 100);
    for ms in [1, 2] {
        let pdu = build_second(&mut bearer, ms, DOWN, 103);
        bearer.on_pdu(at(ms + 2), DOWN, &pdu, crossed(ms + 1, ms + 1), &mut out);
    }
    assert_eq!(causes(&mut out).len(), 2);
    assert!(bearer.buffer_status(at(5), UP).status.is_zero(), "the report goes by the second one");
    let report = build_second(&mut bearer, 5, UP, 10);
    bearer.on_pdu(at(7), UP, &report, crossed(6, 6), &mut out);
    assert_eq!(bearer.available(at(7), DOWN), Bytes::ZERO);
    assert_eq!((bearer.held(DOWN).packets, out.is_empty()), (0, true));
}

/// If PDCP duplicates one direction only, STATUS PDUs about both entities share one logical channel
/// in the other, and each reaches its own entity.
#[test]
fn reports_of_both_entities_go_where_packets_go_once() {
    let (mut bearer, mut out) = (two(true, false), Outbox::default());
    enqueue(&mut bearer, DOWN, 100);
    for second in [false, true] {
        let make = if second { build_second } else { build };
        let pdu = make(&mut bearer, 1, DOWN, 103);
        bearer.on_pdu(at(3), DOWN, &pdu, crossed(2, 2), &mut out);
    }
    let one = bearer.paths.down.receiver.status_size(at(3));
    assert_eq!(bearer.buffer_status(at(3), UP).status, one + one);
    assert_eq!(bearer.available(at(3), UP), one + one);
    for left in [1, 0] {
        let report = build(&mut bearer, 4, UP, 100);
        bearer.each_begun(UP, |_| panic!("no packet begins in a report"));
        assert_eq!(bearer.available(at(4), UP), one * left);
        bearer.on_pdu(at(6), UP, &report, crossed(5, 5), &mut out);
    }
    // Neither entity polls another time.
    bearer.on_timer(at(500), &mut out);
    assert!(!bearer.has_demand(at(500), DOWN));
    bearer.swap_entities(DOWN);
    assert!(!bearer.has_demand(at(500), DOWN));
}

/// TS 38.331 §5.3.10.3: too many retransmissions of the second entity are no failure of the radio
/// link.
#[test]
fn the_first_entity_alone_fails_the_radio_link() {
    for (second, failures) in [(false, true), (true, false)] {
        let (mut bearer, mut out) = (two(true, true), Outbox::default());
        enqueue(&mut bearer, DOWN, 100);
        let make = if second { build_second } else { build };
        let mut now = 1;
        for _ in 0..20 {
            make(&mut bearer, now, DOWN, 103);
            now += 50;
            bearer.on_timer(at(now), &mut out);
        }
        assert_eq!(!out.is_empty(), failures);
    }
}

/// TS 38.323 §5.1.2: after a failure both entities retransmit the packets that have not arrived,
/// and a packet that has arrived through one of them is delivered once.
#[test]
fn both_entities_are_re_established() {
    let (mut bearer, mut out) = (two(true, true), Outbox::default());
    enqueue(&mut bearer, DOWN, 100);
    enqueue(&mut bearer, DOWN, 100);
    let old: Vec<Pdu> = (0..2).map(|_| build(&mut bearer, 1, DOWN, 103)).collect();
    build_second(&mut bearer, 1, DOWN, 53);
    bearer.on_pdu(at(3), DOWN, &old[0], crossed(2, 2), &mut out);
    bearer.reestablish(at(4), &mut out);
    assert_eq!(bearer.available(at(4), DOWN), Bytes(100), "the second packet");
    assert_eq!(bearer.available_beside(at(4), DOWN), Bytes(200), "both");
    for _ in 0..2 {
        let pdu = build_second(&mut bearer, 5, DOWN, 103);
        bearer.on_pdu(at(7), DOWN, &pdu, crossed(6, 6), &mut out);
    }
    assert_eq!(causes(&mut out).len(), 2);
    let report = build_second(&mut bearer, 8, UP, 10);
    bearer.on_pdu(at(10), UP, &report, crossed(9, 9), &mut out);
    assert_eq!((bearer.available(at(10), DOWN), bearer.held(DOWN).packets), (Bytes::ZERO, 0));
}

/// A copy that PDCP did not wait for is confirmed all the same. The other copy is then discarded,
/// and the packet is lost.
#[test]
fn a_packet_is_lost_with_the_copy_that_is_discarded() {
    let mut bearer = two_that_wait(Some(Duration::from_millis(10)), true, true);
    let mut out = Outbox::default();
    enqueue(&mut bearer, DOWN, 100);
    enqueue(&mut bearer, DOWN, 100);
    let first = build(&mut bearer, 1, DOWN, 103);
    let second = build(&mut bearer, 2, DOWN, 103);
    bearer.on_pdu(at(4), DOWN, &second, crossed(3, 3), &mut out);
    assert!(out.is_empty(), "it waits for the first");
    bearer.on_timer(at(14), &mut out);
    assert_eq!(causes(&mut out).len(), 1);
    bearer.on_pdu(at(15), DOWN, &first, crossed(2, 14), &mut out);
    assert!(out.is_empty(), "the other copy may come, for all that RLC knows");
    let report = build(&mut bearer, 16, UP, 10);
    bearer.on_pdu(at(18), UP, &report, crossed(17, 17), &mut out);
    let dropped: Vec<Effect> = out.drain().collect();
    assert!(matches!(dropped[..], [Effect::Drop(DOWN, _, DropCause::Late)]), "{dropped:?}");
    assert_eq!((bearer.held(DOWN).packets, bearer.tally(DOWN).held().packets), (0, 0));
}
