//! The peer's receive window, as the sender knows it (RFC 9293 §3.10.7.4).
//!
//! In: window fields of segments. Out: the right edge of the data that the peer accepts.

/// `SND.WND` with the state that decides whether a segment's window is newer.
#[derive(Clone, Debug, Default)]
pub(super) struct SendWindow {
    /// `SND.WND`, scaled.
    size: u64,
    /// `SND.WL1`: the sequence number of the segment that last updated it.
    updated_by: u64,
    /// `SND.WL2`: the acknowledgement of that segment.
    updated_at: u64,
    /// Maximum window that the peer has offered.
    largest: u64,
}

impl SendWindow {
    /// `SND.WND`
    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// Returns the maximum window that the peer has offered.
    pub(super) fn largest(&self) -> u64 {
        self.largest
    }

    /// Processes the window of a segment `seq` that acknowledges `ack`, if it is not an old one.
    /// Returns `true` if the window has changed.
    pub(super) fn update(&mut self, seq: u64, ack: u64, size: u64) -> bool {
        let newer = seq > self.updated_by || (seq == self.updated_by && ack >= self.updated_at);
        if !newer {
            return false;
        }
        self.updated_by = seq;
        self.updated_at = ack;
        self.largest = self.largest.max(size);
        std::mem::replace(&mut self.size, size) != size
    }

    /// Sets the first window of a connection.
    pub(super) fn open(&mut self, seq: u64, ack: u64, size: u64) {
        *self = Self { size, updated_by: seq, updated_at: ack, largest: size };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 9293 §3.10.7.4: SND.WL1 and SND.WL2 keep old segments from changing the window.
    #[test]
    fn an_overtaken_segment_does_not_change_the_window() {
        let mut window = SendWindow::default();
        window.open(100, 50, 1000);
        assert!(window.update(100, 60, 2000));
        assert!(!window.update(100, 50, 10));
        assert!(!window.update(99, 70, 10));
        assert!(window.update(101, 55, 0));
        assert_eq!((window.size(), window.largest()), (0, 2000));
    }
}
