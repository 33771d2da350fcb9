use super::*;
use crate::ran::tables::qci::Qci;
use crate::sim::{Stream, Streams};
use crate::unit::{Duration, math};

fn candidate(ue: u32, rate: f64) -> Candidate {
    of_class(ue, rate, 9, 0)
}

fn of_class(ue: u32, rate: f64, qci: u8, delay_ms: u64) -> Candidate {
    let quality = Qci::new(qci).expect("a standard class").characteristics();
    Candidate {
        ue,
        rate,
        delay: Duration::from_millis(delay_ms),
        quality,
        target: 0.0,
        urgent: false,
    }
}

fn order(scheduler: &mut Scheduler, slot: u64, candidates: &[Candidate]) -> Vec<u32> {
    scheduler.rank(slot, candidates);
    std::iter::from_fn(|| scheduler.pick()).collect()
}

#[test]
fn round_robin_skips_missing_ues() {
    let mut scheduler = Scheduler::new(Metric::RoundRobin, 4, 100);
    let all = [0, 1, 2, 3].map(|ue| candidate(ue, 100.0));
    assert_eq!(order(&mut scheduler, 1, &all), [0, 1, 2, 3]);
    scheduler.on_served(1, 1, Bytes(100));
    assert_eq!(order(&mut scheduler, 2, &all), [2, 3, 0, 1]);
    assert_eq!(order(&mut scheduler, 2, &[all[0], all[3]]), [3, 0]);
    scheduler.on_served(3, 2, Bytes(100));
    assert_eq!(order(&mut scheduler, 3, &all), [0, 1, 2, 3]);
}

/// Picking all candidates gives them in the order of their metrics.
#[test]
fn the_order_is_that_of_sorting_all() {
    let mut random = Streams::new(29).open("test", "order");
    for count in 2..60 {
        let mut scheduler = Scheduler::new(Metric::MaximumThroughput, count, 100);
        // Many ties.
        let rates: Vec<f64> = (0..count).map(|_| random.below(7) as f64).collect();
        let candidates: Vec<Candidate> =
            (0..count).map(|ue| candidate(ue, rates[ue as usize])).collect();
        scheduler.on_served(count / 3, 1, Bytes(1));
        let mut sorted: Vec<u32> = (count / 3 + 1..count).chain(0..=count / 3).collect();
        sorted.sort_by(|&one, &other| rates[other as usize].total_cmp(&rates[one as usize]));
        assert_eq!(order(&mut scheduler, 2, &candidates), sorted);
        assert_eq!(scheduler.pick(), None);
    }
}

#[test]
fn maximum_throughput_serves_the_best_channel() {
    let mut scheduler = Scheduler::new(Metric::MaximumThroughput, 3, 100);
    let rates = [50.0, 200.0, 100.0];
    let candidates: Vec<Candidate> = (0..3).map(|ue| candidate(ue, rates[ue as usize])).collect();
    assert_eq!(order(&mut scheduler, 1, &candidates), [1, 2, 0]);
}

/// TS 23.203 table 6.1.7: class 1 has priority 2, class 7 has 7, class 9 has 9.
#[test]
fn strict_priority_puts_the_class_before_the_channel() {
    let mut scheduler = Scheduler::new(Metric::StrictQci, 3, 100);
    let candidates = [of_class(0, 900.0, 9, 0), of_class(1, 10.0, 1, 0), of_class(2, 50.0, 7, 0)];
    assert_eq!(order(&mut scheduler, 1, &candidates), [1, 2, 0]);
}

/// A guaranteed rate in danger precedes the best channel.
#[test]
fn urgent_ues_precede_any_metric() {
    let mut scheduler = Scheduler::new(Metric::MaximumThroughput, 2, 100);
    let urgent = Candidate { urgent: true, ..candidate(1, 1.0) };
    assert_eq!(order(&mut scheduler, 1, &[candidate(0, 900.0), urgent]), [1, 0]);
}

/// M-LWDF: with the same channel and history the more urgent delay wins, relative to budget and
/// loss rate.
#[test]
fn the_largest_weighted_delay_is_first() {
    let mut scheduler = Scheduler::new(Metric::MLwdf, 3, 100);
    for ue in 0..3 {
        scheduler.on_served(ue, 1, Bytes(100));
    }
    // Class 7: 3/100 per ms; class 6: 6/300 per ms; class 2 (150 ms, 1e-3): 3/150 per ms.
    let candidates =
        [of_class(0, 100.0, 7, 40), of_class(1, 100.0, 6, 70), of_class(2, 100.0, 2, 50)];
    assert_eq!(order(&mut scheduler, 1, &candidates), [1, 0, 2]);
}

/// EXP/PF: a real-time bearer far above the mean delay passes a better best-effort channel.
#[test]
fn the_exponential_rule_lifts_late_real_time_bearers() {
    let mut scheduler = Scheduler::new(Metric::ExpPf, 3, 100);
    for ue in 0..3 {
        scheduler.on_served(ue, 1, Bytes(100));
    }
    let late = [of_class(0, 300.0, 9, 0), of_class(1, 100.0, 1, 400), of_class(2, 100.0, 1, 10)];
    assert_eq!(order(&mut scheduler, 1, &late)[0], 1);
    let early = [of_class(0, 300.0, 9, 0), of_class(1, 100.0, 1, 10), of_class(2, 100.0, 1, 10)];
    assert_eq!(order(&mut scheduler, 1, &early)[0], 0);
}

