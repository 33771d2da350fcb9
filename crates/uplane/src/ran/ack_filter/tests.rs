use std::collections::{BTreeMap, VecDeque};

use super::*;
use crate::net::{Body, Flags, SackBlocks, Segment, SequenceNumber};
use crate::sim::{Stream, Streams};
use crate::unit::{Duration, FlowId, Probability};

/// 52 bytes of an acknowledgement with timestamps, and PDCP's header.
const SIZE: Bytes = Bytes(54);
const PER_PACKET: Bytes = Bytes(2);

/// A bearer's queue with its filter; only the acknowledged number of a packet is kept.
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

/// A pure acknowledgement with an open window.
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

    /// Pure acknowledgements of flow 0 arrive.
    fn acks(&mut self, numbers: impl IntoIterator<Item = u32>) {
        for number in numbers {
            self.arrive(0, ack(number));
        }
    }

    /// A grant with room for `packets`.
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

    /// What goes is pure, and behind it waits one of its flow with a higher number.
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

/// Fig. 1 of the paper: five wait and two fit. Granted sends n+3 and n+4, a ratio of 2/3 n+2 and
/// n+3.
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

/// A block on all 100 resource blocks.
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

/// After a second 1/e of the old mean is left: 1188·(8 − 6/e) bytes are worth 5 acknowledgements.
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

/// A UE that takes 20 of 100 resource blocks for 980 bytes would have had 4900 with all of them: 4
/// acknowledgements instead of 1 at least.
#[test]
fn what_the_whole_band_would_carry_counts_where_that_is_asked_for() {
    let part = Block { size: Bytes(980), units: 20, band: 100 };
    for (whole_band, expected) in [(false, 1), (true, 4)] {
        let target = Target { whole_band, ..Target::delayed(Bytes(536)) };
        let mut filter = AckFilter::new(Rule::HybridOpt(target), Scope::WholeBearer);
        filter.on_block(Instant::ZERO, part);
        assert_eq!(filter.threshold(), Some(threshold(expected)));
    }
}

/// In the long run the share is exact, however few there are at a time.
#[test]
fn what_a_share_cuts_off_is_carried_on() {
    let mut uplink = Uplink::new(Rule::Passive(two_thirds()));
    for round in 0..300 {
        // Two arrive, one fits: one in excess, and two of three of those go.
        uplink.arrive(0, ack(2 * round));
        uplink.arrive(0, ack(2 * round + 1));
        let excess = uplink.queue.len() as u64 - 1;
        let before = uplink.filter.counts().discarded_passive;
        uplink.grant(1);
        let gone = uplink.filter.counts().discarded_passive - before;
        assert!(gone.abs_diff(2 * excess / 3) <= 1, "{gone} of {excess}");
        // The rest goes, so that each round has one in excess.
        uplink.grant(9);
    }
    assert_eq!(uplink.filter.counts().discarded_passive, 200);
}

/// Checks that Highest keeps all of `segments`, the newest pure one behind them included.
fn check_kept(segments: &[Segment]) {
    let mut uplink = Uplink::new(Rule::Highest);
    for segment in segments {
        uplink.arrive(0, segment.clone());
    }
    uplink.arrive(0, ack(90_000));
    let kept: Vec<u32> = segments.iter().map(|segment| segment.ack.0).chain([90_000]).collect();
    assert_eq!(uplink.waiting(), kept);
}

/// RFC 5681 §3.2: three duplicates are a sign of loss, and they count from the original.
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
    check_kept(&[Segment { payload: Bytes(1), ..ack(10) }]);
    check_kept(&[Segment { window: 0, ..ack(10) }]);
}

/// RFC 9293 §3.8.6: a window that opens may be the only news; one that shrinks must be known.
#[test]
fn window_updates_stay() {
    let window = |number, window| Segment { window, ..ack(number) };
    // The second opens the window of the first and repeats its number.
    check_kept(&[window(10, 1000), window(10, 2000)]);
    // The second shrinks: its right edge is left of the first one's, which it therefore does not
    // supersede either; but the last does.
    let mut uplink = Uplink::new(Rule::Highest);
    let shift = Segment { window_scale: Some(0), flags: Flags::SYN, ..Segment::default() };
    uplink.arrive(0, shift);
    uplink.arrive(0, window(10, 1000));
    uplink.arrive(0, window(20, 900));
    assert_eq!(uplink.waiting(), [0, 10, 20]);
    uplink.arrive(0, window(2000, 900));
    assert_eq!(uplink.waiting(), [0, 20, 2000]);
}

