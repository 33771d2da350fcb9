//! The rest of a downlink slot, and the announcement of a block that takes a part of it.

/// The rest of a slot.
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell) struct Room {
    pub(super) units: u64,
    /// Maximum number of further UEs.
    pub(super) ues: u32,
}

/// Announcement of a new block to its UE.
#[derive(Clone, Copy, Debug)]
pub(super) enum Announced {
    /// By a control message. The process is any free one, or this one.
    Now(Option<usize>),
    /// By an earlier message; the slot names this process (TS 38.321 §5.8.1).
    Before(usize),
}
