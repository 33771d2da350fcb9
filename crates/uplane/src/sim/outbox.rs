//! The effects of one call of an entity.
//!
//! In: effects, in order, and at most one request to be called again. Out: the same, to the caller.
//! One call in, all effects out: so a test makes a call and looks at its effects.

use std::collections::VecDeque;

use crate::unit::Instant;

/// Effects of type `E` of one call, reused from call to call.
#[derive(Clone, Debug)]
pub struct Outbox<E> {
    /// Most calls have one effect at most: it has a place of its own.
    first: Option<E>,
    /// Those after the first; none while that is missing.
    later: VecDeque<E>,
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
        Self { first: None, later: VecDeque::new(), wake: Wake::Unchanged }
    }
}

impl<E> Outbox<E> {
    /// Adds an effect that happens now, after all that were emitted before.
    #[inline]
    pub fn emit(&mut self, effect: E) {
        if self.first.is_none() {
            self.first = Some(effect);
        } else {
            self.later.push_back(effect);
        }
    }

    /// Call me at this instant, whatever I said before.
    pub fn wake_at(&mut self, at: Instant) {
        self.wake = Wake::At(at);
    }

    /// Call me at this instant, or not at all for `None`.
    pub fn wake(&mut self, at: Option<Instant>) {
        self.wake = at.map_or(Wake::Never, Wake::At);
    }

    /// True when no effect is left.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    /// Effects that are left.
    #[inline]
    pub fn len(&self) -> usize {
        usize::from(self.first.is_some()) + self.later.len()
    }

    /// Takes out the first effect. While it is carried out the same entity may emit more; they come
    /// last.
    #[inline]
    pub fn take_next(&mut self) -> Option<E> {
        // Where there is none nothing is moved, however large an effect may be.
        self.first.as_ref()?;
        let next = if self.later.is_empty() { None } else { self.later.pop_front() };
        std::mem::replace(&mut self.first, next)
    }

    /// Takes all effects out, in order.
    pub fn drain(&mut self) -> impl DoubleEndedIterator<Item = E> {
        self.first.take().into_iter().chain(self.later.drain(..))
    }

    /// Takes out when the entity wants to be called again.
    pub fn take_wake(&mut self) -> Wake {
        std::mem::take(&mut self.wake)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against a list as the obvious implementation.
    #[test]
    fn effects_come_out_in_the_order_in_which_they_came_in() {
        let mut random = crate::sim::Streams::new(3).open("outbox", "test");
        let (mut out, mut model) = (Outbox::default(), VecDeque::new());
        for effect in 0..10_000 {
            match random.below(20) {
                0 => assert!(out.drain().eq(model.drain(..))),
                1..10 => assert_eq!(out.take_next(), model.pop_front()),
                _ => {
                    out.emit(effect);
                    model.push_back(effect);
                }
            }
            assert_eq!((out.is_empty(), out.len()), (model.is_empty(), model.len()));
        }
    }
}
