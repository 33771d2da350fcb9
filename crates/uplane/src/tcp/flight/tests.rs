use super::*;
use crate::tcp::ranges::RangeSet;

const NOW: Instant = Instant::ZERO;

/// Segments of 100 bytes from position 0 on.
fn flight(segments: u64) -> Flight {
    let mut flight = Flight::default();
    for number in 0..segments {
        flight.push(NOW, number * 100, 100, false, Waits::default());
    }
    flight
}

fn sack(flight: &mut Flight, left: u64, right: u64) -> u64 {
    let mut set = RangeSet::default();
    set.insert(Range { left, right });
    flight.mark_sacked(Range { left, right }, &set)
}

/// RFC 6675 §2 (`pipe`): segments that arrived or are lost are not outstanding; retransmissions
/// are.
#[test]
fn outstanding_excludes_arrived_and_lost_segments() {
    let mut flight = flight(5);
    assert_eq!(sack(&mut flight, 300, 500), 200);
    flight.mark_lost_between(0, 300);
    assert_eq!(flight.outstanding(), 0);
    let first = flight.next_lost().expect("three are lost");
    assert_eq!(flight.resend(NOW, first).start, 0);
    assert_eq!(flight.outstanding(), 100);
    assert_eq!(flight.bytes(), 500);
}

/// RFC 6298 §3 (Karn): a segment sent twice gives no sample.
#[test]
fn retransmitted_segment_gives_no_sample() {
    let mut flight = flight(3);
    assert!(flight.acknowledge(100).sent.is_some());
    flight.mark_first_lost();
    flight.resend(NOW, 0);
    let acknowledged = flight.acknowledge(300);
    assert!(acknowledged.ambiguous && acknowledged.sent.is_none());
}

#[test]
fn each_lost_segment_is_next_once_in_order() {
    let mut flight = flight(6);
    sack(&mut flight, 200, 300);
    flight.mark_all_lost();
    let mut order = Vec::new();
    while let Some(index) = flight.next_lost() {
        order.push(flight.resend(NOW, index).start);
    }
    assert_eq!(order, [0, 100, 300, 400, 500]);
}

/// RFC 6298 §5.4: after another timeout everything missing is retransmitted.
#[test]
fn second_timeout_restarts_at_the_oldest() {
    let mut flight = flight(3);
    flight.mark_all_lost();
    flight.resend(NOW, 0);
    flight.resend(NOW, 1);
    flight.mark_all_lost();
    assert_eq!(flight.next_lost(), Some(0));
    assert_eq!(flight.outstanding(), 0);
}

/// A block that covers a segment in two steps marks it with the second.
#[test]
fn half_covered_segments_have_not_arrived() {
    let mut flight = flight(2);
    let mut set = RangeSet::default();
    for (left, right, expected) in [(0, 50, 0), (50, 120, 100), (120, 200, 100)] {
        set.insert(Range { left, right });
        assert_eq!(flight.mark_sacked(Range { left, right }, &set), expected);
    }
}

/// RFC 1191 §6.4: a segment that is too long for the path is cut and retransmitted.
#[test]
fn cutting_keeps_the_bytes_and_the_fin() {
    let mut flight = flight(2);
    flight.push(NOW, 200, 100, true, Waits::default());
    sack(&mut flight, 100, 200);
    flight.cut(60);
    let mut pieces = Vec::new();
    while let Some(index) = flight.next_lost() {
        let sent = flight.resend(NOW, index);
        pieces.push((sent.start, sent.length, sent.fin));
    }
    assert_eq!(pieces, [(0, 60, false), (60, 40, false), (200, 60, false), (260, 40, true)]);
    assert_eq!((flight.bytes(), flight.outstanding()), (300, 200));
}

#[test]
fn partial_acknowledgement_leaves_the_segments_rest() {
    let mut flight = flight(2);
    flight.mark_all_lost();
    assert_eq!(flight.acknowledge(130).bytes, 130);
    assert_eq!((flight.segment(0).start, flight.segment(0).length), (130, 70));
    assert_eq!((flight.bytes(), flight.outstanding()), (70, 0));
}

/// RFC 6675 §4, `SetPipe`: a segment that is retransmitted and not lost counts twice, until it is
/// lost.
#[test]
fn segment_retransmitted_on_suspicion_is_outstanding_twice() {
    let mut flight = flight(3);
    flight.resend(NOW, 1);
    assert_eq!(flight.outstanding(), 400);
    flight.mark_lost_between(0, 200);
    assert_eq!(flight.outstanding(), 200);
    assert_eq!(flight.next_lost(), Some(0));
    flight.resend(NOW, 0);
    assert_eq!(flight.next_lost(), None);
    flight.acknowledge(300);
    assert_eq!(flight.outstanding(), 0);
}

/// RFC 6675 §3: a segment that has arrived keeps its earlier state until the receiver drops it.
#[test]
fn arrived_segment_keeps_its_other_marks() {
    let mut flight = flight(4);
    flight.resend(NOW, 1);
    flight.mark_lost_between(200, 300);
    flight.resend(NOW, 2);
    sack(&mut flight, 100, 400);
    let marked = |flight: &Flight| {
        [Marks::SACKED, Marks::SACKED_DOUBLED, Marks::SACKED_RESENT]
            .map(|marks| flight.marked(marks))
    };
    assert_eq!(marked(&flight), [100, 100, 100]);
    assert_eq!((flight.sacked(), flight.outstanding()), (300, 100));
    flight.mark_all_lost();
    assert_eq!(marked(&flight), [100, 100, 100]);
    flight.clear_retransmissions_of_sacked();
    assert_eq!(marked(&flight), [300, 0, 0]);
    flight.clear_sacked();
    assert_eq!((flight.sacked(), flight.outstanding()), (0, 300));
}

/// RFC 6937 §3, `DeliveredData`: each byte is delivered once, by SACK or cumulatively.
#[test]
fn each_byte_is_delivered_once() {
    let mut flight = flight(4);
    sack(&mut flight, 100, 300);
    assert_eq!(flight.delivered(), 200);
    flight.acknowledge(250);
    assert_eq!(flight.delivered(), 300);
    flight.acknowledge(400);
    assert_eq!(flight.delivered(), 400);
}

/// Behind the oldest segment, the first one of known fate decides.
#[test]
fn first_segment_of_known_fate_decides() {
    let mut arrived = flight(4);
    arrived.mark_first_lost();
    assert!(!arrived.second_was_lost(), "nothing is known but of the oldest");
    sack(&mut arrived, 100, 200);
    arrived.mark_lost_between(200, 300);
    assert!(!arrived.second_was_lost(), "the second has arrived");
    let mut lost = flight(4);
    lost.mark_lost_between(200, 300);
    assert!(lost.second_was_lost(), "nothing is known of the second, and the third is lost");
    lost.resend(NOW, 2);
    assert!(lost.second_was_lost(), "sent again, it was lost all the same");
}
