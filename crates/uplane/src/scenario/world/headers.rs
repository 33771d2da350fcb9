//! A capture at the hosts: the headers of each packet as it left one and as it came to the other.
//!
//! In: packets at hosts. Out: rows of `headers`.
//!
//! Left out: fragments, since a row is a packet that a host sent or reassembled; ICMP messages of
//! routers; packets between hosts, with their tunnel headers. `hops` and `drops` count these.

use super::World;
use super::outcome::sender;
use crate::net::{Body, ByteCounters, Cookie, Flags, Packet, SackBlocks, Segment};
use crate::record::{Owner, columns, table};
use crate::unit::{Bytes, Instant};

table! {
    /// Headers of one packet at one host, when it left or arrived (on request: `record.headers`).
    /// `Results.write_pcap` writes them as files.
    headers: pub(super) HeaderRow {
        /// Time at which the packet left or arrived, since the start of the run, in s.
        time_s: Instant,
        /// Application and UE.
        owner: Owner,
        /// Number of the flow in the run.
        flow: u64,
        /// Number of the packet in the run, as in `packets`.
        packet: u64,
        /// Host of the event: `server` or `ue`.
        host: &'static str,
        /// Event: `sent` or `received`.
        event: &'static str,
        /// Protocol: `tcp`, `udp` (streams of datagrams), `quic` (in UDP) or `icmp`.
        protocol: &'static str,
        /// IP address of the packet's source.
        source: String,
        /// IP address of the packet's destination.
        destination: String,
        /// Type of service octet (IPv4) or traffic class (IPv6), with the ECN field in the two
        /// lowest bits.
        tos: u64,
        /// 1 if routers must not fragment the packet, otherwise 0.
        dont_fragment: u64,
        /// Length of the packet, IP header included, in bytes.
        bytes: Bytes,
        /// Length of the payload of TCP, UDP or ICMP, in bytes.
        payload_bytes: Bytes,
        /// Port of the packet's source; without meaning for ICMP.
        source_port: u64,
        /// Port of the packet's destination; without meaning for ICMP.
        destination_port: u64,
        /// TCP sequence number; for a stream of datagrams and for ICMP, the number of the packet in
        /// the stream.
        seq: Option<u64>,
        /// TCP header.
        tcp: TcpColumns,
        /// ICMP message type: 8 for a request, 0 for a reply; missing for other protocols.
        icmp_type: Option<u64>,
    }
}

columns! {
    /// Fields of a TCP header; missing for other protocols and for absent options.
    #[derive(Clone, Debug, Default)]
    pub(super) TcpColumns {
        /// TCP acknowledgement number; missing without the ACK flag.
        ack: Option<u64>,
        /// TCP control bits: 1 FIN, 2 SYN, 4 RST, 8 PSH, 16 ACK, 64 ECE, 128 CWR, 256 AE; missing
        /// for other protocols.
        flags: Option<u64>,
        /// TCP window field, not scaled; missing for other protocols.
        window: Option<u64>,
        /// MSS option, in bytes; missing without it.
        mss: Option<u64>,
        /// Window scale option; missing without it.
        window_scale: Option<u64>,
        /// 1 with the SACK-permitted option, otherwise 0; missing for other protocols.
        sack_permitted: Option<u64>,
        /// `TSval` of the timestamps option; missing without it.
        ts_value: Option<u64>,
        /// `TSecr` of the timestamps option; missing without it.
        ts_echo: Option<u64>,
        /// SACK blocks from first to last, for example `100-200 400-500`; empty without any.
        sack: String,
        /// Fast Open option: the cookie in hexadecimal, or `request` for an option without a
        /// cookie; empty without the option.
        fast_open: String,
        /// AccECN option: its kind and its counters in the order on the wire, for example `172 1449
        /// 0 1` (174: ECT(1) first); empty without the option.
        byte_counters: String,
    }
}

impl TcpColumns {
    fn of(segment: &Segment) -> Self {
        let timestamps = segment.timestamps;
        let has_ack = segment.flags.contains(Flags::ACK);
        Self {
            ack: has_ack.then(|| segment.ack.0.into()),
            flags: Some(segment.flags.0.into()),
            window: Some(segment.window.into()),
            mss: segment.mss.map(Into::into),
            window_scale: segment.window_scale.map(Into::into),
            sack_permitted: Some(segment.sack_permitted.into()),
            ts_value: timestamps.map(|timestamps| timestamps.value.into()),
            ts_echo: timestamps.map(|timestamps| timestamps.echo.into()),
            sack: blocks(&segment.sack),
            fast_open: segment.fast_open.map_or(String::new(), cookie),
            byte_counters: segment.byte_counters.as_deref().map_or(String::new(), counters),
        }
    }
}

