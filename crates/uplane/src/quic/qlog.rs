//! A log of one end, packet by packet, in the format of qlog 0.3, which qvis reads
//! (draft-ietf-quic-qlog-main-schema-02, draft-ietf-quic-qlog-quic-events-02).
//!
//! In: packets sent and received, packets declared lost, the state of the congestion control. Out:
//! events with their data as JSON.
//!
//! Left out: events of connections and streams that follow from the packets. Frames of which only
//! the type is known here are logged by their type.

use std::ops::RangeInclusive;

use serde_json::{Map, Value, json};

use super::library::Snapshot;
use super::statistics::LogEvent;
use super::wire::{Frame, QuicPacket, Space};
use crate::unit::{Bytes, Instant};

/// The packet log of one end.
#[derive(Debug, Default)]
pub(super) struct Qlog {
    events: Vec<LogEvent>,
    /// The next expected packet number of the peer, by space.
    expected: [u64; 3],
    /// The last logged state of the congestion control.
    told: Map<String, Value>,
}

impl Qlog {
    /// Logs a departing packet.
    pub(super) fn on_sent(&mut self, now: Instant, packet: &QuicPacket, number: u64) {
        self.add(now, "transport:packet_sent", &packet_data(packet, number));
    }

    /// Logs a received packet.
    pub(super) fn on_received(&mut self, now: Instant, packet: &QuicPacket) {
        let expected = &mut self.expected[packet.space as usize];
        let number = packet.number(*expected);
        *expected = (*expected).max(number + 1);
        self.add(now, "transport:packet_received", &packet_data(packet, number));
    }

    /// Logs a packet that the library declared lost.
    pub(super) fn on_lost(&mut self, now: Instant, space: Space, number: u64) {
        self.add(now, "recovery:packet_lost", &json!({ "header": header(space, number) }));
    }

    /// Logs the changes in the state of the congestion control.
    pub(super) fn on_state(&mut self, now: Instant, snapshot: &Snapshot, flight: Bytes) {
        let mut state = Map::new();
        state.insert("congestion_window".into(), snapshot.cwnd.0.into());
        state.insert("bytes_in_flight".into(), flight.0.into());
        state.insert("smoothed_rtt".into(), snapshot.srtt.as_millis_f64().into());
        if let Some(ssthresh) = snapshot.ssthresh {
            state.insert("ssthresh".into(), ssthresh.0.into());
        }
        let changed = state.iter().filter(|(key, value)| self.told.get(*key) != Some(value));
        let changed: Map<String, Value> =
            changed.map(|(key, value)| (key.clone(), value.clone())).collect();
        if !changed.is_empty() {
            self.told = state;
            self.add(now, "recovery:metrics_updated", &Value::Object(changed));
        }
    }

    /// Returns all events so far.
    pub(super) fn events(&self) -> &[LogEvent] {
        &self.events
    }

    fn add(&mut self, at: Instant, name: &'static str, data: &Value) {
        self.events.push(LogEvent { at, name, data: data.to_string() });
    }
}

fn packet_data(packet: &QuicPacket, number: u64) -> Value {
    let frames: Vec<Value> = packet.frames.iter().map(frame).collect();
    json!({
        "header": header(packet.space, number),
        "raw": { "length": packet.length },
        "frames": frames,
    })
}

fn header(space: Space, number: u64) -> Value {
    let kind = match space {
        Space::Initial => "initial",
        Space::Handshake => "handshake",
        Space::Data => "1RTT",
    };
    json!({ "packet_type": kind, "packet_number": number })
}

fn frame(frame: &Frame) -> Value {
    match frame {
        Frame::Padding(length) => json!({ "frame_type": "padding", "length": length }),
        Frame::Ping => json!({ "frame_type": "ping" }),
        Frame::Ack(ranges) => json!({ "frame_type": "ack", "acked_ranges": acked(ranges) }),
        Frame::Crypto { offset, length } => {
            json!({ "frame_type": "crypto", "offset": offset, "length": length })
        }
        Frame::Stream { id, offset, length, fin } => json!({
            "frame_type": "stream", "stream_id": id, "offset": offset, "length": length, "fin": fin,
        }),
        Frame::MaxData(most) => json!({ "frame_type": "max_data", "maximum": most }),
        Frame::MaxStreamData { id, most } => {
            json!({ "frame_type": "max_stream_data", "stream_id": id, "maximum": most })
        }
        Frame::Close => json!({ "frame_type": "connection_close", "error_code": 0 }),
        Frame::Other(kind) => other(*kind),
    }
}

/// Returns the ranges, lowest first, as pairs.
fn acked(ranges: &[RangeInclusive<u64>]) -> Vec<[u64; 2]> {
    ranges.iter().rev().map(|range| [*range.start(), *range.end()]).collect()
}

fn other(kind: u64) -> Value {
    let name = match kind {
        0x04 => "reset_stream",
        0x05 => "stop_sending",
        0x07 => "new_token",
        0x12 | 0x13 => "max_streams",
        0x14 => "data_blocked",
        0x15 => "stream_data_blocked",
        0x16 | 0x17 => "streams_blocked",
        0x18 => "new_connection_id",
        0x19 => "retire_connection_id",
        0x1a => "path_challenge",
        0x1b => "path_response",
        0x1e => "handshake_done",
        _ => return json!({ "frame_type": "unknown", "raw_frame_type": kind }),
    };
    json!({ "frame_type": name })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_is_told_with_its_frames() {
        let frames = vec![
            Frame::Ack(vec![7..=9, 2..=4]),
            Frame::Stream { id: 4, offset: 100, length: 3, fin: true },
            Frame::Other(0x1e),
        ];
        let packet = QuicPacket { space: Space::Data, number: (5, 16), length: 60, frames };
        let mut log = Qlog::default();
        log.on_received(Instant::from_nanos(7), &packet);
        assert_eq!(
            log.events(),
            [LogEvent {
                at: Instant::from_nanos(7),
                name: "transport:packet_received",
                data: concat!(
                    r#"{"header":{"packet_type":"1RTT","packet_number":5},"raw":{"length":60},"#,
                    r#""frames":[{"frame_type":"ack","acked_ranges":[[2,4],[7,9]]},"#,
                    r#"{"frame_type":"stream","stream_id":4,"offset":100,"length":3,"fin":true},"#,
                    r#"{"frame_type":"handshake_done"}]}"#
                )
                .to_owned(),
            }]
        );
    }
}
