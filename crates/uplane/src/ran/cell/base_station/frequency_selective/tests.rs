use super::*;
use crate::sim::Streams;
use crate::unit::math;

fn share(ue: u32, weight: f64, wanted: f64, bytes: [f64; 32]) -> Share {
    let (rank, given) = (0, GroupSet::NONE);
    Share { ue, rank, weight, wanted, bytes, given, promised: 0.0 }
}

/// The metrics of all groups of a band add up to the metric of the band; one candidate takes them
/// all.
#[test]
fn a_metric_is_spread_over_the_bytes_of_its_band() {
    let bytes = [30.0, 50.0, 20.0];
    let whole: f64 = bytes.iter().map(|bytes| weight(7.0, 100.0) * bytes).sum();
    assert!((whole - 7.0).abs() < 1e-12, "{whole}");
    let mut alone = [share(0, weight(0.0, 60.0), 1e9, [10.0; 32])];
    assign(SIX, GroupSet::NONE, &mut alone);
    assert_eq!(alone[0].given, SIX);
}

const SIX: GroupSet = GroupSet(0b11_1111);

/// TS 36.213 §7.1.6.1: a group is assigned to one UE.
#[test]
fn each_group_goes_to_one_ue_at_most() {
    let mut random = Streams::new(3).open("test", "groups");
    for _ in 0..2_000 {
        let mut shares: Vec<Share> = (0..=random.below(10) as u32)
            .map(|ue| {
                let bytes = std::array::from_fn(|_| random.exponential(50.0));
                share(ue, random.uniform(), random.exponential(300.0), bytes)
            })
            .collect();
        let free = GroupSet(random.bits() as u32);
        assign(free, GroupSet::NONE, &mut shares);
        let mut seen = GroupSet::NONE;
        for share in &shares {
            assert!(seen.common(share.given).is_empty());
            seen = GroupSet(seen.0 | share.given.0);
        }
        assert!(seen.without(free).is_empty());
        // A group stays free only if all UEs have enough.
        assert!(seen == free || shares.iter().all(|share| share.promised >= share.wanted));
    }
}

#[test]
fn the_best_ue_gets_a_group() {
    let mut low = [10.0; 32];
    low[2] = 90.0;
    let mut shares = [share(0, 1.0, 1e9, low), share(1, 1.0, 1e9, [50.0; 32])];
    assign(SIX, GroupSet::NONE, &mut shares);
    assert_eq!((shares[0].given, shares[1].given), (GroupSet(0b100), GroupSet(0b11_1011)));
}

#[test]
fn who_has_enough_gets_no_more() {
    let mut shares = [share(0, 9.0, 110.0, [60.0; 32]), share(1, 1.0, 1e9, [60.0; 32])];
    assign(SIX, GroupSet::NONE, &mut shares);
    assert_eq!((shares[0].given, shares[1].given), (GroupSet(0b11), GroupSet(0b11_1100)));
}

/// Groups that are alike go to the same UE until it has enough, if they are adjacent.
#[test]
fn one_ue_gets_adjacent_alike_groups() {
    let all_alike = GroupSet(0b11_1110);
    let mut shares = [share(0, 9.0, 60.0, [60.0; 32]), share(1, 1.0, 1e9, [60.0; 32])];
    assign(SIX, all_alike, &mut shares);
    assert_eq!((shares[0].given, shares[1].given), (GroupSet(0b1), GroupSet(0b11_1110)));
    // Group 2 is like group 1, which another UE has, and not like group 0.
    let mut suits = [10.0; 32];
    suits[0] = 90.0;
    let mut shares = [share(0, 1.0, 1e9, suits), share(1, 1.0, 1e9, [50.0; 32])];
    assign(GroupSet(0b101), GroupSet(0b100), &mut shares);
    assert_eq!((shares[0].given, shares[1].given), (GroupSet(0b1), GroupSet(0b100)));
}

#[test]
fn a_class_precedes_any_metric() {
    let first = Share { rank: 1, ..share(0, 0.1, 100.0, [60.0; 32]) };
    let mut shares = [first, share(1, 9.0, 1e9, [60.0; 32])];
    assign(SIX, GroupSet::NONE, &mut shares);
    assert_eq!((shares[0].given, shares[1].given), (GroupSet(0b11), GroupSet(0b11_1100)));
}

/// A million groups, with an independent fade of each UE on each.
const SLOTS: u32 = 170_000;

/// Proportional fair over six groups that fade independently: the total of all UEs relative to the
/// same number of groups for each UE in turn, and the smallest share of a UE times the number of
/// UEs.
fn gain(ues: u32, slots: u32, rate: impl Fn(f64) -> f64) -> (f64, f64) {
    let mut random = Streams::new(23).open("test", "fading");
    let mut averages = vec![1.0; ues as usize];
    let mut served = vec![0.0; ues as usize];
    let mut offered = 0.0;
    for slot in 0..slots + 2_000 {
        let mut shares: Vec<Share> = (0..ues)
            .map(|ue| {
                let bytes = std::array::from_fn(|group| {
                    if group < 6 { rate(random.exponential(1.0)) } else { 0.0 }
                });
                share(ue, 1.0 / averages[ue as usize], f64::INFINITY, bytes)
            })
            .collect();
        assign(SIX, GroupSet::NONE, &mut shares);
        for (ue, share) in shares.iter().enumerate() {
            averages[ue] += (share.promised - averages[ue]) / 1_000.0;
            if slot >= 2_000 {
                served[ue] += share.promised;
                offered += share.bytes.iter().sum::<f64>() / f64::from(ues);
            }
        }
    }
    let sum: f64 = served.iter().sum();
    let least = served.iter().copied().fold(f64::INFINITY, f64::min);
    (sum / offered, least * f64::from(ues) / sum)
}

/// Independent Rayleigh fading, rates linear in the SNR: each group gains the harmonic number; ±2
/// %.
#[test]
fn proportional_fair_over_groups_gains_the_harmonic_number() {
    for (ues, harmonic) in [(2, 1.5), (4, 2.083), (10, 2.929), (16, 3.381)] {
        let (gain, least) = gain(ues, SLOTS, |fade| fade);
        assert!((gain / harmonic - 1.0).abs() < 0.02, "{ues} UEs: {gain}");
        assert!(least > 0.95, "{ues} UEs: {least}");
    }
}

/// With log2(1 + SNR) the gain is smaller. The gains are from a numerical integration of the best
/// of N; ±2 %.
#[test]
fn the_gain_over_groups_falls_with_the_snr() {
    for (ues, db, expected) in
        [(2, 10.0, 1.259), (8, 10.0, 1.612), (10, 0.0, 2.218), (4, 20.0, 1.271)]
    {
        let snr = math::db_to_linear(db);
        let (gain, _) = gain(ues, SLOTS, |fade| math::log2(1.0 + snr * fade));
        assert!((gain / expected - 1.0).abs() < 0.02, "{ues} UEs at {db} dB: {gain}");
    }
}
