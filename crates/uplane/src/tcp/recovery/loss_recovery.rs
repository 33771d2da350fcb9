//! The rules in which loss recoveries differ, and the recoveries with SACK.
//!
//! In: acknowledgements, timers, what left. Out: what is lost, what is sent again, how much may
//! leave. A method with a body is the default rule.

use std::fmt::Debug;

use super::new_reno::NewReno;
use super::ns3_2018::Ns3;
use super::ns3_later::Ns3Later;
use super::partial_resend::PartialResend;
use super::rack::Rack;
use super::rfc6675::Rfc6675;
use super::{Episode, Phase};
use crate::net::SackBlocks;
use crate::tcp::congestion::controller::{AckSample, Controller};
use crate::tcp::flight::Flight;
use crate::tcp::profile::{Profile, SackRecovery};
use crate::tcp::scoreboard::SackUpdate;
use crate::unit::{Duration, Instant};

impl SackRecovery {
    pub(super) fn start(self, profile: &Profile) -> Box<dyn LossRecovery> {
        let rfc6675 = Rfc6675::new(profile);
        match self {
            Self::Rack => Box::new(Rack::new(profile)),
            Self::Rfc6675 => Box::new(rfc6675),
            Self::NewReno => Box::new(NewReno::new(profile)),
            Self::Ns3Later => Box::new(Ns3Later(rfc6675)),
            Self::PartialResend => Box::new(PartialResend(rfc6675)),
            Self::Ns3 => Box::new(Ns3(rfc6675)),
        }
    }
}

/// The SACK blocks of an acknowledgement, or a timer, and what losses are judged by.
#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct Report<'a> {
    pub(in crate::tcp) now: Instant,
    pub(in crate::tcp) blocks: &'a SackBlocks,
    /// `SND.UNA`
    pub(in crate::tcp) una: u64,
    /// `SND.NXT`
    pub(in crate::tcp) nxt: u64,
    /// `SMSS`
    pub(in crate::tcp) mss: u64,
    /// `SRTT`
    pub(in crate::tcp) srtt: Duration,
    /// A recovery goes on, which this acknowledgement does not end.
    pub(in crate::tcp) recovering: bool,
    /// The end of the last segment that a tail loss probe retransmitted.
    pub(in crate::tcp) probed: Option<u64>,
}

/// What a recovery works on: positions, what is in flight, the window, and how far the repair is.
pub(in crate::tcp) struct Work<'a> {
    pub(in crate::tcp) now: Instant,
    /// `SND.UNA`
    pub(in crate::tcp) una: u64,
    /// `SND.NXT`
    pub(in crate::tcp) nxt: u64,
    /// `SMSS`
    pub(in crate::tcp) mss: u64,
    pub(in crate::tcp) flight: &'a mut Flight,
    pub(in crate::tcp) controller: &'a mut dyn Controller,
    /// What is lost left before a mark has made the window smaller.
    pub(in crate::tcp) has_reduced: bool,
}

impl Work<'_> {
    /// `ssthresh`, `u64::MAX` while unlimited.
    pub(super) fn threshold(&self) -> u64 {
        self.controller.ssthresh().unwrap_or(u64::MAX)
    }

    /// A loss was noticed with `flight` bytes in flight: the window gets smaller, once for the
    /// marks and losses of a window of data (RFC 3168 §6.1.2).
    pub(super) fn reduce(&mut self, flight: u64) {
        if !self.has_reduced {
            self.controller.on_recovery_begin(flight);
        }
    }
}

/// One acknowledgement, as far as recovery is concerned.
#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct Ack {
    /// `SND.UNA` has advanced.
    pub(in crate::tcp) advanced: bool,
    /// It looks like a duplicate (RFC 5681 §2).
    pub(in crate::tcp) looks_duplicate: bool,
    pub(in crate::tcp) update: SackUpdate,
    /// The timestamp that it echoes.
    pub(in crate::tcp) echoed: Option<Instant>,
    /// It tells of marks.
    pub(in crate::tcp) congested: bool,
}

/// What an acknowledgement did.
#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct Outcome {
    /// The retransmission timer begins anew.
    pub(in crate::tcp) restarts_timer: bool,
    /// A fast recovery has begun.
    pub(in crate::tcp) begun: bool,
    /// The window got smaller for a mark.
    pub(in crate::tcp) by_mark: bool,
}

/// How losses are noticed and repaired.
pub(in crate::tcp) trait LossRecovery: Debug {
    /// Takes the SACK blocks of an acknowledgement, and marks what they show to be lost.
    fn on_blocks(&mut self, _report: &Report<'_>, _flight: &mut Flight) -> SackUpdate {
        SackUpdate::default()
    }

    /// True for a duplicate acknowledgement.
    fn is_duplicate(&self, ack: &Ack) -> bool;

    /// True when a fast recovery begins now; `complete` when this acknowledgement has just ended
    /// one, or a repair.
    fn begins(&self, episode: &Episode, una: u64, flight: &Flight, complete: bool) -> bool;

