//! Scheduling requests of one UE (TS 36.321 §5.4.4).
//!
//! In: triggers, transport blocks with an up-to-date report, occasions on the PUCCH. Out: requests
//! sent, and random access when too many of them had no answer.
//!
//! A request stays pending until a block with an up-to-date report has been built, or until all
//! data were sent. So with a short period the UE repeats it while its answer is under way.
//!
//! Left out: contention in random access, for which see [`super::random_access`]. Here random
//! access takes a fixed time and a random back-off, and then succeeds.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::unit::Duration;

/// The parameters of one UE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Slots between two occasions: 1, 2, 5, 10, 20, 40 or 80 (TS 36.213 Table 10.1.5-1).
    pub period: u64,
    /// Position of a UE's occasions in the period.
    pub offset: Offset,
    /// Slots of a period that can have occasions, if not all can. UEs get these slots in turn or at
    /// random.
    pub slots: Option<Box<[u64]>>,
    /// Time within its slot at which a request is sent. The request covers data that arrive before.
    pub begins: Duration,
    /// `sr-ProhibitTimer`: minimum distance between two requests.
    pub prohibit: Prohibit,
    /// `dsr-TransMax`: maximum number of requests before random access.
    pub dsr_trans_max: u32,
    /// Duration of random access, from the last unanswered request until requests may restart.
    pub random_access: Duration,
    /// Maximum of a random time that is added to it.
    pub back_off: Duration,
}

/// `sr-ProhibitTimer`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prohibit {
    /// Periods of the occasions, 0 to 7 (TS 36.331 §6.3.2).
    Periods(u64),
    /// Slots, converted from a time (TS 38.331 §6.3.2).
    Slots(u64),
}

/// Offset of a UE's SR occasions within the SR period, or of its long DRX cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "RequestOffset")]
pub enum Offset {
    /// UEs take the TTIs or uplink slots of the SR period in turn, so that the PUCCH fills evenly:
    /// the first UE has the first of them, the second UE the next, and so on, again from the first
    /// after the last. The long DRX cycles of each UE start one on-duration after those of the UE
    /// before it.
    #[default]
    InTurn,
    /// Each UE draws one TTI or uplink slot of the SR period, or of the long DRX cycle, at the
    /// start of the run.
    Random,
    /// Fixed slot within the period.
    #[serde(skip)]
    Fixed(u64),
}

/// The requests of one UE.
#[derive(Clone, Debug)]
pub struct SchedulingRequest {
    period: u64,
    offset: u64,
    prohibit: u64,
    dsr_trans_max: u32,
    pending: bool,
    /// `SR_COUNTER`
    sr_counter: u32,
    /// `sr-ProhibitTimer`: the first slot in which it no longer runs.
    prohibited_until: u64,
    /// The first occasion that the prohibit timer made the UE miss.
    first_missed: Option<u64>,
}

/// Action of a UE at an occasion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The UE sends nothing.
    Nothing,
    /// The UE sends the request.
    Send {
        /// The first occasion that the prohibit timer made the UE miss before this request.
        missed: Option<u64>,
    },
    /// The UE abandons the request and starts random access.
    RandomAccess,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            period: 10,
            offset: Offset::InTurn,
            slots: None,
            begins: Duration::ZERO,
            prohibit: Prohibit::Periods(0),
            dsr_trans_max: 64,
            random_access: Duration::from_millis(15),
            back_off: Duration::from_millis(20),
        }
    }
}

impl Config {
    /// Returns the offset of UE number `number`. `below` draws a number below its argument.
    pub fn offset_of(&self, number: u64, below: impl FnOnce(u64) -> u64) -> u64 {
        let slots = self.slots.as_deref();
        let places = slots.map_or(self.period, |slots| slots.len() as u64);
        let place = match self.offset {
            Offset::Fixed(offset) => return offset,
            Offset::InTurn => number % places,
            Offset::Random => below(places),
        };
        slots.map_or(place, |slots| slots[place as usize])
    }
}

impl SchedulingRequest {
    /// Creates the requests of a UE, with none pending. `offset` is the slot of each period, and
    /// `period` at least 1.
    pub fn new(config: &Config, offset: u64) -> Self {
        Self {
            period: config.period,
            offset: offset % config.period,
            prohibit: match config.prohibit {
                Prohibit::Periods(periods) => periods * config.period,
                Prohibit::Slots(slots) => slots,
            },
            dsr_trans_max: config.dsr_trans_max,
            pending: false,
            sr_counter: 0,
            prohibited_until: 0,
            first_missed: None,
        }
    }