/// RFC 7323 §2.2: a window counts in units of its shift. 10 numbers more make up for 10 bytes less,
/// and not for 10 units of 128 bytes.
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

/// RFC 9293 §3.4: numbers go round.
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

/// A grant without room takes out all but the newest, which waits for the next.
#[test]
fn a_grant_without_room_leaves_the_newest() {
    let mut uplink = Uplink::new(Rule::Granted);
    uplink.acks(0..4);
    uplink.grant(0);
    assert_eq!(uplink.waiting(), [3]);
}

/// TS 36.323 §5.2.1.1, §5.4: packets come back after a failure of the radio link, and others
/// expire.
#[test]
fn the_filter_follows_what_others_do_to_the_queue() {
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

/// A segment of one of the flows: mostly acknowledgements that move on, some that must stay.
fn random_segment(stream: &mut Stream, numbers: &mut [u32]) -> (u32, Segment) {
    let flow = stream.below(numbers.len() as u64) as usize;
    let number = &mut numbers[flow];
    *number = number.wrapping_add(536 * stream.below(4) as u32);
    let mut segment = ack(*number);
    match stream.below(12) {
        0 => segment.payload = Bytes(100),
        1 => segment.flags = segment.flags.with(Flags::ECE),
        2 => segment.sack.push(SequenceNumber(1), SequenceNumber(2)),
        3 => segment.window = stream.below(2000) as u16,
        _ => {}
    }
    (flow as u32, segment)
}

fn rules() -> [Rule; 8] {
    [
        Rule::Basic,
        Rule::Passive(two_thirds()),
        Rule::Granted,
        Rule::Active(threshold(4)),
        Rule::Highest,
        Rule::Hybrid(threshold(6)),
        Rule::HybridOpt(Target::delayed(Bytes(536))),
        Rule::HybridOpt(Target { segments_per_ack: 4, ..Target::delayed(Bytes(1400)) }),
    ]
}

/// Plays a random pattern; at the end all that waits is sent.
fn random_run(rule: Rule, scope: Scope, seed: u64) -> Uplink {
    let mut stream = Streams::new(seed).open("test", "uplink");
    let mut uplink = Uplink::with_scope(rule, scope);
    let mut numbers = vec![u32::MAX - 10_000; 1 + stream.below(3) as usize];
    for step in 0..200 {
        match stream.below(5) {
            0 => uplink.grant(stream.below(5)),
            1 => {
                let now = Instant::ZERO + Duration::from_millis(step);
                uplink.filter.on_block(now, whole(stream.below(9000)));
            }
            _ => {
                let (flow, segment) = random_segment(&mut stream, &mut numbers);
                uplink.arrive(flow, segment);
            }
        }
        let Counts { generated, discarded_active, discarded_passive, sent, .. } =
            uplink.filter.counts();
        let held = uplink.queue.iter().filter(|queued| queued.pure).count() as u64;
        assert_eq!(discarded_active + discarded_passive + sent + held, generated, "{rule:?}");
    }
    uplink.grant(1000);
    uplink
}

/// For any pattern of arrivals and grants: discarded + sent = generated, and each flow's sender
/// hears the same highest number as without a filter. (What goes is checked at each discard.)
#[test]
fn nothing_is_lost_but_what_a_later_one_says() {
    let heard = |uplink: &Uplink| {
        let mut last: BTreeMap<u32, u32> = BTreeMap::new();
        for queued in &uplink.sent {
            last.insert(queued.flow, queued.ack);
        }
        last
    };
    for seed in 0..200 {
        for scope in [Scope::WholeBearer, Scope::PerFlow] {
            let basic = random_run(Rule::Basic, scope, seed);
            for rule in rules() {
                let uplink = random_run(rule, scope, seed);
                let counts = uplink.filter.counts();
                let discarded = counts.discarded_active + counts.discarded_passive;
                assert_eq!(discarded + counts.sent, counts.generated);
                assert_eq!(discarded, uplink.discarded.len() as u64);
                assert_eq!(heard(&uplink), heard(&basic), "{rule:?} seed {seed}");
                assert!(rule != Rule::Basic || discarded == 0);
            }
        }
    }
}

/// A lower threshold discards no less.
#[test]
fn discards_grow_as_the_threshold_falls() {
    for seed in 0..50 {
        let discarded = |limit| {
            let run = random_run(Rule::Active(threshold(limit)), Scope::WholeBearer, seed);
            run.discarded.len()
        };
        let all: Vec<usize> = [1, 2, 4, 8, 16].into_iter().map(discarded).collect();
        assert!(all.is_sorted_by(|a, b| a >= b), "seed {seed}: {all:?}");
    }
}
