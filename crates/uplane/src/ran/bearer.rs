//! EPS bearers: which packets a bearer carries, and how they are treated (TS 23.401 §4.7.2).
//!
//! In: the bearers of a UE, a packet and its direction. Out: the bearer that claims it.
//!
//! The first bearer of a UE is its default bearer; it takes what no other one claims. A dedicated
//! bearer claims packets by its traffic flow template: at the gateway for the downlink, in the UE
//! for the uplink.
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

/// One bearer of a UE, as the network set it up.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// What its QoS class promises.
    pub quality: Characteristics,
    /// Guaranteed bit rates of a GBR bearer.
    pub gbr: PerDirection<Option<Bitrate>>,
    /// Maximum bit rates; no limit for `None`.
    pub mbr: PerDirection<Option<Bitrate>>,
    /// RLC of both directions; both of one mode.
    pub rlc: PerDirection<rlc::Config>,
    /// PDCP of both directions.
    pub pdcp: PerDirection<pdcp::Config>,
    /// How its downlink queue is managed; by its length alone for `None`.
    pub aqm: Option<Aqm>,
    /// The logical channel group of its uplink, 0 to 3 in LTE and to 7 in NR.
    pub logical_channel_group: u8,
    /// `prioritisedBitRate` of its uplink; for `None` the one that holds its guaranteed rate.
    pub prioritised_bit_rate: Option<PrioritisedRate>,
    /// `bucketSizeDuration` of its uplink.
    pub bucket_size_duration: Duration,
    /// The semi-persistent and configured grants that its uplink may use (`allowedCG-List`,
    /// `configuredGrantType1Allowed`).
    pub configured_grants: GrantSet,
    /// The carriers that its uplink may use (`allowedServingCells`).
    pub serving_cells: ServingCells,
    /// PDCP sends each packet of these directions twice: on the first carrier and on secondary
    /// ones.
    pub duplication: PerDirection<bool>,
    /// The uplink logical channel of its second RLC entity, where that has one.
    pub second_channel: Option<SecondChannel>,
    /// How its uplink asks for grants.
    pub request: Request,
    /// Its downlink goes in urgent blocks, in a cell that has some.
    pub urgent: bool,
    /// UEs derive uplink rules from its downlink packets.
    pub reflective: Option<Reflective>,
    /// Which packets it claims; none, for a default bearer.
    pub template: Template,
}

/// The logical channel of the second RLC entity of a bearer; what is not here is as in the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecondChannel {
    /// Its group.
    pub group: u8,
    /// The carriers that it may use.
    pub serving_cells: ServingCells,
}

/// How the logical channel of a bearer asks (TS 38.331 §6.3.2 `LogicalChannelConfig`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// `schedulingRequestID`: its place among the configurations of the cell.
    pub configuration: usize,
    /// `logicalChannelSR-Mask`: what may use a configured grant waits for it.
    pub masked: bool,
    /// `logicalChannelSR-DelayTimerApplied`
    pub delayed: bool,
}

impl Default for Request {
    /// By the first configuration, at once where there is no configured grant.
    fn default() -> Self {
        Self { configuration: 0, masked: true, delayed: false }
    }
}

impl Config {
    /// A default bearer of class 9 in unacknowledged mode with buffers without limit.
    pub fn default_bearer() -> Self {
        Self::of(Qci::DEFAULT, Template::default())
    }

    /// A dedicated bearer of this class, in unacknowledged mode.
    pub fn dedicated(qci: Qci, filters: Vec<Filter>) -> Self {
        Self::of(qci, Template::new(filters))
    }

    /// The logical channel of one direction as the MAC sees it: its priority is that of its class,
    /// and it gets its guaranteed rate before others get more than theirs.
    pub fn channel(&self, direction: Direction) -> Channel {
        let promised = self.gbr[direction].map(PrioritisedRate::holding).unwrap_or_default();
        Channel {
            priority: self.quality.priority.0,
            prioritised_bit_rate: self.prioritised_bit_rate.unwrap_or(promised),
            bucket_size_duration: self.bucket_size_duration,
        }
    }

    /// The groups of its uplink logical channels, and the carriers that each may use.
    pub fn groups(&self) -> impl Iterator<Item = (u8, ServingCells)> {
        let second = self.second_channel.map(|it| (it.group, it.serving_cells));
        std::iter::once((self.logical_channel_group, self.serving_cells)).chain(second)
    }

    /// The group of what it sends by this carrier.
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

/// The packet filters of all bearers of a UE.
#[derive(Clone, Debug)]
pub(super) struct PacketFilters(Vec<(usize, Filter)>);

impl PacketFilters {
    /// Those of these bearers, in the order in which they are asked: that of their precedence, over
    /// all bearers (TS 23.060 §15.3).
    pub(super) fn of(bearers: &[Config]) -> Self {
        let of = |(position, bearer): (usize, &Config)| {
            let filters = bearer.template.filters().to_vec();
            filters.into_iter().map(move |filter| (position, filter))
        };
        let mut filters: Vec<(usize, Filter)> = bearers.iter().enumerate().flat_map(of).collect();
        filters.sort_by_key(|&(position, ref filter)| (filter.precedence, position));
        Self(filters)
    }

    /// True where there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The filter that claims this packet, by its precedence, and the position of its bearer. The
    /// first bearer takes what none of them claims.
    pub(super) fn claim(&self, direction: Direction, packet: &Packet) -> Option<(u8, usize)> {
        let mut filters = self.0.iter();
        let &(position, ref filter) =
            filters.find(|(_, filter)| filter.matches(direction, packet))?;
        Some((filter.precedence, position))
    }
}

#[cfg(test)]
mod tests;
