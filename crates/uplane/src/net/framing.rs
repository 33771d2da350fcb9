//! The overhead of a link layer for each IP packet on the wire.
//!
//! In: the length of an IP packet. Out: the number of bytes for which the wire is busy.
//!
//! Left out: link layers whose overhead is not per frame, such as ATM cells or bit stuffing. This
//! matters for a leased line with 48-byte cells.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::unit::Bytes;

/// Link layer, which determines the bytes that a frame adds to its IP packet on the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "FramingKind")]
pub enum Framing {
    /// No bytes.
    #[default]
    None,
    /// Ethernet: header 14 bytes, frame check sequence 4 bytes, preamble and inter-packet gap 20
    /// bytes. Short frames are padded to 64 bytes.
    Ethernet,
    /// Ethernet with one VLAN tag of 4 bytes.
    EthernetVlan,
    /// Point-to-point protocol: 2 bytes.
    Ppp,
}

impl Framing {
    /// Returns the number of bytes on the wire for an IP packet of this length.
    pub fn wire(self, packet: Bytes) -> Bytes {
        match self {
            Self::None => packet,
            Self::Ethernet => on_ethernet(packet),
            Self::EthernetVlan => on_ethernet(packet + VLAN_TAG),
            Self::Ppp => packet + PPP_PROTOCOL,
        }
    }
}

fn on_ethernet(payload: Bytes) -> Bytes {
    (payload + HEADER_AND_FCS).max(MIN_FRAME) + PREAMBLE_AND_GAP
}

/// Addresses, type, and frame check sequence: 6 + 6 + 2 + 4 bytes (IEEE 802.3 §3.1.1).
const HEADER_AND_FCS: Bytes = Bytes(18);
/// Length of a VLAN tag (IEEE 802.1Q §9.3).
const VLAN_TAG: Bytes = Bytes(4);
/// `minFrameSize` (IEEE 802.3 §4.4.2); shorter frames are padded.
const MIN_FRAME: Bytes = Bytes(64);
/// Preamble and start delimiter, 8 bytes (IEEE 802.3 §3.1.1), and `interPacketGap`, 96 bits
/// (§4.4.2).
const PREAMBLE_AND_GAP: Bytes = Bytes(20);
/// Length of the protocol field (RFC 1661 §2).
const PPP_PROTOCOL: Bytes = Bytes(2);

#[cfg(test)]
mod tests {
    use super::*;

    /// IEEE 802.3 §3.1.1, §4.4.2: the well-known 1538 bytes of a full frame.
    #[test]
    fn a_full_ethernet_frame_keeps_the_wire_busy_for_1538_bytes() {
        assert_eq!(Framing::Ethernet.wire(Bytes(1500)), Bytes(1538));
        assert_eq!(Framing::EthernetVlan.wire(Bytes(1500)), Bytes(1542));
    }

    /// IEEE 802.3 §4.4.2: 64 + 20 bytes for any payload up to 46 bytes.
    #[test]
    fn short_ethernet_frames_are_padded() {
        assert_eq!([1, 40, 46].map(|length| Framing::Ethernet.wire(Bytes(length)).0), [84; 3]);
        assert_eq!(Framing::Ethernet.wire(Bytes(47)), Bytes(85));
        assert_eq!(Framing::EthernetVlan.wire(Bytes(42)), Bytes(84));
    }

    /// RFC 1661 §2
    #[test]
    fn ppp_adds_its_protocol_field() {
        assert_eq!(Framing::Ppp.wire(Bytes(588)), Bytes(590));
        assert_eq!(Framing::None.wire(Bytes(588)), Bytes(588));
    }
}
