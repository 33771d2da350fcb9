//! The characteristics of a QoS class of LTE or NR.
//!
//! In: nothing; the tables of classes fill it ([`super::qci`], [`super::five_qi`]). Out: resource
//! type, priority, packet delay budget, loss rate, for schedulers and the MAC.

use crate::unit::{Duration, Probability};

/// The characteristics of one QoS class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Characteristics {
    /// The class has guaranteed bit rates.
    pub guaranteed: bool,
    /// Priority level; lower levels are served first.
    pub priority: Priority,
    /// Packet delay budget between UE and the gateway.
    pub delay_budget: Duration,
    /// The part of the delay budget between the gateway and the base station.
    pub core_network_delay: Duration,
    /// Packet error loss rate: share of SDUs sent by the link layer and not delivered above it.
    pub loss_rate: Probability,
}

/// A priority level. Its unit is a tenth of LTE's levels, which is the unit of NR's levels: LTE has
/// levels such as 0.5 and 5.6. Lower levels are served first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Priority(pub u16);

impl Characteristics {
    /// Returns the part of the delay budget that is left for the radio.
    pub const fn radio_budget(&self) -> Duration {
        self.delay_budget.saturating_sub(self.core_network_delay)
    }
}

/// Loss rates: 10^-n at index n.
pub(super) const LOSS_RATES: [f64; 10] =
    [1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9];
