//! A downlink scheduler's view of a bearer's queue, if RLC reports the queue when packets arrive.
//!
//! The schedulers and the RLC of the LTE module of ns-3 (2018) work like this: a report counts two
//! bytes of header for each SDU, the scheduler subtracts the bytes that it has granted instead of
//! the bytes used, and RLC repeats a report only 10 ms after it has sent a PDU and kept a rest. So
//! an empty bearer can count as active, and the end of a queue can be forgotten for a while.
//! Schedulers of bearers that share a block equally waste slots in this way.
//!
//! In: the queue at each arrival and slot, shares. Out: the bytes that the scheduler serves.
//!
//! Left out: reports of acknowledged mode, with its retransmissions. A cell serves such queues by
//! their exact lengths.

use crate::unit::{Bytes, Duration, Instant};

/// The scheduler's estimate of a queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueReport {
    bytes: Bytes,
    /// Time of RLC's next report of its own.
    next: Option<Instant>,
}

/// The actual queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Queue {
    /// Bytes of SDUs.
    pub bytes: Bytes,
    /// SDUs, one of them perhaps in part.
    pub sdus: u64,
}

impl QueueReport {
    /// Handles an arrival: RLC reports the queue, whether the packet stays or is dropped.
    pub fn on_packet(&mut self, queue: Queue) {
        *self = Self { bytes: queue.counted(), next: None };
    }

    /// Handles the start of a slot, in which RLC may repeat its report.
    pub fn on_slot(&mut self, now: Instant, queue: Queue) {
        if self.next.is_none_or(|at| at > now) {
            return;
        }
        self.next = None;
        if !queue.bytes.is_zero() {
            self.on_packet(queue);
            self.next = Some(now + PERIOD);
        }
    }

    /// Subtracts a granted `share` of a block, whether or not the bearer uses it.
    pub fn on_share(&mut self, share: Bytes) {
        self.bytes = self.bytes.saturating_sub(share.saturating_sub(PDU_HEADER));
    }

    /// Handles a PDU that was sent with `left` bytes still waiting.
    pub fn on_pdu(&mut self, now: Instant, left: Bytes) {
        if !left.is_zero() {
            self.next = Some(now + PERIOD);
        }
    }

    /// Returns the bytes that the scheduler takes for waiting.
    pub const fn bytes(&self) -> Bytes {
        self.bytes
    }
}

impl Queue {
    fn counted(&self) -> Bytes {
        self.bytes + PDU_HEADER * self.sdus
    }
}

/// The header that is counted for each SDU, and taken off each share.
const PDU_HEADER: Bytes = Bytes(2);

/// RLC's timer of reports.
const PERIOD: Duration = Duration::from_millis(10);

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Instant {
        Instant::from_nanos(millis * 1_000_000)
    }

    const fn queue(bytes: u64, sdus: u64) -> Queue {
        Queue { bytes: Bytes(bytes), sdus }
    }

    /// The LTE module of ns-3 (2018), RLC UM: 544 bytes of one SDU are reported as 546, and two
    /// shares of 274 bytes take them, but 2 bytes remain on the account: the next share is wasted.
    #[test]
    fn an_empty_bearer_may_count_as_active() {
        let mut report = QueueReport::default();
        report.on_packet(queue(544, 1));
        report.on_share(Bytes(274));
        report.on_share(Bytes(274));
        assert_eq!(report.bytes(), Bytes(2));
        report.on_share(Bytes(274));
        assert_eq!(report.bytes(), Bytes(0));
    }

    /// The LTE module of ns-3 (2018): RLC reports at arrivals, and 10 ms after a PDU that left a
    /// rest; an arrival stops that timer.
    #[test]
    fn a_forgotten_rest_waits_ten_milliseconds() {
        let mut report = QueueReport::default();
        report.on_packet(queue(500, 1));
        report.on_share(Bytes(549));
        report.on_pdu(ms(3), Bytes(20));
        report.on_slot(ms(12), queue(20, 1));
        assert_eq!(report.bytes(), Bytes(0));
        report.on_slot(ms(13), queue(20, 1));
        assert_eq!(report.bytes(), Bytes(22));
        report.on_packet(queue(620, 2));
        report.on_slot(ms(23), queue(500, 2));
        assert_eq!(report.bytes(), Bytes(624));
    }
}
