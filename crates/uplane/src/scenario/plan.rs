//! A checked scenario: everything resolved into the parameters of the entities.
//!
//! In: a [`File`](super::schema::File) that passed all checks. Out: what the world is wired from.
//! Nothing here can be impossible any more.

use std::collections::BTreeMap;

use crate::app::{Application, End};
use crate::net::{gtpu, link};
use crate::quic;
use crate::ran::{dual_connectivity, fixed, geran, lte};
use crate::record::Warning;
use crate::tcp;
use crate::unit::{Bitrate, Duration, HostId, Instant, UeId};

/// The checked scenario, from which a world is built.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// Time of the last possible event.
    pub(super) end: Instant,
    /// Names of the UEs, in their order.
    pub(super) ues: Vec<String>,
    /// Links from the server to the base station.
    pub(super) links: Vec<LinkPlan>,
    /// The tunnel over some of the links.
    pub(super) tunnel: Option<TunnelPlan>,
    /// The first link of each server's way to the UEs, by the server's number.
    pub(super) server_links: Vec<usize>,
    /// The address of each host, as text.
    pub(super) addresses: BTreeMap<HostId, String>,
    /// Radio access network.
    pub(super) radio: RadioPlan,
    /// The TCP parameter sets that applications use.
    pub(super) tcp_sets: Vec<tcp::Profile>,
    /// The QUIC parameter sets that applications use.
    pub(super) quic_sets: Vec<quic::Profile>,
    /// The applications, one for each UE that it runs on.
    pub(super) apps: Vec<AppPlan>,
    /// Optional tables to record.
    pub(super) record: RecordPlan,
    /// Keys of the scenario that nothing uses.
    pub(super) warnings: Vec<Warning>,
}

/// A wired link.
#[derive(Clone, Debug)]
pub(super) struct LinkPlan {
    pub(super) name: String,
    /// Downlink and uplink direction.
    pub(super) ways: [link::Config; 2],
    /// The numbers of the packets that each way loses.
    pub(super) lost: [Vec<u64>; 2],
}

/// The GTP-U tunnel.
#[derive(Clone, Debug)]
pub(super) struct TunnelPlan {
    /// The links inside: `first..=last`.
    pub(super) first: usize,
    pub(super) last: usize,
    pub(super) config: gtpu::Config,
    pub(super) end: gtpu::egress::Config,
    pub(super) mss_clamp: Option<u16>,
}

/// The radio access network.
#[derive(Clone, Debug)]
pub(super) enum RadioPlan {
    Fixed(fixed::Config),
    Geran(geran::Config),
    /// A single LTE or NR cell.
    Cell(Box<lte::CellPlan>),
    /// The cells and the air between them.
    Network(Box<lte::NetworkPlan>),
    /// Two cells, and bearers over them.
    EnDc(Box<dual_connectivity::Plan>),
}

/// One application on one UE.
#[derive(Clone, Debug)]
pub(super) struct AppPlan {
    pub(super) name: String,
    pub(super) ue: UeId,
    pub(super) start: Instant,
    /// Maximum random delay of the start.
    pub(super) spread: Duration,
    /// State of the application before its start.
    pub(super) application: Application,
    /// Transport of its connections.
    pub(super) transport: Transport,
    /// The server at the other end.
    pub(super) server: HostId,
    /// The end that opens its connections.
    pub(super) opens: End,
    /// The end that reads slowly, and how fast.
    pub(super) reads: Option<(End, Bitrate)>,
    /// The port at the server.
    pub(super) port: Option<u16>,
    /// Type of service of its packets.
    pub(super) tos: u8,
}

/// Transport of an application's connections, with the position of its parameter set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Transport {
    /// The application has no connection.
    Absent,
    /// Each connection is a TCP connection.
    Tcp(usize),
    /// Each connection is a stream of one QUIC connection.
    Quic(usize),
}

/// Switches of optional tables.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordPlan {
    pub(super) packets: bool,
    pub(super) deliveries: bool,
    pub(super) qlog: bool,
    pub(super) headers: bool,
    pub(super) radio: bool,
    pub(super) critical_path: bool,
    pub(super) series: Option<Duration>,
}

/// The server of applications that name no address.
pub(super) const SERVER: HostId = HostId::server(0);
