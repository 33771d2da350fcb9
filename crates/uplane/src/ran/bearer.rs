//! EPS bearers: the packets that a bearer carries, and their treatment (TS 23.401 §4.7.2).
//!
//! In: the bearers of a UE, a packet and its direction. Out: the bearer that claims the packet.
//!
//! The first bearer of a UE is its default bearer; it takes all packets that no other bearer
//! claims. A dedicated bearer claims packets by its traffic flow template: at the gateway for the
//! downlink, in the UE for the uplink.
//!
//! Left out: setting up and releasing bearers during a run, and pre-emption. The allocation and
//! retention priority is kept for reports; there is no admission control here.

pub mod filter;

pub use filter::{Addresses, Applies, Filter, PortRange, Protocol, Template};

use super::mac::configured_grant::GrantSet;
use super::mac::prioritisation::{Channel, PrioritisedRate};
use super::mac::serving_cells::ServingCells;
use super::sdap::Reflective;
use super::tables::class::Characteristics;
use super::tables::qci::Qci;
use super::{pdcp, rlc};
use crate::net::queue::Aqm;
use crate::net::{Direction, Packet, PerDirection};
use crate::unit::{Bitrate, Duration};

/// One bearer of a UE, as configured by the network.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// QoS characteristics of the bearer's class.
    pub quality: Characteristics,
    /// Guaranteed bit rates of a GBR bearer.
    pub gbr: PerDirection<Option<Bitrate>>,
    /// Maximum bit rates. `None`: unlimited.
    pub mbr: PerDirection<Option<Bitrate>>,
    /// RLC parameters of both directions, which have the same mode.
    pub rlc: PerDirection<rlc::Config>,
    /// PDCP parameters of both directions.
    pub pdcp: PerDirection<pdcp::Config>,
    /// Active queue management of the downlink queue. `None`: tail drop.
    pub aqm: Option<Aqm>,
    /// Logical channel group of the uplink: 0 to 3 in LTE, 0 to 7 in NR.
    pub logical_channel_group: u8,
    /// `prioritisedBitRate` of the uplink. `None`: the value that holds the bearer's guaranteed
    /// rate.
    pub prioritised_bit_rate: Option<PrioritisedRate>,
    /// `bucketSizeDuration` of the uplink.
    pub bucket_size_duration: Duration,
    /// The semi-persistent and configured grants that the uplink may use (`allowedCG-List`,
    /// `configuredGrantType1Allowed`).
    pub configured_grants: GrantSet,
    /// The carriers that the uplink may use (`allowedServingCells`).
    pub serving_cells: ServingCells,
    /// Directions with PDCP duplication: each packet is sent on the first carrier and on secondary
    /// ones.
    pub duplication: PerDirection<bool>,
    /// The uplink logical channel of the second RLC entity, if that has its own.
    pub second_channel: Option<SecondChannel>,
    /// Scheduling request parameters of the uplink.
    pub request: Request,
    /// The downlink uses urgent blocks, in a cell that has some.
    pub urgent: bool,
    /// Reflective QoS: UEs derive uplink rules from downlink packets of the bearer.
    pub reflective: Option<Reflective>,
    /// The traffic flow template with the filters of the bearer. Empty for a default bearer.
    pub template: Template,
}

/// The logical channel of the second RLC entity of a bearer. Parameters not listed here are those
/// of the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecondChannel {
    /// Logical channel group of the second channel.
    pub group: u8,
    /// The carriers that the logical channel may use.
    pub serving_cells: ServingCells,
}

/// The scheduling request parameters of a logical channel (TS 38.331 §6.3.2
/// `LogicalChannelConfig`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// `schedulingRequestID`: index of the configuration in the cell.
    pub configuration: usize,
    /// `logicalChannelSR-Mask`: data that may use a configured grant waits for it.
    pub masked: bool,
    /// `logicalChannelSR-DelayTimerApplied`
    pub delayed: bool,
}

