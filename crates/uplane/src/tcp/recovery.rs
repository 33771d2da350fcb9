//! Loss recovery: where a sender stands in the repair of losses.
//!
//! In: acknowledgements, timeouts, what left. Out: what is to be sent again, how much room there
//! is, and what the congestion control is told.
//!
//! Three phases. *Open*: nothing is known to be lost. *Fast*: duplicate acknowledgements or SACK
//! told of a loss. *Repair*: everything in flight, or everything that was too long for the path,
//! goes again as the window allows (RFC 5681 §3.1 after a timeout, RFC 1191 §6.4).
//!
//! What is common to all is here; what they differ in is a [`LossRecovery`], one file each:
//! `new_reno` (RFC 6582) where SACK is not agreed on, else one of [`SackRecovery`].
//!
//! Left out: RACK and tail loss probes (RFC 8985), which would be one more. Runs that lose the tail
//! of a transfer or a retransmission can tell: they wait for the timeout, where a current Linux
//! would not.

mod episode;
mod new_reno;
mod ns3_2018;
mod partial_resend;
mod prr;
mod rfc6675;

use std::fmt::Debug;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(super) use self::episode::{Episode, Phase};
use self::new_reno::NewReno;
use self::ns3_2018::Ns3;
use self::partial_resend::PartialResend;
use self::rfc6675::Rfc6675;
use super::congestion::{AckSample, Controller};
use super::flight::Flight;
use super::profile::Profile;
use super::scoreboard::SackUpdate;
use crate::net::SackBlocks;

/// How losses are repaired with SACK.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SackRecovery {
    /// RFC 6675.
    Rfc6675,
    /// RFC 6675 with two habits of ns-3: each partial acknowledgement sends the oldest segment at
    /// once, also when it was sent again before, and what was sent again counts as on its way until
    /// it is acknowledged.
    PartialResend,
    /// As ns-3 did in 2018, which differs in eight points.
    #[serde(rename = "ns3_2018")]
    Ns3,
}

impl SackRecovery {
    fn start(self, profile: &Profile) -> Box<dyn LossRecovery> {
        let rfc6675 = Rfc6675::new(profile);
        match self {
            Self::Rfc6675 => Box::new(rfc6675),
            Self::PartialResend => Box::new(PartialResend(rfc6675)),
            Self::Ns3 => Box::new(Ns3(rfc6675)),
        }
    }
}

/// What a recovery works on: positions, what is in flight, the window, and how far the repair is.
pub(super) struct Work<'a> {
    /// `SND.UNA`
    pub(super) una: u64,
    /// `SND.NXT`
    pub(super) nxt: u64,
    /// `SMSS`
    pub(super) mss: u64,
    pub(super) flight: &'a mut Flight,
    pub(super) controller: &'a mut dyn Controller,
}

impl Work<'_> {
    /// `ssthresh`, `u64::MAX` while unlimited.
    fn threshold(&self) -> u64 {
        self.controller.ssthresh().unwrap_or(u64::MAX)
    }
}

/// One acknowledgement, as far as recovery is concerned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ack {
    /// `SND.UNA` has advanced.
    pub(super) advanced: bool,
    /// It looks like a duplicate (RFC 5681 §2).
    pub(super) looks_duplicate: bool,
    pub(super) update: SackUpdate,
}

/// What an acknowledgement did.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome {
    /// The retransmission timer begins anew.
    pub(super) restarts_timer: bool,
    /// A fast recovery has begun.
    pub(super) begun: bool,
}

/// How losses are noticed and repaired.
pub(super) trait LossRecovery: Debug {
    /// Takes the SACK blocks of an acknowledgement, and marks what they show to be lost.
    fn on_blocks(
        &mut self,
        _blocks: &SackBlocks,
        _una: u64,
        _nxt: u64,
        _mss: u64,
        _flight: &mut Flight,
    ) -> SackUpdate {
        SackUpdate::default()
    }

