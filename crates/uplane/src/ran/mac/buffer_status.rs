//! Buffer status reports of one UE (TS 36.321 §5.4.5).
//!
//! In: data that arrives, blocks that are built, time in slots. Out: when a report is due, and its
//! kind.
//!
//! Only a regular report asks for resources. It is triggered by data of a higher priority than all
//! that waits, by data after an empty buffer, and by the retransmission timer; **later arrivals
//! into a backlogged channel trigger nothing**, so the eNB learns of them from periodic and padding
//! reports alone.

use super::header::Packing;
use crate::ran::tables::bsr;
use crate::unit::text::word_or;
use crate::unit::{Bytes, Duration};

/// The parameters of all UEs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// `periodicBSR-Timer`; never for `None`.
    pub periodic: Option<Interval>,
    /// `retxBSR-Timer`; never for `None`.
    pub retransmission: Option<Duration>,
    /// The buffer size levels of reports.
    pub levels: Levels,
    /// The formats of reports, those about fewer groups first.
    pub formats: &'static [ReportFormat],
}

/// Resolution of the buffer sizes in a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Levels {
    /// Exact sizes in bytes.
    Exact,
    /// In levels of six bits (TS 36.321 Table 6.1.3.1-1).
    SixBits,
    /// In levels of five bits in a short report, and of eight in a long one (TS 38.321
    /// Tables 6.1.3.1-1, -2).
    FiveOrEightBits,
}

/// A buffer status report as a control element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReportFormat {
    /// Maximum number of groups in the element. Other groups count as empty.
    pub groups: u8,
    /// Length of the element with its sub-header, without the bytes per group.
    pub fixed: u8,
    /// Bytes for each group that it reports.
    pub per_group: u8,
}

/// A buffer status report in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// Buffer sizes as the base station reads them.
    pub groups: Groups,
    /// Format of the report.
    pub format: ReportFormat,
}

/// A short report, about one logical channel group, and a long one, about four (TS 36.321
/// §6.1.3.1).
pub const LTE_FORMATS: &[ReportFormat] = &[
    ReportFormat { groups: 1, fixed: 1 + 1, per_group: 0 },
    ReportFormat { groups: 4, fixed: 1 + 3, per_group: 0 },
];

/// A short report, about one of eight logical channel groups, and long ones with a byte for each
/// group that they report: all with data, or the groups that fit into the padding (TS 38.321
/// §6.1.3.1).
///
/// Left out: a long truncated report with zero or one such byte, in three or four bytes of padding;
/// a short truncated report replaces it. A padding report of one group is always short; the
/// standard has a long one if it fits.
pub const NR_FORMATS: &[ReportFormat] = &[
    ReportFormat { groups: 1, fixed: 1 + 1, per_group: 0 },
    long(2),
    long(3),
    long(4),
    long(5),
    long(6),
    long(7),
    long(8),
];

/// Returns NR's format for reports about at most `groups` groups.
const fn long(groups: u8) -> ReportFormat {
    ReportFormat { groups, fixed: 2 + 1, per_group: 1 }
}

/// Numbers of the logical channel groups, those with the most urgent channels first: a truncated
/// report is about the first of them (TS 36.321 §5.4.5, TS 38.321 §5.4.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Urgency([u8; 8]);

impl Urgency {
    /// Returns all groups, the most urgent first.
    pub fn order(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().map(usize::from)
    }

    /// Orders the groups of channels with these groups and priorities. Groups of one priority, or
    /// without a channel, are in the order of their numbers.
    pub fn of(channels: impl IntoIterator<Item = (usize, u16)>) -> Self {
        let mut first = [u16::MAX; 8];
        for (group, priority) in channels {
            first[group] = first[group].min(priority);
        }
        let mut order = [0, 1, 2, 3, 4, 5, 6, 7];
        order.sort_by_key(|&group| first[usize::from(group)]);
        Self(order)
    }
}

/// Distance between two buffer status reports of a UE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interval {
    /// A report in each uplink block.
    EveryBlock,
    /// Timer, restarted by each report.
    Time(Duration),
}

word_or! {
    Interval "BsrInterval" "a time such as \"10 ms\", or \"every_block\""
        { "every_block" => EveryBlock, _ => Time(Duration) }
}

/// Bytes of the logical channel groups, the most urgent first; LTE has four of the eight.
pub type Groups = [Bytes; 8];

