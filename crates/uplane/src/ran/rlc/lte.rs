//! The RLC of LTE (TS 36.322): PDUs that concatenate SDUs, and both modes with their state
//! variables.
//!
//! In: SDUs, grants, PDUs, time. Out: PDUs; spans of the stream that are whole, in order.
//!
//! | file | what |
//! |---|---|
//! | [`header`] | the arithmetic of headers |
//! | [`um`] | unacknowledged mode |
//! | [`am`] | acknowledged mode |

pub mod am;
pub mod header;
pub mod um;
