//! Acknowledgements that a filter must keep.

use super::*;
use crate::net::Cookie;

/// Checks that Highest keeps all of `segments`, and the newest pure acknowledgement behind them.
fn check_kept(segments: &[Segment]) {
    let mut uplink = Uplink::new(Rule::Highest);
    for segment in segments {
        uplink.arrive(0, segment.clone());
    }
    uplink.arrive(0, ack(90_000));
    let kept: Vec<u32> = segments.iter().map(|segment| segment.ack.0).chain([90_000]).collect();
    assert_eq!(uplink.waiting(), kept);
}

/// RFC 5681 §3.2: three duplicates are a sign of loss, counted from the original.
#[test]
fn duplicates_stay_with_the_one_they_repeat() {
    check_kept(&[ack(10), ack(10), ack(10), ack(10)]);
    let mut uplink = Uplink::new(Rule::Highest);
    uplink.acks([5, 10, 10, 20, 30]);
    assert_eq!(uplink.waiting(), [10, 10, 30]);
}

/// RFC 2018, RFC 3168 §6.1.3, RFC 9293 §3.8.6
#[test]
fn what_says_more_than_a_number_stays() {
    let mut sack = SackBlocks::default();
    sack.push(SequenceNumber(50), SequenceNumber(60));
    check_kept(&[Segment { sack, ..ack(10) }]);
    let flags = |flags| Segment { flags: Flags::ACK.with(flags), ..ack(10) };
    check_kept(&[flags(Flags::ECE)]);
    check_kept(&[flags(Flags::CWR)]);
    check_kept(&[flags(Flags::FIN)]);
    check_kept(&[flags(Flags::URG)]);
    check_kept(&[flags(Flags::SYN)]);
    // RFC 7413: a SYN with data and a cookie.
    let (cookie, payload) = (Some(Cookie { value: 1, length: 8 }), Bytes(400));
    check_kept(&[Segment { flags: Flags::SYN, fast_open: cookie, payload, ..ack(10) }]);
    check_kept(&[Segment { payload: Bytes(1), ..ack(10) }]);
    check_kept(&[Segment { window: 0, ..ack(10) }]);
}

/// RFC 9293 §3.8.6: an opening window may be the only information of a segment, and the sender must
/// learn of a shrinking one.
#[test]
fn window_updates_stay() {
    let window = |number, window| Segment { window, ..ack(number) };
    // The second opens the window of the first and repeats its number.
    check_kept(&[window(10, 1000), window(10, 2000)]);
    // The second shrinks the window: its right edge is left of the first one's, so it does not
    // supersede the first either. The last one does.
    let mut uplink = Uplink::new(Rule::Highest);
    let shift = Segment { window_scale: Some(0), flags: Flags::SYN, ..Segment::default() };
    uplink.arrive(0, shift);
    uplink.arrive(0, window(10, 1000));
    uplink.arrive(0, window(20, 900));
    assert_eq!(uplink.waiting(), [0, 10, 20]);
    uplink.arrive(0, window(2000, 900));
    assert_eq!(uplink.waiting(), [0, 20, 2000]);
}

/// RFC 7323 §2.2: a window counts in units of its shift. 10 numbers more outweigh 10 bytes less,
/// and do not outweigh 10 units of 128 bytes.
#[test]
fn windows_are_compared_in_bytes() {
    for (shift, kept) in [(0, vec![0, 20]), (7, vec![0, 10, 20])] {
        let mut uplink = Uplink::new(Rule::Highest);
        let flags = Flags::SYN;
        uplink.arrive(0, Segment { window_scale: Some(shift), flags, ..Segment::default() });
        uplink.arrive(0, Segment { window: 1000, ..ack(10) });
        uplink.arrive(0, Segment { window: 990, ..ack(20) });
        assert_eq!(uplink.waiting(), kept, "shift {shift}");
    }
}

/// RFC 9293 §3.4: sequence numbers wrap.
#[test]
fn numbers_wrap_around() {
    let mut uplink = Uplink::new(Rule::Highest);
    uplink.acks([u32::MAX - 5, 3, 9]);
    assert_eq!(uplink.waiting(), [9]);
}

#[test]
fn the_newest_of_each_flow_stays() {
    let mut whole = Uplink::new(Rule::Highest);
    let mut each = Uplink::with_scope(Rule::Active(threshold(2)), Scope::PerFlow);
    for number in 0..6 {
        for flow in 0..3 {
            whole.arrive(flow, ack(number));
            each.arrive(flow, ack(number));
        }
    }
    assert_eq!(whole.waiting(), [5, 5, 5]);
    assert_eq!(each.waiting(), [4, 4, 4, 5, 5, 5]);
}
