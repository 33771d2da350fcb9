//! The delivery rate of one sender (draft-cheng-iccrg-delivery-rate-estimation).
//!
//! In: segments as they leave and as they are known to have arrived. Out: for each acknowledgement
//! a sample of the delivery rate of the network, and round trips counted by deliveries.
//!
//! A segment carries the state of the connection at its departure (`Stamp`). At its arrival, the
//! rate is the number of bytes delivered since then, over the longer of the times for sending and
//! for acknowledging them; so neither a burst nor compressed acknowledgements feign a higher rate.

use crate::unit::{Duration, Instant};

/// Deliveries of a connection.
#[derive(Clone, Debug, Default)]
pub(super) struct Delivery {
    /// `C.delivered`: bytes acknowledged or selectively acknowledged.
    delivered: u64,
    /// `C.delivered_time`
    delivered_at: Instant,
    /// `C.first_sent_time`: departure of the segment that was delivered last.
    first_sent: Instant,
    /// `C.app_limited`: the application is the limit up to this count of `delivered`. 0 if it is
    /// not.
    app_limited: u64,
    /// A round trip ends at the delivery of a segment that left at this count of `delivered` or
    /// later.
    round_end: u64,
    /// The newest segment delivered by the acknowledgement in process.
    newest: Option<Stamp>,
    /// Time of the acknowledgement in process.
    now: Instant,
    /// The shortest round trip.
    minimum_rtt: Option<Duration>,
}

/// State of the delivery at a segment's departure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stamp {
    /// `P.sent_time`, of the last transmission.
    pub(super) sent: Instant,
    /// `P.first_sent_time`
    first_sent: Instant,
    /// `P.delivered_time`
    delivered_at: Instant,
    /// `P.delivered`
    delivered: u64,
    /// `P.is_app_limited`
    pub(super) app_limited: bool,
    /// Load at the departure, for controls that need losses.
    pub(super) load: Load,
}

/// Data in flight and lost at a segment's departure.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Load {
    /// `P.tx_in_flight`, with the segment.
    pub(super) in_flight: u64,
    /// `P.lost`
    pub(super) lost: u64,
}

/// A sample of the delivery rate: `delivered` bytes in `interval`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateSample {
    /// Bytes delivered between the sending of the newest delivered segment and now
    /// (`rs.delivered`).
    pub delivered: u64,
    /// Time taken by the delivery (`rs.interval`).
    pub interval: Duration,
    /// The application did not fill the pipe at the departure, so the path may be faster
    /// (`rs.is_app_limited`).
    pub app_limited: bool,
    /// A round trip is over, counted by deliveries.
    pub round_start: bool,
    /// `rs.prior_delivered`
    pub prior_delivered: u64,
    /// `C.delivered`
    pub total: u64,
    /// Data in flight after the departure of the newest delivered segment (`rs.tx_in_flight`); zero
    /// for a control that does not need losses.
    pub in_flight: u64,
    /// Bytes lost since that departure (`rs.lost`); zero for a control that does not need losses.
    pub lost: u64,
}

impl Delivery {
    /// Returns the bytes delivered since the connection opened.
    pub(super) fn delivered(&self) -> u64 {
        self.delivered
    }

    /// Books a departure, and returns its stamp; `idle` if nothing was in flight before.
    #[inline]
    pub(super) fn on_sent(&mut self, now: Instant, idle: bool) -> Stamp {
        if idle {
            self.first_sent = now;
            self.delivered_at = now;
        }
        Stamp {
            sent: now,
            first_sent: self.first_sent,
            delivered_at: self.delivered_at,
            delivered: self.delivered,
            app_limited: self.app_limited > 0,
            load: Load::default(),
        }
    }

    /// Starts the account of an acknowledgement at `now`.
    #[inline]
    pub(super) fn begin(&mut self, now: Instant) {
        self.now = now;
        self.newest = None;
    }

    /// Books `bytes` of a segment as delivered by the acknowledgement in process.
    #[inline]
    pub(super) fn on_delivered(&mut self, stamp: &Stamp, bytes: u64) {
        self.delivered += bytes;
        self.delivered_at = self.now;
        let order = |stamp: &Stamp| (stamp.delivered, stamp.sent);
        if self.newest.is_none_or(|newest| order(stamp) >= order(&newest)) {
            self.newest = Some(*stamp);
            self.first_sent = stamp.sent;
        }
    }

