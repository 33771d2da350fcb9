//! Guaranteed and maximum bit rates (TS 23.401 §4.7.3, TS 23.501 §5.7.2.5), as token buckets.
//!
//! In: bytes that a bearer sent, time. Out: bytes that it may send now, and whether its guarantee
//! is in danger.
//!
//! Rates count the bytes of packets at the base station's side of the core network (TS 36.413
//! §9.2.1.19, TS 38.413 §9.3.1.4), without headers of the radio. The buckets lie within the
//! averaging window of TS 23.501 Table 5.7.4-1, which is 2 s.
//!
//! The uplink has them by logical channel group ([`super::group_rates`]).

use crate::unit::{Bitrate, Bytes, Duration, Instant};

/// Tokens that accrue at a constant rate.
#[derive(Clone, Debug)]
pub struct TokenBucket {
    rate: Bitrate,
    /// Billionths of a bit, so that it is exact; at most `full`, and negative after a long packet.
    tokens: i128,
    full: i128,
    filled: Instant,
}

/// The rates of one bearer.
#[derive(Clone, Debug, Default)]
pub struct Rates {
    guaranteed: Option<TokenBucket>,
    maximum: Option<TokenBucket>,
}

impl TokenBucket {
    /// Creates a full bucket that holds what `rate` brings in `depth`.
    pub fn new(rate: Bitrate, depth: Duration) -> Self {
        let full = i128::from(rate.as_bps()) * i128::from(depth.as_nanos());
        Self { rate, tokens: full, full, filled: Instant::ZERO }
    }

    /// Returns the bytes that may be sent now.
    pub fn allows(&mut self, now: Instant) -> Bytes {
        let span = i128::from(now.saturating_since(self.filled).as_nanos());
        self.tokens = (self.tokens + i128::from(self.rate.as_bps()) * span).min(self.full);
        self.filled = self.filled.max(now);
        Bytes((self.tokens.max(0) / (8 * BILLION)) as u64)
    }

    /// Refunds the tokens of bytes that were not sent after all.
    pub fn refund(&mut self, bytes: Bytes) {
        self.tokens = (self.tokens + i128::from(bytes.bits()) * BILLION).min(self.full);
    }

    /// Takes tokens for bytes that were sent.
    pub fn take(&mut self, bytes: Bytes) {
        self.tokens -= i128::from(bytes.bits()) * BILLION;
    }
}

impl Rates {
    /// Creates the buckets of a bearer with these rates: a second of the guaranteed one (so that it
    /// may catch up), and a tenth of the maximum.
    pub fn new(guaranteed: Option<Bitrate>, maximum: Option<Bitrate>) -> Self {
        Self {
            guaranteed: guaranteed.map(|rate| TokenBucket::new(rate, Duration::from_secs(1))),
            maximum: maximum.map(|rate| TokenBucket::new(rate, Duration::from_millis(100))),
        }
    }

    /// Returns the part of `demand` that the maximum rate allows now.
    pub fn allowed(&mut self, now: Instant, demand: Bytes) -> Bytes {
        self.maximum.as_mut().map_or(demand, |bucket| demand.min(bucket.allows(now)))
    }

    /// Returns `true` if the bearer has not had its guaranteed rate, and its oldest packet has
    /// waited more than half of its radio delay budget.
    pub fn in_danger(&mut self, now: Instant, delay: Duration, budget: Duration) -> bool {
        let below = self.guaranteed.as_mut().is_some_and(|bucket| !bucket.allows(now).is_zero());
        below && delay * 2 > budget
    }

    /// Returns the bytes that the bearer gets before others, for its guaranteed rate. Zero unless
    /// that rate is in danger.
    pub fn promised(&mut self, now: Instant, delay: Duration, budget: Duration) -> Bytes {
        if !self.in_danger(now, delay, budget) {
            return Bytes::ZERO;
        }
        self.guaranteed.as_mut().map_or(Bytes::ZERO, |bucket| bucket.allows(now))
    }

    /// Refunds the tokens of bytes that were counted as sent but were not.
    pub fn on_refund(&mut self, bytes: Bytes) {
        for bucket in [&mut self.guaranteed, &mut self.maximum].into_iter().flatten() {
            bucket.refund(bytes);
        }
    }

    /// Takes tokens for bytes of the bearer that were sent.
    pub fn on_sent(&mut self, bytes: Bytes) {
        for bucket in [&mut self.guaranteed, &mut self.maximum].into_iter().flatten() {
            bucket.take(bytes);
        }
    }
}

const BILLION: i128 = 1_000_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(bps: u64) -> Bitrate {
        Bitrate::from_bps(bps).expect("not zero")
    }

    fn at(ms: u64) -> Instant {
        Instant::ZERO + Duration::from_millis(ms)
    }

    #[test]
    fn a_maximum_rate_allows_a_burst_and_then_the_rate() {
        // 800 kbit/s are 100 bytes a millisecond; the bucket holds 10 000.
        let mut rates = Rates::new(None, Some(rate(800_000)));
        assert_eq!(rates.allowed(at(0), Bytes(50_000)), Bytes(10_000));
        rates.on_sent(Bytes(10_000));
        assert_eq!(rates.allowed(at(3), Bytes(50_000)), Bytes(300));
        assert_eq!(rates.allowed(at(3), Bytes(20)), Bytes(20));
        assert_eq!(rates.allowed(at(10_000), Bytes(50_000)), Bytes(10_000));
    }

    /// TS 23.401 §4.7.3: a guaranteed rate is promised for traffic up to that rate, and no more.
    #[test]
    fn a_guarantee_is_in_danger_only_below_the_rate_and_when_late() {
        let mut rates = Rates::new(Some(rate(800_000)), None);
        let budget = Duration::from_millis(80);
        let late = Duration::from_millis(41);
        assert!(rates.in_danger(at(0), late, budget));
        assert!(!rates.in_danger(at(0), Duration::from_millis(40), budget));
        // It has had more than its second of tokens.
        rates.on_sent(Bytes(100_500));
        assert!(!rates.in_danger(at(0), late, budget));
        assert!(rates.in_danger(at(6), late, budget));
    }

    /// The promise is the rest of the guarantee, and zero while the guarantee is not in danger.
    #[test]
    fn a_promise_is_the_rest_of_the_guarantee() {
        let mut rates = Rates::new(Some(rate(800_000)), None);
        let budget = Duration::from_millis(80);
        let late = Duration::from_millis(41);
        assert_eq!(rates.promised(at(0), Duration::from_millis(40), budget), Bytes::ZERO);
        assert_eq!(rates.promised(at(0), late, budget), Bytes(100_000), "a second of it");
        rates.on_sent(Bytes(100_500));
        assert_eq!(rates.promised(at(0), late, budget), Bytes::ZERO);
        assert_eq!(rates.promised(at(6), late, budget), Bytes(100));
    }

    #[test]
    fn sent_bytes_leave_the_bucket() {
        let mut rates = Rates::new(None, Some(rate(800_000)));
        for (sent, left) in [(4_000, 6_000), (1_000, 5_000), (5_000, 0)] {
            rates.on_sent(Bytes(sent));
            assert_eq!(rates.allowed(at(0), Bytes(50_000)), Bytes(left));
        }
    }
}
