//! Replay of an application's writes: each message of a file at its time.
//!
//! In: messages with times, and the timer. Out: these messages, at their times after the start.
//!
//! The loop is open: a message is written at its time, whatever happened to earlier ones. So a path
//! that is too slow builds an ever longer queue, as with an application that ignores feedback.
//!
//! Left out: answers that wait for their questions. This matters for replaying a conversation over
//! a longer path than the one it was captured on: answers come as early as they did there.

mod file;

use std::sync::Arc;

pub use file::{Misfit, Write, Writes};

use super::conversation::{Behaviour, Wishes};
use super::report::Message;
use crate::unit::Instant;

/// The behaviour of a conversation that replays another one.
#[derive(Clone, Debug)]
pub struct Replay {
    /// Messages in the order of their times.
    writes: Arc<[Write]>,
    start: Instant,
    next: usize,
}

impl Replay {
    /// Creates a replay that starts with the first message.
    pub fn new(writes: &Writes) -> Self {
        Self { writes: writes.all(), start: Instant::ZERO, next: 0 }
    }

    /// Writes the messages that are due, and waits for the next one.
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
