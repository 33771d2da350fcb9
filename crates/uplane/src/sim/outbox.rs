//! The effects of one call of an entity.
//!
//! In: effects, in order, and at most one request for the next call. Out: the effects and the
//! request, for the caller. One call in, all effects out: a test makes a call and checks its
//! effects.

use std::collections::VecDeque;

use crate::unit::Instant;

/// Effects of type `E` of one call, reused from call to call.
#[derive(Clone, Debug)]
pub struct Outbox<E> {
    /// The first effect. Most calls have at most one effect, which has its own field.
    first: Option<E>,
    /// The effects after the first. Empty while `first` is `None`.
    later: VecDeque<E>,
    wake: Wake,
}

/// The request of an entity for its next call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wake {
    /// The entity keeps its earlier request.
    #[default]
    Unchanged,
    /// At this instant, regardless of earlier requests.
    At(Instant),
    /// Not until some input arrives.
    Never,
}

impl<E> Default for Outbox<E> {
    fn default() -> Self {
        Self { first: None, later: VecDeque::new(), wake: Wake::Unchanged }
    }
}

impl<E> Outbox<E> {
    /// Adds an effect that happens now, after all effects emitted before.
    #[inline]
    pub fn emit(&mut self, effect: E) {
        if self.first.is_none() {
            self.first = Some(effect);
        } else {
            self.later.push_back(effect);
        }
    }

    /// Requests a call at this instant, regardless of earlier requests.
    pub fn wake_at(&mut self, at: Instant) {
        self.wake = Wake::At(at);
    }

    /// Requests a call at this instant, or no call for `None`.
    pub fn wake(&mut self, at: Option<Instant>) {
        self.wake = at.map_or(Wake::Never, Wake::At);
    }

    /// Returns `true` if no effect is left.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    /// Returns the number of effects left.
    #[inline]
    pub fn len(&self) -> usize {
        usize::from(self.first.is_some()) + self.later.len()
    }

    /// Removes the first effect. While it is carried out, the same entity may emit more effects,
    /// which come last.
    #[inline]
    pub fn take_next(&mut self) -> Option<E> {
        // Without an effect nothing is moved, however large an effect may be.
        self.first.as_ref()?;
        let next = if self.later.is_empty() { None } else { self.later.pop_front() };
        std::mem::replace(&mut self.first, next)
    }

    /// Removes all effects, in order.
    pub fn drain(&mut self) -> impl DoubleEndedIterator<Item = E> {
        self.first.take().into_iter().chain(self.later.drain(..))
    }

    /// Takes the entity's request for its next call.
    pub fn take_wake(&mut self) -> Wake {
        std::mem::take(&mut self.wake)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the outbox with a list.
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
