//! The rules in which loss recoveries differ, and the recoveries with SACK.
//!
//! In: acknowledgements, timers, departures. Out: lost segments, segments to retransmit, and the
//! room in the window. A method with a body is the default rule.

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

/// The SACK blocks of an acknowledgement, or a timer, with the state for judging losses.
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
    /// A recovery continues after this acknowledgement.
    pub(in crate::tcp) recovering: bool,
    /// The end of the last segment that a tail loss probe retransmitted.
    pub(in crate::tcp) probed: Option<u64>,
}

/// Context of a recovery: positions, the flight, the congestion control, and whether marks have
/// already reduced the window.
pub(in crate::tcp) struct RecoveryContext<'a> {
    pub(in crate::tcp) now: Instant,
    /// `SND.UNA`
    pub(in crate::tcp) una: u64,
    /// `SND.NXT`
    pub(in crate::tcp) nxt: u64,
    /// `SMSS`
    pub(in crate::tcp) mss: u64,
    pub(in crate::tcp) flight: &'a mut Flight,
    pub(in crate::tcp) controller: &'a mut dyn Controller,
    /// The lost data was sent before the last reduction for a mark.
    pub(in crate::tcp) has_reduced: bool,
}

impl RecoveryContext<'_> {
    /// `ssthresh`, `u64::MAX` while unlimited.
    pub(super) fn threshold(&self) -> u64 {
        self.controller.ssthresh().unwrap_or(u64::MAX)
    }

    /// Reduces the window for a loss detected with `flight` bytes in flight, once for the marks and
    /// losses of a window of data (RFC 3168 §6.1.2).
    pub(super) fn reduce(&mut self, flight: u64) {
        if !self.has_reduced {
            self.controller.on_recovery_begin(flight);
        }
    }
}

/// An acknowledgement, as far as recovery is concerned.
#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct Ack {
    /// `SND.UNA` has advanced.
    pub(in crate::tcp) advanced: bool,
    /// The acknowledgement looks like a duplicate (RFC 5681 §2).
    pub(in crate::tcp) looks_duplicate: bool,
    pub(in crate::tcp) update: SackUpdate,
    /// Time of the echoed timestamp.
    pub(in crate::tcp) echoed: Option<Instant>,
    /// The acknowledgement reports marks.
    pub(in crate::tcp) congested: bool,
}

/// Result of an acknowledgement.
#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct Outcome {
    /// The retransmission timer restarts.
    pub(in crate::tcp) restarts_timer: bool,
    /// A fast recovery has begun.
    pub(in crate::tcp) begun: bool,
    /// The window was reduced for a mark.
    pub(in crate::tcp) by_mark: bool,
}

/// Detection and repair of losses.
pub(in crate::tcp) trait LossRecovery: Debug {
    /// Processes the SACK blocks of an acknowledgement, and marks the segments that they show to be
    /// lost.
    fn on_blocks(&mut self, _report: &Report<'_>, _flight: &mut Flight) -> SackUpdate {
        SackUpdate::default()
    }

    /// Returns `true` for a duplicate acknowledgement.
    fn is_duplicate(&self, ack: &Ack) -> bool;

    /// Returns `true` if a fast recovery begins now; `complete` if this acknowledgement has just
    /// ended one, or a repair.
    fn begins(&self, episode: &Episode, una: u64, flight: &Flight, complete: bool) -> bool;

