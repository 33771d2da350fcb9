//! Logical channel prioritisation: the order in which channels fill a grant (TS 36.321 §5.4.3.1).
//!
//! In: the demand of each channel, the size of the grant, time. Out: bytes for each channel.
//!
//! Each channel has a token bucket that fills with its prioritised bit rate. First the channels get
//! what their buckets hold, in the order of priority; then the rest is divided by strict priority.
//! Buckets count MAC SDUs, which are RLC PDUs with their headers, without headers of the MAC (TS
//! 36.321 §5.4.3.1, TS 38.321 §5.4.3.1.3).

use crate::unit::text::word_or;
use crate::unit::{Bitrate, Bytes, Duration, Instant};

/// The parameters of one channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channel {
    /// Low numbers are urgent.
    pub priority: u16,
    /// `prioritisedBitRate`
    pub prioritised_bit_rate: PrioritisedRate,
    /// `bucketSizeDuration`: the bucket holds what the prioritised bit rate brings in this time.
    pub bucket_size_duration: Duration,
}

/// `prioritisedBitRate`: uplink rate that a logical channel gets before lower priorities; 0, 8 to
/// 256 kB/s, or infinity in the standard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PrioritisedRate {
    /// No prioritised rate.
    #[default]
    None,
    /// All that the channel needs.
    Infinite,
    /// Rate, rounded down to whole bytes per second.
    Of(Bitrate),
}

word_or! {
    PrioritisedRate "PrioritisedRate"
        "a rate such as \"64 kbit/s\", \"none\", or \"unlimited\" for all it wants"
        { "none" => None, "unlimited" => Infinite, _ => Of(Bitrate) }
}

impl PrioritisedRate {
    /// Returns the smallest value of TS 38.331 §6.3.2 (`prioritisedBitRate`) that holds a
    /// guaranteed `rate` of packets. Buckets count RLC PDUs, so the value is at least an eighth
    /// larger than `rate`: the headers of a packet of 68 bytes.
    pub fn holding(rate: Bitrate) -> Self {
        let needed = rate.as_bps() / 8 + rate.as_bps() / 64;
        let value = (3..=16).map(|power| 1000 << power).find(|&bytes| bytes >= needed);
        value.and_then(|bytes| Bitrate::from_bps(8 * bytes)).map_or(Self::Infinite, Self::Of)
    }

    /// Returns the rate in bytes per second; `None` for an infinite rate.
    const fn bytes(self) -> Option<u64> {
        match self {
            Self::None => Some(0),
            Self::Of(rate) => Some(rate.as_bps() / 8),
            Self::Infinite => None,
        }
    }
}

/// The transmissions that take tokens out of a bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payment {
    /// Only bytes sent for tokens, not those from the rest of a block: the rule of a UE (TS 36.321
    /// §5.4.3.1 step 2, TS 38.321 §5.4.3.1.3).
    ForPrioritised,
    /// All bytes sent: a channel that has had more than its rate waits until its bucket is
    /// refilled. A base station may do so in the downlink.
    ForAll,
}

/// The buckets of one UE.
#[derive(Clone, Debug)]
pub struct Buckets {
    payment: Payment,
    /// Channels in the order of priority.
    order: Vec<usize>,
    channels: Vec<Bucket>,
    /// Buckets of channels that replace a channel in some blocks, each with the place of that
    /// channel.
    others: Vec<(usize, Bucket)>,
    filled: Instant,
}

#[derive(Clone, Debug)]
struct Bucket {
    config: Channel,
    /// `Bj` in billionths of a byte, so that it is exact; may be negative.
    tokens: i128,
    /// Bytes that the channel got for its tokens in the current block.
    prioritised: Bytes,
}

impl Default for Channel {
    fn default() -> Self {
        Self {
            priority: 90,
            prioritised_bit_rate: PrioritisedRate::None,
            bucket_size_duration: Duration::from_millis(100),
        }
    }
}

impl Buckets {
    /// Creates empty buckets at the start of the run.
    pub fn new(channels: &[Channel], payment: Payment) -> Self {
        let mut order: Vec<usize> = (0..channels.len()).collect();
        order.sort_by_key(|&channel| channels[channel].priority);
        let channels = channels
            .iter()
            .map(|&config| Bucket { config, tokens: 0, prioritised: Bytes::ZERO })
            .collect();
        Self { payment, order, channels, others: Vec::new(), filled: Instant::ZERO }
    }

