//! The messages between a UE and its base station, each with the slot that it is about.
//!
//! In: what one side has decided. Out: all that the other side learns.
//!
//! Some fields are for the latency anatomy alone: since when the prohibit timer held a request
//! back, and when a grant was received. No decision uses them.

use crate::ran::mac::buffer_status::Groups;
use crate::ran::mac::harq::Verdict;
use crate::ran::phy::GroupBits;
use crate::unit::{Bytes, Duration, Instant};

/// A scheduling request (TS 36.321 §5.4.4), from the UE.
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell) struct Sr {
    pub(in crate::ran::cell) ue: u32,
    /// The slot in which it was sent.
    pub(in crate::ran::cell) slot: u64,
    /// Its configuration, by place.
    pub(in crate::ran::cell) configuration: usize,
    /// The first occasion that `sr-ProhibitTimer` made it miss.
    pub(in crate::ran::cell) prohibited_from: Option<u64>,
}

/// A buffer status report (TS 36.321 §5.4.5), from the UE.
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell) struct Bsr {
    pub(in crate::ran::cell) ue: u32,
    /// The uplink slot whose block it was built for.
    pub(in crate::ran::cell) slot: u64,
    /// The reported buffers; none where the block was full and had no report, which means that
    /// there may be more data.
    pub(in crate::ran::cell) groups: Option<Groups>,
}

/// An uplink grant, from the base station.
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell) struct Grant {
    pub(in crate::ran::cell) ue: u32,
    /// The slot of the transmission.
    pub(in crate::ran::cell) slot: u64,
    /// The HARQ process of the block.
    pub(in crate::ran::cell) process: usize,
    /// Size of the block; as large as it needs for `None`.
    pub(in crate::ran::cell) size: Option<Bytes>,
    /// Resource units of the transmission.
    pub(in crate::ran::cell) units: u64,
    /// It answers a request, which is answered by that.
    pub(in crate::ran::cell) answers_sr: bool,
    /// It activates this configured grant of type 2, whose first block it is.
    pub(in crate::ran::cell) activates: Option<u8>,
    pub(in crate::ran::cell) cause: GrantCause,
    /// When the UE has it, at the latest.
    pub(in crate::ran::cell) received: Instant,
}

impl Grant {
    /// The number of the configured grant, or of semi-persistent scheduling, that its block is of,
    /// and the first slot of its bundle.
    #[inline]
    pub(in crate::ran::cell) fn configured(&self) -> Option<(usize, u64)> {
        match (self.cause, self.activates) {
            (GrantCause::Sps { number, occasion }, _) => Some((number.into(), occasion)),
            (_, Some(number)) => Some((number.into(), self.slot)),
            _ => None,
        }
    }
}

/// A configured grant of type 2 is released, from the base station (TS 38.321 §5.8.2).
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell) struct Release {
    pub(in crate::ran::cell) ue: u32,
    pub(in crate::ran::cell) number: usize,
    /// The first slot whose block can confirm it.
    pub(in crate::ran::cell) not_before: u64,
}

/// Why a grant was given.
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell) enum GrantCause {
    /// A scheduling request.
    Sr {
        /// The start of its slot.
        sent: Instant,
        /// What held it back, and since when.
        held: Option<Held>,
        /// By how much its answer is late because the band goes both ways in turn.
        duplex: Duration,
    },
    /// A buffer status report.
    Bsr {
        /// The start of its slot.
        sent: Instant,
        /// By how much its answer is late because the band goes both ways in turn.
        duplex: Duration,
    },
    /// Semi-persistent scheduling, or a configured grant: without a request.
    Sps {
        /// Which one of the UE's.
        number: u8,
        /// The first slot of its bundle.
        occasion: u64,
    },
    /// Proactive: without a request.
    Proactive,
    /// The configured grant of a UE in RRC_INACTIVE, for small data.
    SmallData,
}

/// What held a scheduling request back.
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell) enum Held {
    /// `sr-ProhibitTimer`, since then.
    Prohibited(Instant),
    /// Random access took its place, since then.
    RandomAccess(Instant),
}

/// A preamble or a MsgA that is answered: what a scheduler has to know of it.
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell) struct Access {
    pub(in crate::ran::cell) ue: u32,
    /// When the UE began.
    pub(in crate::ran::cell) began: Instant,
    /// When it could have had its grant at the earliest.
    pub(in crate::ran::cell) answered: Instant,
    /// No grant is for a slot before this one.
    pub(in crate::ran::cell) not_before: u64,
}

/// HARQ feedback of one downlink process, as the UE sent it.
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell) struct HarqFeedback {
    pub(in crate::ran::cell) ue: u32,
    pub(in crate::ran::cell) process: usize,
    pub(in crate::ran::cell) acknowledged: bool,
    /// Where code block groups are told apart, those that are not acknowledged.
    pub(in crate::ran::cell) failed: GroupBits,
}

/// A transport block of the uplink on the air.
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell) struct Transmission {
    pub(in crate::ran::cell) ue: u32,
    pub(in crate::ran::cell) process: usize,
    pub(in crate::ran::cell) kind: Sending,
}

/// The how-manieth transmission of a block it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ran::cell) enum Sending {
    /// The first.
    New,
    /// One more of its bundle, whatever became of those before.
    Repetition,
    /// It failed, and is sent again.
    Retransmission,
}

/// A transport block of the uplink that was on the air, as its receiver has it.
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell) struct UplinkFate {
    pub(in crate::ran::cell) ue: u32,
    pub(in crate::ran::cell) process: usize,
    /// Resource units that it took.
    pub(in crate::ran::cell) units: u64,
    pub(in crate::ran::cell) verdict: Verdict,
}

/// A block at the end of its way, well or lost.
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell) struct Arrival {
    pub(in crate::ran::cell) at: Instant,
    pub(in crate::ran::cell) ue: u32,
    pub(in crate::ran::cell) process: usize,
    pub(in crate::ran::cell) lost: bool,
}
