//! What the acknowledged modes of all generations have in common (TS 36.322 §5.2; TS 38.322 §5.3).
//!
//! | file | what |
//! |---|---|
//! | [`poll`] | when a transmitter asks for a STATUS report |
//! | [`window`], [`retransmission`] | what it has sent, and what of that it sends again |
//! | [`receiver`], [`status`] | what came, and what is said of it |
//!
//! How data become PDUs differs between generations.

pub mod poll;
pub mod receiver;
pub mod retransmission;
pub mod status;
pub mod window;