    /// Starts a request for a regular report that waits for uplink resources (TS 36.321 §5.4.5).
    /// Returns `false` if one is pending already.
    pub fn trigger(&mut self) -> bool {
        if self.pending {
            return false;
        }
        self.pending = true;
        self.sr_counter = 0;
        self.first_missed = None;
        true
    }

    /// Cancels the request: a block was built with an up-to-date report, or with all data.
    pub fn cancel(&mut self) {
        self.pending = false;
        // The prohibit timer is stopped (TS 36.321 §5.4.4).
        self.prohibited_until = 0;
    }

    /// Cancels the request when the MAC is reset (TS 36.321 §5.9).
    pub fn reset(&mut self) {
        self.cancel();
        self.sr_counter = 0;
        self.first_missed = None;
    }

    /// Returns `true` while a request is pending.
    pub fn is_pending(&self) -> bool {
        self.pending
    }

    /// Returns the first occasion at or after `slot`, prohibited or not.
    pub fn next_occasion(&self, slot: u64) -> u64 {
        let past = (slot + self.period - self.offset) % self.period;
        if past == 0 { slot } else { slot + self.period - past }
    }

    /// Returns the number of occasions before `slot`.
    pub fn occasions_before(&self, slot: u64) -> u64 {
        (slot + self.period - 1 - self.offset) / self.period
    }

    /// Returns the UE's action at an occasion (TS 36.321 §5.4.4).
    pub fn on_occasion(&mut self, slot: u64) -> Step {
        if !self.pending {
            return Step::Nothing;
        }
        if slot < self.prohibited_until {
            self.first_missed.get_or_insert(slot);
            return Step::Nothing;
        }
        if self.sr_counter >= self.dsr_trans_max {
            self.sr_counter = 0;
            return Step::RandomAccess;
        }
        self.sr_counter += 1;
        self.prohibited_until = slot + self.prohibit;
        Step::Send { missed: self.first_missed.take() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(period: u64, offset: u64, prohibit_periods: u64) -> SchedulingRequest {
        let prohibit = Prohibit::Periods(prohibit_periods);
        let config = Config { period, prohibit, dsr_trans_max: 4, ..Config::default() };
        SchedulingRequest::new(&config, offset)
    }

    fn sent(request: &mut SchedulingRequest, slots: std::ops::Range<u64>) -> Vec<u64> {
        let is_sent = |request: &mut SchedulingRequest, slot| {
            request.next_occasion(slot) == slot
                && matches!(request.on_occasion(slot), Step::Send { .. })
        };
        slots.filter(|&slot| is_sent(request, slot)).collect()
    }

    /// TS 36.213 §10.1.5: occasions are the slots with this offset in each period.
    #[test]
    fn occasions_come_once_a_period() {
        let request = request(5, 3, 0);
        assert_eq!([0, 3, 4, 8, 9].map(|slot| request.next_occasion(slot)), [3, 3, 8, 8, 13]);
        assert_eq!([0, 3, 4, 8, 9].map(|slot| request.occasions_before(slot)), [0, 0, 1, 1, 2]);
    }

    /// TS 36.321 §5.4.4: it stays pending until a block with an up-to-date report is built.
    #[test]
    fn a_request_is_repeated_until_it_is_cancelled() {
        let mut request = request(1, 0, 0);
        assert!(request.trigger());
        assert!(!request.trigger());
        assert_eq!(sent(&mut request, 10..13), [10, 11, 12]);
        request.cancel();
        assert!(sent(&mut request, 13..20).is_empty());
    }

    /// TS 36.321 §5.4.4: sr-ProhibitTimer.
    #[test]
    fn a_prohibited_occasion_is_missed_and_remembered() {
        let mut request = request(5, 0, 2);
        request.trigger();
        assert_eq!(request.on_occasion(0), Step::Send { missed: None });
        assert_eq!(request.on_occasion(5), Step::Nothing);
        assert_eq!(request.on_occasion(10), Step::Send { missed: Some(5) });
    }

    /// TS 36.321 §5.4.4: when SR_COUNTER reaches dsr-TransMax the UE initiates random access.
    #[test]
    fn random_access_follows_too_many_requests() {
        let mut request = request(1, 0, 0);
        request.trigger();
        assert_eq!(sent(&mut request, 0..4).len(), 4);
        assert_eq!(request.on_occasion(4), Step::RandomAccess);
        assert_eq!(request.on_occasion(30), Step::Send { missed: None });
    }
}
