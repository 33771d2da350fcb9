//! Properties that hold for any pattern of arrivals and grants.

use std::collections::BTreeMap;

use super::*;
use crate::sim::{Stream, Streams};

/// Draws a segment of one of the flows: mostly acknowledgements of new data, and some that must be
/// kept.
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

/// Runs a random pattern. At the end all waiting packets are sent.
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
/// receives the same highest number as without a filter. (`check_needless` checks each discarded
/// packet.)
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

/// A lower threshold discards at least as many acknowledgements.
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
