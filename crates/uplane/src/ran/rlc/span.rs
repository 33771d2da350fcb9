//! A span of the stream of SDU bytes of one direction of one bearer.

use crate::unit::Bytes;

/// The bytes `[from, to)` of the stream. Byte 0 is the first byte of the first SDU ever begun.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// Position of the first byte.
    pub from: u64,
    /// Position after the last byte.
    pub to: u64,
}

impl Span {
    /// Creates a span with the bytes `[from, to)`.
    pub const fn new(from: u64, to: u64) -> Self {
        debug_assert!(from <= to, "a span that ends before it begins");
        Self { from, to }
    }

    /// Returns the number of bytes.
    pub const fn length(self) -> Bytes {
        Bytes(self.to - self.from)
    }

    /// Returns `true` if the span has no bytes.
    pub const fn is_empty(self) -> bool {
        self.from == self.to
    }

    /// Returns `true` if all bytes of `other` are in this span.
    pub const fn covers(self, other: Self) -> bool {
        self.from <= other.from && other.to <= self.to
    }

    /// Returns `true` if the two spans together are one: they overlap, or one begins where the
    /// other ends.
    pub const fn touches(self, other: Self) -> bool {
        self.from <= other.to && other.from <= self.to
    }

    /// Joins spans that touch: returns the same bytes in the minimum number of spans. `spans` are
    /// in order.
    pub fn joined(spans: impl Iterator<Item = Self>) -> Vec<Self> {
        let mut joined: Vec<Self> = Vec::new();
        for span in spans {
            match joined.last_mut() {
                Some(last) if last.touches(span) => *last = last.hull(span),
                _ => joined.push(span),
            }
        }
        joined
    }

    /// Returns the shortest span with all bytes of both.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        Self::new(self.from.min(other.from), self.to.max(other.to))
    }
}
