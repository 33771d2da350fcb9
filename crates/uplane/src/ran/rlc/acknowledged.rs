//! The part of acknowledged mode that LTE and NR share (TS 36.322 §5.2; TS 38.322 §5.3).
//!
//! | file | content |
//! |---|---|
//! | [`poll`] | polls: requests of a transmitter for a STATUS report |
//! | [`window`], [`retransmission`] | unacknowledged data, and the part pending for retransmission |
//! | [`receiver`], [`status`] | the reception buffer, and STATUS PDUs |
//!
//! The construction of PDUs from data differs between generations and is not part of this module.

pub mod poll;
pub mod receiver;
pub mod retransmission;
pub mod status;
pub mod window;
