//! Tests of the filters, each against the queue it works on.

mod kept;
mod patterns;

use std::collections::VecDeque;

use super::*;
use crate::net::{Body, Flags, SackBlocks, Segment, SequenceNumber};
use crate::unit::{Duration, FlowId, Probability};

/// Size of an acknowledgement with timestamps: 52 bytes, plus PDCP's header.
const SIZE: Bytes = Bytes(54);
const PER_PACKET: Bytes = Bytes(2);

/// A bearer's queue with its filter. Only the acknowledgement number of a packet is kept.
struct Uplink {
    filter: AckFilter,
    queue: VecDeque<Queued>,
    discarded: Vec<Queued>,
    sent: Vec<Queued>,
}

#[derive(Clone, Debug, PartialEq)]
struct Queued {
    flow: u32,
    ack: u32,
    pure: bool,
}

fn packet(flow: u32, segment: Segment) -> Packet {
    Packet {
        flow: FlowId(flow),
        dont_fragment: true,
        ..Packet::plain(Body::Tcp(segment), Bytes(52), Instant::ZERO)
    }
}

/// Creates a pure acknowledgement with an open window.
fn ack(number: u32) -> Segment {
    Segment { ack: SequenceNumber(number), flags: Flags::ACK, window: 1000, ..Segment::default() }
}

fn threshold(acknowledgements: usize) -> Threshold {
    Threshold::new(acknowledgements).expect("not zero")
}

fn two_thirds() -> Ratio {
    Ratio::new(Probability::new(2.0 / 3.0).expect("in [0, 1]"))
}

impl Uplink {
    fn new(rule: Rule) -> Self {
        Self::with_scope(rule, Scope::WholeBearer)
    }

    fn with_scope(rule: Rule, scope: Scope) -> Self {
        let (queue, discarded, sent) = (VecDeque::new(), Vec::new(), Vec::new());
        Self { filter: AckFilter::new(rule, scope), queue, discarded, sent }
    }

    fn arrive(&mut self, flow: u32, segment: Segment) {
        let pure = segment.payload.is_zero() && segment.flags == Flags::ACK;
        self.queue.push_back(Queued { flow, ack: segment.ack.0, pure });
        let mut places = Vec::new();
        self.filter.on_arrival(&packet(flow, segment), SIZE, &mut places);
        self.take_out(&places);
    }

    /// Adds pure acknowledgements of flow 0.
    fn acks(&mut self, numbers: impl IntoIterator<Item = u32>) {
        for number in numbers {
            self.arrive(0, ack(number));
        }
    }

    /// Processes a grant with space for `packets`.
    fn grant(&mut self, packets: u64) {
        let room = (SIZE + PER_PACKET) * packets;
        let mut places = Vec::new();
        self.filter.on_grant(Grant { room, per_packet: PER_PACKET }, &mut places);
        self.take_out(&places);
        let begun = self.queue.len().min(packets as usize);
        self.sent.extend(self.queue.drain(..begun));
        self.filter.on_begun(begun);
    }

    fn take_out(&mut self, places: &[usize]) {
        assert!(places.is_sorted_by(|a, b| a > b), "{places:?}");
        for place in places {
            let gone = self.queue.remove(*place).expect("a place in the queue");
            self.check_needless(&gone, *place);
            self.discarded.push(gone);
        }
        assert_eq!(self.filter.queued(), self.queue.len());
    }

    /// Checks that a dropped packet is pure, and that a packet of its flow with a higher number
    /// waits behind it.
    fn check_needless(&self, gone: &Queued, place: usize) {
        assert!(gone.pure, "{gone:?}");
        let later = self.queue.range(place..).any(|later| {
            let ahead = later.ack.wrapping_sub(gone.ack).cast_signed();
            later.flow == gone.flow && ahead > 0
        });
        assert!(later, "{gone:?} was the newest in {:?}", self.queue);
    }

    fn waiting(&self) -> Vec<u32> {
        self.queue.iter().map(|queued| queued.ack).collect()
    }

    fn sent(&self) -> Vec<u32> {
        self.sent.iter().map(|queued| queued.ack).collect()
    }
}

/// Fig. 1 of the paper: five acknowledgements wait and two fit. Granted sends n+3 and n+4; a ratio
/// of 2/3 sends n+2 and n+3.
#[test]
fn passive_sends_what_the_paper_draws() {
    let rules =
        [(Rule::Granted, [3, 4]), (Rule::Passive(two_thirds()), [2, 3]), (Rule::Basic, [0, 1])];
    for (rule, sent) in rules {
        let mut uplink = Uplink::new(rule);
        uplink.acks(0..5);
        uplink.grant(2);
        assert_eq!(uplink.sent(), sent, "{rule:?}");
    }
}

#[test]
fn active_keeps_as_many_as_its_threshold_and_highest_keeps_one() {
    for (rule, kept) in
        [(Rule::Active(threshold(3)), 3), (Rule::Highest, 1), (Rule::Active(threshold(100)), 20)]
    {
        let mut uplink = Uplink::new(rule);
        uplink.acks(0..20);
        assert_eq!(uplink.waiting(), ((20 - kept)..20).collect::<Vec<u32>>());
        assert_eq!(uplink.filter.counts().discarded_active, u64::from(20 - kept));
    }
}

