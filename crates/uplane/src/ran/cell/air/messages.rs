//! The messages between a UE and its base station, each with the slot that it refers to.
//!
//! In: decisions of one side. Out: all information that the other side gets.
//!
//! Some fields are for the latency anatomy alone: the time since which the prohibit timer held a
//! request back, and the reception of a grant. No decision uses them.

use crate::ran::mac::buffer_status::Groups;
use crate::ran::mac::harq::Verdict;
use crate::ran::phy::GroupBits;
use crate::unit::{Bytes, Duration, Instant};

/// A scheduling request (TS 36.321 §5.4.4), from the UE.
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell) struct Sr {
    pub(in crate::ran::cell) ue: u32,
    /// The slot of its transmission.
    pub(in crate::ran::cell) slot: u64,
    /// Place of its configuration in the list.
    pub(in crate::ran::cell) configuration: usize,
    /// The first occasion that the UE missed because of `sr-ProhibitTimer`.
    pub(in crate::ran::cell) prohibited_from: Option<u64>,
}

/// A buffer status report (TS 36.321 §5.4.5), from the UE.
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell) struct Bsr {
    pub(in crate::ran::cell) ue: u32,
    /// The uplink slot whose block it was built for.
    pub(in crate::ran::cell) slot: u64,
    /// The reported buffers. `None` if the block was full and had no report, which means that there
    /// may be more data.
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
    /// Size of the block; `None` for the size that the UE needs.
    pub(in crate::ran::cell) size: Option<Bytes>,
    /// Resource units of the transmission.
    pub(in crate::ran::cell) units: u64,
    /// The grant answers a scheduling request, which is thereby done.
    pub(in crate::ran::cell) answers_sr: bool,
    /// Number of the configured grant of type 2 that this grant activates. Its block is the first
    /// of that grant.
    pub(in crate::ran::cell) activates: Option<u8>,
    pub(in crate::ran::cell) cause: GrantCause,
    /// Latest time at which the UE has the grant.
    pub(in crate::ran::cell) received: Instant,
}

impl Grant {
    /// Returns the configured grant (or semi-persistent scheduling) that its block belongs to, by
    /// number, and the first slot of its bundle.
    #[inline]
    pub(in crate::ran::cell) fn configured(&self) -> Option<(usize, u64)> {
        match (self.cause, self.activates) {
            (GrantCause::Sps { number, occasion }, _) => Some((number.into(), occasion)),
            (_, Some(number)) => Some((number.into(), self.slot)),
            _ => None,
        }
    }
}

/// Release of a configured grant of type 2, from the base station (TS 38.321 §5.8.2).
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell) struct Release {
    pub(in crate::ran::cell) ue: u32,
    pub(in crate::ran::cell) number: usize,
    /// The first slot whose block can confirm the release.
    pub(in crate::ran::cell) not_before: u64,
}

/// Reason for a grant.
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell) enum GrantCause {
    /// Answer to a scheduling request.
    Sr {
        /// Start of the request's slot.
        sent: Instant,
        /// Cause and start of a delay of the request.
        held: Option<Held>,
        /// Part of the wait for the answer that exists because the band alternates between both
        /// directions.
        duplex: Duration,
    },
    /// Answer to a buffer status report.
    Bsr {
        /// Start of the report's slot.
        sent: Instant,
        /// Part of the wait for the answer that exists because the band alternates between both
        /// directions.
        duplex: Duration,
    },
    /// Semi-persistent scheduling or a configured grant, without a request.
    Sps {
        /// Number of the grant among those of the UE.
        number: u8,
        /// The first slot of its bundle.
        occasion: u64,
    },
    /// Proactive grant, without a request.
    Proactive,
    /// The configured grant of a UE in RRC_INACTIVE, for small data.
    SmallData,
}

/// Cause of a scheduling request's delay.
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell) enum Held {
    /// `sr-ProhibitTimer`, since this time.
    Prohibited(Instant),
    /// Random access instead of the request, since this time.
    RandomAccess(Instant),
}

/// An answered preamble or MsgA, as the scheduler needs it.
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell) struct Access {
    pub(in crate::ran::cell) ue: u32,
    /// Start of the UE's random access.
    pub(in crate::ran::cell) began: Instant,
    /// Earliest time at which the UE could have had its grant.
    pub(in crate::ran::cell) answered: Instant,
    /// Earliest slot of a granted transmission.
    pub(in crate::ran::cell) not_before: u64,
}

/// HARQ feedback for one downlink process, as the UE sent it.
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell) struct HarqFeedback {
    pub(in crate::ran::cell) ue: u32,
    pub(in crate::ran::cell) process: usize,
    pub(in crate::ran::cell) acknowledged: bool,
    /// Groups that are not acknowledged, if code block groups have their own feedback.
    pub(in crate::ran::cell) failed: GroupBits,
}

/// An uplink transport block on the air.
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell) struct Transmission {
    pub(in crate::ran::cell) ue: u32,
    pub(in crate::ran::cell) process: usize,
    pub(in crate::ran::cell) kind: Sending,
}

/// Place of a transmission among those of its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ran::cell) enum Sending {
    /// First transmission of the block.
    New,
    /// A repetition within a bundle, whatever the result of the earlier transmissions.
    Repetition,
    /// A retransmission after a failure.
    Retransmission,
}

/// Result of an uplink transmission, as its receiver knows it.
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell) struct UplinkResult {
    pub(in crate::ran::cell) ue: u32,
    pub(in crate::ran::cell) process: usize,
    /// Resource units of the transmission.
    pub(in crate::ran::cell) units: u64,
    pub(in crate::ran::cell) verdict: Verdict,
}

/// A block that reaches its receiver's RLC, decoded or lost.
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell) struct Arrival {
    pub(in crate::ran::cell) at: Instant,
    pub(in crate::ran::cell) ue: u32,
    pub(in crate::ran::cell) process: usize,
    pub(in crate::ran::cell) lost: bool,
}
