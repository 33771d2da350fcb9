//! RED, random early detection (Floyd and Jacobson 1993), in its gentle variant (Floyd 2000).
//!
//! In: packets, at their arrival. Out: the packets in order; packets marked or dropped at their
//! arrival.
//!
//! The queue's length, averaged over arrivals, determines the probability with which an arriving
//! packet is dropped: zero below `min_threshold`, up to `max_probability` at `max_threshold`, and
//! from there up to one at twice that threshold. Names are those of the paper's figure 2.
//!
//! RED is here for comparison with older work: its parameters depend on the rate and on the number
//! of flows, and RFC 7567 §3 found that nobody sets them.
//!
//! Left out: lengths in bytes (the paper's §5), adaptive parameters. This matters for a mixture of
//! long and short packets.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::store::Store;
use super::{Facts, Waiting};
use crate::sim::Stream;
use crate::unit::range::{above, within};
use crate::unit::{Duration, Instant, Probability, math};

/// Parameters of RED (Floyd and Jacobson 1993, §6), in its gentle variant (Floyd 2000).
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "Red")]
pub struct Config {
    /// Average queue length, in packets, below which no packet is dropped or marked (`min_th`).
    #[schemars(transform = within(1, 1_000_000).unit("packets"))]
    pub min_threshold: u32,
    /// Average queue length, in packets, at which the drop probability reaches `max_probability`
    /// (`max_th`). More than `min_threshold`. At twice this length, every packet is dropped.
    #[schemars(transform = within(2, 1_000_000).unit("packets"))]
    pub max_threshold: u32,
    /// Probability that an arriving packet is dropped or marked when the average queue length is
    /// `max_threshold` (`max_p`). From `min_threshold`, it rises linearly from 0.
    pub max_probability: Probability,
    /// Weight of the current queue length in the average, at each arrival (`w_q`). A smaller value
    /// averages over more packets; with 1, the average is the current length.
    #[schemars(transform = above(0, 1))]
    pub weight: Probability,
    /// Transmission time of a typical packet on the link (`s`): while the queue is empty, the
    /// average queue length decays once in this time.
    #[schemars(transform = within("1 ns", "10 s"))]
    pub packet_time: Duration,
    /// Marks ECN-capable packets instead of dropping them while the average queue length is below
    /// `max_threshold` (RFC 3168 §7). If false, they are dropped like all others.
    pub ecn: bool,
}

impl Default for Config {
    fn default() -> Self {
        let probability = |value| Probability::new(value).expect("from 0 to 1");
        Self {
            min_threshold: 5,
            max_threshold: 15,
            max_probability: probability(0.02),
            weight: probability(0.002),
            packet_time: Duration::from_millis(1),
            ecn: true,
        }
    }
}

/// One queue with its average length.
#[derive(Clone, Debug)]
pub struct Red<T> {
    config: Config,
    stream: Stream,
    store: Store<T>,
    /// `avg`: the average queue length.
    average: f64,
    /// `q_time`: time since which the queue has been empty.
    idle_since: Option<Instant>,
    /// Number of packets since the last one that was marked or dropped, while the average is above
    /// `min_threshold`.
    count: u32,
}

/// The decision about an arriving packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Enqueue,
    /// Marks the packet if its sender understands marks, else drops it.
    MarkOrDrop,
    Drop,
}

impl<T: Waiting> Red<T> {
    pub(super) fn new(config: Config, stream: Stream) -> Self {
        let store = Store::default();
        Self { config, stream, store, average: 0.0, idle_since: Some(Instant::ZERO), count: 0 }
    }

    pub(super) fn enqueue(&mut self, now: Instant, mut item: T, facts: &mut Facts<T>) {
        self.update_average(now);
        let is_dropped = match self.verdict() {
            Verdict::Enqueue => false,
            Verdict::MarkOrDrop => !(self.config.ecn && facts.mark(&mut item)),
            Verdict::Drop => true,
        };
        if is_dropped {
            facts.drop_early(item);
        } else {
            self.store.push(now, item);
        }
    }

    pub(super) fn dequeue(&mut self, now: Instant) -> Option<T> {
        let (_, item) = self.store.pop()?;
        self.idle_since = self.store.is_empty().then_some(now);
        Some(item)
    }

