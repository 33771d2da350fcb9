//! Delay of a flow's data packets between its hosts, without waits at the hosts.
//!
//! In: ledgers of delivered packets. Out: mean, median and 95th percentile by application,
//! direction.
//!
//! The delay is that of the transmission that delivered the packet: waits before it, for a window,
//! for pacing or for a retransmission, do not count, nor does the wait for earlier data after it.
//!
//! Delays are counted in bins whose width is at most 1/64 of their values, or 1 µs below 64 µs, so
//! percentiles are within 0.8 %, or 0.5 µs. Constant delays are exact.

use crate::net::{Cause, Ledger};
use crate::record::{Owner, Tables, table};
use crate::unit::Duration;

table! {
    /// One-way network delay of the data packets of one application's connections, for each
    /// direction: from the sending host to the receiving host. Waits at the hosts do not count: for
    /// a window, for pacing, for a retransmission, for earlier data.
    network_delays: pub(super) NetworkDelayRow {
        /// Application and UE of the connections.
        owner: Owner,
        /// Direction of the packets: `down` or `up`.
        direction: &'static str,
        /// Number of delivered data packets.
        packets: u64,
        /// Mean network delay of delivered data packets, in ms.
        mean_ms: f64,
        /// Median network delay of delivered data packets, in ms, within 0.8 %.
        p50_ms: f64,
        /// 95th percentile of the network delay of delivered data packets, in ms, within 0.8 %.
        p95_ms: f64,
    }
}

/// The delays of one application's data packets in one direction.
#[derive(Clone, Debug, Default)]
pub(super) struct NetworkDelays {
    packets: u64,
    /// Sum of all delays, in nanoseconds.
    sum: u128,
    least: Duration,
    most: Duration,
    /// Number of the first bin in `counts`.
    first: usize,
    counts: Vec<u32>,
}

impl NetworkDelays {
    /// Adds a delivered packet.
    pub(super) fn add(&mut self, ledger: &Ledger) {
        let at_hosts = AT_HOSTS.iter().fold(Duration::ZERO, |sum, &it| sum + ledger.spent(it));
        let delay = ledger.total() - at_hosts;
        let nanos = delay.as_nanos();
        self.least = if self.packets == 0 { delay } else { self.least.min(delay) };
        self.most = self.most.max(delay);
        self.packets += 1;
        self.sum += u128::from(nanos);
        self.count(bin_of(nanos / NANOS));
    }

    fn count(&mut self, bin: usize) {
        if self.counts.is_empty() {
            self.first = bin;
        } else if bin < self.first {
            self.counts.splice(0..0, std::iter::repeat_n(0, self.first - bin));
            self.first = bin;
        }
        let place = bin - self.first;
        if place >= self.counts.len() {
            self.counts.resize(place + 1, 0);
        }
        self.counts[place] += 1;
    }

    /// Writes the row, if there were packets.
    pub(super) fn report(&self, owner: &Owner, direction: &'static str, tables: &mut Tables) {
        if self.packets > 0 {
            tables.push(NetworkDelayRow {
                owner: owner.clone(),
                direction,
                packets: self.packets,
                mean_ms: self.sum as f64 / self.packets as f64 / 1e6,
                p50_ms: self.percentile(50).as_millis_f64(),
                p95_ms: self.percentile(95).as_millis_f64(),
            });
        }
    }

    /// Returns the middle of the bin in which this percentile lies (nearest rank).
    fn percentile(&self, percent: u64) -> Duration {
        let rank = (self.packets * percent).div_ceil(100);
        let mut below = 0;
        let place = self.counts.iter().position(|&count| {
            below += u64::from(count);
            below >= rank
        });
        let bin = self.first + place.expect("all packets are in bins");
        Duration::from_nanos(middle_of(bin)).clamp(self.least, self.most)
    }
}

/// The bin of a time: 64 of the same width in each octave, from 64 on.
const fn bin_of(time: u64) -> usize {
    if time < 2 * PER_OCTAVE {
        return time as usize;
    }
    let octave = (time / PER_OCTAVE).ilog2();
    (octave as u64 * PER_OCTAVE + (time >> octave)) as usize
}

/// The middle of a bin, in nanoseconds.
const fn middle_of(bin: usize) -> u64 {
    let bin = bin as u64;
    let octave = if bin < 2 * PER_OCTAVE { 0 } else { bin / PER_OCTAVE - 1 };
    let (begins, width) = ((bin - octave * PER_OCTAVE) << octave, 1 << octave);
    begins * NANOS + width * NANOS / 2
}

/// Number of bins of one octave.
const PER_OCTAVE: u64 = 64;

/// Nanoseconds of the narrowest bin.
const NANOS: u64 = 1000;

/// Causes of latency at the hosts.
const AT_HOSTS: [Cause; 7] = [
    Cause::ApplicationWait,
    Cause::CongestionWindow,
    Cause::ReceiveWindow,
    Cause::Pacing,
    Cause::LossRecovery,
    Cause::InOrderWait,
    Cause::ReadWait,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::Instant;

    fn delays(micros: impl Iterator<Item = u64>) -> NetworkDelays {
        let mut delays = NetworkDelays::default();
        for delay in micros {
            let mut ledger = Ledger::start(Instant::ZERO);
            let mut now = Instant::ZERO + Duration::from_millis(7);
            ledger.charge(Cause::CongestionWindow, now);
            now += Duration::from_micros(delay);
            ledger.charge(Cause::RadioQueue, now);
            now += Duration::from_millis(5);
            ledger.charge(Cause::InOrderWait, now);
            delays.add(&ledger);
        }
        delays
    }

    #[test]
    fn waits_at_the_hosts_do_not_count() {
        let same = delays([12_345; 3].into_iter());
        assert_eq!(same.sum, 3 * 12_345_000);
        assert_eq!([50, 95].map(|it| same.percentile(it)), [Duration::from_micros(12_345); 2]);
    }

    #[test]
    fn percentiles_are_within_their_bins() {
        for scale in [1, 10, 1_000] {
            let all = delays((1..=2_000).rev().map(|it| it * scale));
            for (percent, exact) in [(50, 1_000), (95, 1_900), (1, 20)] {
                let found = all.percentile(percent).as_nanos() as f64;
                let exact = (exact * scale * 1_000) as f64;
                let half_a_bin = (exact / 128.0).max(500.0);
                assert!((found - exact).abs() <= half_a_bin, "{percent}: {found}, not {exact}");
            }
        }
    }

    #[test]
    fn bins_follow_one_another() {
        let mut last = 0;
        for time in 0..100_000 {
            let bin = bin_of(time);
            assert!(bin == last || bin == last + 1, "{time}");
            assert_eq!(bin_of(middle_of(bin) / NANOS), bin, "{time}");
            last = bin;
        }
    }
}
