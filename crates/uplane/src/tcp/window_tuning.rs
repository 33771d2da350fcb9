//! A receive window that grows with what comes in, as that of Linux does.
//!
//! In: data segments, with the round-trip time that they show. Out: the window.
//!
//! Two rules. The window begins with half of the first buffer (`tcp_rmem[1]`), and
//! each data segment opens it by two segments (`tcp_grow_window`), up to what the buffer holds. And
//! once a round trip the buffer is made long enough for what the sender could send in the next one:
//! twice what came in the last, and twice more by the share by which that was more than before
//! (`tcp_rcv_space_adjust`, dynamic right-sizing).
//!
//! Left out: pressure on the memory of the host, and small segments, which take more memory than
//! they bring data. Who studies hosts with thousands of connections could tell.

use crate::unit::{Duration, Instant};

/// How the window of one receiver grows.
#[derive(Clone, Debug)]
pub(super) struct WindowTuning {
    /// `advmss`
    mss: u64,
    /// The window never grows beyond this: `window_clamp`.
    clamp: u64,
    /// The clamp never grows beyond this.
    most: u64,
    /// What came in one round trip (`rcvq_space.space`).
    space: u64,
    /// Where the round trip at hand began (`rcvq_space.seq`), and when.
    from: u64,
    since: Instant,
    /// The round-trip time that the receiver sees.
    rtt: Option<Duration>,
}

impl WindowTuning {
    /// For a buffer of at most `most` bytes.
    pub(super) fn new(most: u64, mss: u64) -> Self {
        let most = share(most).max(most.min(2 * mss));
        Self {
            mss,
            clamp: (share(FIRST_BUFFER) - mss).min(most),
            most,
            space: FIRST_SPACE * mss,
            from: 0,
            since: Instant::ZERO,
            rtt: None,
        }
    }

    /// The window of the SYN, in whole segments.
    pub(super) fn first_window(&self) -> u64 {
        let whole = FIRST_BUFFER / 2 / self.mss * self.mss;
        whole.max(self.mss).min(self.most)
    }

    /// The peer's SYN came, and data will begin at `start`; a header can say no more than `field`.
    pub(super) fn begin(&mut self, start: u64, field: u64) {
        self.from = start;
        self.most = self.most.min(field);
        self.clamp = self.clamp.min(self.most);
    }

    /// A segment with `length` bytes came, all before `nxt` has been read, and the window is
    /// `window`: the new window.
    pub(super) fn on_data(
        &mut self,
        now: Instant,
        nxt: u64,
        window: u64,
        length: u64,
        rtt: Option<Duration>,
    ) -> u64 {
        if let Some(rtt) = rtt.filter(|_| length >= self.mss / 2) {
            self.rtt = Some(self.rtt.map_or(rtt, |old| (old * 7 + rtt) / 8));
        }
        self.measure(now, nxt);
        if length < SMALL || window >= self.clamp {
            return window;
        }
        (window + (2 * self.mss).max(2 * length)).min(self.clamp)
    }

    /// A round trip is over: is the buffer long enough for the next one?
    fn measure(&mut self, now: Instant, nxt: u64) {
        let Some(rtt) = self.rtt else { return };
        if now.saturating_since(self.since) < rtt {
            return;
        }
        let copied = nxt - self.from;
        if copied > self.space {
            let twice = 2 * copied;
            let ahead = u128::from(twice) * u128::from(copied - self.space);
            let grow = (ahead / u128::from(self.space)) as u64;
            self.clamp = self.clamp.max((twice + 2 * grow).min(self.most));
            self.space = copied;
        }
        (self.from, self.since) = (nxt, now);
    }
}

/// What a buffer of so many bytes holds of data: a full segment takes 2304 bytes of memory.
const fn share(buffer: u64) -> u64 {
    buffer * 160 / 256
}

/// Linux: `tcp_rmem[1]`.
const FIRST_BUFFER: u64 = 131_072;
/// Linux: `TCP_INIT_CWND`
const FIRST_SPACE: u64 = 10;
/// Linux: shorter segments do not open the window.
const SMALL: u64 = 128;

#[cfg(test)]
mod tests {
    use super::*;

    const RTT: Duration = Duration::from_millis(50);

    fn tuning() -> WindowTuning {
        let mut tuning = WindowTuning::new(6 << 20, 1460);
        tuning.begin(0, 65_535 << 7);
        tuning
    }

    /// 65 536 bytes hold 44 segments of 1460.
    #[test]
    fn the_first_window_is_half_of_the_first_buffer() {
        assert_eq!(tuning().first_window(), 64_240);
    }

    /// Two segments of window for each that comes, up to what the buffer holds.
    #[test]
    fn each_segment_opens_the_window_by_two() {
        let mut tuning = tuning();
        let mut window = tuning.first_window();
        let mut step = |length| {
            let before = window;
            window = tuning.on_data(Instant::ZERO, 0, window, length, None);
            window - before
        };
        assert_eq!([step(1448), step(100), step(1448)], [2920, 0, 2920]);
        let more: u64 = (0..30).map(|_| step(1448)).sum();
        assert_eq!(64_240 + 2 * 2920 + more, 81_920 - 1460);
    }

    /// Twice what came in the last round trip, and twice more by the share that it grew: 29 200
    /// after 14 600 make 58 400 · (1 + 2·1).
    #[test]
    fn a_round_trip_that_brought_more_lengthens_the_buffer() {
        let mut tuning = tuning();
        let at = |rounds| Instant::ZERO + RTT * rounds;
        tuning.on_data(at(1), 14_600, 0, 1460, Some(RTT));
        assert_eq!(tuning.clamp, 81_920 - 1460);
        tuning.on_data(at(2), 43_800, 0, 1460, Some(RTT));
        assert_eq!(tuning.clamp, 175_200);
        tuning.on_data(at(3), 73_000, 0, 1460, Some(RTT));
        assert_eq!(tuning.clamp, 175_200);
    }
}
