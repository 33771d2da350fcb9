//! The COUNTs of duplicated packets that one entity has begun. They map a confirmed SDU to its
//! packet (TS 38.323 §5.11.2).
//!
//! In: SDUs that are begun, and those that the receiver has confirmed. Out: the COUNTs of confirmed
//! SDUs.

use std::collections::VecDeque;

use super::span::Span;

/// SDUs that were begun and are not confirmed, in the order of the stream: position and COUNT.
#[derive(Clone, Debug, Default)]
pub(super) struct SentCopies(VecDeque<(u64, u64)>);

impl SentCopies {
    /// Adds an SDU that is begun at `span` of the stream.
    pub(super) fn begin(&mut self, span: Span, count: u64) {
        self.0.push_back((span.from, count));
    }

    /// Removes a confirmed SDU and returns its COUNT, if it is known.
    pub(super) fn end(&mut self, span: Span) -> Option<u64> {
        let place = self.0.binary_search_by_key(&span.from, |&(from, _)| from).ok()?;
        self.0.remove(place).map(|(_, count)| count)
    }

    /// Forgets all SDUs, at a re-establishment.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn confirmed_packets_have_their_count_once() {
        let mut sent = SentCopies::default();
        for (from, count) in [(0, 7), (100, 9), (150, 8)] {
            sent.begin(Span::new(from, from + 50), count);
        }
        assert_eq!(sent.end(Span::new(100, 150)), Some(9));
        assert_eq!(sent.end(Span::new(100, 150)), None);
        assert_eq!(sent.end(Span::new(0, 50)), Some(7));
        sent.clear();
        assert_eq!(sent.end(Span::new(150, 200)), None);
    }
}
