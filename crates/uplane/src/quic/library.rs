//! The library that implements QUIC, and its driver.
//!
//! In: datagrams, time, the application's stream operations. Out: datagrams, events, the time of
//! the next call.
//!
//! The library has no sockets, no clock and no threads: its caller provides all input and takes all
//! output ([`Library::next_datagram`], [`Library::next_event`], [`Library::due`]). Its random
//! numbers (connection ids, skipped packet numbers, grease) come from one stream of the simulation.

use std::sync::Arc;

use bytes::{Bytes as Chunk, BytesMut};
use quinn_proto::congestion::{BbrConfig, ControllerFactory, CubicConfig, NewRenoConfig};
use quinn_proto::{
    AckFrequencyConfig, ClientConfig, Connection, ConnectionHandle, ConnectionId,
    ConnectionIdGenerator, ConnectionStats, DatagramEvent, Dir, EcnCodepoint, Endpoint,
    EndpointConfig, Event, IdleTimeout, MtuDiscoveryConfig, NoneTokenStore, ServerConfig, StreamId,
    Transmit, TransportConfig, VarInt,
};

use super::Role;
use super::boundary::{self, Clock};
use super::crypto::{self, Lengths, Tls};
use super::profile::{CongestionControl, Profile};
use crate::net::Ecn;
use crate::sim::Stream;
use crate::unit::{Bytes, Duration, Instant};

/// One end: the library's endpoint with its one connection.
pub(super) struct Library {
    clock: Clock,
    role: Role,
    endpoint: Endpoint,
    client: ClientConfig,
    connection: Option<(ConnectionHandle, Connection)>,
    /// Responses of the endpoint without a connection.
    responses: Vec<(Vec<u8>, Option<Ecn>)>,
}

/// The state of a connection, as the library reports it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Snapshot {
    pub(super) cwnd: Bytes,
    pub(super) ssthresh: Option<Bytes>,
    pub(super) srtt: Duration,
    pub(super) udp_payload: Bytes,
    pub(super) statistics: ConnectionStats,
}

impl Library {
    pub(super) fn new(profile: &Profile, role: Role, mut random: Stream) -> Self {
        let transport = Arc::new(transport(profile));
        let tls = Arc::new(Tls { lengths: Lengths::of(profile) });
        let mut seed = [0; 32];
        seed.chunks_mut(8).for_each(|part| part.copy_from_slice(&random.bits().to_le_bytes()));
        let first = connection_id(&mut random, FIRST_ID);
        let mut config = EndpointConfig::new(crypto::clear());
        let ids = random;
        config.rng_seed(Some(seed)).cid_generator(move || Box::new(Ids(ids.clone())));
        let mut client = ClientConfig::new(tls.clone());
        client
            .transport_config(transport.clone())
            .token_store(Arc::new(NoneTokenStore))
            .initial_dst_cid_provider(Arc::new(move || first));
        let mut server = ServerConfig::new(tls, crypto::clear());
        server.transport_config(transport);
        let server = (role == Role::Server).then(|| Arc::new(server));
        let endpoint = Endpoint::new(Arc::new(config), server, true, None);
        let clock = Clock::start();
        Self { clock, role, endpoint, client, connection: None, responses: Vec::new() }
    }

    /// Begins the handshake, at the client.
    pub(super) fn connect(&mut self, now: Instant) {
        let now = self.clock.instant(now);
        let peer = boundary::peer_of(self.role);
        let connection = self.endpoint.connect(now, self.client.clone(), peer, "server");
        self.connection = Some(connection.expect("a first connection finds all it needs"));
    }

    /// Processes a received datagram.
    pub(super) fn on_datagram(&mut self, now: Instant, contents: &[u8], ecn: Ecn) {
        let at = self.clock.instant(now);
        let ecn = match ecn {
            Ecn::NotEct => None,
            Ecn::Ect0 => Some(EcnCodepoint::Ect0),
            Ecn::Ect1 => Some(EcnCodepoint::Ect1),
            Ecn::Ce => Some(EcnCodepoint::Ce),
        };
        let mut answer = Vec::new();
        let data = BytesMut::from(contents);
        let peer = boundary::peer_of(self.role);
        match self.endpoint.handle(at, peer, None, ecn, data, &mut answer) {
            Some(DatagramEvent::ConnectionEvent(_, event)) => {
                if let Some((_, connection)) = &mut self.connection {
                    connection.handle_event(event);
                }
            }
            Some(DatagramEvent::NewConnection(incoming)) if self.connection.is_none() => {
                match self.endpoint.accept(incoming, at, &mut answer, None) {
                    Ok(connection) => self.connection = Some(connection),
                    Err(error) => self.respond(error.response, &answer),
                }
            }
            Some(DatagramEvent::NewConnection(late)) => self.endpoint.ignore(late),
            Some(DatagramEvent::Response(transmit)) => self.respond(Some(transmit), &answer),
            None => {}
        }
        self.exchange();
    }

