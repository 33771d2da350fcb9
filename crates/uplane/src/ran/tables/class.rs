//! The characteristics of a QoS class of any generation.
//!
//! In: nothing; the tables of classes fill it ([`super::qci`], [`super::five_qi`]). Out: resource
//! type, priority, packet delay budget, loss rate, as schedulers and MAC read them.

use crate::unit::{Duration, Probability};

/// What a table of classes says of one class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Characteristics {
    /// True when the class carries guaranteed bit rates.
    pub guaranteed: bool,
    /// Served first when low.
    pub priority: Priority,
    /// Packet delay budget between UE and the gateway.
    pub delay_budget: Duration,
    /// The part of it between the gateway and the base station.
    pub core_network_delay: Duration,
    /// Packet error loss rate: SDUs sent by the link layer and not delivered above it.
    pub loss_rate: Probability,
}

/// A priority level, in tenths of LTE's levels, which are those of NR: LTE has levels such as 0.5
/// and 5.6. Lower is served first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Priority(pub u16);

impl Characteristics {
    /// The budget that is left for the radio.
    pub const fn radio_budget(&self) -> Duration {
        self.delay_budget.saturating_sub(self.core_network_delay)
    }
}

/// 10^-n at position n.
pub(super) const LOSS_RATES: [f64; 10] =
    [1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9];
