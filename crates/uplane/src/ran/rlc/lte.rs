//! The RLC of LTE (TS 36.322): PDUs that concatenate SDUs, and two modes with their state
//! variables.
//!
//! In: SDUs, grants, PDUs, time. Out: PDUs; complete spans of the stream, in order.
//!
//! | file | content |
//! |---|---|
//! | [`header`] | lengths of headers |
//! | [`um`] | unacknowledged mode |
//! | [`am`] | acknowledged mode |

pub mod am;
pub mod header;
pub mod um;
