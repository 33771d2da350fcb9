//! What a receiving end of RLC says of the stream: how far it has come, and what it gave up.

use super::span::Span;

/// What a receiving end has come to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Passed {
    /// All these data came, and none before their end is taken any more.
    UpTo(Span),
    /// All of one SDU came.
    Sdu(Span),
    /// The rest of the SDU with these data is no longer waited for.
    Discarded(Span),
}