    /// True for a duplicate acknowledgement.
    fn is_duplicate(&self, ack: &Ack) -> bool;

    /// True when a fast recovery begins now; `complete` when this acknowledgement has just ended
    /// one, or a repair.
    fn begins(&self, episode: &Episode, una: u64, flight: &Flight, complete: bool) -> bool;

    /// A fast recovery begins: marks what is lost for sure, reduces the window.
    fn begin(&mut self, episode: &Episode, work: &mut Work<'_>, delivered: u64);

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

    /// RFC 6675 §4, `NextSeg` rules 3 and 4: nothing is lost for sure and there is nothing new, but
    /// there is room, so send again what may be lost.
    fn last_resort(&self, _una: u64, _nxt: u64, _flight: &Flight) -> Option<Resend> {
        None
    }

    /// `bytes` left, new or again.
    fn on_sent(&mut self, _bytes: u64) {}

    /// A segment up to `end` left again.
    fn on_resent(&mut self, _end: u64) {}

    /// The rescue of a recovery up to `recover` left.
    fn on_rescue(&mut self, _recover: u64) {}

    /// The retransmission timer expired: the receiver may have dropped what it had (RFC 2018 §8).
    fn on_reneging(&mut self, _flight: &mut Flight) {}

    /// Everything that has not arrived counts as lost.
    fn mark_all_lost(&mut self, flight: &mut Flight) {
        flight.mark_all_lost();
    }

    /// A repair begins, which ends a fast recovery.
    fn on_repair(&mut self) {}

    /// True when a timeout that comes again for one segment is no new sign of congestion (RFC 5681
    /// §3.1).
    fn is_same_loss(&self, repeated: bool) -> bool {
        repeated
    }
}

/// What to send again when nothing is lost for sure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Resend {
    /// The segment at this index of the flight.
    Again(usize),
    /// The same, as the one rescue of a recovery (RFC 6675 §4, `NextSeg` rule 4).
    Rescue(usize),
}

/// The state of loss repair.
#[derive(Debug)]
pub(super) struct Recovery {
    episode: Episode,
    strategy: Box<dyn LossRecovery>,
}

impl Recovery {
    /// Nothing lost; nothing before `una` was ever sent.
    pub(super) fn new(profile: &Profile, sack: bool, una: u64) -> Self {
        let strategy: Box<dyn LossRecovery> = if sack {
            profile.sack_recovery.start(profile)
        } else {
            Box::new(NewReno::new(profile))
        };
        Self { episode: Episode::new(una), strategy }
    }

    #[inline]
    pub(super) fn phase(&self) -> Phase {
        self.episode.phase()
    }

    /// True when a segment must go now.
    pub(super) fn is_urgent(&self) -> bool {
        self.episode.is_urgent()
    }

    /// The oldest lost segment must go now.
    pub(super) fn urge(&mut self) {
        self.episode.urge();
    }

    pub(super) fn on_blocks(
        &mut self,
        blocks: &SackBlocks,
        una: u64,
        nxt: u64,
        mss: u64,
        flight: &mut Flight,
    ) -> SackUpdate {
        self.strategy.on_blocks(blocks, una, nxt, mss, flight)
    }

    #[inline]
    pub(super) fn pipe(&self, flight: &Flight) -> u64 {
        self.strategy.pipe(flight)
    }

