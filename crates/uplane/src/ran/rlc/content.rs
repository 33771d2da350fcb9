//! The received content of one AMD PDU of LTE, or of one SDU of NR: all of it, or segments.
//!
//! In: data PDUs with one sequence number. Out: whether a PDU brings new data; missing portions.

use super::pdu::{DataPdu, Portion};
use super::span::Span;

/// The received content of one sequence number.
#[derive(Clone, Debug, Default)]
pub(super) enum Content {
    /// No byte was received.
    #[default]
    Nothing,
    /// Some bytes were received.
    Pieces(Box<Pieces>),
    /// All bytes were received, at this span of the stream.
    All(Span),
}

/// Byte segments of a partly received PDU or SDU, as spans of the stream.
#[derive(Clone, Debug)]
pub(super) struct Pieces {
    /// Position at which the PDU or SDU begins.
    origin: u64,
    /// Position after the last byte, once that byte was received.
    end: Option<u64>,
    /// The received segments, in order; no two of them touch.
    spans: Vec<Span>,
}

impl Content {
    pub(super) fn is_all(&self) -> bool {
        matches!(self, Self::All(_))
    }

    /// Returns `true` if data is missing before the last byte received.
    pub(super) fn has_gap(&self) -> bool {
        match self {
            Self::Nothing => true,
            Self::Pieces(pieces) => pieces.has_gap(),
            Self::All(_) => false,
        }
    }

    /// Returns the span from the first to the last byte received, if the content is not complete.
    pub(super) fn pieces(&self) -> Option<Span> {
        let Self::Pieces(pieces) = self else { return None };
        pieces.spans.iter().copied().reduce(Span::hull)
    }

    /// Returns the received segments, in order.
    pub(super) fn spans(&self) -> &[Span] {
        match self {
            Self::Nothing => &[],
            Self::Pieces(pieces) => &pieces.spans,
            Self::All(all) => std::slice::from_ref(all),
        }
    }

    /// Adds the data of a PDU. Returns whether any of it is new, and the span of the whole PDU or
    /// SDU if it is complete now.
    #[inline(always)]
    pub(super) fn add(&mut self, pdu: &DataPdu) -> (bool, Option<Span>) {
        let Some(segment) = pdu.segment else {
            let new = !self.is_all();
            *self = Self::All(pdu.data);
            return (new, new.then_some(pdu.data));
        };
        if self.is_all() {
            return (false, None);
        }
        if matches!(self, Self::Nothing) {
            let pieces = Pieces { origin: pdu.origin(), end: None, spans: Vec::new() };
            *self = Self::Pieces(Box::new(pieces));
        }
        let Self::Pieces(pieces) = self else { unreachable!("made above") };
        let new = pieces.add(pdu.data, segment.lsf);
        let mut whole = None;
        if let Some(end) = pieces.end
            && pieces.whole_until() == end
        {
            let all = Span::new(pieces.origin, end);
            whole = Some(all);
            *self = Self::All(all);
        }
        (new, whole)
    }
}

impl Pieces {
    fn add(&mut self, data: Span, last: bool) -> bool {
        if self.spans.iter().any(|span| span.covers(data)) {
            return false;
        }
        if last {
            self.end = Some(data.to);
        }
        let first = self.spans.partition_point(|span| span.to < data.from);
        let behind = self.spans.partition_point(|span| span.from <= data.to);
        let merged = self.spans[first..behind].iter().fold(data, |sum, &span| sum.hull(span));
        self.spans.splice(first..behind, [merged]);
        true
    }

    fn has_gap(&self) -> bool {
        self.spans.len() > 1 || self.spans.first().is_none_or(|first| first.from > self.origin)
    }

    /// Returns the position up to which the stream is complete in this PDU or SDU.
    pub(super) fn whole_until(&self) -> u64 {
        match self.spans.first() {
            Some(first) if first.from == self.origin => first.to,
            _ => self.origin,
        }
    }

    /// Returns the portions not received, in order. The last one has no end while the last byte is
    /// missing.
    pub(super) fn gaps(&self) -> impl Iterator<Item = Portion> + '_ {
        let so = |position: u64| (position - self.origin) as u32;
        let starts = std::iter::once(self.origin).chain(self.spans.iter().map(|span| span.to));
        let ends = self.spans.iter().map(|span| Some(span.from)).chain([None]);
        let between = starts.zip(ends);
        between.filter(|&(start, end)| end.map_or(self.end.is_none(), |end| start < end)).map(
            move |(start, end)| Portion { so_start: so(start), so_end: end.map(|end| so(end) - 1) },
        )
    }
}
