//! The smallest block in which the base station sends a datagram.
//!
//! In: the length of a datagram. Out: the size of a block, as the downlink scheduler wants it for
//! the datagram alone: with the headers of PDCP, RLC and MAC, and with space for a report.

use super::config::Config;
use crate::net::{Body, Datagram, Direction, IpVersion, Packet};
use crate::ran::pdcp::Transmitter;
use crate::ran::rlc;
use crate::unit::{Bytes, Instant};

impl Config {
    /// Returns the minimum over all bearers. With header compression it is the size after the first
    /// headers.
    pub fn least_block(&self, payload: Bytes) -> Bytes {
        let length = IpVersion::V4.header() + UDP_HEADER + payload;
        let packet = || {
            let body = Body::Datagram(Datagram { number: 0, payload });
            Box::new(Packet::plain(body, length, Instant::ZERO))
        };
        let demands = self.bearers.iter().map(|bearer| {
            let mut rlc = rlc::Bearer::new(bearer.rlc.down.clone(), bearer.rlc.up.clone());
            let mut pdcp = Transmitter::new(bearer.pdcp.down.clone());
            for _ in 0..bearer.pdcp.down.rohc.map_or(0, |rohc| rohc.initial) {
                pdcp.on_packet(Instant::ZERO, packet());
            }
            let sdu = pdcp.on_packet(Instant::ZERO, packet());
            // A packet that no buffer holds is dropped, and needs no block.
            let _ = rlc.enqueue(Direction::Down, sdu);
            rlc.buffer_status(Instant::ZERO, Direction::Down).demand()
        });
        demands.min().unwrap_or(Bytes::ZERO) + self.sub_headers.allowance()
    }
}

/// RFC 768
const UDP_HEADER: Bytes = Bytes(8);