    /// Adds a second bucket like this channel's, which replaces it in some blocks
    /// ([`Buckets::exchange`]).
    pub fn add_other(&mut self, channel: usize) {
        self.others.push((channel, self.channels[channel].clone()));
    }

    /// Exchanges the buckets of such channels; a second call restores them.
    pub fn exchange(&mut self) {
        for (channel, other) in &mut self.others {
            std::mem::swap(&mut self.channels[*channel], other);
        }
    }

    /// Resets `Bj` of each channel to zero, when the MAC is reset (TS 36.321 §5.9).
    pub fn reset(&mut self, now: Instant) {
        self.each_bucket(|bucket| bucket.tokens = 0);
        self.filled = now;
    }

    /// Returns the channels, most urgent first.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// Divides `room` bytes among channels that want `demands`; `shares` gets one entry per
    /// channel.
    pub fn share(&mut self, now: Instant, room: Bytes, demands: &[Bytes], shares: &mut Vec<Bytes>) {
        self.fill(now);
        shares.clear();
        shares.resize(demands.len(), Bytes::ZERO);
        let mut rest = room;
        for by_bucket in [true, false] {
            for &channel in &self.order {
                let wanted = demands[channel].saturating_sub(shares[channel]);
                let allowed = if by_bucket { self.channels[channel].allows() } else { rest };
                let served = wanted.min(allowed).min(rest);
                shares[channel] += served;
                rest -= served;
            }
            if by_bucket {
                for (bucket, &share) in self.channels.iter_mut().zip(shares.iter()) {
                    bucket.prioritised = share;
                }
            }
        }
    }

    /// Takes tokens for `bytes` that the channel has sent.
    pub fn on_sent(&mut self, channel: usize, bytes: Bytes) {
        let Bucket { tokens, prioritised, .. } = &mut self.channels[channel];
        let paid = match self.payment {
            Payment::ForPrioritised => bytes.min(*prioritised),
            Payment::ForAll => bytes,
        };
        *tokens -= i128::from(paid.0) * BILLION;
    }

    fn fill(&mut self, now: Instant) {
        let span = now.saturating_since(self.filled).as_nanos();
        self.filled = now;
        self.each_bucket(|Bucket { config, tokens, .. }| {
            if let Some(rate) = config.prioritised_bit_rate.bytes() {
                let full = i128::from(rate) * i128::from(config.bucket_size_duration.as_nanos());
                *tokens = (*tokens + i128::from(rate) * i128::from(span)).min(full);
            }
        });
    }

    #[inline(always)]
    fn each_bucket(&mut self, what: impl FnMut(&mut Bucket)) {
        let others = self.others.iter_mut().map(|(_, bucket)| bucket);
        self.channels.iter_mut().chain(others).for_each(what);
    }
}

impl Bucket {
    /// Returns the bytes that the bucket allows now.
    fn allows(&self) -> Bytes {
        match self.config.prioritised_bit_rate.bytes() {
            None => Bytes(u64::MAX),
            // A channel with any tokens may use at least one byte.
            Some(_) => Bytes((self.tokens.max(0) as u128).div_ceil(BILLION as u128) as u64),
        }
    }
}

