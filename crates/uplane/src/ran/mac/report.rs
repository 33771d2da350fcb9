//! Buffer status reports of one UE (TS 36.321 §5.4.5).
//!
//! In: data that arrives, blocks that are built, time in slots. Out: when a report is due, and of
//! which kind.
//!
//! Only a regular report asks for resources. It is triggered by data of a higher priority than all
//! that waits, by data after an empty buffer, and by the retransmission timer; **later arrivals
//! into a backlogged channel trigger nothing**, so the eNB learns of them from periodic and padding
//! reports alone.

use super::header::{Packing, ReportFormat};
use crate::ran::tables::bsr;
use crate::unit::{Bytes, Duration};

/// The parameters of all UEs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// `periodicBSR-Timer`; never for `None`.
    pub periodic: Option<Interval>,
    /// `retxBSR-Timer`; never for `None`.
    pub retransmission: Option<Duration>,
    /// Reports say the exact number of bytes instead of a level.
    pub exact: bool,
}

/// From report to report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interval {
    /// Each block with data left behind has one.
    EveryBlock,
    /// A timer.
    Time(Duration),
}

/// Bytes of the four logical channel groups.
pub type Groups = [Bytes; 4];

/// Why a report is pending (TS 36.321 §5.4.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// Data that the eNB cannot know of; it triggers scheduling requests too.
    Regular,
    /// The periodic timer expired.
    Periodic,
}

/// When one UE reports.
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
            exact: false,
        }
    }
}

impl Reporting {
    /// Nothing pending; `slots` says how many slots a timer takes.
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

    /// Data became available. `highest` is the priority of the most urgent channel that had data
    /// before, if any had; low numbers are urgent. True when a regular report is triggered.
    pub fn on_data(&mut self, priority: u16, highest: Option<u16>) -> bool {
        let regular = highest.is_none_or(|highest| priority < highest);
        if regular {
            self.pending = Some(Trigger::Regular);
        }
        regular
    }

    /// Looks at the timers in this slot, with whether any data waits. True when a regular report is
    /// triggered.
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

    /// The first slot in which [`Reporting::on_slot`] may trigger a regular report.
    pub fn next_regular(&self) -> Option<u64> {
        self.retransmission_expires
    }

    /// What is pending.
    pub fn pending(&self) -> Option<Trigger> {
        self.pending
    }

    /// A grant was received: `retxBSR-Timer` starts again.
    pub fn on_grant(&mut self, slot: u64) {
        self.retransmission_expires = self.retransmission.map(|span| slot + span);
    }

    /// Takes the report that a block must have, before data is put in.
    pub fn wanted(&self) -> bool {
        self.pending.is_some() || self.every_block
    }

    /// A report is in the block of this slot.
    pub fn on_sent(&mut self, slot: u64) {
        self.pending = None;
        self.periodic_expires = self.periodic.map(|span| slot + span);
        self.retransmission_expires = self.retransmission.map(|span| slot + span);
    }

    /// The grant takes all data and has no room for the report: all triggered reports are
    /// cancelled.
    pub fn cancel(&mut self) {
        self.pending = None;
    }
}

/// The format of a regular or periodic report: long when more than one group has data.
pub fn format(groups: &Groups) -> ReportFormat {
    if groups.iter().filter(|bytes| !bytes.is_zero()).count() > 1 {
        ReportFormat::Long
    } else {
        ReportFormat::Short
    }
}

/// The format of a padding report, which takes what no SDU needs: the one for `groups` if it fits,
/// else a short (or truncated) one, else none.
pub fn padding_format(packing: &Packing, groups: &Groups) -> Option<ReportFormat> {
    let unused = packing.unused();
    [format(groups), ReportFormat::Short].into_iter().find(|format| format.length() <= unused)
}

/// What the eNB reads: for each group the upper end of the level reported (TS 36.321 §6.1.3.1).
/// A short report is about the group with the first data; the others count as empty.
pub fn reported(groups: &Groups, format: ReportFormat, exact: bool) -> Groups {
    // Most groups are empty, and index 0 says so: they need no look into the table.
    let is_said_exactly = |bytes: Bytes| exact || bytes.is_zero();
    let mut seen = groups
        .map(|bytes| if is_said_exactly(bytes) { bytes } else { bsr::upper(bsr::index(bytes)) });
    if format == ReportFormat::Short
        && let Some(first) = seen.iter().position(|bytes| !bytes.is_zero())
    {
        seen[first + 1..].fill(Bytes::ZERO);
    }
    seen
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

    /// TS 36.321 §5.4.5: periodicBSR-Timer runs from report to report.
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
    fn a_ue_that_is_forgotten_asks_again() {
        let mut reporting = reporting();
        reporting.on_sent(0);
        assert!(!reporting.on_slot(2559, true));
        assert!(reporting.on_slot(2560, true));
        reporting.on_sent(3000);
        reporting.on_grant(4000);
        assert!(!reporting.on_slot(5560, true));
        assert!(!reporting.on_slot(6560, false), "nothing waits");
    }

    /// TS 36.321 §5.4.5: long when more than one group has data.
    #[test]
    fn the_format_follows_the_groups_with_data() {
        let one = [Bytes(0), Bytes(52), Bytes(0), Bytes(0)];
        let two = [Bytes(9), Bytes(52), Bytes(0), Bytes(0)];
        assert_eq!(format(&one), ReportFormat::Short);
        assert_eq!(format(&two), ReportFormat::Long);
        let room = |bytes| Packing::new(Bytes(bytes), SubHeaders::LTE);
        assert_eq!(padding_format(&room(3), &two), Some(ReportFormat::Short));
        assert_eq!(padding_format(&room(4), &two), Some(ReportFormat::Long));
        assert_eq!(padding_format(&room(1), &one), None);
    }

    /// TS 36.321 §6.1.3.1: 52 bytes are of level 13, which ends at 57.
    #[test]
    fn a_report_is_rounded_up_to_its_level() {
        let groups = [Bytes(0), Bytes(52), Bytes(0), Bytes(7)];
        let long = reported(&groups, ReportFormat::Long, false);
        assert_eq!(long, [0, 57, 0, 10].map(Bytes));
        assert_eq!(reported(&groups, ReportFormat::Short, true), [0, 52, 0, 0].map(Bytes));
    }
}
