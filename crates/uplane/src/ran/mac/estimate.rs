//! The base station's estimate of what one UE has to send, from its buffer status reports (TS
//! 36.321 §5.4.5).
//!
//! In: requests, reports, grants. Out: bytes still to be granted; never negative.
//!
//! A report describes the buffer at the moment at which its block was built. Grants whose blocks
//! are built later are under way when it arrives; [`Reading::LessGrants`] subtracts them. Blocks
//! are built one after the other, each in its turn: that is the slot of its transmission or, where
//! a UE has several uplink carriers, a number that counts the slots of all of them.

use std::collections::VecDeque;

use super::buffer_status::Groups;
use super::served_groups::ServedGroups;
use crate::unit::Bytes;

/// The scheduler's interpretation of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// The report is as old as its block, so later grants are subtracted from it.
    #[default]
    LessGrants,
    /// The report is taken as the current buffer: bytes granted since its block are granted twice.
    Current,
}

/// The estimate for one UE.
#[derive(Clone, Debug)]
pub struct Estimate {
    reading: Reading,
    groups: Groups,
    /// Grants not yet covered by a report.
    granted: VecDeque<Granted>,
    /// Maximum number of grants kept: many times the grants that fit between a report and its
    /// decoding.
    most: usize,
    /// The turn of the last report. An older report, delayed by HARQ, has no new information.
    reported: Option<u64>,
}

/// A grant whose block no report has covered.
#[derive(Clone, Copy, Debug)]
struct Granted {
    /// Turn of the grant's block.
    turn: u64,
    data: Bytes,
    /// The groups that the grant's carrier serves.
    groups: ServedGroups,
}

impl Estimate {
    /// Creates the estimate for a UE with `carriers` uplink carriers, before its first report.
    pub fn new(reading: Reading, carriers: u64) -> Self {
        Self {
            reading,
            groups: Groups::default(),
            granted: VecDeque::new(),
            most: carriers as usize * MOST_UNDER_WAY,
            reported: None,
        }
    }

    /// Handles a decoded report that was sent in the block of this `turn`.
    pub fn on_report(&mut self, turn: u64, groups: Groups) {
        if self.reading == Reading::Current {
            self.groups = groups;
            self.granted.clear();
            return;
        }
        if self.reported.is_some_and(|last| last > turn) {
            return;
        }
        self.reported = Some(turn);
        while self.granted.front().is_some_and(|granted| granted.turn <= turn) {
            self.granted.pop_front();
        }
        self.groups = groups;
        for &Granted { data, groups, .. } in &self.granted {
            subtract(&mut self.groups, data, groups);
        }
    }

    /// Records that the UE may send `data` bytes of these `groups`, without headers, in the block
    /// of this `turn`. Turns of one carrier never come in descending order; a turn of another
    /// carrier may be earlier.
    pub fn on_grant(&mut self, turn: u64, data: Bytes, groups: ServedGroups) {
        subtract(&mut self.groups, data, groups);
        // Grants older than this cannot be under way when a report arrives.
        if self.granted.len() == self.most {
            self.granted.pop_front();
        }
        let granted = Granted { turn, data, groups };
        if self.granted.back().is_none_or(|last| last.turn <= turn) {
            self.granted.push_back(granted);
        } else {
            let place = self.granted.partition_point(|other| other.turn <= turn);
            self.granted.insert(place, granted);
        }
    }

    /// Returns the bytes of each group still to be granted.
    pub const fn groups(&self) -> &Groups {
        &self.groups
    }

    /// Returns all bytes still to be granted.
    pub fn bytes(&self) -> Bytes {
        self.groups.iter().copied().sum()
    }

    /// Returns the turn of the last block granted and not yet covered by a report.
    pub fn last_granted(&self) -> Option<u64> {
        self.granted.back().map(|granted| granted.turn)
    }
}

/// Takes `data` bytes from the groups that the block serves, most urgent group (lowest number)
/// first.
fn subtract(groups: &mut Groups, data: Bytes, served: ServedGroups) {
    let mut rest = data;
    for (number, group) in groups.iter_mut().enumerate() {
        if rest.is_zero() {
            return;
        }
        if served.contains(number) {
            let taken = rest.min(*group);
            *group -= taken;
            rest -= taken;
        }
    }
}

