//! Guaranteed and maximum rates of one UE's uplink, by logical channel group (TS 23.401 §4.7.3, TS
//! 23.501 §5.7.2.5).
//!
//! In: reports, grants, blocks that arrived. Out: bytes that may be granted now, and whether a
//! guarantee is in danger.
//!
//! Reports are about groups, not bearers: a group has the sum of the rates of its bearers. A grant
//! is charged to the groups that it is expected to serve, the most urgent first; when its block
//! arrives, to the groups that it did serve. So rates hold over time, whatever the UE puts into a
//! block. Data in a group count as waiting since the base station first knew that the group is not
//! empty.
//!
//! The rate of all bearers without guarantee (`UE-AMBR`, TS 23.501 §5.7.2.6) is shared by the
//! groups with such a bearer, the most urgent first.
//!
//! Left out: limits on a UE that puts data of a group which has had its maximum into the grant of
//! another group. These data are charged, and stop grants for the first group alone; prioritised
//! bit rates hold this group back.

use super::bit_rates::{Rates, TokenBucket};
use super::buffer_status::Groups;
use super::served_groups::ServedGroups;
use crate::unit::{Bitrate, Bytes, Duration, Instant};

/// The combined rates of the bearers of one group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Promise {
    /// The sum of guaranteed rates.
    pub guaranteed: Option<Bitrate>,
    /// The sum of maximum rates, where all bearers of the group have one.
    pub maximum: Option<Bitrate>,
    /// The shortest radio delay budget of a bearer with guaranteed rate.
    pub budget: Duration,
    /// A bearer of the group is of a class without guaranteed rates.
    pub aggregated: bool,
}

/// The rates of one UE.
#[derive(Clone, Debug)]
pub struct GroupRates {
    groups: [Group; 8],
    /// The maximum of all groups together whose bearers have no guarantee.
    aggregate: Option<TokenBucket>,
    /// Bytes charged for grants, by HARQ process.
    charged: Vec<Groups>,
}

#[derive(Clone, Debug)]
struct Group {
    rates: Rates,
    budget: Duration,
    aggregated: bool,
    /// Time since which the base station knows of waiting data.
    since: Option<Instant>,
}

impl GroupRates {
    /// Creates the rates of a UE, with full buckets.
    pub fn new(promises: &[Promise; 8], aggregate: Option<Bitrate>, processes: u32) -> Self {
        let group = |promise: Promise| Group {
            rates: Rates::new(promise.guaranteed, promise.maximum),
            budget: promise.budget,
            aggregated: promise.aggregated,
            since: None,
        };
        let aggregate = aggregate.map(|rate| TokenBucket::new(rate, Duration::from_millis(100)));
        let charged = vec![Groups::default(); processes as usize];
        Self { groups: promises.map(group), aggregate, charged }
    }

    /// Handles a change of the estimated buffers.
    pub fn on_estimate(&mut self, now: Instant, waiting: &Groups) {
        for (group, bytes) in self.groups.iter_mut().zip(waiting) {
            if bytes.is_zero() {
                group.since = None;
            } else {
                group.since.get_or_insert(now);
            }
        }
    }

    /// Returns the part of `waiting` that maximum rates allow now.
    pub fn allowed(&mut self, now: Instant, waiting: &Groups) -> Bytes {
        let mut rest = self.aggregate.as_mut().map_or(Bytes(u64::MAX), |it| it.allows(now));
        let each = self.groups.iter_mut().zip(waiting);
        each.map(|(group, &bytes)| {
            let own = group.rates.allowed(now, bytes);
            let held = if group.aggregated { own.min(rest) } else { own };
            rest -= if group.aggregated { held } else { Bytes::ZERO };
            held
        })
        .sum()
    }

    /// Returns `true` if one of these groups has not had its guaranteed rate and has waited for
    /// more than half of its budget.
    pub fn in_danger(&mut self, now: Instant, of: ServedGroups) -> bool {
        let groups = self.groups.iter_mut().enumerate();
        groups.filter(|(number, _)| of.contains(*number)).any(|(_, group)| {
            let late = group.since.map(|since| now.saturating_since(since));
            late.is_some_and(|delay| group.rates.in_danger(now, delay, group.budget))
        })
    }

    /// Charges a grant for `process` by the bytes of each group that it is expected to serve.
    pub fn on_grant(&mut self, process: usize, served: Groups) {
        self.charged[process] = served;
        for (group, &bytes) in self.groups.iter_mut().zip(&served) {
            group.charge(&mut self.aggregate, Bytes::ZERO, bytes);
        }
    }