/// Why a report is pending (TS 36.321 §5.4.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// Data that the eNB cannot know of; it triggers scheduling requests too.
    Regular,
    /// The periodic timer expired.
    Periodic,
}

/// The reporting state of one UE.
#[derive(Clone, Debug)]
pub struct Reporting {
    pending: Option<Trigger>,
    every_block: bool,
    /// `periodicBSR-Timer` in slots, and when it expires if it runs.
    periodic: Option<u64>,
    periodic_expires: Option<u64>,
    /// `retxBSR-Timer` in slots, and when it expires if it runs.
    retransmission: Option<u64>,
    retransmission_expires: Option<u64>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            periodic: Some(Interval::Time(Duration::from_millis(10))),
            retransmission: Some(Duration::from_millis(2560)),
            levels: Levels::SixBits,
            formats: LTE_FORMATS,
        }
    }
}

impl Reporting {
    /// Creates the state of a UE with no report pending. `slots` converts a time to slots.
    pub fn new(config: &Config, slots: impl Fn(Duration) -> u64) -> Self {
        let periodic = match config.periodic {
            Some(Interval::Time(span)) => Some(slots(span)),
            Some(Interval::EveryBlock) | None => None,
        };
        Self {
            pending: None,
            every_block: config.periodic == Some(Interval::EveryBlock),
            periodic,
            periodic_expires: None,
            retransmission: config.retransmission.map(slots),
            retransmission_expires: None,
        }
    }

    /// Handles data that became available. `highest` is the priority of the most urgent channel
    /// that had data before, if any had; low numbers are urgent. Returns `true` if a regular report
    /// is triggered.
    pub fn on_data(&mut self, priority: u16, highest: Option<u16>) -> bool {
        let regular = highest.is_none_or(|highest| priority < highest);
        if regular {
            self.pending = Some(Trigger::Regular);
        }
        regular
    }

    /// Checks the timers in this slot. `data_waits` is `true` if any data wait. Returns `true` if a
    /// regular report is triggered.
    pub fn on_slot(&mut self, slot: u64, data_waits: bool) -> bool {
        if self.periodic_expires.take_if(|expires| *expires <= slot).is_some() {
            self.pending.get_or_insert(Trigger::Periodic);
        }
        let expired = self.retransmission_expires.take_if(|expires| *expires <= slot).is_some();
        if expired && data_waits {
            self.pending = Some(Trigger::Regular);
        }
        expired && data_waits
    }

    /// Returns the first slot in which [`Reporting::on_slot`] may trigger a regular report.
    pub fn next_regular(&self) -> Option<u64> {
        self.retransmission_expires
    }

    /// Returns the trigger of the pending report.
    pub fn pending(&self) -> Option<Trigger> {
        self.pending
    }

    /// Restarts `retxBSR-Timer` when a grant is received.
    pub fn on_grant(&mut self, slot: u64) {
        self.retransmission_expires = self.retransmission.map(|span| slot + span);
    }

    /// Returns `true` if the next block must have a report, before data is put in.
    pub fn wanted(&self) -> bool {
        self.pending.is_some() || self.every_block
    }

    /// Records that the block of this slot has a report, and restarts both timers.
    pub fn on_sent(&mut self, slot: u64) {
        self.pending = None;
        self.periodic_expires = self.periodic.map(|span| slot + span);
        self.retransmission_expires = self.retransmission.map(|span| slot + span);
    }

    /// Cancels all triggered reports: all data fit into the grant, but the report does not.
    pub fn cancel(&mut self) {
        self.pending = None;
    }
}

impl Levels {
    /// Returns the size that the base station reads for `waiting` bytes: the upper end of the
    /// level.
    fn read(self, waiting: Bytes, format: ReportFormat) -> Bytes {
        match self {
            // Most groups are empty, which is index 0: they need no table access.
            _ if waiting.is_zero() => waiting,
            Self::Exact => waiting,
            Self::SixBits => bsr::upper(bsr::index(waiting)),
            Self::FiveOrEightBits if format.per_group == 0 => bsr::SHORT.read(waiting),
            Self::FiveOrEightBits => bsr::LONG.read(waiting),
        }
    }
}

