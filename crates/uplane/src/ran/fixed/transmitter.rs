//! Transmission times of packets on a channel of constant rate.
//!
//! In: the size of each packet on its arrival. Out: the start of its first byte and the end of its
//! last byte.
//!
//! Both transmitters count bytes from the start of a busy period and divide once, so rounding does
//! not accumulate however many packets follow each other.

use crate::unit::{Bitrate, Bytes, Duration, Grid, Instant};

/// One of the two kinds of transmitter.
#[derive(Clone, Debug)]
pub(super) enum Transmitter {
    /// A transmitter that starts at any time.
    Continuous(Continuous),
    /// A transmitter on a grid of slots.
    Slotted(Slotted),
}

/// The transmission times of one packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Transmission {
    /// Earliest possible start if no other packet waited.
    pub(super) aligned: Instant,
    /// Start of the first byte, or of the slot with it.
    pub(super) begins: Instant,
    /// End of the last byte, or of the slot with it.
    pub(super) ends: Instant,
}

/// A transmitter that starts as soon as there is data.
#[derive(Clone, Debug)]
pub(super) struct Continuous {
    rate: Option<Bitrate>,
    busy_since: Instant,
    /// Bytes since `busy_since`.
    carried: Bytes,
}

/// A transmitter of blocks of `rate · tti`, one per slot. A block takes the bytes that had arrived
/// by the start of its slot, in order. Bytes that do not fit go into the next block.
#[derive(Clone, Debug)]
pub(super) struct Slotted {
    grid: Grid,
    /// Size of a block in units of 1/(8·10⁹) byte, which a rate in bit/s times nanoseconds has.
    /// `None`: unlimited.
    block: Option<u128>,
    /// The first slot of the busy period.
    first_slot: u64,
    /// Bytes since the start of `first_slot`.
    carried: Bytes,
}

impl Transmitter {
    /// Books the transmission of `size` bytes that arrive at `now`, after all earlier bytes.
    pub(super) fn book(&mut self, now: Instant, size: Bytes) -> Transmission {
        match self {
            Self::Continuous(continuous) => continuous.book(now, size),
            Self::Slotted(slotted) => slotted.book(now, size),
        }
    }
}

impl Continuous {
    pub(super) fn new(rate: Option<Bitrate>) -> Self {
        Self { rate, busy_since: Instant::ZERO, carried: Bytes::ZERO }
    }

    fn book(&mut self, now: Instant, size: Bytes) -> Transmission {
        if now > self.free() {
            (self.busy_since, self.carried) = (now, Bytes::ZERO);
        }
        let begins = self.free();
        self.carried += size;
        Transmission { aligned: now, begins, ends: self.free() }
    }

    /// Returns the end of all bytes carried since the busy period began.
    fn free(&self) -> Instant {
        self.busy_since + self.rate.map_or(Duration::ZERO, |rate| self.carried / rate)
    }
}

impl Slotted {
    pub(super) fn new(grid: Grid, tti: Duration, rate: Option<Bitrate>) -> Self {
        let block = rate.map(|rate| u128::from(rate.as_bps()) * u128::from(tti.as_nanos()));
        Self { grid, block, first_slot: 0, carried: Bytes::ZERO }
    }

    fn book(&mut self, now: Instant, size: Bytes) -> Transmission {
        let aligned = self.grid.at_or_after(now);
        if aligned > self.first_slot + self.full_slots() {
            (self.first_slot, self.carried) = (aligned, Bytes::ZERO);
        }
        let begins = self.first_slot + self.full_slots();
        self.carried += size;
        // A packet without bytes still needs a slot that begins after its arrival.
        let ends = (self.first_slot + self.started_slots()).max(aligned + 1);
        Transmission {
            aligned: self.grid.start(aligned),
            begins: self.grid.start(begins.min(ends - 1)),
            ends: self.grid.start(ends),
        }
    }