const BILLION: i128 = 1_000_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    fn channel(priority: u16, rate: u64) -> Channel {
        Channel {
            priority,
            prioritised_bit_rate: Bitrate::from_bps(8 * rate)
                .map_or(PrioritisedRate::None, PrioritisedRate::Of),
            bucket_size_duration: Duration::from_millis(100),
        }
    }

    fn share(buckets: &mut Buckets, ms: u64, room: u64, demands: &[u64]) -> Vec<u64> {
        let demands: Vec<Bytes> = demands.iter().copied().map(Bytes).collect();
        let mut shares = Vec::new();
        let now = Instant::ZERO + Duration::from_millis(ms);
        buckets.share(now, Bytes(room), &demands, &mut shares);
        for (channel, &bytes) in shares.iter().enumerate() {
            buckets.on_sent(channel, bytes);
        }
        shares.into_iter().map(|bytes| bytes.0).collect()
    }

    /// TS 38.331 §6.3.2: 8, 16, … 65 536 kB/s, or infinity.
    #[test]
    fn a_guarantee_has_the_least_prioritised_rate_that_holds_it() {
        let holding = |kbps: u64| {
            let rate = Bitrate::from_bps(kbps * 1000).expect("not zero");
            PrioritisedRate::holding(rate).bytes()
        };
        assert_eq!(holding(12), Some(8_000));
        assert_eq!(holding(56), Some(8_000), "63 kbit/s with headers");
        assert_eq!(holding(64), Some(16_000));
        assert_eq!(holding(4_000), Some(1_024_000));
        assert_eq!(holding(600_000), None);
    }

    #[test]
    fn without_prioritised_rates_priority_is_strict() {
        let mut buckets = Buckets::new(&[channel(90, 0), channel(70, 0)], Payment::ForPrioritised);
        assert_eq!(buckets.order(), [1, 0]);
        assert_eq!(share(&mut buckets, 5, 100, &[500, 30]), [70, 30]);
        assert_eq!(share(&mut buckets, 6, 100, &[500, 300]), [0, 100]);
    }

    /// TS 36.321 §5.4.3.1: step 1 keeps an urgent channel from starving the others.
    #[test]
    fn a_prioritised_rate_is_served_before_the_rest_of_urgent_data() {
        // 8 kB/s are 8 bytes a millisecond.
        let channels = [channel(90, 8_000), channel(70, 16_000)];
        let mut buckets = Buckets::new(&channels, Payment::ForAll);
        assert_eq!(share(&mut buckets, 10, 1_000, &[5_000, 5_000]), [80, 920]);
        // The channel that pays for all bytes is 760 bytes in debt now, and has no tokens for 47
        // ms.
        assert_eq!(share(&mut buckets, 20, 100, &[5_000, 5_000]), [80, 20]);
        let mut buckets = Buckets::new(&channels, Payment::ForPrioritised);
        assert_eq!(share(&mut buckets, 10, 1_000, &[5_000, 5_000]), [80, 920]);
        assert_eq!(share(&mut buckets, 20, 200, &[5_000, 5_000]), [40, 160]);
    }

    /// TS 36.321 §5.4.3.1: Bj never exceeds PBR × BSD.
    #[test]
    fn a_bucket_holds_no_more_than_its_duration() {
        let mut buckets =
            Buckets::new(&[channel(90, 8_000), channel(70, 0)], Payment::ForPrioritised);
        assert_eq!(share(&mut buckets, 10_000, 1_000, &[5_000, 5_000]), [800, 200]);
    }

    #[test]
    fn an_infinite_rate_takes_all_it_wants() {
        let infinite =
            Channel { prioritised_bit_rate: PrioritisedRate::Infinite, ..channel(70, 0) };
        let mut buckets = Buckets::new(&[channel(50, 0), infinite], Payment::ForPrioritised);
        assert_eq!(share(&mut buckets, 10, 1_000, &[5_000, 900]), [100, 900]);
    }

    /// TS 36.321 §5.4.3.1: sent bytes are subtracted from Bj.
    #[test]
    fn sent_bytes_empty_a_bucket() {
        let mut buckets =
            Buckets::new(&[channel(90, 8_000), channel(70, 0)], Payment::ForPrioritised);
        assert_eq!(share(&mut buckets, 10, 100, &[50, 1_000]), [50, 50]);
        assert_eq!(share(&mut buckets, 10, 100, &[1_000, 1_000]), [30, 70]);
        assert_eq!(share(&mut buckets, 10, 100, &[1_000, 1_000]), [0, 100]);
    }

    /// TS 38.321 §5.4.3.1.3: bytes that a channel got from the rest of blocks while no other
    /// channel had data cost it no tokens: it has its rate when a more urgent channel begins.
    #[test]
    fn the_rest_of_a_block_costs_no_tokens() {
        for (payment, expected) in
            [(Payment::ForPrioritised, [80, 920]), (Payment::ForAll, [0, 1_000])]
        {
            let mut buckets = Buckets::new(&[channel(90, 8_000), channel(70, 0)], payment);
            assert_eq!(share(&mut buckets, 10, 1_000, &[5_000, 0]), [1_000, 0]);
            assert_eq!(share(&mut buckets, 20, 1_000, &[5_000, 5_000]), expected);
        }
    }
}