    /// A fast recovery begins: marks what is lost for sure, reduces the window.
    fn begin(&mut self, episode: &Episode, work: &mut Work<'_>, sample: &AckSample);

    /// True when a segment goes at the beginning of a recovery, whatever the window says.
    fn has_urgent(&self, _flight: &Flight) -> bool {
        true
    }

    /// An acknowledgement of a fast recovery that does not end it; true when it restarts the timer.
    fn on_ack(
        &mut self,
        episode: &mut Episode,
        work: &mut Work<'_>,
        sample: &AckSample,
        duplicate: bool,
    ) -> bool;

    /// The fast recovery is over.
    fn end(&mut self, work: &mut Work<'_>);

    /// What was sent before the timeout is acknowledged up to `una`; true when the window grows by
    /// it.
    fn grows_at_end_of_repair(&self, _una: u64, _recover: u64, _mss: u64) -> bool {
        true
    }

    /// What the slow-start threshold is a share of: `FlightSize` without the `limited` bytes of
    /// limited transmit (RFC 5681 §3.2 step 2).
    fn flight_size(&self, flight: &Flight, limited: u64) -> u64 {
        flight.bytes().saturating_sub(limited)
    }

    /// Payload that is on its way.
    fn pipe(&self, flight: &Flight) -> u64 {
        flight.outstanding()
    }

    /// How many bytes a congestion window of `cwnd` lets go.
    fn room(&self, cwnd: u64, episode: &Episode, flight: &Flight, mss: u64) -> u64 {
        if episode.phase() != Phase::Open {
            return cwnd.saturating_sub(self.pipe(flight));
        }
        (cwnd + self.limited_transmit(episode, flight, mss)).saturating_sub(flight.bytes())
    }

    /// What may leave beyond the window before a recovery begins (RFC 3042 §2).
    fn limited_transmit(&self, _episode: &Episode, _flight: &Flight, _mss: u64) -> u64 {
        0
    }

    /// The segment that goes whatever the window says; `None`: a new one, if there `is_new`.
    fn urgent(&self, flight: &mut Flight, _is_new: bool) -> Option<usize> {
        Some(flight.next_lost().unwrap_or(0))
    }

    /// RFC 6675 §4, `NextSeg` rule 1: the lost segment to send again.
    fn next_lost(&self, episode: &Episode, flight: &mut Flight) -> Option<usize> {
        if episode.phase() == Phase::Open { None } else { flight.next_lost() }
    }

    /// RFC 6675 §4, `NextSeg` rules 3 and 4: nothing is known to be lost and there is nothing new,
    /// but the window has space, so send again what may be lost.
    fn last_resort(&self, _una: u64, _nxt: u64, _flight: &Flight) -> Option<Resend> {
        None
    }

    /// `bytes` left, new or again.
    fn on_sent(&mut self, _bytes: u64) {}

    /// A segment up to `end` left again.
    fn on_resent(&mut self, _end: u64) {}

    /// Processes an original that has filled the hole of a fast recovery: it was late, not lost.
    fn on_late_original(&mut self) {}

    /// Returns `true` if the path is known to reorder by more than `DupThresh` segments.
    fn reorders(&self) -> bool {
        false
    }

    /// Returns the bytes that an acknowledgement delivers, after `before` duplicates.
    fn delivered(&self, sample: &AckSample, _duplicate: bool, _before: u32, _mss: u64) -> u64 {
        sample.delivered
    }

    /// The rescue of a recovery up to `recover` left.
    fn on_rescue(&mut self, _recover: u64) {}

    /// The retransmission timer expired: the receiver may have dropped what it had (RFC 2018 §8).
    fn on_reneging(&mut self, _flight: &mut Flight) {}

    /// The timer expired: everything counts as lost that has not arrived.
    fn mark_all_lost(&mut self, _now: Instant, flight: &mut Flight) {
        flight.mark_all_lost();
    }

    /// The window after a timeout.
    fn window_after_timeout(&self, _flight: &Flight, mss: u64) -> u64 {
        mss
    }

    /// When to look again for what is late (RFC 8985 §6.2 step 5).
    fn settles_at(&self) -> Option<Instant> {
        None
    }

    /// That instant has come: marks what is late.
    fn on_settled(&mut self, _report: &Report<'_>, _flight: &mut Flight) {}

    /// A timeout comes within a fast recovery: the window is again what was in flight at its
    /// beginning.
    fn settle_window(&self, _work: &mut Work<'_>) {}

    /// True when a retransmission of the oldest segment restarts the timer.
    fn restarts_timer_with_the_oldest(&self) -> bool {
        false
    }

    /// A repair begins, which ends a fast recovery.
    fn on_repair(&mut self) {}

    /// True when a timeout in this phase is no new sign of congestion: one that comes again for the
    /// same segment is none (RFC 5681 §3.1).
    fn is_same_loss(&self, _phase: Phase, repeated: bool) -> bool {
        repeated
    }
}

/// What to send again when nothing is lost for sure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tcp) enum Resend {
    /// The segment at this index of the flight.
    Retransmission(usize),
    /// The same, as the one rescue of a recovery (RFC 6675 §4, `NextSeg` rule 4).
    Rescue(usize),
}
