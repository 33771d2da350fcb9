//! Packet filters of a traffic flow template (TS 24.008 §10.5.6.12, TS 23.060 §15.3.2).
//!
//! In: components of a filter, a packet. Out: whether all components match.
//!
//! Left out: IPsec indices and IPv6 flow labels, which no packet here has.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::net::{Body, Direction, Packet};
use crate::record::{Warned, Warning};
use crate::unit::HostId;

/// The filters of one bearer, in the order of their precedence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Template {
    filters: Vec<Filter>,
}

/// One packet filter. A missing component matches everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    /// Name of the filter's bearer.
    pub bearer: String,
    /// Description of the packets that the filter claims.
    pub claims: String,
    /// Evaluation precedence: filters with low numbers are evaluated first.
    pub precedence: u8,
    /// Directions of packets to which the filter applies.
    pub applies: Applies,
    /// Hosts on the network's side that match.
    pub remote: Option<Addresses>,
    /// UEs that match, by their own address.
    pub local: Option<Addresses>,
    /// Ports on the network's side that match.
    pub remote_port: Option<PortRange>,
    /// Ports on the UE's side that match.
    pub local_port: Option<PortRange>,
    /// Transport protocol above IP.
    pub protocol: Option<Protocol>,
    /// Type of service or traffic class: value and mask.
    pub tos: Option<(u8, u8)>,
}

/// Directions of a packet filter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "FilterDirection")]
pub enum Applies {
    /// Downlink packets only; the UE's uplink packets take another bearer.
    Down,
    /// Uplink packets only.
    Up,
    /// Packets of both directions.
    #[default]
    Both,
}

/// The hosts whose addresses agree with a filter's address in all bits of its mask. Packets carry
/// host ids. The addresses of hosts are known only where hosts are named, so each mask is resolved
/// once and not for each packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addresses {
    /// Host ids, in ascending order.
    hosts: Vec<HostId>,
}

/// Ports from the first to the last, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortRange {
    /// The lowest port of the range.
    pub first: u16,
    /// The highest port of the range.
    pub last: u16,
}

/// Protocol above IP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "ProtocolKind")]
pub enum Protocol {
    /// TCP (6).
    Tcp,
    /// UDP (17).
    Udp,
    /// ICMP (1).
    Icmp,
}

impl Template {
    /// Creates a template from filters in any order.
    pub fn new(mut filters: Vec<Filter>) -> Self {
        filters.sort_by_key(|filter| filter.precedence);
        Self { filters }
    }

    /// Returns all filters, in the order of evaluation.
    pub fn filters(&self) -> &[Filter] {
        &self.filters
    }
}

impl Filter {
    /// Returns a filter without components, which matches every packet.
    pub const fn any() -> Self {
        Self {
            bearer: String::new(),
            claims: String::new(),
            precedence: 128,
            applies: Applies::Both,
            remote: None,
            local: None,
            remote_port: None,
            local_port: None,
            protocol: None,
            tos: None,
        }
    }

    /// Returns `true` if all components match.
    #[inline]
    pub fn matches(&self, direction: Direction, packet: &Packet) -> bool {
        let (source, destination) = (packet.source, packet.destination);
        let (remote, local) = match direction {
            Direction::Down => (source, destination),
            Direction::Up => (destination, source),
        };
        self.applies.to(direction)
            && self.remote.as_ref().is_none_or(|addresses| addresses.contain(remote))
            && self.local.as_ref().is_none_or(|addresses| addresses.contain(local))
            && self.tos.is_none_or(|(value, mask)| packet.tos & mask == value & mask)
            && self.protocol.is_none_or(|wanted| protocol(packet) == Some(wanted))
            && self.ports_match(direction, packet)
    }

    /// Returns the warning that the filter has claimed no packet.
    pub(in crate::ran) fn idle(&self) -> Warning {
        let Self { bearer, precedence, claims, .. } = self;
        let words = format!(
            "bearer {{place}}: its filter of precedence {precedence} ({claims}) has claimed no packet"
        );
        Warning { place: bearer.clone(), ..Warning::new(Warned::IdleFilter, words) }
    }

    fn ports_match(&self, direction: Direction, packet: &Packet) -> bool {
        if self.remote_port.is_none() && self.local_port.is_none() {
            return true;
        }
        let Some((source, destination)) = ports(packet) else { return false };
        let (remote, local) = match direction {
            Direction::Down => (source, destination),
            Direction::Up => (destination, source),
        };
        self.remote_port.is_none_or(|range| range.contains(remote))
            && self.local_port.is_none_or(|range| range.contains(local))
    }
}

impl Applies {
    fn to(self, direction: Direction) -> bool {
        match self {
            Self::Both => true,
            Self::Down => direction == Direction::Down,
            Self::Up => direction == Direction::Up,
        }
    }
}

impl Addresses {
    /// Creates a set of the addresses of these hosts.
    pub fn of(hosts: impl IntoIterator<Item = HostId>) -> Self {
        let mut hosts: Vec<HostId> = hosts.into_iter().collect();
        hosts.sort_unstable();
        Self { hosts }
    }

    fn contain(&self, host: HostId) -> bool {
        self.hosts.binary_search(&host).is_ok()
    }
}

impl PortRange {
    /// Returns a range of one port.
    pub const fn one(port: u16) -> Self {
        Self { first: port, last: port }
    }

    fn contains(self, port: u16) -> bool {
        (self.first..=self.last).contains(&port)
    }
}

/// Returns the protocol above IP. Unknown for fragments other than the first, which do not have the
/// transport header.
pub(in crate::ran) fn protocol(packet: &Packet) -> Option<Protocol> {
    match &packet.body {
        Body::Tcp(_) => Some(Protocol::Tcp),
        Body::Datagram(_) | Body::Quic(_) => Some(Protocol::Udp),
        Body::Echo(_) | Body::TooBig(_) => Some(Protocol::Icmp),
        Body::Fragment(piece) => protocol(piece.whole.as_deref()?),
    }
}

/// Returns the source and destination port. `None` for a packet without a transport header.
pub(in crate::ran) fn ports(packet: &Packet) -> Option<(u16, u16)> {
    match protocol(packet)? {
        Protocol::Tcp | Protocol::Udp => Some(packet.ports),
        Protocol::Icmp => None,
    }
}