impl ReportFormat {
    /// Returns the length of a report of `groups`, with its sub-header.
    pub fn length(&self, groups: &Groups) -> Bytes {
        let reported = with_data(groups).min(usize::from(self.groups)) as u64;
        Bytes(u64::from(self.fixed) + u64::from(self.per_group) * reported)
    }
}

impl Config {
    /// Returns the format of a regular or periodic report: the first into which all groups with
    /// data fit.
    pub fn format(&self, groups: &Groups) -> ReportFormat {
        let needed = with_data(groups);
        let fits = |format: &&ReportFormat| usize::from(format.groups) >= needed;
        *self.formats.iter().find(fits).unwrap_or(self.last_format())
    }

    /// Returns the format of a padding report, which takes bytes that no SDU needs, whatever
    /// reports cost: the format for `groups` if it fits, else a shorter (truncated) one, else
    /// `None`.
    pub fn padding_format(&self, packing: &Packing, groups: &Groups) -> Option<ReportFormat> {
        let (unused, most) = (packing.unused(), self.format(groups).groups);
        let fits =
            |format: &&ReportFormat| format.groups <= most && format.length(groups) <= unused;
        self.formats.iter().rfind(fits).copied()
    }

    /// Returns the sizes that the base station reads: the upper end of each group's level (TS
    /// 36.321 §6.1.3.1). A report into which not all groups fit is about the first groups of
    /// `urgency` with data.
    pub fn reported(&self, groups: &Groups, format: ReportFormat, urgency: Urgency) -> Groups {
        let mut reported = Groups::default();
        let with_data = urgency.0.iter().map(|&group| usize::from(group));
        let with_data = with_data.filter(|&group| !groups[group].is_zero());
        for group in with_data.take(format.groups.into()) {
            reported[group] = self.levels.read(groups[group], format);
        }
        reported
    }

    /// Returns the sizes that the base station reads in a report about all groups.
    pub fn reported_whole(&self, groups: &Groups) -> Groups {
        let format = *self.last_format();
        let mut read = *groups;
        for bytes in read.iter_mut().filter(|bytes| !bytes.is_zero()) {
            *bytes = self.levels.read(*bytes, format);
        }
        read
    }

    fn last_format(&self) -> &ReportFormat {
        self.formats.last().expect("reports have a format")
    }
}