    /// Handles the timer of [`Library::due`].
    pub(super) fn on_timer(&mut self, now: Instant) {
        if let Some((_, connection)) = &mut self.connection {
            connection.handle_timeout(self.clock.instant(now));
        }
        self.exchange();
    }

    /// Returns the time of the next [`Library::on_timer`].
    pub(super) fn due(&mut self) -> Option<Instant> {
        let (_, connection) = self.connection.as_mut()?;
        connection.poll_timeout().map(|at| self.clock.simulated(at))
    }

    /// Returns the next datagram that leaves now.
    pub(super) fn next_datagram(&mut self, now: Instant) -> Option<(Vec<u8>, Option<Ecn>)> {
        if !self.responses.is_empty() {
            return Some(self.responses.remove(0));
        }
        let (_, connection) = self.connection.as_mut()?;
        let mut contents = Vec::with_capacity(USUAL);
        let transmit = connection.poll_transmit(self.clock.instant(now), 1, &mut contents);
        self.exchange();
        transmit.map(|transmit| (contents, transmit.ecn.map(field)))
    }

    pub(super) fn next_event(&mut self) -> Option<Event> {
        self.connection.as_mut()?.1.poll()
    }

    /// Closes the connection (RFC 9000 §10.2).
    pub(super) fn close(&mut self, now: Instant) {
        if let Some((_, connection)) = &mut self.connection {
            connection.close(self.clock.instant(now), VarInt::from_u32(0), Chunk::new());
        }
        self.exchange();
    }

    /// Opens a bidirectional stream. Returns `None` while the peer allows no more streams.
    pub(super) fn open(&mut self) -> Option<u64> {
        let (_, connection) = self.connection.as_mut()?;
        connection.streams().open(Dir::Bi).map(u64::from)
    }

    /// Returns the next stream that the peer opened.
    pub(super) fn accept(&mut self) -> Option<u64> {
        let (_, connection) = self.connection.as_mut()?;
        connection.streams().accept(Dir::Bi).map(u64::from)
    }

    /// Writes at most `bytes` zeros to a stream. Returns the number of bytes written.
    pub(super) fn write(&mut self, id: u64, bytes: u64) -> u64 {
        let Some((_, connection)) = &mut self.connection else { return 0 };
        let mut stream = connection.send_stream(stream_id(id));
        let mut written = 0;
        while written < bytes {
            let piece = (bytes - written).min(ZEROS.len() as u64) as usize;
            let chunk = Chunk::from_static(&ZEROS[..piece]);
            match stream.write_chunks(&mut [chunk]) {
                Ok(taken) if taken.bytes > 0 => written += taken.bytes as u64,
                _ => break,
            }
        }
        written
    }

    /// Ends writing to a stream.
    pub(super) fn finish(&mut self, id: u64) {
        if let Some((_, connection)) = &mut self.connection {
            // Fails on a stream that the peer has stopped; nothing is owed to the peer then.
            drop(connection.send_stream(stream_id(id)).finish());
        }
    }

    /// Reads all data of a stream that is in order; `before` bytes were read before. Returns the
    /// number of bytes, and whether the stream ended.
    ///
    /// # Panics
    /// If a byte is received twice, or before an earlier one.
    pub(super) fn read(&mut self, id: u64, before: u64) -> (u64, bool) {
        let Some((_, connection)) = &mut self.connection else { return (0, false) };
        let mut stream = connection.recv_stream(stream_id(id));
        let Ok(mut chunks) = stream.read(true) else { return (0, false) };
        let mut bytes = 0;
        let is_end = loop {
            match chunks.next(usize::MAX) {
                Ok(Some(chunk)) => {
                    assert_eq!(chunk.offset, before + bytes, "stream {id}: the next byte");
                    bytes += chunk.bytes.len() as u64;
                }
                Ok(None) => break true,
                Err(_) => break false,
            }
        };
        // Data that the library wants to send, such as more credit, goes with the next datagram
        // anyway.
        let _: bool = chunks.finalize().should_transmit();
        (bytes, is_end)
    }

    pub(super) fn has_retransmissions(&self) -> bool {
        self.connection.as_ref().is_some_and(|(_, connection)| connection.has_pending_retransmits())
    }

