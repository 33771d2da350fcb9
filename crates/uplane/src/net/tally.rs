//! Counting what goes in and out of one place, so that nothing is lost unnoticed.
//!
//! In: each packet that comes in, goes on, or is dropped, with its length at that place. Out: the
//! balance `in = out + dropped + held`, which property tests and every run check.

use std::ops::AddAssign;

use crate::unit::Bytes;

/// Why a packet went no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DropCause {
    /// The queue was full.
    Queue,
    /// The link or the radio lost it.
    Loss,
    /// Too long for the next link, and must not be cut.
    TooBig,
    /// A piece of it was lost.
    Incomplete,
    /// All its bytes had come before.
    Duplicate,
    /// It grew too old.
    Late,
    /// A later acknowledgement made it needless.
    Filtered,
}

/// What went through one place in one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// What came in.
    pub entered: Count,
    /// What went on.
    pub left: Count,
    /// What was dropped, by [`DropCause`].
    pub dropped: [Count; DropCause::ALL.len()],
    /// Bytes on the wire or the air, with framing.
    pub wire: Bytes,
    /// The longest queue seen.
    pub queue_max: Bytes,
}

/// A number of packets and their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// How many.
    pub packets: u64,
    /// Their lengths together.
    pub bytes: Bytes,
}

impl DropCause {
    /// All causes.
    pub const ALL: [Self; 7] = [
        Self::Queue,
        Self::Loss,
        Self::TooBig,
        Self::Incomplete,
        Self::Duplicate,
        Self::Late,
        Self::Filtered,
    ];

    /// The name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Queue => "queue",
            Self::Loss => "loss",
            Self::TooBig => "too big",
            Self::Incomplete => "incomplete",
            Self::Duplicate => "duplicate",
            Self::Late => "late",
            Self::Filtered => "filtered",
        }
    }
}

impl Tally {
    /// A packet of this length came in.
    pub fn enter(&mut self, length: Bytes) {
        self.entered.add(length);
    }

    /// A packet of this length went on.
    pub fn leave(&mut self, length: Bytes) {
        self.left.add(length);
    }

    /// A packet of this length was dropped.
    pub fn drop(&mut self, cause: DropCause, length: Bytes) {
        self.dropped[cause as usize].add(length);
    }

    /// Adds what another place counted. The longest queue is the longer one of the two.
    pub fn add(&mut self, other: &Self) {
        self.entered += other.entered;
        self.left += other.left;
        for (sum, count) in self.dropped.iter_mut().zip(other.dropped) {
            *sum += count;
        }
        self.wire += other.wire;
        self.queue_max = self.queue_max.max(other.queue_max);
    }

    /// All drops together.
    pub fn dropped(&self) -> Count {
        let mut sum = Count::default();
        self.dropped.iter().for_each(|&count| sum += count);
        sum
    }

    /// What must still be inside: entered − left − dropped. Panics when more came out than went in.
    pub fn held(&self) -> Count {
        let dropped = self.dropped();
        Count {
            packets: (self.entered.packets)
                .checked_sub(self.left.packets + dropped.packets)
                .expect("more packets came out than went in"),
            bytes: self.entered.bytes - self.left.bytes - dropped.bytes,
        }
    }
}

impl Count {
    /// One more packet, of this length.
    pub fn add(&mut self, length: Bytes) {
        self.packets += 1;
        self.bytes += length;
    }
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        self.packets += other.packets;
        self.bytes += other.bytes;
    }
}