#[test]
fn hybrid_discards_at_arrivals_and_at_grants() {
    let mut uplink = Uplink::new(Rule::Hybrid(threshold(6)));
    uplink.acks(0..10);
    assert_eq!(uplink.waiting(), [4, 5, 6, 7, 8, 9]);
    uplink.grant(2);
    assert_eq!(uplink.sent(), [8, 9]);
    let counts =
        Counts { generated: 10, discarded_active: 4, discarded_passive: 4, expired: 0, sent: 2 };
    assert_eq!(uplink.filter.counts(), counts);
}

/// Creates a block on all 100 resource blocks.
fn whole(size: u64) -> Block {
    Block { size: Bytes(size), units: 100, band: 100 }
}

/// Table I of the paper, with segments of 536 bytes: blocks and thresholds.
#[test]
fn hybrid_opt_has_the_thresholds_of_the_paper() {
    let target = Target::delayed(Bytes(536));
    let table = [
        (2481, 2),
        (1960, 1),
        (5477, 4),
        (6378, 5),
        (6882, 5),
        (4587, 3),
        (5861, 4),
        (4904, 4),
        (4587, 3),
        (4107, 3),
    ];
    for (block, expected) in table {
        assert_eq!(target.threshold(Bytes(block)), threshold(expected), "{block} bytes");
        let mut uplink = Uplink::new(Rule::HybridOpt(target));
        assert_eq!(uplink.filter.threshold(), None);
        for millis in 0..10 {
            let now = Instant::ZERO + Duration::from_millis(millis);
            uplink.filter.on_block(now, whole(block));
        }
        uplink.acks(0..10);
        assert_eq!(uplink.queue.len(), expected, "{block} bytes");
    }
}

/// After a second 1/e of the old mean is left: 1188·(8 − 6/e) bytes correspond to 5
/// acknowledgements.
#[test]
fn the_estimate_forgets_within_a_second() {
    let mut filter =
        AckFilter::new(Rule::HybridOpt(Target::delayed(Bytes(536))), Scope::WholeBearer);
    filter.on_block(Instant::ZERO, whole(2 * 1188));
    assert_eq!(filter.threshold(), Some(threshold(2)));
    for millis in 1..=1000 {
        filter.on_block(Instant::ZERO + Duration::from_millis(millis), whole(8 * 1188));
    }
    assert_eq!(filter.threshold(), Some(threshold(5)));
}

/// A UE that takes 20 of 100 resource blocks for 980 bytes would have had 4900 bytes with all of
/// them: 4 acknowledgements instead of the minimum of 1.
#[test]
fn the_scope_of_the_whole_band_counts_its_capacity() {
    let part = Block { size: Bytes(980), units: 20, band: 100 };
    for (whole_band, expected) in [(false, 1), (true, 4)] {
        let target = Target { whole_band, ..Target::delayed(Bytes(536)) };
        let mut filter = AckFilter::new(Rule::HybridOpt(target), Scope::WholeBearer);
        filter.on_block(Instant::ZERO, part);
        assert_eq!(filter.threshold(), Some(threshold(expected)));
    }
}

/// The share is exact in the long run, even if each grant drops few acknowledgements.
#[test]
fn what_a_share_cuts_off_is_carried_on() {
    let mut uplink = Uplink::new(Rule::Passive(two_thirds()));
    for round in 0..300 {
        // Two arrive and one fits: one is in excess, and two of three in excess are dropped.
        uplink.arrive(0, ack(2 * round));
        uplink.arrive(0, ack(2 * round + 1));
        let excess = uplink.queue.len() as u64 - 1;
        let before = uplink.filter.counts().discarded_passive;
        uplink.grant(1);
        let gone = uplink.filter.counts().discarded_passive - before;
        assert!(gone.abs_diff(2 * excess / 3) <= 1, "{gone} of {excess}");
        // The rest is sent, so that each round has one in excess.
        uplink.grant(9);
    }
    assert_eq!(uplink.filter.counts().discarded_passive, 200);
}

/// A grant without space drops all but the newest acknowledgement, which waits for the next grant.
#[test]
fn a_grant_without_room_leaves_the_newest() {
    let mut uplink = Uplink::new(Rule::Granted);
    uplink.acks(0..4);
    uplink.grant(0);
    assert_eq!(uplink.waiting(), [3]);
}

/// TS 36.323 §5.2.1.1, §5.4: packets return after a failure of the radio link, and others expire.
#[test]
fn the_filter_follows_its_queue() {
    let mut uplink = Uplink::new(Rule::Active(threshold(2)));
    uplink.acks([0, 1]);
    uplink.grant(2);
    let returned = uplink.sent.split_off(0);
    returned.into_iter().rev().for_each(|queued| uplink.queue.push_front(queued));
    uplink.filter.on_restored(2);
    uplink.acks([2, 3]);
    assert_eq!(uplink.waiting(), [0, 1, 2, 3]);
    uplink.queue.remove(3);
    uplink.filter.on_expired(3);
    uplink.acks([4, 5]);
    assert_eq!(uplink.waiting(), [0, 1, 4, 5]);
    uplink.grant(9);
    let counts =
        Counts { generated: 6, discarded_active: 1, discarded_passive: 0, expired: 1, sent: 4 };
    assert_eq!(uplink.filter.counts(), counts);
}
