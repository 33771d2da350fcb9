//! What one call of an entity wants to happen.
//!
//! In: effects, in order, and at most one wish to be called again. Out: the same, to whoever made
//! the call. One call in, all effects out: a test calls and looks.

use std::collections::VecDeque;

use crate::unit::Instant;

/// Effects of type `E` of one call, reused from call to call.
#[derive(Clone, Debug)]
pub struct Outbox<E> {
    effects: VecDeque<E>,
    wake: Wake,
}

/// When an entity wants to be called again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wake {
    /// As it said before.
    #[default]
    Unchanged,
    /// At this instant, whatever it said before.
    At(Instant),
    /// Not until something arrives.
    Never,
}

impl<E> Default for Outbox<E> {
    fn default() -> Self {
        Self { effects: VecDeque::new(), wake: Wake::Unchanged }
    }
}

impl<E> Outbox<E> {
    /// Something that shall happen now, after all that was emitted before.
    pub fn emit(&mut self, effect: E) {
        self.effects.push_back(effect);
    }

    /// Call me at this instant, whatever I said before.
    pub fn wake_at(&mut self, at: Instant) {
        self.wake = Wake::At(at);
    }

    /// Call me at this instant, or not at all for `None`.
    pub fn wake(&mut self, at: Option<Instant>) {
        self.wake = at.map_or(Wake::Never, Wake::At);
    }

    /// The effects so far, in order.
    pub fn effects(&self) -> &VecDeque<E> {
        &self.effects
    }

    /// Takes out the first effect. Whoever carries it out may let the same room emit more
    /// meanwhile: they come last.
    pub fn take_next(&mut self) -> Option<E> {
        self.effects.pop_front()
    }

    /// Takes all effects out, in order.
    pub fn drain(&mut self) -> std::collections::vec_deque::Drain<'_, E> {
        self.effects.drain(..)
    }

    /// Takes out when the entity wants to be called again.
    pub fn take_wake(&mut self) -> Wake {
        std::mem::take(&mut self.wake)
    }
}