    /// Replaces the charge of a grant by the bytes that its block carried.
    pub fn on_block(&mut self, process: usize, served: &Groups) {
        let charged = std::mem::take(&mut self.charged[process]);
        for ((group, &bytes), &before) in self.groups.iter_mut().zip(served).zip(&charged) {
            group.charge(&mut self.aggregate, before, bytes);
        }
    }
}

impl Group {
    /// Charges bytes of the group that were sent, instead of `before`.
    fn charge(&mut self, aggregate: &mut Option<TokenBucket>, before: Bytes, sent: Bytes) {
        self.rates.on_refund(before);
        self.rates.on_sent(sent);
        if let Some(bucket) = aggregate.as_mut().filter(|_| self.aggregated) {
            bucket.refund(before);
            bucket.take(sent);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Instant {
        Instant::ZERO + Duration::from_millis(ms)
    }

    fn groups(first: u64, second: u64) -> Groups {
        let mut groups = Groups::default();
        (groups[0], groups[1]) = (Bytes(first), Bytes(second));
        groups
    }

    /// 800 kbit/s are 100 bytes a millisecond: the guaranteed rate of group 0 and the maximum of
    /// group 1.
    fn rates() -> GroupRates {
        let rate = Bitrate::from_bps(800_000);
        let mut promises = [Promise::default(); 8];
        promises[0] =
            Promise { guaranteed: rate, budget: Duration::from_millis(80), ..promises[0] };
        promises[1] = Promise { maximum: rate, ..promises[1] };
        GroupRates::new(&promises, None, 4)
    }

    #[test]
    fn a_maximum_is_of_its_group_alone() {
        let mut rates = rates();
        // The bucket holds a tenth of a second.
        assert_eq!(rates.allowed(at(0), &groups(50_000, 50_000)), Bytes(60_000));
        rates.on_grant(0, groups(0, 10_000));
        assert_eq!(rates.allowed(at(3), &groups(50_000, 50_000)), Bytes(50_300));
    }

    /// TS 23.501 §5.7.2.6: the aggregate is of groups without guarantee together, and of no other.
    #[test]
    fn an_aggregate_is_shared_by_groups_without_guarantee() {
        let mut promises = [Promise::default(); 8];
        (promises[1].aggregated, promises[2].aggregated) = (true, true);
        let mut rates = GroupRates::new(&promises, Bitrate::from_bps(800_000), 4);
        let mut waiting = groups(50_000, 6_000);
        waiting[2] = Bytes(6_000);
        // The bucket holds a tenth of a second, 10 000 bytes.
        assert_eq!(rates.allowed(at(0), &waiting), Bytes(60_000));
        rates.on_grant(0, groups(50_000, 6_000));
        assert_eq!(rates.allowed(at(0), &waiting), Bytes(54_000));
        rates.on_block(0, &groups(50_000, 1_000));
        assert_eq!(rates.allowed(at(0), &waiting), Bytes(59_000));
        assert_eq!(rates.allowed(at(5), &waiting), Bytes(59_500));
    }

    /// The bytes in a block are charged, not the bytes that it was granted for.
    #[test]
    fn a_block_is_charged_by_its_content() {
        let mut rates = rates();
        rates.on_grant(2, groups(0, 4_000));
        assert_eq!(rates.allowed(at(0), &groups(0, 50_000)), Bytes(6_000));
        rates.on_block(2, &groups(1_000, 3_000));
        assert_eq!(rates.allowed(at(0), &groups(0, 50_000)), Bytes(7_000));
        // One without such a grant is charged, too.
        rates.on_block(2, &groups(0, 500));
        assert_eq!(rates.allowed(at(0), &groups(0, 50_000)), Bytes(6_500));
    }

    /// TS 23.401 §4.7.3
    #[test]
    fn a_guarantee_is_in_danger_when_its_group_waits_and_has_not_had_it() {
        let mut rates = rates();
        assert!(!rates.in_danger(at(100), ServedGroups::ALL), "nothing waits");
        rates.on_estimate(at(100), &groups(200, 0));
        rates.on_estimate(at(130), &groups(300, 0));
        assert!(
            !rates.in_danger(at(140), ServedGroups::ALL),
            "it waits since 100 ms, half of its budget"
        );
        assert!(rates.in_danger(at(141), ServedGroups::ALL));
        assert!(!rates.in_danger(at(141), ServedGroups::ALL.without(0)), "by another carrier");
        rates.on_grant(0, groups(101_000, 0));
        assert!(
            !rates.in_danger(at(141), ServedGroups::ALL),
            "it has had more than a second of its rate"
        );
        rates.on_estimate(at(141), &groups(0, 300));
        assert!(!rates.in_danger(at(500), ServedGroups::ALL), "the other group has no guarantee");
    }
}
