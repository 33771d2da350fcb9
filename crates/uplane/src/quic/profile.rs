//! The parameters of a QUIC implementation: the section `[quic.NAME]` of a scenario.
//!
//! In: keys of the scenario. Out: plain parameters. Defaults are those of `quinn-proto` 0.11, which
//! follow RFC 9000 and RFC 9002 where these have a rule.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::unit::range::within;
use crate::unit::{Bytes, Duration};

/// One QUIC parameter set, of both ends of a connection.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "Quic")]
pub struct Profile {
    /// Congestion control of the sender: `"cubic"`, `"new_reno"` or `"bbr"`.
    pub congestion_control: CongestionControl,
    /// Initial congestion window (RFC 9002 §7.2: ten datagrams of 1200 B): data that a sender may
    /// have in flight before the first ACK.
    #[schemars(transform = within("2400 B", "1 GB"))]
    pub initial_window: Bytes,
    /// Round-trip time that timers assume before the first sample (RFC 9002 §6.2.2).
    #[schemars(transform = within("1 ms", "60 s"))]
    pub initial_rtt: Duration,
    /// Idle timeout: time without received packets after which UE or server abandons the connection
    /// (RFC 9000 §10.1, RFC 9308 §3.2).
    #[schemars(transform = within("1 ms", "1000000 s"))]
    pub max_idle_timeout: Duration,
    /// Maximum UDP payload of a datagram before path MTU discovery has found a larger one (RFC 9000
    /// §14).
    #[schemars(transform = within("1200 B", "65527 B"))]
    pub initial_udp_payload: Bytes,
    /// Maximum UDP payload that path MTU discovery probes, at least `initial_udp_payload` (RFC 9000
    /// §14.3). 1452 B fit an Ethernet frame with IPv6.
    #[schemars(transform = within("1200 B", "65527 B"))]
    pub max_udp_payload: Bytes,
    /// Path MTU discovery with probe packets (DPLPMTUD, RFC 8899). If false, datagrams keep
    /// `initial_udp_payload`.
    pub mtu_discovery: bool,
    /// Reordering threshold of loss detection: a packet counts as lost when a packet sent at least
    /// this number later is acknowledged (RFC 9002 §6.1.1: `kPacketThreshold`).
    #[schemars(transform = within(3, 1000).unit("packets"))]
    pub packet_threshold: u32,
    /// Flow control window of each stream (RFC 9000 §4.1): amount of data that the sender of the
    /// stream may send beyond the data that the receiving application has read.
    #[schemars(transform = within("1200 B", "4 GB"))]
    pub stream_receive_window: Bytes,
    /// Flow control window of the connection (RFC 9000 §4.1): amount of data that a sender may send
    /// on all streams together beyond the data that the receiving application has read. The default
    /// acts as no limit, as in quinn.
    #[schemars(transform = within("1200 B", "1000 GB"))]
    pub receive_window: Bytes,
    /// Maximum amount of data in a sender that the application has written and the peer has not
    /// acknowledged, unsent data included. More data waits in the application.
    #[schemars(transform = within("1200 B", "1000 GB"))]
    pub send_buffer: Bytes,
    /// Maximum number of streams that UE and server may each have open at once (RFC 9000 §4.6).
    #[schemars(transform = within(1, 1_000_000).unit("streams"))]
    pub max_streams: u32,
    /// Number of ack-eliciting packets that the peer may receive without sending an ACK; the next
    /// one triggers it. With 0, each packet is acknowledged. The sender requests this of the peer
    /// (draft-ietf-quic-ack-frequency, `ack_eliciting_threshold`). If not set, the peer
    /// acknowledges every second packet (RFC 9000 §13.2.2).
    #[schemars(transform = within(0, 1000).unit("packets"))]
    pub ack_threshold: Option<u32>,
    /// Maximum delay of the peer's ACKs, which the sender requests of the peer
    /// (draft-ietf-quic-ack-frequency). Without effect if `ack_threshold` is not set.
    #[schemars(transform = within("1 ms", "10 s"))]
    pub max_ack_delay: Duration,
    /// ECN: marks sent packets as ECN-capable, ECT(0), and reacts to congestion marks (RFC 9000
    /// §13.4). If false, packets are not ECN-capable, and queues drop instead of marking.
    pub ecn: bool,
    /// Length of the ClientHello with its transport parameters; the datagram is padded to 1200 B
    /// (RFC 9000 §14.1). One with an X25519 key share has 200 to 300 B (RFC 8448 §3: 196 B).
    #[schemars(transform = within("1 B", "8000 B"))]
    pub client_hello: Bytes,
    /// Length of the ServerHello (RFC 8448 §3: 90 B with X25519).
    #[schemars(transform = within("1 B", "8000 B"))]
    pub server_hello: Bytes,
    /// Length of the server's EncryptedExtensions, Certificate, CertificateVerify and Finished
    /// together. The default is 40 B, 2000 B for a chain of two ECDSA P-256 certificates, 80 B and
    /// 36 B. With more than about 3400 B, the server waits for the validation of the client's
    /// address (RFC 9000 §8.1).
    #[schemars(transform = within("1 B", "15000 B"))]
    pub server_handshake: Bytes,
    /// Length of the client's Finished message (RFC 8446 §4.4.4, with SHA-256: 36 B).
    #[schemars(transform = within("1 B", "8000 B"))]
    pub client_finished: Bytes,
}

impl Default for Profile {
    fn default() -> Self {
        Self {
            congestion_control: CongestionControl::Cubic,
            initial_window: Bytes(12_000),
            initial_rtt: Duration::from_millis(333),
            max_idle_timeout: Duration::from_secs(30),
            initial_udp_payload: Bytes(1200),
            max_udp_payload: Bytes(1452),
            mtu_discovery: true,
            packet_threshold: 3,
            stream_receive_window: Bytes(1_250_000),
            receive_window: Bytes(1_000_000_000_000),
            send_buffer: Bytes(10_000_000),
            max_streams: 100,
            ack_threshold: None,
            max_ack_delay: Duration::from_millis(25),
            ecn: true,
            client_hello: Bytes(300),
            server_hello: Bytes(90),
            server_handshake: Bytes(2156),
            client_finished: Bytes(36),
        }
    }
}

/// Congestion control of a QUIC sender: the controllers of the library quinn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "QuicCongestionControl")]
pub enum CongestionControl {
    /// CUBIC of the library (RFC 8312). It drops the part of an increase that exceeds one datagram,
    /// so its window grows more slowly than the RFC's. Newer versions of the library keep this
    /// part.
    Cubic,
    /// NewReno (RFC 9002 §7).
    NewReno,
    /// BBR of the library, based on version 1; its maintainers call it experimental. It has no
    /// pacing gain, because the library paces packets by window and round-trip time with every
    /// controller. Its window also grows while the application limits the sender.
    Bbr,
}
