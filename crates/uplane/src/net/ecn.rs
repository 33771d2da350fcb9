//! Explicit congestion notification in the IP header (RFC 3168 §5).
//!
//! In: the type of service of a packet, whose last two bits are the ECN field. Out: the sender's
//! reaction to a mark; marked packets.
//!
//! A tunnel copies the field to the outer header, and a mark back to the inner one (RFC 6040 §4.1,
//! §4.2, normal mode). Here a packet has one field for both headers: no mark is lost, and a packet
//! is marked only if its sender understands the mark.
//!
//! Left out: tunnel ends that hide or clear the field (RFC 6040 §4.1, compatibility mode). This
//! matters for studies of old tunnels.

use super::packet::Packet;

/// The ECN field (RFC 3168 §5, RFC 8311).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ecn {
    /// The sender does not understand marks.
    NotEct,
    /// ECT(1): the sender reacts as specified for L4S (RFC 9331 §4.1).
    Ect1,
    /// ECT(0): the sender reacts to a mark as to a loss.
    Ect0,
    /// Marked: congestion experienced.
    Ce,
}

impl Packet {
    /// Sets the packet's ECN field.
    pub fn set_ecn(&mut self, field: Ecn) {
        let bits = match field {
            Ecn::NotEct => 0b00,
            Ecn::Ect1 => 0b01,
            Ecn::Ect0 => 0b10,
            Ecn::Ce => FIELD,
        };
        self.tos = self.tos & !FIELD | bits;
    }

    /// Returns the packet's ECN field.
    pub fn ecn(&self) -> Ecn {
        match self.tos & FIELD {
            0b01 => Ecn::Ect1,
            0b10 => Ecn::Ect0,
            FIELD => Ecn::Ce,
            _ => Ecn::NotEct,
        }
    }

    /// Marks the packet. Returns `false`, without effect, if its sender would not understand the
    /// mark.
    pub fn mark(&mut self) -> bool {
        let understood = self.ecn() != Ecn::NotEct;
        if understood {
            self.tos |= FIELD;
        }
        understood
    }
}

/// Mask of the ECN field. Both bits set are the codepoint CE.
const FIELD: u8 = 0b11;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::{Body, Datagram};
    use crate::unit::{Bytes, Instant};

    fn with_tos(tos: u8) -> Packet {
        let body = Body::Datagram(Datagram { number: 0, payload: Bytes(72) });
        Packet { tos, ..Packet::plain(body, Bytes(100), Instant::ZERO) }
    }

    /// RFC 3168 §5, figure 1.
    #[test]
    fn the_last_two_bits_are_the_field() {
        let fields = [0b1011_1000, 0b01, 0b1011_1010, 0b11].map(|tos| with_tos(tos).ecn());
        assert_eq!(fields, [Ecn::NotEct, Ecn::Ect1, Ecn::Ect0, Ecn::Ce]);
    }

    /// RFC 3168 §5: the other six bits are the class (DSCP), which is unchanged.
    #[test]
    fn a_field_that_is_set_keeps_the_class() {
        for field in [Ecn::NotEct, Ecn::Ect1, Ecn::Ect0, Ecn::Ce] {
            let mut packet = with_tos(0b1011_1011);
            packet.set_ecn(field);
            assert_eq!((packet.ecn(), packet.tos >> 2), (field, 0b10_1110));
        }
    }

    #[test]
    fn only_a_packet_that_says_so_is_marked_and_keeps_its_class() {
        let marked = |tos| {
            let mut packet = with_tos(tos);
            (packet.mark(), packet.tos)
        };
        assert_eq!(marked(0b1011_1010), (true, 0b1011_1011));
        assert_eq!(marked(0b01), (true, 0b11));
        assert_eq!(marked(0b11), (true, 0b11));
        assert_eq!(marked(0b1011_1000), (false, 0b1011_1000));
    }
}
