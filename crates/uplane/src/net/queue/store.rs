//! A first-in, first-out queue of items with their arrival times.
//!
//! In: packets and their lengths. Out: the oldest one, its waiting time, the number of bytes that
//! wait.

use std::collections::VecDeque;

use super::Waiting;
use crate::unit::{Bytes, Instant};

/// Items in the order of their arrival, with their bytes.
#[derive(Clone, Debug)]
pub(super) struct Store<T> {
    items: VecDeque<(Instant, T)>,
    bytes: Bytes,
}

impl<T> Default for Store<T> {
    fn default() -> Self {
        Self { items: VecDeque::new(), bytes: Bytes::ZERO }
    }
}

impl<T: Waiting> Store<T> {
    pub(super) fn push(&mut self, now: Instant, item: T) {
        self.bytes += item.length();
        self.items.push_back((now, item));
    }

    /// Removes the first item, and returns it with its arrival time.
    pub(super) fn pop(&mut self) -> Option<(Instant, T)> {
        let (arrived, item) = self.items.pop_front()?;
        self.bytes -= item.length();
        Some((arrived, item))
    }

    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Returns the arrival time of the first item.
    pub(super) fn oldest(&self) -> Option<Instant> {
        self.items.front().map(|(arrived, _)| *arrived)
    }

    /// Returns the number of bytes of all items.
    pub(super) fn bytes(&self) -> Bytes {
        self.bytes
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.items.iter().map(|(_, item)| item)
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.items.iter_mut().map(|(_, item)| item)
    }
}
