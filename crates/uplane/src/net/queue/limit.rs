//! The limit of a queue, in its written form.
//!
//! In: "250 kB", "1000 packets", "unlimited". Out: whether one more packet fits.

use serde_json::Value;

use crate::net::tally::Count;
use crate::unit::Bytes;
use crate::unit::text::{self, Written, written};

/// Maximum length of a queue. The frame that is being processed or serialised does not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QueueLimit {
    /// Any number of packets may wait.
    #[default]
    Unlimited,
    /// Maximum number of bytes of IP packets.
    Bytes(Bytes),
    /// Maximum number of packets or fragments.
    Packets(u64),
}

impl QueueLimit {
    /// Returns `true` if a packet of this length may wait in addition to those that wait already.
    #[inline]
    pub fn has_room(self, waiting: Count, length: Bytes) -> bool {
        match self {
            Self::Unlimited => true,
            Self::Bytes(limit) => waiting.bytes + length <= limit,
            Self::Packets(limit) => waiting.packets < limit,
        }
    }

    /// Returns the remaining part of a limit in bytes, if `others` bytes wait already.
    #[must_use]
    pub fn beside(self, others: Bytes) -> Self {
        match self {
            Self::Bytes(limit) => Self::Bytes(limit.saturating_sub(others)),
            other => other,
        }
    }

    /// Returns `true` if these packets may wait.
    pub fn holds(self, waiting: Count) -> bool {
        match self {
            Self::Unlimited => true,
            Self::Bytes(limit) => waiting.bytes <= limit,
            Self::Packets(limit) => waiting.packets <= limit,
        }
    }
}

impl Written for QueueLimit {
    const NAME: &'static str = "QueueLimit";
    const EXPECTED: &'static str =
        "a queue length such as \"100 packets\" (at most 1000000000), \"64 kB\" or \"unlimited\"";
    const RANGE: Option<(&'static str, &'static str)> = Some(("1 B", "1000 GB"));
    const PATTERN: &'static str =
        r"^([0-9]+ ?packets?|[0-9]+(\.[0-9]+)? ?([kMG]?B|[KM]iB)|unlimited)$";

    fn read(text: &str) -> Option<Self> {
        if text == text::UNLIMITED {
            return Some(Self::Unlimited);
        }
        if let Some((num, den)) = text::exact(text, &[("packets", 1), ("packet", 1)]) {
            let whole = num % den == 0 && (1..=1_000_000_000).contains(&(num / den));
            return whole.then(|| Self::Packets((num / den) as u64));
        }
        Bytes::read(text).filter(|size| !size.is_zero()).map(Self::Bytes)
    }

    fn write(&self) -> Value {
        match self {
            Self::Unlimited => text::UNLIMITED.into(),
            Self::Bytes(bytes) => bytes.write(),
            Self::Packets(packets) => format!("{packets} packets").into(),
        }
    }
}

written!(QueueLimit);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queues_count_packets_or_bytes() {
        assert_eq!(QueueLimit::read("100 packets"), Some(QueueLimit::Packets(100)));
        assert_eq!(QueueLimit::read("64 kB"), Some(QueueLimit::Bytes(Bytes(64_000))));
        assert_eq!(QueueLimit::read("0 packets"), None);
        assert_eq!(QueueLimit::read("0 B"), None);
    }

    /// A limit that is written is read as the same limit, as in a scenario that is written to a
    /// file.
    #[test]
    fn what_is_written_is_read_again() {
        for limit in
            [QueueLimit::Unlimited, QueueLimit::Packets(100), QueueLimit::Bytes(Bytes(64_001))]
        {
            let written = limit.write();
            let text = written.as_str().expect("a text");
            assert_eq!(QueueLimit::read(text), Some(limit), "{text}");
        }
    }
}