    /// Returns the number of slots of the busy period that are full.
    fn full_slots(&self) -> u64 {
        self.block.map_or(0, |block| (self.bit_nanos() / block) as u64)
    }

    /// Returns the number of slots of the busy period that carry any bytes.
    fn started_slots(&self) -> u64 {
        self.block.map_or(0, |block| self.bit_nanos().div_ceil(block) as u64)
    }

    fn bit_nanos(&self) -> u128 {
        u128::from(self.carried.0) * 8_000_000_000
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn at_ms(ms: u64) -> Instant {
        Instant::ZERO + MS * ms
    }

    fn slotted(bps: u64) -> Slotted {
        let grid = Grid::every(Instant::ZERO, MS).expect("a slot");
        Slotted::new(grid, MS, Bitrate::from_bps(bps))
    }

    /// 3 bit/s is 8/3 s per byte: a thousand bytes one by one take as long as a thousand bytes
    /// together.
    #[test]
    fn a_continuous_transmitter_does_not_accumulate_rounding() {
        let mut transmitter = Continuous::new(Bitrate::from_bps(3));
        let mut end = Instant::ZERO;
        for _ in 0..1000 {
            // Each byte arrives at the instant at which the one before has been sent.
            end = transmitter.book(end, Bytes(1)).ends;
        }
        assert_eq!(end, Instant::from_nanos(2_666_666_666_667));
    }

    /// 100 bytes per slot: 150 bytes end in the second slot, 50 more fill it, 1 more needs the
    /// third.
    #[test]
    fn packets_are_cut_at_the_byte_where_a_block_ends() {
        let mut transmitter = slotted(800_000);
        let bookings = [150, 50, 1].map(|size| transmitter.book(Instant::ZERO, Bytes(size)));
        assert_eq!(bookings.map(|it| it.ends), [at_ms(2), at_ms(2), at_ms(3)]);
        assert_eq!(bookings.map(|it| it.begins), [at_ms(0), at_ms(1), at_ms(2)]);
    }

    /// 1 kbit/s is an eighth of a byte per slot, 3 kbit/s three eighths.
    #[test]
    fn blocks_need_not_be_whole_bytes() {
        assert_eq!(slotted(1_000).book(Instant::ZERO, Bytes(1)).ends, at_ms(8));
        let mut transmitter = slotted(3_000);
        let ends = [1, 1, 1].map(|size| transmitter.book(Instant::ZERO, Bytes(size)).ends);
        // 8/3, 16/3 and 24/3 slots.
        assert_eq!(ends, [at_ms(3), at_ms(6), at_ms(8)]);
    }

    #[test]
    fn the_rest_of_a_block_is_for_those_who_came_before_its_slot() {
        let mut transmitter = slotted(800_000);
        transmitter.book(at_ms(0), Bytes(150));
        // At the start of slot 1, which has space for 50 bytes.
        assert_eq!(transmitter.book(at_ms(1), Bytes(50)).ends, at_ms(2));
        transmitter.book(at_ms(5), Bytes(50));
        // In the middle of slot 5, whose space is lost.
        let late = transmitter.book(at_ms(5) + MS / 2, Bytes(50));
        assert_eq!((late.aligned, late.begins, late.ends), (at_ms(6), at_ms(6), at_ms(7)));
    }

    #[test]
    fn a_packet_that_takes_no_room_still_needs_a_slot() {
        let mut transmitter = slotted(800_000);
        let alone = transmitter.book(at_ms(3), Bytes::ZERO);
        assert_eq!((alone.begins, alone.ends), (at_ms(3), at_ms(4)));
        transmitter.book(at_ms(4), Bytes(200));
        let behind = transmitter.book(at_ms(4), Bytes::ZERO);
        assert_eq!(behind.ends, at_ms(6), "rides in the last block before it");
        let mut unlimited = Slotted::new(Grid::every(Instant::ZERO, MS).expect("a slot"), MS, None);
        assert_eq!(unlimited.book(at_ms(2), Bytes(1_000_000)).ends, at_ms(3));
    }
}