    /// Begins a fast recovery: marks the segments that are certainly lost, and reduces the window.
    fn begin(&mut self, episode: &Episode, context: &mut RecoveryContext<'_>, sample: &AckSample);

    /// Returns `true` if a segment leaves at the beginning of a recovery, whatever the window is.
    fn has_urgent(&self, _flight: &Flight) -> bool {
        true
    }

    /// Processes an acknowledgement of a fast recovery that does not end it. Returns `true` if it
    /// restarts the timer.
    fn on_ack(
        &mut self,
        episode: &mut Episode,
        context: &mut RecoveryContext<'_>,
        sample: &AckSample,
        duplicate: bool,
    ) -> bool;

    /// Ends the fast recovery.
    fn end(&mut self, context: &mut RecoveryContext<'_>);

    /// Returns `true` if the window grows by the acknowledgement up to `una` that ends a repair.
    fn grows_at_end_of_repair(&self, _una: u64, _recover: u64, _mss: u64) -> bool {
        true
    }

    /// Returns the base of the slow-start threshold: `FlightSize` without the `limited` bytes of
    /// limited transmit (RFC 5681 §3.2 step 2).
    fn flight_size(&self, flight: &Flight, limited: u64) -> u64 {
        flight.bytes().saturating_sub(limited)
    }

    /// Returns the payload that is on its way.
    fn pipe(&self, flight: &Flight) -> u64 {
        flight.outstanding()
    }

    /// Returns the bytes that may leave with a congestion window of `cwnd`.
    fn room(&self, cwnd: u64, episode: &Episode, flight: &Flight, mss: u64) -> u64 {
        if episode.phase() != Phase::Open {
            return cwnd.saturating_sub(self.pipe(flight));
        }
        (cwnd + self.limited_transmit(episode, flight, mss)).saturating_sub(flight.bytes())
    }

    /// Returns the bytes that may leave beyond the window before a recovery begins (RFC 3042 §2).
    fn limited_transmit(&self, _episode: &Episode, _flight: &Flight, _mss: u64) -> u64 {
        0
    }

    /// Returns the segment that leaves whatever the window is. `None`: a new segment, possible only
    /// if new data may leave (`is_new`).
    fn urgent(&self, flight: &mut Flight, _is_new: bool) -> Option<usize> {
        Some(flight.next_lost().unwrap_or(0))
    }

    /// RFC 6675 §4, `NextSeg` rule 1: returns the lost segment to retransmit.
    fn next_lost(&self, episode: &Episode, flight: &mut Flight) -> Option<usize> {
        if episode.phase() == Phase::Open { None } else { flight.next_lost() }
    }

    /// RFC 6675 §4, `NextSeg` rules 3 and 4: nothing is known to be lost and there is no new data,
    /// but the window has room, so a segment that may be lost is retransmitted.
    fn last_resort(&self, _una: u64, _nxt: u64, _flight: &Flight) -> Option<Resend> {
        None
    }

    /// Books `bytes` that left, new or retransmitted.
    fn on_sent(&mut self, _bytes: u64) {}

    /// Books a retransmission up to `end`.
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

    /// Books the departure of the rescue retransmission of a recovery up to `recover`.
    fn on_rescue(&mut self, _recover: u64) {}

    /// Processes a timeout, before which the receiver may have dropped its data out of order (RFC
    /// 2018 §8).
    fn on_reneging(&mut self, _flight: &mut Flight) {}

    /// Processes a timeout: marks everything that has not arrived as lost.
    fn mark_all_lost(&mut self, _now: Instant, flight: &mut Flight) {
        flight.mark_all_lost();
    }

    /// Returns the window after a timeout.
    fn window_after_timeout(&self, _flight: &Flight, mss: u64) -> u64 {
        mss
    }

    /// Returns the time of the next check for late segments (RFC 8985 §6.2 step 5).
    fn reordering_due(&self) -> Option<Instant> {
        None
    }

    /// Marks late segments as lost.
    fn on_reordering_timer(&mut self, _report: &Report<'_>, _flight: &mut Flight) {}

    /// Sets the window at a timeout within a fast recovery to the data in flight at the beginning
    /// of the recovery.
    fn settle_window(&self, _context: &mut RecoveryContext<'_>) {}

    /// Returns `true` if a retransmission of the oldest segment restarts the timer.
    fn restarts_timer_with_the_oldest(&self) -> bool {
        false
    }

    /// Begins a repair, which ends a fast recovery.
    fn on_repair(&mut self) {}

    /// Returns `true` if a timeout in this phase is no new sign of congestion, as a repeated
    /// timeout of one segment (RFC 5681 §3.1).
    fn is_same_loss(&self, _phase: Phase, repeated: bool) -> bool {
        repeated
    }
}

/// Segment to retransmit when no loss is certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tcp) enum Resend {
    /// The segment at this index of the flight.
    Retransmission(usize),
    /// The segment at this index, as the one rescue of a recovery (RFC 6675 §4, `NextSeg` rule 4).
    Rescue(usize),
}