/// Maximum number of grants under way, per carrier.
const MOST_UNDER_WAY: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_current_report_forgets_all_grants() {
        let groups = |bytes| groups([bytes, 0, 0, 0]);
        let mut estimate = Estimate::new(Reading::Current, 1);
        estimate.on_report(1, groups(100));
        estimate.on_grant(6, Bytes(549), ServedGroups::ALL);
        assert_eq!(estimate.bytes(), Bytes::ZERO);
        estimate.on_report(1, groups(150));
        assert_eq!(estimate.bytes(), Bytes(150));
        assert_eq!(estimate.last_granted(), None);
    }

    fn groups([a, b, c, d]: [u64; 4]) -> Groups {
        [a, b, c, d, 0, 0, 0, 0].map(Bytes)
    }

    #[test]
    fn grants_under_way_are_subtracted_from_a_report() {
        let mut estimate = Estimate::new(Reading::LessGrants, 1);
        estimate.on_report(10, groups([0, 1000, 0, 0]));
        estimate.on_grant(18, Bytes(300), ServedGroups::ALL);
        estimate.on_grant(19, Bytes(300), ServedGroups::ALL);
        assert_eq!(estimate.bytes(), Bytes(400));
        // The report of slot 18 does not yet know of the block of slot 19.
        estimate.on_report(18, groups([0, 900, 0, 0]));
        assert_eq!(estimate.bytes(), Bytes(600));
        assert_eq!(estimate.last_granted(), Some(19));
    }

    /// HARQ hands blocks over out of order: an older report is out of date when it arrives.
    #[test]
    fn a_report_that_harq_delayed_says_nothing_new() {
        let mut estimate = Estimate::new(Reading::LessGrants, 1);
        estimate.on_report(18, groups([0, 900, 0, 0]));
        estimate.on_report(10, groups([0, 1000, 0, 0]));
        assert_eq!(estimate.bytes(), Bytes(900));
        estimate.on_report(19, groups([0, 800, 0, 0]));
        assert_eq!(estimate.bytes(), Bytes(800));
    }

    /// A report of turn 12 knows of the block of turn 11, which was granted last, and not of the
    /// one of turn 20.
    #[test]
    fn a_report_covers_blocks_built_before_it() {
        let mut estimate = Estimate::new(Reading::LessGrants, 2);
        estimate.on_report(8, groups([0, 1000, 0, 0]));
        estimate.on_grant(20, Bytes(300), ServedGroups::ALL);
        estimate.on_grant(11, Bytes(200), ServedGroups::ALL);
        estimate.on_grant(15, Bytes(50), ServedGroups::ALL);
        assert_eq!((estimate.bytes(), estimate.last_granted()), (Bytes(450), Some(20)));
        estimate.on_report(12, groups([0, 800, 0, 0]));
        assert_eq!(estimate.bytes(), Bytes(450));
        // The report of turn 9 comes late, and has no new information.
        estimate.on_report(9, groups([0, 1000, 0, 0]));
        assert_eq!(estimate.bytes(), Bytes(450));
        estimate.on_report(15, groups([0, 750, 0, 0]));
        assert_eq!(estimate.bytes(), Bytes(450));
        estimate.on_report(20, groups([0, 450, 0, 0]));
        assert_eq!((estimate.bytes(), estimate.last_granted()), (Bytes(450), None));
    }

    #[test]
    fn an_estimate_is_never_negative() {
        let mut estimate = Estimate::new(Reading::LessGrants, 1);
        estimate.on_grant(5, Bytes(80), ServedGroups::ALL);
        assert_eq!(estimate.bytes(), Bytes::ZERO);
        estimate.on_report(4, groups([10, 0, 10, 0]));
        assert_eq!(estimate.bytes(), Bytes::ZERO);
    }

    /// TS 38.321 §5.4.3.1.2: a block takes nothing of groups that its carrier does not serve, now
    /// and when a report arrives that does not include it.
    #[test]
    fn a_grant_takes_of_the_groups_that_its_carrier_serves() {
        let others = ServedGroups::ALL.without(0);
        let mut estimate = Estimate::new(Reading::LessGrants, 2);
        estimate.on_report(0, groups([100, 0, 300, 0]));
        estimate.on_grant(9, Bytes(250), others);
        assert_eq!(estimate.groups()[..3], [100, 0, 50].map(Bytes));
        estimate.on_grant(8, Bytes(120), ServedGroups::ALL);
        assert_eq!(estimate.groups()[..3], [0, 0, 30].map(Bytes));
        // It has more of group 0, and knows of neither block.
        estimate.on_report(7, groups([500, 0, 300, 0]));
        assert_eq!(estimate.groups()[..3], [380, 0, 50].map(Bytes));
        estimate.on_grant(10, Bytes(900), others);
        assert_eq!(estimate.groups()[..3], [380, 0, 0].map(Bytes));
    }

    #[test]
    fn urgent_groups_are_served_first() {
        let mut estimate = Estimate::new(Reading::LessGrants, 1);
        estimate.on_report(0, groups([100, 0, 100, 0]));
        estimate.on_grant(4, Bytes(150), ServedGroups::ALL);
        assert_eq!(estimate.bytes(), Bytes(50));
        estimate.on_report(4, groups([0, 0, 50, 0]));
        assert_eq!(estimate.bytes(), Bytes(50));
    }
}
