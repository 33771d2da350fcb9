//! Auto-tuning of the receive window, as in Linux.
//!
//! In: data segments, with the round-trip time that they show. Out: the window.
//!
//! Two rules. The window starts at half of the first buffer (`tcp_rmem[1]`), and each data segment
//! opens it by two segments (`tcp_grow_window`), up to the data that the buffer holds beside that
//! segment. And once a round trip, when the application has read, the buffer is enlarged to the
//! data that the sender could send in the next one: twice the data of the last round trip, and more
//! by twice the share by which that had grown (`tcp_rcv_space_adjust`, dynamic right-sizing). The
//! round trip is that of the first segment with each new echo; a shorter one counts at once, a
//! longer one by an eighth (`tcpi_rcv_rtt`, measured).
//!
//! Left out: pressure on the memory of the host, and small segments, which take more memory than
//! their data. Both matter for hosts with thousands of connections.

use crate::unit::{Duration, Instant};

/// Growth of one receiver's window.
#[derive(Clone, Debug)]
pub(super) struct WindowTuning {
    /// `advmss`
    mss: u64,
    /// Maximum window: `window_clamp`.
    clamp: u64,
    /// Maximum value of the clamp.
    most: u64,
    /// Maximum window that a header can state.
    field: u64,
    /// Data received in one round trip (`rcvq_space.space`).
    space: u64,
    /// Position at the start of the present round trip (`rcvq_space.seq`).
    from: u64,
    since: Instant,
    /// Round-trip time that the receiver measures.
    rtt: Option<Duration>,
    /// Echo of the last sample.
    echoed: Option<Instant>,
}

impl WindowTuning {
    /// Returns the state for a buffer of at most `most` bytes.
    pub(super) fn new(most: u64, mss: u64) -> Self {
        let most = share(most).max(most.min(2 * mss));
        Self {
            mss,
            clamp: share(FIRST_BUFFER).min(most),
            most,
            field: u64::MAX,
            space: FIRST_SPACE * mss,
            from: 0,
            since: Instant::ZERO,
            rtt: None,
            echoed: None,
        }
    }

    /// Returns the window of the SYN, in whole segments.
    pub(super) fn first_window(&self) -> u64 {
        let whole = FIRST_BUFFER / 2 / self.mss * self.mss;
        whole.max(self.mss).min(self.most)
    }

    /// Starts the stream at `start`, after the peer's SYN; a header can state at most `field`.
    pub(super) fn begin(&mut self, now: Instant, start: u64, field: u64) {
        (self.from, self.since) = (start, now);
        self.field = field;
    }

    /// Processes a segment with `length` bytes at a window of `window`, and returns the new window.
    /// `trip` is the round trip that the segment shows.
    pub(super) fn on_data(&mut self, window: u64, length: u64, trip: Trip) -> u64 {
        let is_new = trip.echoed.is_none() || trip.echoed != self.echoed;
        self.echoed = trip.echoed;
        if let Some(rtt) = trip.rtt.filter(|_| is_new && length >= self.mss / 2) {
            let eighth = |old: Duration| if rtt < old { rtt } else { (old * 7 + rtt) / 8 };
            self.rtt = Some(self.rtt.map_or(rtt, eighth));
        }
        let most = self.clamp.saturating_sub(share(SEGMENT)).min(self.field);
        if length < SMALL || window >= most {
            return window;
        }
        (window + (2 * self.mss).max(2 * length)).min(most)
    }

    /// Returns the shorter one of the receiver's round trip and this one.
    pub(super) fn shorter(&self, other: Option<Duration>) -> Option<Duration> {
        self.rtt.into_iter().chain(other).min()
    }

