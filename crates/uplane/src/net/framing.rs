//! What a link layer adds to each IP packet on the wire.
//!
//! In: the length of an IP packet. Out: the bytes for which the wire is busy.
//!
//! Left out: link layers whose overhead is not per frame, such as ATM cells or bit stuffing. Who
//! plans a leased line with 48-byte cells could tell.

use crate::unit::Bytes;

/// The link layer of a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Framing {
    /// Nothing: the link's rate is that of IP packets.
    #[default]
    None,
    /// Ethernet, counted with all that keeps the wire busy.
    Ethernet {
        /// How many VLAN tags each frame has (IEEE 802.1Q §9.3: 4 bytes each).
        vlan_tags: u8,
    },
    /// The two bytes of PPP's protocol field (RFC 1661 §2).
    Ppp,
    /// Another constant number of bytes a frame.
    Constant(Bytes),
}

impl Framing {
    /// The bytes on the wire for an IP packet of this length.
    pub fn wire(self, packet: Bytes) -> Bytes {
        match self {
            Self::None => packet,
            Self::Ethernet { vlan_tags } => {
                let frame = packet + HEADER_AND_FCS + VLAN_TAG * u64::from(vlan_tags);
                frame.max(MIN_FRAME) + PREAMBLE_AND_GAP
            }
            Self::Ppp => packet + PPP_PROTOCOL,
            Self::Constant(overhead) => packet + overhead,
        }
    }
}

/// Addresses, type, and frame check sequence: 6 + 6 + 2 + 4 bytes (IEEE 802.3 §3.1.1).
const HEADER_AND_FCS: Bytes = Bytes(18);
/// IEEE 802.1Q §9.3
const VLAN_TAG: Bytes = Bytes(4);
/// `minFrameSize` (IEEE 802.3 §4.4.2); shorter frames are padded.
const MIN_FRAME: Bytes = Bytes(64);
/// Preamble and start delimiter, 8 bytes (IEEE 802.3 §3.1.1), and `interPacketGap`, 96 bits
/// (§4.4.2).
const PREAMBLE_AND_GAP: Bytes = Bytes(20);
/// RFC 1661 §2
const PPP_PROTOCOL: Bytes = Bytes(2);

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Framing = Framing::Ethernet { vlan_tags: 0 };

    /// IEEE 802.3 §3.1.1, §4.4.2: the well-known 1538 bytes of a full frame.
    #[test]
    fn a_full_ethernet_frame_keeps_the_wire_busy_for_1538_bytes() {
        assert_eq!(PLAIN.wire(Bytes(1500)), Bytes(1538));
        assert_eq!(Framing::Ethernet { vlan_tags: 2 }.wire(Bytes(1500)), Bytes(1546));
    }

    /// IEEE 802.3 §4.4.2: 64 + 20 bytes whatever is inside, up to 46 bytes.
    #[test]
    fn short_ethernet_frames_are_padded() {
        assert_eq!([1, 40, 46].map(|length| PLAIN.wire(Bytes(length)).0), [84; 3]);
        assert_eq!(PLAIN.wire(Bytes(47)), Bytes(85));
        assert_eq!(Framing::Ethernet { vlan_tags: 1 }.wire(Bytes(42)), Bytes(84));
    }

    /// RFC 1661 §2
    #[test]
    fn ppp_adds_its_protocol_field() {
        assert_eq!(Framing::Ppp.wire(Bytes(588)), Bytes(590));
        assert_eq!(Framing::Constant(Bytes(7)).wire(Bytes(588)), Bytes(595));
        assert_eq!(Framing::None.wire(Bytes(588)), Bytes(588));
    }
}
