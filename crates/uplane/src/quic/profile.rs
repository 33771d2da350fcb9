//! What distinguishes one QUIC from another: the section `[quic.NAME]` of a scenario.
//!
//! In: keys of the scenario. Out: plain parameters. Defaults are those of `quinn-proto` 0.11, which
//! follow RFC 9000 and RFC 9002 where these say something.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::unit::range::within;
use crate::unit::{Bytes, Duration};

/// One QUIC parameter set; both ends of a connection have it.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "Quic")]
pub struct Profile {
    /// Congestion control.
    pub congestion_control: CongestionControl,
    /// Initial congestion window (RFC 9002 §7.2: ten datagrams of 1200 B).
    #[schemars(transform = within("2400 B", "1 GB"))]
    pub initial_window: Bytes,
    /// The round-trip time before the first sample (RFC 9002 §6.2.2).
    #[schemars(transform = within("1 ms", "60 s"))]
    pub initial_rtt: Duration,
    /// A connection on which nothing comes for so long is given up (RFC 9000 §10.1, RFC 9308 §3.2).
    #[schemars(transform = within("1 ms", "1000000 s"))]
    pub max_idle_timeout: Duration,
    /// UDP payload of a datagram before the path is known to take more (RFC 9000 §14).
    #[schemars(transform = within("1200 B", "65527 B"))]
    pub initial_udp_payload: Bytes,
    /// The longest UDP payload that path MTU discovery tries (RFC 9000 §14.3); 1452 B fit an
    /// Ethernet under IPv6.
    #[schemars(transform = within("1200 B", "65527 B"))]
    pub max_udp_payload: Bytes,
    /// Looks for the path MTU with probes (DPLPMTUD, RFC 8899).
    pub mtu_discovery: bool,
    /// A packet is lost when one sent so many later is acknowledged (RFC 9002 §6.1.1:
    /// `kPacketThreshold`).
    #[schemars(transform = within(3, 1000).unit("packets"))]
    pub packet_threshold: u32,
    /// Flow control of one stream: how far its sender may run ahead of the receiving application
    /// (RFC 9000 §4.1).
    #[schemars(transform = within("1200 B", "4 GB"))]
    pub stream_receive_window: Bytes,
    /// Flow control of the connection, all streams together; quinn sets no limit of its own, so the
    /// default is 1000 GB.
    #[schemars(transform = within("1200 B", "1000 GB"))]
    pub receive_window: Bytes,
    /// How much the sender's library holds that is not acknowledged.
    #[schemars(transform = within("1200 B", "1000 GB"))]
    pub send_buffer: Bytes,
    /// How many streams each end may have open (RFC 9000 §4.6).
    #[schemars(transform = within(1, 1_000_000).unit("streams"))]
    pub max_streams: u32,
    /// The sender asks its peer to acknowledge only after more packets than this
    /// (draft-ietf-quic-ack-frequency, `ack_eliciting_threshold`); by default every second packet
    /// (RFC 9000 §13.2.2).
    #[schemars(transform = within(0, 1000).unit("packets"))]
    pub ack_threshold: Option<u32>,
    /// How long an acknowledgement may wait when `ack_threshold` is set (the draft's requested
    /// maximum acknowledgement delay).
    #[schemars(transform = within("1 ms", "10 s"))]
    pub max_ack_delay: Duration,
    /// Packets say that their sender understands marks (ECT(0), RFC 9000 §13.4).
    pub ecn: bool,
    /// Length of the ClientHello, with transport parameters; the datagram is padded to 1200 B
    /// (RFC 9000 §14.1). One with a key share of X25519 has 200 to 300 B (RFC 8448 §3: 196 B).
    #[schemars(transform = within("1 B", "8000 B"))]
    pub client_hello: Bytes,
    /// Length of the ServerHello (RFC 8448 §3: 90 B with X25519).
    #[schemars(transform = within("1 B", "8000 B"))]
    pub server_hello: Bytes,
    /// Length of EncryptedExtensions, Certificate, CertificateVerify and Finished together: 40 B,
    /// 2000 B for a chain of two ECDSA P-256 certificates, 80 B, 36 B. With more than about 3400 B
    /// the server waits for the client's address to be validated (RFC 9000 §8.1).
    #[schemars(transform = within("1 B", "15000 B"))]
    pub server_handshake: Bytes,
    /// Length of the client's Finished (RFC 8446 §4.4.4, with SHA-256: 36 B).
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

/// Who decides how much may be in flight: the library's own controllers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "QuicCongestionControl")]
pub enum CongestionControl {
    /// The library's CUBIC (RFC 8312). It drops the part of its increase that exceeds one datagram,
    /// so its window grows more slowly than the RFC's; newer versions of the library keep it.
    Cubic,
    /// NewReno (RFC 9002 §7).
    NewReno,
    /// The library's BBR, after version 1, which its maintainers call experimental. It has no pacing
    /// gain, as the library spaces packets by window and round-trip time whatever the controller,
    /// and its window grows while the application limits the sender.
    Bbr,
}