    /// Ends the account of the acknowledgement, and returns a sample if it delivered anything.
    #[inline]
    pub(super) fn sample(&mut self, rtt: Option<Duration>) -> Option<RateSample> {
        self.minimum_rtt = match (self.minimum_rtt, rtt) {
            (Some(minimum), Some(rtt)) => Some(minimum.min(rtt)),
            (minimum, rtt) => minimum.or(rtt),
        };
        let newest = self.newest?;
        if self.delivered > self.app_limited {
            self.app_limited = 0;
        }
        let round_start = newest.delivered >= self.round_end;
        if round_start {
            self.round_end = self.delivered;
        }
        let sending = newest.sent.saturating_since(newest.first_sent);
        let acknowledging = self.delivered_at.saturating_since(newest.delivered_at);
        let interval = sending.max(acknowledging);
        // Only a retransmitted segment whose original then arrived can be faster than a round trip.
        let plausible = self.minimum_rtt.is_none_or(|minimum| interval >= minimum);
        plausible.then_some(RateSample {
            delivered: self.delivered - newest.delivered,
            interval,
            app_limited: newest.app_limited,
            round_start,
            prior_delivered: newest.delivered,
            total: self.delivered,
            in_flight: newest.load.in_flight,
            lost: newest.load.lost,
        })
    }

    /// Books that the application has no more to send while `in_flight` bytes are on their way.
    pub(super) fn on_application_limit(&mut self, in_flight: u64) {
        self.app_limited = (self.delivered + in_flight).max(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: u64) -> Instant {
        Instant::ZERO + Duration::from_millis(millis)
    }

    /// Two segments of 1000 bytes leave 10 ms apart, and their acknowledgements arrive 10 ms apart.
    #[test]
    fn sample_counts_deliveries_since_the_departure() {
        let mut delivery = Delivery::default();
        let first = delivery.on_sent(at(0), true);
        let second = delivery.on_sent(at(10), false);
        delivery.begin(at(100));
        delivery.on_delivered(&first, 1000);
        let sample = delivery.sample(Some(Duration::from_millis(100))).expect("one came");
        assert_eq!((sample.delivered, sample.interval), (1000, Duration::from_millis(100)));
        delivery.begin(at(110));
        delivery.on_delivered(&second, 1000);
        let sample = delivery.sample(None).expect("one came");
        assert_eq!((sample.delivered, sample.interval), (2000, Duration::from_millis(110)));
    }

    /// The interval of segments that are acknowledged all at once is the time since the last
    /// delivery.
    #[test]
    fn compressed_acknowledgements_do_not_feign_a_rate() {
        let mut delivery = Delivery::default();
        let stamps: Vec<Stamp> = (0..10).map(|n| delivery.on_sent(at(n * 10), n == 0)).collect();
        delivery.begin(at(200));
        for stamp in &stamps {
            delivery.on_delivered(stamp, 1000);
        }
        let sample = delivery.sample(None).expect("all came");
        assert_eq!((sample.delivered, sample.interval), (10_000, Duration::from_millis(200)));
    }

    #[test]
    fn segments_after_a_pause_are_application_limited() {
        let mut delivery = Delivery::default();
        let first = delivery.on_sent(at(0), true);
        delivery.on_application_limit(1000);
        let second = delivery.on_sent(at(50), false);
        let limited = |delivery: &mut Delivery, now, stamp| {
            delivery.begin(now);
            delivery.on_delivered(stamp, 1000);
            delivery.sample(None).expect("one came").app_limited
        };
        assert!(!limited(&mut delivery, at(100), &first));
        assert!(limited(&mut delivery, at(150), &second));
        let third = delivery.on_sent(at(150), true);
        assert!(!limited(&mut delivery, at(250), &third));
    }

    #[test]
    fn round_ends_with_delivery_of_later_data() {
        let mut delivery = Delivery::default();
        let mut stamps = vec![delivery.on_sent(at(0), true), delivery.on_sent(at(0), false)];
        let starts = [100, 101, 200, 201].map(|millis| {
            let stamp = stamps.remove(0);
            delivery.begin(at(millis));
            delivery.on_delivered(&stamp, 1000);
            stamps.push(delivery.on_sent(at(millis), false));
            delivery.sample(None).expect("one came").round_start
        });
        assert_eq!(starts, [true, false, true, false]);
    }

    /// If the first transmission arrives after a retransmission has left, the retransmission seems
    /// to arrive at once.
    #[test]
    fn interval_below_min_rtt_gives_no_sample() {
        let mut delivery = Delivery::default();
        let first = delivery.on_sent(at(0), true);
        delivery.begin(at(100));
        delivery.on_delivered(&first, 1000);
        delivery.sample(Some(Duration::from_millis(100)));
        let again = delivery.on_sent(at(200), true);
        delivery.begin(at(201));
        delivery.on_delivered(&again, 1000);
        assert_eq!(delivery.sample(None), None);
    }

    /// `rs.delivered` counts from `P.delivered`, not from the start of the connection.
    #[test]
    fn sample_excludes_deliveries_before_the_departure() {
        let mut delivery = Delivery::default();
        let first = delivery.on_sent(at(0), true);
        delivery.begin(at(100));
        delivery.on_delivered(&first, 1000);
        delivery.sample(None).expect("one came");
        let second = delivery.on_sent(at(100), true);
        delivery.begin(at(180));
        delivery.on_delivered(&second, 300);
        let sample = delivery.sample(None).expect("one came");
        assert_eq!((sample.delivered, sample.interval), (300, Duration::from_millis(80)));
    }
}
