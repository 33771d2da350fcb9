//! The actual state of the link of one UE: SINRs, and errors of messages.
//!
//! In: radio conditions. Out: SINRs, errors of control messages, counts of transmissions.

use super::radio_link::RadioLink;
use super::varying_sinr::VaryingSinr;
use crate::net::{Direction, PerDirection};
use crate::ran::cell::statistics::UeCounters;
use crate::ran::mac::timing::Clock;
use crate::ran::phy::Sinr;
use crate::sim::{Stream, Streams};
use crate::unit::{Probability, UeId};

/// The air between one UE and its base station.
#[derive(Clone, Debug)]
pub(in crate::ran::cell) struct UeLink {
    /// Number of the UE in the scenario.
    pub(in crate::ran::cell) id: UeId,
    /// The link in a network, with its surroundings.
    pub(in crate::ran::cell) radio: Option<Box<RadioLink>>,
    /// SINRs over time, for a UE outside of a network.
    pub(in crate::ran::cell) varying: Option<Box<VaryingSinr>>,
    /// SINR at the receiver: UE or base station.
    pub(in crate::ran::cell) sinr: PerDirection<Sinr>,
    pub(super) block_errors: PerDirection<Stream>,
    pub(super) control_errors: Stream,
    /// Counts of transmissions on this link.
    pub(in crate::ran::cell) counted: UeCounters,
}

impl UeLink {
    /// Creates the link of UE `id`. Streams of `entity` draw its errors.
    pub(in crate::ran::cell) fn new(
        id: UeId,
        entity: &str,
        radio: Option<Box<RadioLink>>,
        sinr: PerDirection<Sinr>,
        streams: Streams,
    ) -> Self {
        let open = |purpose| streams.open(entity, purpose);
        Self {
            id,
            radio,
            varying: None,
            sinr,
            block_errors: PerDirection {
                down: open("downlink block errors"),
                up: open("uplink block errors"),
            },
            control_errors: open("feedback errors"),
            counted: UeCounters::default(),
        }
    }

    /// Returns the SINR that the base station learns in `slot`, for a link that changes outside of
    /// a network. A share of the downlink reports is `erased`.
    #[inline(always)]
    pub(in crate::ran::cell) fn measured(
        &mut self,
        direction: Direction,
        slot: u64,
        clock: &Clock,
        erased: Probability,
    ) -> Option<Sinr> {
        let varying = self.varying.as_mut()?;
        let errors = &mut self.control_errors;
        let is_lost = || direction == Direction::Down && !erased.is_zero() && errors.chance(erased);
        varying.measured(direction, slot, self.id.0.into(), clock, is_lost)
    }

    /// Draws whether a control message with this error rate fails.
    pub(super) fn goes_wrong(&mut self, rate: Probability) -> bool {
        !rate.is_zero() && self.control_errors.chance(rate)
    }
}