/// Header fields of a packet's body.
struct Seen {
    protocol: &'static str,
    payload: Bytes,
    seq: Option<u64>,
    tcp: TcpColumns,
    icmp_type: Option<u64>,
}

impl World<'_> {
    /// Records a packet that leaves a host or has arrived at one.
    #[cold]
    #[inline(never)]
    pub(super) fn capture(&mut self, now: Instant, packet: &Packet, is_sent: bool) {
        let Some(seen) = seen(packet) else { return };
        let app_session = self.flows[packet.flow.index()].app_session;
        let host = if is_sent { packet.source } else { packet.destination };
        let address = |host| self.plan.addresses[&host].clone();
        self.recorder.tables.push(HeaderRow {
            time_s: now,
            owner: self.recorder.owner(app_session),
            flow: u64::from(packet.flow.0),
            packet: packet.id.0,
            host: sender(host.is_server()),
            event: if is_sent { "sent" } else { "received" },
            protocol: seen.protocol,
            source: address(packet.source),
            destination: address(packet.destination),
            tos: packet.tos.into(),
            dont_fragment: packet.dont_fragment.into(),
            bytes: packet.inner_length(),
            payload_bytes: seen.payload,
            source_port: packet.ports.0.into(),
            destination_port: packet.ports.1.into(),
            seq: seen.seq,
            tcp: seen.tcp,
            icmp_type: seen.icmp_type,
        });
    }
}

fn seen(packet: &Packet) -> Option<Seen> {
    let tcp = TcpColumns::default();
    match &packet.body {
        Body::Tcp(segment) => Some(Seen {
            protocol: "tcp",
            payload: segment.payload,
            seq: Some(segment.seq.0.into()),
            tcp: TcpColumns::of(segment),
            icmp_type: None,
        }),
        Body::Quic(datagram) => {
            let payload = Bytes(datagram.contents.len() as u64);
            Some(Seen { protocol: "quic", payload, seq: None, tcp, icmp_type: None })
        }
        Body::Datagram(datagram) => {
            let (payload, seq) = (datagram.payload, Some(datagram.number));
            Some(Seen { protocol: "udp", payload, seq, tcp, icmp_type: None })
        }
        Body::Echo(echo) => {
            let icmp_type = Some(if echo.reply { 0 } else { 8 });
            let (payload, seq) = (packet.payload(), Some(echo.number));
            Some(Seen { protocol: "icmp", payload, seq, tcp, icmp_type })
        }
        Body::TooBig(_) | Body::Fragment(_) => None,
    }
}

fn cookie(cookie: Cookie) -> String {
    if cookie.is_request() { "request".to_owned() } else { cookie.hexadecimal() }
}

fn counters(option: &ByteCounters) -> String {
    let counters = option.on_wire().iter().map(|counter| format!(" {counter}"));
    option.kind().to_string() + &counters.collect::<String>()
}

fn blocks(sack: &SackBlocks) -> String {
    let texts: Vec<String> =
        sack.iter().map(|(left, right)| format!("{}-{}", left.0, right.0)).collect();
    texts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::SequenceNumber;

    /// As the column says.
    #[test]
    fn blocks_are_written_first_to_last() {
        let mut sack = SackBlocks::default();
        assert_eq!(blocks(&sack), "");
        sack.push(SequenceNumber(400), SequenceNumber(500));
        sack.push(SequenceNumber(100), SequenceNumber(200));
        assert_eq!(blocks(&sack), "400-500 100-200");
    }

    /// RFC 9768 §3.2.3: kind 172 has ECT(0), CE and ECT(1), kind 174 the reverse.
    #[test]
    fn an_option_of_counters_is_written_as_on_the_wire() {
        assert_eq!(counters(&ByteCounters::all(1449, 0, 1, false)), "172 1449 0 1");
        assert_eq!(counters(&ByteCounters::all(1449, 0, 1, true).shortened(2)), "174 1 0");
    }
}
