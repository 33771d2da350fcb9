//! A span of the stream of SDU bytes of one direction of one bearer.

use crate::unit::Bytes;

/// The bytes `[from, to)` of the stream: byte 0 is the first byte of the first SDU ever begun.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// Position of the first byte.
    pub from: u64,
    /// Position after the last byte.
    pub to: u64,
}

impl Span {
    /// The bytes `[from, to)`.
    pub const fn new(from: u64, to: u64) -> Self {
        debug_assert!(from <= to, "a span that ends before it begins");
        Self { from, to }
    }

    /// How many bytes.
    pub const fn length(self) -> Bytes {
        Bytes(self.to - self.from)
    }

    /// True without bytes.
    pub const fn is_empty(self) -> bool {
        self.from == self.to
    }

    /// True when all bytes of `other` are in this span.
    pub const fn covers(self, other: Self) -> bool {
        self.from <= other.from && other.to <= self.to
    }

    /// True when the two together are one span: they overlap, or one begins where the other ends.
    pub const fn touches(self, other: Self) -> bool {
        self.from <= other.to && other.from <= self.to
    }

    /// The same bytes in as few spans as there can be, of spans that are in order.
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

    /// The shortest span with all bytes of both.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        Self::new(self.from.min(other.from), self.to.max(other.to))
    }
}