/// PSS: UEs below their target rate come first, those with the least service first.
#[test]
fn ues_below_their_target_are_first() {
    let mut scheduler = Scheduler::new(Metric::PrioritySet, 3, 10);
    for (ue, bytes) in [(0, 1000), (1, 300), (2, 600)] {
        scheduler.on_served(ue, 1, Bytes(bytes));
    }
    let with_target = |ue, rate, target| Candidate { target, ..candidate(ue, rate) };
    let candidates =
        [with_target(0, 900.0, 0.0), with_target(1, 10.0, 70.0), with_target(2, 10.0, 70.0)];
    assert_eq!(order(&mut scheduler, 1, &candidates), [1, 2, 0]);
}

/// PSS: among UEs that have their target rate, a slot is compared with the slots that a UE got: 500
/// B beside a tenth of 1000 B are less than 200 B beside a tenth of 300 B.
#[test]
fn ues_with_their_target_compare_rate_and_service() {
    let mut scheduler = Scheduler::new(Metric::PrioritySet, 2, 10);
    scheduler.on_served(0, 1, Bytes(1000));
    scheduler.on_served(1, 1, Bytes(300));
    let candidates = [candidate(0, 500.0), candidate(1, 200.0)];
    assert_eq!(order(&mut scheduler, 1, &candidates), [1, 0]);
}

/// CQA: a later group of delays precedes a better channel.
#[test]
fn the_oldest_delay_group_is_first() {
    let mut scheduler = Scheduler::new(Metric::ChannelQosAware, 2, 100);
    for ue in 0..2 {
        scheduler.on_served(ue, 1, Bytes(100));
    }
    let groups = |first, second| [of_class(0, 500.0, 7, first), of_class(1, 100.0, 7, second)];
    assert_eq!(order(&mut scheduler, 1, &groups(9, 31)), [1, 0]);
    assert_eq!(order(&mut scheduler, 1, &groups(32, 31)), [0, 1]);
}

/// Returns the total rate of a scheduler over `slots` of independent fades, relative to the mean
/// rate of one UE, and Jain's index.
fn gain(ues: u32, slots: u64, rate: impl Fn(&mut Stream) -> f64) -> (f64, f64) {
    const BYTES: f64 = 1e6;
    let mut random = Streams::new(17).open("test", "fading");
    let mut scheduler = Scheduler::new(Metric::ProportionalFair, ues, 1_000);
    let mut served = vec![0.0; ues as usize];
    let mut offered = 0.0;
    let mut candidates = Vec::new();
    for slot in 0..slots + WARM_UP {
        candidates.clear();
        candidates.extend((0..ues).map(|ue| candidate(ue, rate(&mut random) * BYTES)));
        scheduler.rank(slot, &candidates);
        let best = scheduler.pick().expect("somebody");
        let bytes = candidates[best as usize].rate;
        scheduler.on_served(best, slot, Bytes(bytes as u64));
        if slot >= WARM_UP {
            served[best as usize] += bytes;
            offered += candidates.iter().map(|one| one.rate).sum::<f64>() / f64::from(ues);
        }
    }
    let sum: f64 = served.iter().sum();
    let squares: f64 = served.iter().map(|bytes| bytes * bytes).sum();
    (sum / offered, sum * sum / (f64::from(ues) * squares))
}

const WARM_UP: u64 = 10_000;
/// Number of slots, each with an independent fade of each UE.
const FADES: u64 = 1_000_000;

/// Independent Rayleigh fading and a rate linear in the SNR: proportional fair gains the harmonic
/// number over round robin.
#[test]
fn proportional_fair_gains_the_harmonic_number() {
    for (ues, harmonic) in [(2, 1.5), (4, 2.083), (10, 2.929)] {
        let (gain, jain) = gain(ues, FADES, |random| random.exponential(1.0));
        assert!((gain / harmonic - 1.0).abs() < 0.02, "{ues} UEs: {gain}");
        assert!(jain > 0.99, "{ues} UEs: {jain}");
    }
}

/// With log2(1 + SNR) and a mean SNR of 10 dB, proportional fair gains less. The gains are from a
/// numerical integration of the best of N.
#[test]
fn multi_user_diversity_is_worth_less_at_high_snr() {
    for (ues, expected) in [(2, 1.259), (8, 1.612)] {
        let shannon = |random: &mut Stream| math::log2(1.0 + random.exponential(10.0));
        let (gain, _) = gain(ues, FADES, shannon);
        assert!((gain / expected - 1.0).abs() < 0.02, "{ues} UEs: {gain}");
    }
}

/// The rank is the part of the key before the value: urgent or not, and the class.
#[test]
fn the_rank_is_urgency_and_class() {
    let rank = |urgent, class, value| Ranked::new(0, urgent, (class, value), 0).rank();
    assert!(rank(true, 0, 1.0) > rank(false, 9, 1.0));
    assert!(rank(false, 2, 1.0) > rank(false, 1, 9.0));
    assert_eq!(rank(false, 1, 1.0), rank(false, 1, 9.0));
}