    /// Returns the arrival time of the oldest packet.
    pub(super) fn oldest(&self) -> Option<Instant> {
        self.store.oldest()
    }

    /// Returns the packets that wait, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.store.iter()
    }

    /// Returns the packets that wait, in order, mutable.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.store.iter_mut()
    }

    fn update_average(&mut self, now: Instant) {
        let weight = self.config.weight.value();
        if let Some(since) = self.idle_since.take() {
            let lengths = (now - since).as_secs_f64() / self.config.packet_time.as_secs_f64();
            self.average *= math::pow(1.0 - weight, lengths);
        } else {
            self.average += weight * (self.store.len() as f64 - self.average);
        }
    }

    fn verdict(&mut self) -> Verdict {
        let Config { min_threshold, max_threshold, max_probability, .. } = self.config;
        let (least, most) = (f64::from(min_threshold), f64::from(max_threshold));
        let highest = max_probability.value();
        if self.average < least {
            self.count = 0;
            return Verdict::Enqueue;
        }
        if self.average >= 2.0 * most {
            self.count = 0;
            return Verdict::Drop;
        }
        let is_gentle = self.average >= most;
        // `p_b`
        let probability = if is_gentle {
            highest + (1.0 - highest) * (self.average - most) / most
        } else {
            highest * (self.average - least) / (most - least)
        };
        // Makes the gap uniform on 1 … 1 / p_b, as `p_a` in §4 of the paper; certain at its end.
        let spread = 1.0 - f64::from(self.count) * probability;
        let is_struck = spread <= probability || self.stream.uniform() < probability / spread;
        self.count = if is_struck { 0 } else { self.count + 1 };
        match (is_struck, is_gentle) {
            (false, _) => Verdict::Enqueue,
            (true, false) => Verdict::MarkOrDrop,
            (true, true) => Verdict::Drop,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::Packet;
    use crate::net::queue::testing::{
        Arrival, Fate, PLAIN, at, drops, every, packet, serve, waits,
    };
    use crate::net::queue::{Aqm, QueueLimit};
    use crate::net::tally::DropCause;
    use crate::sim::Streams;

    /// Creates a queue whose average is held at this length.
    fn held_at(average: f64, config: Config) -> Red<Box<Packet>> {
        let mut red = Red::new(config, Streams::new(1).open("test", "aqm"));
        (red.average, red.idle_since) = (average, None);
        red
    }

    /// Returns the mean number of packets between two that are struck.
    fn mean_gap(average: f64, config: Config) -> f64 {
        let mut red = held_at(average, config);
        let draws = 200_000;
        let struck = (0..draws).filter(|_| red.verdict() != Verdict::Enqueue).count();
        f64::from(draws) / struck as f64
    }

    /// §4 of the paper: the gap is uniform on 1 … 1 / p_b, so its mean is (1 + 1 / p_b) / 2; here
    /// p_b is a half of 0.02. 200 000 / 50 gaps with a deviation of 29: four deviations of the
    /// mean.
    #[test]
    fn the_gap_between_drops_is_uniform() {
        let gap = mean_gap(10.0, Config::default());
        assert!((gap - 50.5).abs() < 4.0 * 28.9 / (200_000.0_f64 / 50.5).sqrt(), "{gap}");
    }

    #[test]
    fn the_probability_grows_from_threshold_to_threshold_and_gently_beyond() {
        let gaps =
            [5.5, 10.0, 14.5, 22.5, 29.0].map(|average| mean_gap(average, Config::default()));
        assert!(gaps.is_sorted_by(|a, b| a > b), "{gaps:?}");
        // Half way between 15 and 30: p_b = 0.51, so the second packet is struck at the latest.
        assert!((1.0..2.0).contains(&gaps[3]), "{gaps:?}");
        let mut red = held_at(4.9, Config::default());
        assert!((0..1000).all(|_| red.verdict() == Verdict::Enqueue));
        let mut red = held_at(22.5, Config::default());
        assert!((0..1000).all(|_| red.verdict() != Verdict::MarkOrDrop));
        let mut red = held_at(30.0, Config::default());
        assert!((0..1000).all(|_| red.verdict() == Verdict::Drop));
    }

    /// `avg ← (1 − w_q)^m · avg` after an idle time of `m` packets, else by `w_q · (q − avg)`.
    #[test]
    fn the_average_follows_the_queue_and_falls_while_it_is_idle() {
        let mut red = held_at(10.0, Config::default());
        red.idle_since = Some(at(0));
        red.update_average(at(500_000));
        assert!((red.average - 10.0 * math::pow(0.998, 500.0)).abs() < 1e-9, "{}", red.average);
        let mut facts = Facts::default();
        let mut red = held_at(0.0, Config::default());
        for number in 0..4 {
            facts.waiting.add(crate::unit::Bytes(1000));
            red.enqueue(at(0), packet(number, PLAIN), &mut facts);
        }
        // After packets that found 0, 1, 2 and 3 others.
        let expected = [1.0, 2.0, 3.0].iter().fold(0.0, |avg, q| avg + 0.002 * (q - avg));
        assert!((red.average - expected).abs() < 1e-12, "{}", red.average);
    }

    /// A burst of 40 packets of 1 ms each after a pause passes, a load that lasts does not.
    #[test]
    fn a_burst_passes_and_a_standing_queue_does_not() {
        let burst: Vec<_> = (0..40).map(|_| PLAIN).collect();
        let red = Aqm::Red(Config::default());
        let fates = serve(red, QueueLimit::Unlimited, 1000, &burst);
        assert_eq!(drops(&fates, DropCause::Early), []);
        let fates = serve(red, QueueLimit::Unlimited, 1000, &every(900, 40_000));
        let waits = waits(&fates);
        let late = &waits[waits.len() / 2..];
        let mean = late.iter().sum::<f64>() / late.len() as f64;
        // One in ten packets must be dropped: p_a = 0.1 is beyond max_threshold, p_b = 0.055 at an
        // average of 15.5.
        assert!((14.0..18.0).contains(&mean), "{mean} ms");
    }

    /// RFC 3168 §7: marked between the thresholds, dropped beyond them.
    #[test]
    fn what_can_be_marked_is_marked_up_to_the_upper_threshold() {
        let ect = |it: &Arrival| Arrival { tos: 2, ..*it };
        // The window of a responsive sender: always 12 packets.
        let window: Vec<_> = (0..20_000_u64)
            .map(|number| ect(&Arrival { at: at(1000 * number.saturating_sub(12)), ..PLAIN }))
            .collect();
        let fates = serve(Aqm::Red(Config::default()), QueueLimit::Unlimited, 1000, &window);
        let marked = fates.iter().filter(|it| matches!(it.1, Fate::Sent(_, true))).count();
        assert!(marked > 100, "{marked}");
        assert_eq!(drops(&fates, DropCause::Early), []);
        let flood: Vec<_> = every(500, 20_000).iter().map(ect).collect();
        let fates = serve(Aqm::Red(Config::default()), QueueLimit::Unlimited, 1000, &flood);
        assert!(drops(&fates, DropCause::Early).len() > 5000);
    }

    /// Half way from `max_threshold` to twice that, p_b = 0.02 + 0.98 / 2 = 0.51: the first packet
    /// is struck in 51 of 100 cases, else the second. A fifth of the way it is 0.216, so the gap is
    /// 1, 2, 3 or 4 with that probability each, else 5. Four deviations of the mean.
    #[test]
    fn the_gap_beyond_the_upper_threshold_follows_the_gentle_line() {
        for (average, mean, variance) in [(22.5, 1.49, 0.2499_f64), (18.0, 2.84, 1.8144)] {
            let gap = mean_gap(average, Config::default());
            let deviation = (variance / (200_000.0 / mean)).sqrt();
            assert!((gap - mean).abs() < 4.0 * deviation, "{gap}, expected {mean}");
        }
    }

    /// §4: packets are counted since the last one that was struck, or since the average rose above
    /// `min_threshold`. So after any time below it the next packet is struck with p_b = 0.01: 10 of
    /// a thousand, with a deviation of 3.2.
    #[test]
    fn packets_below_the_lower_threshold_do_not_count() {
        let mut red = held_at(4.9, Config::default());
        let mut struck = 0;
        for _ in 0..1000 {
            red.average = 4.9;
            (0..1000).for_each(|_| assert_eq!(red.verdict(), Verdict::Enqueue));
            red.average = 10.0;
            struck += u32::from(red.verdict() != Verdict::Enqueue);
        }
        assert!(struck < 10 + 4 * 4, "{struck}");
    }
}
