//! What was received of one AMD PDU of LTE, or of one SDU of NR: all of it, or segments.
//!
//! In: data PDUs with its number. Out: whether anything is new, what is missing.

use super::pdu::{DataPdu, Portion};
use super::span::Span;

/// What was received with one sequence number.
#[derive(Clone, Debug, Default)]
pub(super) enum Content {
    /// Nothing.
    #[default]
    Nothing,
    /// Some of it.
    Pieces(Box<Pieces>),
    /// All of it: where it is in the stream.
    All(Span),
}

/// Byte segments of a partly received PDU or SDU, as spans of the stream.
#[derive(Clone, Debug)]
pub(super) struct Pieces {
    /// Where it begins.
    origin: u64,
    /// Where it ends, once its last byte was received.
    end: Option<u64>,
    /// In order; no two of them touch.
    spans: Vec<Span>,
}

impl Content {
    pub(super) fn is_all(&self) -> bool {
        matches!(self, Self::All(_))
    }

    /// True when something is missing before the last byte that came.
    pub(super) fn has_gap(&self) -> bool {
        match self {
            Self::Nothing => true,
            Self::Pieces(pieces) => pieces.has_gap(),
            Self::All(_) => false,
        }
    }

    /// From the first to the last byte that came, of what is not whole.
    pub(super) fn pieces(&self) -> Option<Span> {
        let Self::Pieces(pieces) = self else { return None };
        pieces.spans.iter().copied().reduce(Span::hull)
    }

    /// What came, in order.
    pub(super) fn spans(&self) -> &[Span] {
        match self {
            Self::Nothing => &[],
            Self::Pieces(pieces) => &pieces.spans,
            Self::All(all) => std::slice::from_ref(all),
        }
    }

    /// Adds what a PDU brings: whether anything in it is new, and all of the PDU or SDU if that
    /// makes it whole.
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

    /// How far the stream is whole within it.
    pub(super) fn whole_until(&self) -> u64 {
        match self.spans.first() {
            Some(first) if first.from == self.origin => first.to,
            _ => self.origin,
        }
    }

    /// The portions not received, in order. The last has no end as long as the last byte is
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
