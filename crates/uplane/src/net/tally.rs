//! Counting what goes in and out of one hop, so that nothing is lost unnoticed.
//!
//! In: each packet that comes in, goes on, or is dropped, with its length at that hop. Out: the
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

/// What went through one hop in one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// What came in.
    pub entered: Count,
    /// What went on.
    pub left: Count,
    /// What was dropped, by [`DropCause`].
    pub dropped: [Count; DropCause::ALL.len()],
    /// By how much what came in became more by being cut: fragments count in `entered`.
    pub cut: Count,
    /// By how much what goes on is less than what came in for it: fragments joined, a tunnel taken off.
    pub joined: Count,
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

    /// Adds what another hop counted. The longest queue is the longer one of the two.
    pub fn add(&mut self, other: &Self) {
        self.entered += other.entered;
        self.left += other.left;
        self.cut += other.cut;
        self.joined += other.joined;
        for (sum, count) in self.dropped.iter_mut().zip(other.dropped) {
            *sum += count;
        }
        self.wire += other.wire;
        self.queue_max = self.queue_max.max(other.queue_max);
    }

    /// A packet of this length came in as these fragments.
    pub fn cut(&mut self, whole: Bytes, fragments: Count) {
        self.cut += fragments.less(Count { packets: 1, bytes: whole });
    }

    /// A packet of this length goes on that came in as this.
    pub fn join(&mut self, came: Count, whole: Bytes) {
        self.left += came;
        self.joined += came.less(Count { packets: 1, bytes: whole });
    }

    /// What was handed in, whole or not, by whoever is before this hop.
    pub fn handed_in(&self) -> Count {
        self.entered.less(self.cut)
    }

    /// What is handed on, to whoever is behind this hop.
    pub fn handed_on(&self) -> Count {
        self.left.less(self.joined)
    }

    /// All drops together.
    pub fn dropped(&self) -> Count {
        let mut sum = Count::default();
        self.dropped.iter().for_each(|&count| sum += count);
        sum
    }

    /// What must still be inside: entered − left − dropped. Panics when more came out than went in.
    /// The hops themselves count one by one what they hold; the two agree.
    pub fn held(&self) -> Count {
        self.entered.less(self.left).less(self.dropped())
    }
}

impl Count {
    /// What is left without `other`. Panics when that is more.
    #[must_use]
    pub fn less(self, other: Self) -> Self {
        let packets = self.packets.checked_sub(other.packets);
        let packets = packets.expect("more packets came out than went in");
        Self { packets, bytes: self.bytes - other.bytes }
    }

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
