//! The parameters of dual connectivity.
//!
//! In: nothing; a scenario fills it. Out: plain parameters.

use super::flow_control;
use super::leg::{Leg, PerLeg};
use crate::net::{Direction, PerDirection};
use crate::ran::cell::CellPlan;
use crate::ran::pdcp::Reordering;
use crate::unit::{Bytes, Duration};

/// Two cells with the same UEs, and the bearer of each UE over them.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The cells. Their bearers have no PDCP but its header: PDCP is here.
    pub cells: PerLeg<CellPlan>,
    /// The bearers.
    pub config: Config,
}

/// The bearer that each UE has, and the nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The node in which the bearer ends: that has PDCP (TS 37.340 §4.2.2).
    pub host: Leg,
    /// From one node to the other, each way (X2-U, TS 36.424).
    pub x2_delay: Duration,
    /// Which legs PDUs go over.
    pub paths: PerDirection<Paths>,
    /// The header of a PDCP data PDU.
    pub header: Bytes,
    /// The longest queue of each direction; no limit for `None`.
    pub buffer: Option<Bytes>,
    /// The receiving PDCP entities.
    pub reordering: Reordering,
    /// How much the legs have in their queues.
    pub flow: flow_control::Config,
}

/// Which legs the PDUs of one direction of a bearer go over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paths {
    /// One: the bearer is an MCG or SCG bearer, or has one leg in this direction.
    One(Leg),
    /// Both (a split bearer, TS 38.323 §5.2.1).
    Split {
        /// `primaryPath`
        primary: Leg,
        /// `ul-DataSplitThreshold`: with less data than this only the primary path is used;
        /// whatever there is for `None`.
        threshold: Option<Bytes>,
    },
    /// A PDU for each (packet duplication, TS 38.323 §5.11).
    Duplicated,
}

impl Config {
    /// How much longer the way over a leg is than over that of the node that has PDCP.
    pub(super) fn delay(&self, leg: Leg) -> Duration {
        if leg == self.host { Duration::ZERO } else { self.x2_delay }
    }

    /// True where X2 is between PDCP's transmitter and the transmitter of a leg.
    pub(super) fn is_remote(&self, leg: Leg, direction: Direction) -> bool {
        direction == Direction::Down && !self.delay(leg).is_zero()
    }
}

impl Paths {
    /// True where PDUs wait in PDCP until a leg wants some.
    pub(super) const fn is_controlled(self) -> bool {
        match self {
            Self::One(_) | Self::Split { threshold: None, .. } => false,
            Self::Split { .. } | Self::Duplicated => true,
        }
    }
}
