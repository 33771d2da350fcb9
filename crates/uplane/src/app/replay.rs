//! What an application wrote, once more: each message of a file at its time.
//!
//! In: messages with times, and the timer. Out: the same messages, at these times after the start.
//!
//! The loop is open: a message is written at its time, whatever became of those before it. So a
//! path that is too slow gets an ever longer queue, as with an application that does not listen.
//!
//! Left out: answers that wait for their questions. Who replays a conversation over a longer path
//! than it was captured on could tell: the answers come as early as they did there.

mod file;

use std::sync::Arc;

pub use file::{Misfit, Write, Writes};

use super::conversation::{Behaviour, Wishes};
use super::report::Message;
use crate::unit::Instant;

/// The behaviour of a conversation that repeats another one.
#[derive(Clone, Debug)]
pub struct Replay {
    /// In the order of their times.
    writes: Arc<[Write]>,
    start: Instant,
    next: usize,
}

impl Replay {
    /// From the first message on.
    pub fn new(writes: &Writes) -> Self {
        Self { writes: writes.all(), start: Instant::ZERO, next: 0 }
    }

    /// Writes what is due, and waits for the next.
    fn go_on(&mut self, now: Instant, wishes: &mut Wishes) {
        while let Some(write) = self.writes.get(self.next) {
            let due = self.start + write.at;
            if due > now {
                wishes.wake = Some(due);
                return;
            }
            wishes.messages.push((write.direction, write.bytes));
            self.next += 1;
        }
    }
}

impl Behaviour for Replay {
    fn on_start(&mut self, now: Instant, wishes: &mut Wishes) {
        self.start = now;
        self.go_on(now, wishes);
    }

    fn on_timer(&mut self, now: Instant, wishes: &mut Wishes) {
        self.go_on(now, wishes);
    }

    fn on_delivered(&mut self, _: Instant, _: &Message, _: &mut Wishes) {}
}