impl Default for Request {
    /// Returns parameters that use the first configuration and request at once if there is no
    /// configured grant.
    fn default() -> Self {
        Self { configuration: 0, masked: true, delayed: false }
    }
}

impl Config {
    /// Creates a default bearer of class 9 in unacknowledged mode with unlimited buffers.
    pub fn default_bearer() -> Self {
        Self::of(Qci::DEFAULT, Template::default())
    }

    /// Creates a dedicated bearer of this class, in unacknowledged mode.
    pub fn dedicated(qci: Qci, filters: Vec<Filter>) -> Self {
        Self::of(qci, Template::new(filters))
    }

    /// Returns the logical channel of one direction for the MAC. Its priority is that of the
    /// bearer's class. It receives its guaranteed rate before other channels receive more than
    /// theirs.
    pub fn channel(&self, direction: Direction) -> Channel {
        let promised = self.gbr[direction].map(PrioritisedRate::holding).unwrap_or_default();
        Channel {
            priority: self.quality.priority.0,
            prioritised_bit_rate: self.prioritised_bit_rate.unwrap_or(promised),
            bucket_size_duration: self.bucket_size_duration,
        }
    }

    /// Returns the groups of the uplink logical channels, each with the carriers that it may use.
    pub fn groups(&self) -> impl Iterator<Item = (u8, ServingCells)> {
        let second = self.second_channel.map(|it| (it.group, it.serving_cells));
        std::iter::once((self.logical_channel_group, self.serving_cells)).chain(second)
    }

    /// Returns the logical channel group for data on this carrier.
    pub fn group_on(&self, carrier: u64) -> u8 {
        let mut groups = self.groups();
        let on_it = groups.find(|(_, carriers)| carriers.contains(carrier));
        on_it.map_or(self.logical_channel_group, |(group, _)| group)
    }

    fn of(qci: Qci, template: Template) -> Self {
        Self {
            quality: qci.characteristics(),
            gbr: PerDirection::default(),
            mbr: PerDirection::default(),
            rlc: PerDirection::default(),
            pdcp: PerDirection::default(),
            aqm: None,
            logical_channel_group: if qci == Qci::DEFAULT { 3 } else { 1 },
            prioritised_bit_rate: None,
            bucket_size_duration: Duration::from_millis(100),
            configured_grants: GrantSet::ALL,
            serving_cells: ServingCells::ALL,
            duplication: PerDirection::both(false),
            second_channel: None,
            request: Request::default(),
            urgent: false,
            reflective: None,
            template,
        }
    }
}

/// The packet filters of all bearers of a UE, each with the index of its bearer.
#[derive(Clone, Debug)]
pub(super) struct PacketFilters(Vec<(usize, Filter)>);

impl PacketFilters {
    /// Collects the filters of these bearers in the order of evaluation, which is that of their
    /// precedence across all bearers (TS 23.060 §15.3).
    pub(super) fn of(bearers: &[Config]) -> Self {
        let of = |(position, bearer): (usize, &Config)| {
            let filters = bearer.template.filters().to_vec();
            filters.into_iter().map(move |filter| (position, filter))
        };
        let mut filters: Vec<(usize, Filter)> = bearers.iter().enumerate().flat_map(of).collect();
        filters.sort_by_key(|&(position, ref filter)| (filter.precedence, position));
        Self(filters)
    }

    /// Returns `true` if there is no filter.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the precedence of the filter that claims this packet, and the index of its bearer.
    /// The first bearer takes packets that no filter claims.
    pub(super) fn claim(&self, direction: Direction, packet: &Packet) -> Option<(u8, usize)> {
        let mut filters = self.0.iter();
        let &(position, ref filter) =
            filters.find(|(_, filter)| filter.matches(direction, packet))?;
        Some((filter.precedence, position))
    }
}

#[cfg(test)]
mod tests;