    pub(super) fn snapshot(&self) -> Option<Snapshot> {
        let (_, connection) = self.connection.as_ref()?;
        let controller = connection.congestion_state();
        let ssthresh = controller.metrics().ssthresh.filter(|&ssthresh| ssthresh < u64::MAX);
        Some(Snapshot {
            cwnd: Bytes(controller.window()),
            ssthresh: ssthresh.map(Bytes),
            srtt: boundary::simulated(connection.rtt()),
            udp_payload: Bytes(u64::from(connection.current_mtu())),
            statistics: connection.stats(),
        })
    }

    fn respond(&mut self, transmit: Option<Transmit>, answer: &[u8]) {
        if let Some(transmit) = transmit {
            self.responses.push((answer[..transmit.size].to_vec(), transmit.ecn.map(field)));
        }
    }

    /// Exchanges connection ids between the endpoint and the connection.
    fn exchange(&mut self) {
        let Some((handle, connection)) = &mut self.connection else { return };
        while let Some(event) = connection.poll_endpoint_events() {
            if let Some(event) = self.endpoint.handle_event(*handle, event) {
                connection.handle_event(event);
            }
        }
    }
}

impl std::fmt::Debug for Library {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Library").field("role", &self.role).finish_non_exhaustive()
    }
}

fn transport(profile: &Profile) -> TransportConfig {
    let number = |bytes: Bytes| VarInt::from_u64(bytes.0).unwrap_or(VarInt::MAX);
    let idle = boundary::span(profile.max_idle_timeout);
    let mut transport = TransportConfig::default();
    transport
        .max_concurrent_bidi_streams(profile.max_streams.into())
        .max_idle_timeout(IdleTimeout::try_from(idle).ok())
        .stream_receive_window(number(profile.stream_receive_window))
        .receive_window(number(profile.receive_window))
        .send_window(profile.send_buffer.0)
        .packet_threshold(profile.packet_threshold)
        .initial_rtt(boundary::span(profile.initial_rtt))
        .initial_mtu(profile.initial_udp_payload.0 as u16)
        .congestion_controller_factory(controller(profile))
        .enable_segmentation_offload(false);
    let discovery = profile.mtu_discovery.then(|| {
        let mut discovery = MtuDiscoveryConfig::default();
        discovery.upper_bound(profile.max_udp_payload.0 as u16);
        discovery
    });
    transport.mtu_discovery_config(discovery);
    let frequency = profile.ack_threshold.map(|threshold| {
        let mut frequency = AckFrequencyConfig::default();
        let delay = boundary::span(profile.max_ack_delay);
        frequency.ack_eliciting_threshold(threshold.into()).max_ack_delay(Some(delay));
        frequency
    });
    transport.ack_frequency_config(frequency);
    transport
}

fn controller(profile: &Profile) -> Arc<dyn ControllerFactory + Send + Sync> {
    let window = profile.initial_window.0;
    match profile.congestion_control {
        CongestionControl::Cubic => {
            let mut config = CubicConfig::default();
            config.initial_window(window);
            Arc::new(config)
        }
        CongestionControl::NewReno => {
            let mut config = NewRenoConfig::default();
            config.initial_window(window);
            Arc::new(config)
        }
        CongestionControl::Bbr => {
            let mut config = BbrConfig::default();
            config.initial_window(window);
            Arc::new(config)
        }
    }
}

/// Generates connection ids from a stream of the simulation.
struct Ids(Stream);

impl ConnectionIdGenerator for Ids {
    fn generate_cid(&mut self) -> ConnectionId {
        connection_id(&mut self.0, ID_LENGTH)
    }

    fn cid_len(&self) -> usize {
        ID_LENGTH
    }

    fn cid_lifetime(&self) -> Option<boundary::Span> {
        None
    }
}

fn connection_id(random: &mut Stream, length: usize) -> ConnectionId {
    let mut bytes = Vec::with_capacity(FIRST_ID);
    while bytes.len() < length {
        bytes.extend(random.bits().to_le_bytes());
    }
    ConnectionId::new(&bytes[..length])
}

fn stream_id(id: u64) -> StreamId {
    VarInt::from_u64(id).expect("an id that the library gave").into()
}

const fn field(ecn: EcnCodepoint) -> Ecn {
    match ecn {
        EcnCodepoint::Ect0 => Ecn::Ect0,
        EcnCodepoint::Ect1 => Ecn::Ect1,
        EcnCodepoint::Ce => Ecn::Ce,
    }
}

/// The library's usual length of a connection id, in bytes.
pub(super) const ID_LENGTH: usize = 8;
/// Maximum length of a connection id (RFC 9000 §17.2), which the library uses for a server that is
/// not known yet.
const FIRST_ID: usize = 20;
/// Space for a datagram on Ethernet, in bytes.
const USUAL: usize = 1500;
/// Application data: only its length matters.
static ZEROS: [u8; 65_536] = [0; 65_536];
