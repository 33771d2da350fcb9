//! The send buffer, without its bytes: data that the application has written.
//!
//! In: amounts. Out: the end of the data to send, and the time at which a byte was written.
//!
//! Data that a limited buffer cannot take waits outside and moves in as acknowledgements free
//! space, like an application that blocks in its write; or in whole blocks, like one whose writes
//! are refused; or not before a third of the buffer is free, as on Linux. The buffer may grow. A
//! byte counts as written when it enters the buffer.

use std::collections::VecDeque;

use super::limits::Waits;

/// Written data that has not been sent.
#[derive(Clone, Debug)]
pub(super) struct Writes {
    /// Position of the first byte. The SYN before it takes no space in the buffer.
    start: u64,
    /// Position after the last byte in the buffer.
    end: u64,
    /// Bytes of the application that the buffer does not take yet.
    backlog: u64,
    /// The application waits, and resumes only when a third of the buffer is free.
    waits_for_third: bool,
    /// A blocked application resumes only when a third of the buffer is free.
    by_thirds: bool,
    /// Capacity in bytes; `None` takes everything.
    capacity: Option<u64>,
    /// Block size: a limited buffer takes only whole blocks of this number of bytes.
    block: u64,
    /// Writes with unsent bytes, oldest first.
    unsent: VecDeque<Write>,
}

/// Bytes that entered the buffer at one instant.
#[derive(Clone, Debug)]
struct Write {
    /// Position after the last of these bytes.
    end: u64,
    /// The sender's account of waits at that instant.
    waits: Waits,
}

impl Writes {
    /// Returns an empty buffer that begins at `start`, written in blocks of `block` bytes.
    pub(super) fn new(start: u64, capacity: Option<u64>, block: u64, by_thirds: bool) -> Self {
        Self {
            start,
            end: start,
            backlog: 0,
            waits_for_third: false,
            by_thirds,
            capacity,
            block,
            unsent: VecDeque::new(),
        }
    }

    /// Returns the position after the last byte that may be sent.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// Returns `true` if the application has to wait for the buffer.
    pub(super) fn has_backlog(&self) -> bool {
        self.backlog > 0
    }

    /// Writes `length` bytes; everything before `una` is acknowledged.
    pub(super) fn write(&mut self, length: u64, una: u64, waits: Waits) {
        self.backlog += length;
        self.refill(una, waits);
    }

    /// Enlarges the buffer to `room` bytes, if that is more than before, but to `most` at most.
    pub(super) fn grow(&mut self, room: u64, most: Option<u64>) {
        let before = self.capacity.unwrap_or(0);
        self.capacity = most.map(|most| before.max(room).min(most));
    }

    /// Returns `true` if the bytes before `position` are all that the application could write at
    /// once.
    pub(super) fn is_end_of_write(&self, position: u64) -> bool {
        self.unsent.front().is_some_and(|write| write.end <= position)
    }

    /// Moves as much as fits from the backlog into the buffer, which holds all data, starting at
    /// `una`.
    #[inline]
    pub(super) fn refill(&mut self, una: u64, waits: Waits) {
        if self.has_backlog() {
            self.take_in(una, waits);
        }
    }

    fn take_in(&mut self, una: u64, waits: Waits) {
        let held = self.end.saturating_sub(una.max(self.start));
        if self.waits_for_third && self.capacity.is_some_and(|capacity| 3 * held > 2 * capacity) {
            return;
        }
        let room = self.capacity.map_or(u64::MAX, |capacity| capacity.saturating_sub(held));
        let whole = room / self.block * self.block;
        let entering = if self.backlog <= room { self.backlog } else { whole };
        if entering > 0 {
            self.backlog -= entering;
            self.end += entering;
            self.unsent.push_back(Write { end: self.end, waits });
        }
        self.waits_for_third = self.by_thirds && self.backlog > 0;
    }

    /// Returns the account of waits at the time when the byte at `position`, the next to be sent,
    /// was written.
    pub(super) fn written(&mut self, position: u64) -> Waits {
        while self.unsent.front().is_some_and(|write| write.end <= position) {
            self.unsent.pop_front();
        }
        self.unsent.front().expect("a byte that is sent was written").waits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_buffer_takes_the_rest_with_room() {
        let mut writes = Writes::new(1, Some(100), 1, false);
        writes.write(250, 1, Waits::default());
        assert_eq!((writes.end(), writes.has_backlog()), (101, true));
        writes.refill(61, Waits::default());
        assert_eq!(writes.end(), 161);
        writes.refill(161, Waits::default());
        assert_eq!((writes.end(), writes.has_backlog()), (251, false));
    }

    /// ns-3 of 2018: a write that does not fit whole is refused, and retried when there is room.
    #[test]
    fn a_block_waits_until_it_fits_whole() {
        let mut writes = Writes::new(1, Some(100), 30, false);
        writes.write(130, 1, Waits::default());
        assert_eq!(writes.end(), 91);
        writes.refill(20, Waits::default());
        assert_eq!(writes.end(), 91);
        writes.refill(21, Waits::default());
        assert_eq!(writes.end(), 121);
        writes.refill(31, Waits::default());
        assert_eq!((writes.end(), writes.has_backlog()), (131, false));
    }

    /// No other acknowledgement could make room: the application would wait for ever.
    #[test]
    fn an_unacknowledged_syn_takes_no_room() {
        let mut writes = Writes::new(1, Some(100), 100, false);
        writes.write(150, 0, Waits::default());
        assert_eq!((writes.end(), writes.has_backlog()), (101, true));
    }

    /// Linux: an application that has waited continues when two thirds are left, and fills the
    /// buffer at once.
    #[test]
    fn full_buffer_resumes_at_a_free_third() {
        let mut writes = Writes::new(1, Some(90), 1, true);
        writes.write(200, 1, Waits::default());
        assert_eq!((writes.end(), writes.has_backlog()), (91, true));
        writes.refill(30, Waits::default());
        assert_eq!(writes.end(), 91);
        writes.refill(31, Waits::default());
        assert_eq!(writes.end(), 121);
        writes.refill(121, Waits::default());
        assert_eq!((writes.end(), writes.has_backlog()), (201, false));
        writes.write(5, 121, Waits::default());
        assert_eq!(writes.end(), 206);
    }

    #[test]
    fn an_unlimited_buffer_takes_everything() {
        let mut writes = Writes::new(0, None, 1, false);
        writes.write(1 << 40, 0, Waits::default());
        assert_eq!(writes.end(), 1 << 40);
    }

    /// The last byte that leaves before the application has to wait ends a write.
    #[test]
    fn growing_buffer_knows_the_end_of_writes() {
        let mut writes = Writes::new(1, Some(30), 1, true);
        writes.write(100, 1, Waits::default());
        assert_eq!(
            (writes.end(), writes.is_end_of_write(30), writes.is_end_of_write(31)),
            (31, false, true)
        );
        writes.grow(20, Some(60));
        writes.grow(90, Some(60));
        // 40 are the two thirds of 60 that may be left.
        writes.refill(1, Waits::default());
        assert_eq!(writes.end(), 61);
        assert!(writes.is_end_of_write(31), "the first write");
        writes.written(31);
        assert!(!writes.is_end_of_write(60) && writes.is_end_of_write(61), "the second one");
    }
}
