//! What is left of a downlink slot, and how a UE knows of a block that takes some of it.

/// What is left of a slot.
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell) struct Room {
    pub(super) units: u64,
    /// UEs that it may still be given to.
    pub(super) ues: u32,
}

/// How a UE knows of a new block.
#[derive(Clone, Copy, Debug)]
pub(super) enum Announced {
    /// By a control message, which names any process or this one.
    Now(Option<usize>),
    /// By an earlier message: the slot names the process (TS 38.321 §5.8.1).
    Before(usize),
}
