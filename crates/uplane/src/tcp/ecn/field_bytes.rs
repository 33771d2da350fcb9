//! Counters of data bytes by ECN field (RFC 9768 §3.2.1, §3.2.3.3).
//!
//! In: data with its field. Out: the AccECN option of an acknowledgement, and whether one is due.
//!
//! The field of the latest unmarked data decides the order of the counters: AccECN1 after ECT(1),
//! else AccECN0, so that a shortened option keeps the counter that has changed.
//!
//! Left out: the option in full segments of data, which Linux shortens by its twelve bytes; here
//! only segments with free space have it. Two ends that both send much differ.

use crate::net::{ByteCounters, Ecn};
use crate::tcp::profile::EcnOption;
use crate::unit::{Duration, Instant};

/// The counters of one receiver.
#[derive(Clone, Debug)]
pub(in crate::tcp) struct FieldBytes {
    rule: EcnOption,
    /// `r.e0b`
    ect0: u32,
    /// `r.ceb`
    ce: u32,
    /// `r.e1b`
    ect1: u32,
    /// The field of the newest data that was counted.
    last: Option<Ecn>,
    /// The newest data that was not marked was ECT(1).
    is_ect1: bool,
    /// The next option must not wait.
    is_due: bool,
    /// Time of the last full option.
    last_full: Option<Instant>,
}

impl FieldBytes {
    /// Returns counters at their first values (RFC 9768 §3.2.1), if `rule` sends options.
    pub(in crate::tcp) fn new(rule: EcnOption) -> Option<Box<Self>> {
        let (last, is_ect1, is_due, last_full) = (None, false, false, None);
        let fresh = Self { rule, ect0: 1, ce: 0, ect1: 1, last, is_ect1, is_due, last_full };
        (rule != EcnOption::Off).then(|| Box::new(fresh))
    }

    /// Counts data. Returns `true` if their ECN field differs from that of the data before, which
    /// must be reported at once (change-triggered acknowledgements).
    pub(in crate::tcp) fn on_data(&mut self, field: Ecn, length: u64) -> bool {
        let counter = match field {
            Ecn::NotEct => return false,
            Ecn::Ect0 => &mut self.ect0,
            Ecn::Ce => &mut self.ce,
            Ecn::Ect1 => &mut self.ect1,
        };
        *counter = counter.wrapping_add(length as u32);
        let has_changed = self.last.replace(field).is_some_and(|last| last != field);
        if field != Ecn::Ce {
            self.is_ect1 = field == Ecn::Ect1;
        }
        self.is_due |= has_changed || field == Ecn::Ce;
        has_changed
    }

    /// Returns the option of an acknowledgement at `now` with `room` bytes for it and a round trip
    /// of `trip`.
    pub(in crate::tcp) fn option(
        &mut self,
        now: Instant,
        trip: Option<Duration>,
        room: u64,
    ) -> Option<ByteCounters> {
        let beacon = |last| trip.is_none_or(|trip| (now - last) * BEACONS >= trip);
        let is_wanted = self.is_due || self.last_full.is_none_or(beacon);
        let count = ByteCounters::fitting(room);
        if count == 0 || (self.rule == EcnOption::Sparse && !is_wanted) {
            return None;
        }
        self.is_due = false;
        if count == 3 {
            self.last_full = Some(now);
        }
        Some(ByteCounters::all(self.ect0, self.ce, self.ect1, self.is_ect1).shortened(count))
    }
}

/// RFC 9768 §3.2.3.3: minimum number of full options per round trip.
const BEACONS: u64 = 3;

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: u64) -> Instant {
        Instant::ZERO + Duration::from_millis(millis)
    }

    fn counters(rule: EcnOption) -> FieldBytes {
        *FieldBytes::new(rule).expect("options are sent")
    }

    #[test]
    fn receiver_without_option_counts_nothing() {
        assert!(FieldBytes::new(EcnOption::Off).is_none());
    }

    /// RFC 9768 §3.2.1: the counters begin with 1, 0 and 1.
    #[test]
    fn each_field_has_its_counter() {
        let mut bytes = counters(EcnOption::Full);
        for (field, length) in
            [(Ecn::NotEct, 7), (Ecn::Ect0, 100), (Ecn::Ce, 30), (Ecn::Ect0, 100), (Ecn::Ect1, 2)]
        {
            bytes.on_data(field, length);
        }
        let option = bytes.option(at(0), None, 40).expect("there is room");
        assert_eq!(option, ByteCounters::all(201, 30, 3, true));
    }

    /// RFC 9768 §3.2.3.3: change-triggered.
    #[test]
    fn changed_field_is_reported_at_once() {
        let mut bytes = counters(EcnOption::Sparse);
        let fields = [Ecn::Ect0, Ecn::Ect0, Ecn::Ce, Ecn::Ce, Ecn::NotEct, Ecn::Ect0];
        let changed = fields.map(|field| bytes.on_data(field, 10));
        assert_eq!(changed, [false, false, true, false, false, true]);
    }

    /// RFC 9768 §3.2.3.3: after marks, and as a beacon.
    #[test]
    fn sparse_option_follows_marks_and_beacons() {
        let mut bytes = counters(EcnOption::Sparse);
        let trip = Some(Duration::from_millis(30));
        let mut sent = |millis, field| {
            bytes.on_data(field, 10);
            bytes.option(at(millis), trip, 12).is_some()
        };
        assert!(sent(0, Ecn::Ect0), "the first one");
        assert!(!sent(9, Ecn::Ect0));
        assert!(sent(10, Ecn::Ect0), "a third of the round trip later");
        assert!(!sent(11, Ecn::Ect0));
        assert!(sent(12, Ecn::Ce));
        assert!(sent(13, Ecn::Ce));
        assert!(sent(14, Ecn::Ect0), "marks end");
        assert!(!sent(15, Ecn::Ect0));
    }

    /// RFC 9768 §3.2.3.3: SACK goes first, and an option is cut from its end.
    #[test]
    fn option_is_shortened_to_its_room() {
        let mut bytes = counters(EcnOption::Full);
        let lengths =
            [12, 11, 8, 7].map(|room| bytes.option(at(0), None, room).map(|option| option.len()));
        assert_eq!(lengths, [Some(3), Some(2), Some(2), None]);
    }
}