    /// Processes a read of everything before `nxt`. At the end of a round trip the buffer grows if
    /// it is too short for the next one.
    pub(super) fn on_read(&mut self, now: Instant, nxt: u64) {
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

/// Round trip that a segment shows.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Trip {
    pub(super) rtt: Option<Duration>,
    /// Time of the echoed timestamp; without timestamps each sample counts.
    pub(super) echoed: Option<Instant>,
}

/// Returns the data that a buffer of `buffer` bytes holds: a full segment takes [`SEGMENT`] of
/// memory.
const fn share(buffer: u64) -> u64 {
    buffer * 160 / 256
}

/// Memory of a full segment.
const SEGMENT: u64 = 2304;
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
        tuning.begin(Instant::ZERO, 0, 65_535 << 7);
        tuning
    }

    /// Returns the round trip of a segment with the echo of `echoed` milliseconds, `rtt` later.
    fn trip(echoed: u64, rtt: u64) -> Trip {
        let echoed = Instant::ZERO + Duration::from_millis(echoed);
        Trip { rtt: Some(Duration::from_millis(rtt)), echoed: Some(echoed) }
    }

    /// 65 536 bytes hold 44 segments of 1460.
    #[test]
    fn first_window_is_half_the_first_buffer() {
        assert_eq!(tuning().first_window(), 64_240);
    }

    /// Two segments of window for each one received, up to the data that the buffer of 81 920 holds
    /// beside a segment of 1440 (of 2304 bytes, 5/8): a kernel has 80 480.
    #[test]
    fn each_segment_opens_the_window_by_two() {
        let mut tuning = tuning();
        let mut window = tuning.first_window();
        let mut step = |length| {
            let before = window;
            window = tuning.on_data(window, length, Trip::default());
            window - before
        };
        assert_eq!([step(1448), step(100), step(1448)], [2920, 0, 2920]);
        let more: u64 = (0..30).map(|_| step(1448)).sum();
        assert_eq!(64_240 + 2 * 2920 + more, 80_480);
    }

    /// Twice the data of the last round trip, and twice more by the share of its growth: 29 200
    /// after 14 600 make 58 400 · (1 + 2·1). A kernel had 244 316 B of buffer, of which 5/8 are for
    /// data, after 15 928 and then 28 960 B.
    #[test]
    fn round_with_more_data_enlarges_the_buffer() {
        let mut tuning = tuning();
        let at = |rounds| Instant::ZERO + RTT * rounds;
        tuning.on_data(0, 1460, trip(0, 50));
        for (round, read, clamp) in
            [(1, 14_600, 81_920), (2, 43_800, 175_200), (3, 73_000, 175_200)]
        {
            tuning.on_read(at(round), read);
            assert_eq!(tuning.clamp, clamp);
        }
        let mut kernel = WindowTuning::new(6 << 20, 1460);
        kernel.begin(Instant::ZERO, 0, 65_535 << 7);
        kernel.on_data(0, 1460, trip(0, 50));
        kernel.on_read(at(1), 15_928);
        kernel.on_read(at(2), 15_928 + 28_960);
        // The buffer is cut to whole bytes.
        assert_eq!(kernel.clamp * 8 / 5, 244_316);
    }

    /// A kernel's `tcpi_rcv_rtt`: 52 ms, then a longer one by an eighth, once for each echo; a
    /// shorter one at once.
    #[test]
    fn longer_round_trip_counts_by_an_eighth() {
        let mut tuning = tuning();
        let mut after = |trip| {
            tuning.on_data(0, 1448, trip);
            tuning.rtt.expect("a sample came").as_nanos() / 1000
        };
        assert_eq!(
            [after(trip(1, 52)), after(trip(2, 53)), after(trip(2, 54))],
            [52_000, 52_125, 52_125]
        );
        assert_eq!(after(trip(3, 51)), 51_000);
    }

    /// Either end may know the shorter round trip.
    #[test]
    fn the_shorter_round_trip_counts() {
        let millis = |number| Some(Duration::from_millis(number));
        let known = WindowTuning { rtt: millis(50), ..tuning() };
        let unknown = WindowTuning { rtt: None, ..tuning() };
        assert_eq!(
            [millis(80), millis(20), None].map(|it| known.shorter(it)),
            [millis(50), millis(20), millis(50)]
        );
        assert_eq!([millis(80), None].map(|it| unknown.shorter(it)), [millis(80), None]);
    }
}