fn with_data(groups: &Groups) -> usize {
    groups.iter().filter(|bytes| !bytes.is_zero()).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ran::mac::header::SubHeaders;

    fn reporting() -> Reporting {
        Reporting::new(&Config::default(), |span| span.as_nanos() / 1_000_000)
    }

    /// TS 36.321 §5.4.5: a regular report is triggered by data after an empty buffer, or of a
    /// higher priority than all that waits.
    #[test]
    fn more_data_in_a_backlogged_channel_triggers_nothing() {
        let mut reporting = reporting();
        assert!(reporting.on_data(9, None));
        reporting.on_sent(0);
        assert!(!reporting.on_data(9, Some(9)));
        assert!(!reporting.on_data(9, Some(7)));
        assert_eq!(reporting.pending(), None);
        assert!(reporting.on_data(7, Some(9)));
        assert_eq!(reporting.pending(), Some(Trigger::Regular));
    }

    /// TS 36.321 §5.4.5: `periodicBSR-Timer` restarts with each report.
    #[test]
    fn a_periodic_report_is_due_after_the_timer() {
        let mut reporting = reporting();
        assert!(!reporting.on_slot(100, true));
        assert_eq!(reporting.pending(), None, "the timer starts with the first report");
        reporting.on_sent(100);
        reporting.on_slot(109, true);
        assert_eq!(reporting.pending(), None);
        reporting.on_slot(110, true);
        assert_eq!(reporting.pending(), Some(Trigger::Periodic));
    }

    /// TS 36.321 §5.4.5: retxBSR-Timer makes a regular report when data still waits.
    #[test]
    fn an_expired_retx_bsr_timer_triggers_a_report() {
        let mut reporting = reporting();
        reporting.on_sent(0);
        assert!(!reporting.on_slot(2559, true));
        assert!(reporting.on_slot(2560, true));
        reporting.on_sent(3000);
        reporting.on_grant(4000);
        assert!(!reporting.on_slot(5560, true));
        assert!(!reporting.on_slot(6560, false), "nothing waits");
    }

    const BY_NUMBER: Urgency = Urgency([0, 1, 2, 3, 4, 5, 6, 7]);

    fn groups<const N: usize>(bytes: [u64; N]) -> Groups {
        std::array::from_fn(|group| Bytes(bytes.get(group).copied().unwrap_or_default()))
    }

    /// TS 36.321 §5.4.5: long when more than one group has data.
    #[test]
    fn the_format_follows_the_groups_with_data() {
        let [short, long] = LTE_FORMATS else { panic!("two formats") };
        let config = Config::default();
        let (one, two) = (groups([0, 52]), groups([9, 52]));
        assert_eq!((config.format(&one), config.format(&two)), (*short, *long));
        assert_eq!([short.length(&one), long.length(&two)], [2, 4].map(Bytes));
        let room = |bytes| Packing::new(Bytes(bytes), SubHeaders::LTE);
        assert_eq!(config.padding_format(&room(3), &two), Some(*short));
        assert_eq!(config.padding_format(&room(4), &two), Some(*long));
        assert_eq!(config.padding_format(&room(4), &one), Some(*short), "one group is enough");
        assert_eq!(config.padding_format(&room(1), &one), None);
    }

    /// TS 36.321 §6.1.3.1: 52 bytes are of level 13, which ends at 57.
    #[test]
    fn a_report_is_rounded_up_to_its_level() {
        let waiting = groups([0, 52, 0, 7]);
        let [short, long] = LTE_FORMATS else { panic!("two formats") };
        let config = Config::default();
        assert_eq!(config.reported(&waiting, *long, BY_NUMBER), groups([0, 57, 0, 10]));
        assert_eq!(config.reported_whole(&waiting), groups([0, 57, 0, 10]));
        let exact = Config { levels: Levels::Exact, ..config };
        assert_eq!(exact.reported(&waiting, *short, BY_NUMBER), groups([0, 52]));
    }

    /// TS 38.321 §6.1.3.1
    #[test]
    fn reports_of_nr_have_their_lengths_and_levels() {
        let config =
            Config { formats: NR_FORMATS, levels: Levels::FiveOrEightBits, ..Config::default() };
        let length = |groups: &Groups| config.format(groups).length(groups);
        let [one, three] = [groups([1461]), groups([1461, 5, 7])];
        let eight = [Bytes(1); 8];
        assert_eq!([one, three, eight].map(|groups| length(&groups)), [2, 6, 11].map(Bytes));
        let [short, .., long] = NR_FORMATS else { panic!("several formats") };
        assert_eq!(long.length(&one), Bytes(4));
        assert_eq!(config.reported(&one, *short, BY_NUMBER), groups([2014]));
        assert_eq!(config.reported(&one, *long, BY_NUMBER)[0], bsr::LONG.read(Bytes(1461)));
    }

    /// TS 38.321 §5.4.5, §6.1.3.1: a long report has a byte for each of eight groups with data, and
    /// a truncated one a byte for each of the most urgent groups that fit.
    #[test]
    fn a_report_about_eight_groups_grows_with_those_that_have_data() {
        let config = Config { formats: NR_FORMATS, levels: Levels::Exact, ..Config::default() };
        let five = groups([1, 2, 0, 3, 0, 4, 0, 5]);
        assert_eq!(config.format(&five).length(&five), Bytes(2 + 1 + 5));
        assert_eq!(config.reported_whole(&five), five);
        let reported = |room, urgency| {
            let room = Packing::new(Bytes(room), SubHeaders::LTE);
            let format = config.padding_format(&room, &five)?;
            Some((format.length(&five).0, config.reported(&five, format, urgency)))
        };
        assert_eq!(reported(6, BY_NUMBER), Some((6, groups([1, 2, 0, 3]))));
        let last_first = Urgency::of([(7, 10), (0, 20), (1, 90), (1, 5)]);
        let reported = |room| reported(room, last_first);
        assert_eq!(reported(8), Some((8, five)));
        assert_eq!(reported(7), Some((7, groups([1, 2, 0, 3, 0, 0, 0, 5]))));
        assert_eq!(reported(6), Some((6, groups([1, 2, 0, 0, 0, 0, 0, 5]))));
        assert_eq!(reported(5), Some((5, groups([0, 2, 0, 0, 0, 0, 0, 5]))));
        assert_eq!([reported(4), reported(2)], [Some((2, groups([0, 2]))); 2]);
        assert_eq!(reported(1), None);
    }
}
