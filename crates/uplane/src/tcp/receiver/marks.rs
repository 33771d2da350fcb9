//! Feedback of marks, if both ends agreed on ECN (RFC 3168, RFC 9768).
//!
//! In: the ECN field of each segment. Out: flags and options of acknowledgements, and whether one
//! is due.

use super::super::ecn::{AckUrgency, EcnReceiver};
use super::{Receiver, RequiredAck};
use crate::net::{ByteCounters, Ecn, Flags};
use crate::unit::{Duration, Instant};

impl Receiver {
    /// Starts the feedback of marks: both ends agreed on ECN.
    pub(in crate::tcp) fn enable_ecn(&mut self, ecn: EcnReceiver) {
        self.ecn = Some(Box::new(ecn));
    }

    /// Stops the feedback: the peer has sent a SYN that does not request it (RFC 3168 §6.1.1).
    pub(in crate::tcp) fn disable_ecn(&mut self) {
        self.ecn = None;
    }

    /// Processes the ECN field of an acceptable segment.
    #[inline]
    pub(in crate::tcp) fn on_field(&mut self, field: Ecn, flags: Flags, length: u64) {
        let Some(ecn) = &mut self.ecn else { return };
        match ecn.on_segment(field, flags, length) {
            AckUrgency::None => {}
            AckUrgency::Linux(segments) => self.schedule.on_marks(segments),
            AckUrgency::Now => self.require_ack(RequiredAck::Any),
        }
    }

    /// Returns `AE`, `CWR` and `ECE` of an acknowledgement; `pure` if it has no data.
    #[inline]
    pub(in crate::tcp) fn ecn_flags(&mut self, pure: bool) -> Flags {
        self.ecn.as_mut().map_or(Flags::default(), |ecn| ecn.flags(pure))
    }

    /// Returns `true` if both ends agreed on ECN.
    #[inline]
    pub(in crate::tcp) fn has_ecn(&self) -> bool {
        self.ecn.is_some()
    }

    /// Returns the AccECN option of an acknowledgement that has `room` bytes for it (RFC 9768
    /// §3.2.3).
    #[inline]
    pub(in crate::tcp) fn byte_counters(
        &mut self,
        now: Instant,
        trip: Option<Duration>,
        room: u64,
    ) -> Option<ByteCounters> {
        self.ecn.as_mut()?.option(now, trip, room)
    }

    /// Returns `true` if the handshake's last acknowledgement must be a pure one (RFC 9768
    /// §3.2.2.1).
    pub(in crate::tcp) fn awaits_pure_ack(&self) -> bool {
        self.ecn.as_ref().is_some_and(|ecn| ecn.awaits_pure_ack())
    }

    /// Returns the number of data segments received with a mark.
    pub(in crate::tcp) fn marks(&self) -> u64 {
        self.ecn.as_ref().map_or(0, |ecn| ecn.marked)
    }
}
