//! The parameters of dual connectivity.
//!
//! In: nothing; a scenario sets the values. Out: plain parameters.

use super::flow_control;
use super::leg::{Leg, PerLeg};
use crate::net::{Direction, PerDirection};
use crate::ran::cell::CellPlan;
use crate::ran::pdcp::Reordering;
use crate::unit::{Bytes, Duration};

/// Two cells with the same UEs, and the bearer of each UE over them.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The cells. Their bearers have the PDCP header alone; the PDCP entities are in this module.
    pub cells: PerLeg<CellPlan>,
    /// The bearer, and the nodes.
    pub config: Config,
}

/// Parameters of the bearer that each UE has, and of the nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The node in which the bearer ends, which has PDCP (TS 37.340 §4.2.2).
    pub host: Leg,
    /// Delay between the nodes, in each direction (X2-U, TS 36.424).
    pub x2_delay: Duration,
    /// Legs that PDUs use.
    pub paths: PerDirection<Paths>,
    /// Header of a PDCP data PDU, in bytes.
    pub header: Bytes,
    /// Maximum queue of each direction; no limit for `None`.
    pub buffer: Option<Bytes>,
    /// The receiving PDCP entities.
    pub reordering: Reordering,
    /// Flow control: data in the queues of the legs.
    pub flow: flow_control::Config,
}

/// Legs that the PDUs of one direction of a bearer use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paths {
    /// One leg: the bearer is an MCG or SCG bearer, or has one leg in this direction.
    One(Leg),
    /// One of both legs for each PDU (a split bearer, TS 38.323 §5.2.1).
    Split {
        /// `primaryPath`
        primary: Leg,
        /// `ul-DataSplitThreshold`: with less data than this only the primary path is used. With
        /// `None` only the primary path is used, whatever the amount of data.
        threshold: Option<Bytes>,
    },
    /// Both legs for each PDU (packet duplication, TS 38.323 §5.11).
    Duplicated,
}

impl Config {
    /// Returns the additional delay over a leg, relative to the leg of the node that has PDCP.
    pub(super) fn delay(&self, leg: Leg) -> Duration {
        if leg == self.host { Duration::ZERO } else { self.x2_delay }
    }

    /// Returns `true` if X2 is between PDCP's transmitter and the transmitter of a leg.
    pub(super) fn is_remote(&self, leg: Leg, direction: Direction) -> bool {
        direction == Direction::Down && !self.delay(leg).is_zero()
    }
}

impl Paths {
    /// Returns `true` if PDUs wait in PDCP until a leg wants some.
    pub(super) const fn is_controlled(self) -> bool {
        match self {
            Self::One(_) | Self::Split { threshold: None, .. } => false,
            Self::Split { .. } | Self::Duplicated => true,
        }
    }
}
