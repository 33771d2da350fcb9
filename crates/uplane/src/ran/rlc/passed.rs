//! The progress report of a receiving end of RLC: complete data, and data that it gave up.

use super::span::Span;

/// The progress of a receiving end in the stream.
#[derive(Clone, Copy, Debug)]
pub(super) enum Passed {
    /// All of this data has arrived, and the receiver accepts none before its end any more.
    UpTo(Span),
    /// All bytes of one SDU have arrived.
    Sdu(Span),
    /// The receiver no longer waits for the rest of the SDU with this data.
    Discarded(Span),
}