    /// Takes an acknowledgement, and tells the congestion control of it.
    pub(super) fn on_ack(
        &mut self,
        work: &mut Work<'_>,
        ack: &Ack,
        sample: &mut AckSample,
    ) -> Outcome {
        let duplicate = self.strategy.is_duplicate(ack) && !work.flight.is_empty();
        let before = self.episode.phase();
        let complete = ack.advanced && self.episode.on_advance(work.una, duplicate);
        sample.recovering = match before {
            Phase::Open => false,
            Phase::Fast => true,
            Phase::Repair => complete && !self.grows_at_end_of_repair(work),
        };
        work.controller.on_ack(sample);
        let mut restarts_timer = ack.advanced;
        match before {
            Phase::Open if duplicate => self.episode.on_duplicate(),
            Phase::Fast if complete => {
                self.strategy.end(work);
                work.controller.on_recovery_end();
            }
            Phase::Fast => {
                restarts_timer = self.strategy.on_ack(&mut self.episode, work, sample, duplicate);
            }
            Phase::Open | Phase::Repair => {}
        }
        let begun = self.begins(work, complete);
        if begun {
            self.strategy.begin(&self.episode, work, sample.delivered);
            self.episode.begin_fast(work.nxt);
        }
        Outcome { restarts_timer, begun }
    }

    fn grows_at_end_of_repair(&self, work: &Work<'_>) -> bool {
        self.strategy.grows_at_end_of_repair(work.una, self.episode.recover(), work.mss)
    }

    fn begins(&self, work: &Work<'_>, complete: bool) -> bool {
        self.episode.phase() == Phase::Open
            && !work.flight.is_empty()
            && self.strategy.begins(&self.episode, work.una, work.flight, complete)
    }

    /// The retransmission timer expired (RFC 5681 §3.1, RFC 6298 §5.4).
    pub(super) fn on_timeout(&mut self, work: &mut Work<'_>) {
        self.strategy.on_reneging(work.flight);
        let repeated = self.episode.on_timeout(work.una);
        let flight = self.strategy.flight_size(work.flight, 0);
        work.controller.on_timeout(flight, self.strategy.is_same_loss(repeated));
        self.strategy.mark_all_lost(work.flight);
        self.begin_repair(work.nxt);
    }

    /// Everything in flight was dropped at a closed window, which is no sign of congestion.
    pub(super) fn on_window_opened(&mut self, work: &mut Work<'_>) {
        self.strategy.mark_all_lost(work.flight);
        self.repair_without_blame(work);
    }

    /// Sends again what is marked as lost, which is no sign of congestion.
    pub(super) fn repair_without_blame(&mut self, work: &mut Work<'_>) {
        if self.episode.phase() == Phase::Fast {
            let threshold = work.threshold();
            work.controller.on_recovery_window(threshold);
            work.controller.on_recovery_end();
        }
        self.begin_repair(work.nxt);
    }

    fn begin_repair(&mut self, nxt: u64) {
        self.episode.begin_repair(nxt);
        self.strategy.on_repair();
    }

    /// How many bytes a congestion window of `cwnd` lets go.
    #[inline]
    pub(super) fn room(&self, cwnd: u64, flight: &Flight, mss: u64) -> u64 {
        self.strategy.room(cwnd, &self.episode, flight, mss)
    }

    /// The segment that goes whatever the window says; `None`: a new one, if there `is_new`.
    pub(super) fn urgent(&self, flight: &mut Flight, is_new: bool) -> Option<usize> {
        self.strategy.urgent(flight, is_new)
    }

    /// RFC 6675 §4, `NextSeg` rule 1
    #[inline]
    pub(super) fn next_lost(&self, flight: &mut Flight) -> Option<usize> {
        self.strategy.next_lost(&self.episode, flight)
    }

    /// RFC 6675 §4, `NextSeg` rules 3 and 4
    pub(super) fn last_resort(&self, una: u64, nxt: u64, flight: &Flight) -> Option<Resend> {
        self.strategy.last_resort(una, nxt, flight)
    }

    /// These bytes left, new or again.
    #[inline]
    pub(super) fn on_sent(&mut self, bytes: u64) {
        self.episode.on_sent(bytes);
        self.strategy.on_sent(bytes);
    }

    /// A segment up to `end` left again.
    pub(super) fn on_resent(&mut self, end: u64) {
        self.strategy.on_resent(end);
    }

    /// The rescue has left.
    pub(super) fn on_rescue(&mut self) {
        self.strategy.on_rescue(self.episode.recover());
    }
}
