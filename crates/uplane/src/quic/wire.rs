//! The contents of a datagram: packets (RFC 9000 §17) and their frames (RFC 9000 §19).
//!
//! In: the bytes of a UDP payload that an end of this simulation sent, unencrypted. Out: for each
//! packet its level, its number and its frames.
//!
//! Left out: packets that no end sends, that is version negotiation, Retry and 0-RTT packets. An
//! unknown frame ends the reading of a packet, since its length is unknown; a stateless reset looks
//! like such a packet.

use std::ops::RangeInclusive;

/// The packet number space (RFC 9000 §12.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Space {
    Initial,
    Handshake,
    Data,
}

/// One QUIC packet of a datagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct QuicPacket {
    pub(super) space: Space,
    /// Truncated packet number in the header, and its length in bits.
    pub(super) number: (u64, u32),
    /// Length of the packet, including header and tag.
    pub(super) length: u64,
    pub(super) frames: Vec<Frame>,
}

/// One frame, with the fields that are used here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// Padding, with the number of bytes.
    Padding(u64),
    Ping,
    /// Acknowledged packet numbers, highest first.
    Ack(Vec<RangeInclusive<u64>>),
    Crypto {
        offset: u64,
        length: u64,
    },
    Stream {
        id: u64,
        offset: u64,
        length: u64,
        fin: bool,
    },
    MaxData(u64),
    MaxStreamData {
        id: u64,
        most: u64,
    },
    /// Close of the connection by the peer (transport or application).
    Close,
    /// Any other frame, by its type.
    Other(u64),
}

impl Frame {
    /// Returns `true` if the frame is ack-eliciting (RFC 9000 §13.2).
    pub(super) const fn is_ack_eliciting(&self) -> bool {
        !matches!(self, Self::Padding(_) | Self::Ack(_) | Self::Close)
    }
}

impl QuicPacket {
    /// Returns the full packet number, if `expected` is the next one of its space (RFC 9000
    /// appendix A.3).
    pub(super) fn number(&self, expected: u64) -> u64 {
        let (truncated, bits) = self.number;
        let window = 1 << bits;
        let candidate = (expected & !(window - 1)) | truncated;
        if candidate + window / 2 <= expected {
            candidate + window
        } else if candidate > expected + window / 2 && candidate >= window {
            candidate - window
        } else {
            candidate
        }
    }

    pub(super) fn is_ack_eliciting(&self) -> bool {
        self.frames.iter().any(Frame::is_ack_eliciting)
    }

    /// Returns `true` for a path MTU probe, which contains only padding.
    pub(super) fn is_probe(&self) -> bool {
        matches!(
            self.frames[..],
            [Frame::Ping, .., Frame::Padding(_)] | [Frame::Padding(_), Frame::Ping]
        ) && !self
            .frames
            .iter()
            .any(|frame| matches!(frame, Frame::Stream { .. } | Frame::Crypto { .. }))
    }
}

/// Returns all packets of a datagram whose receiver uses connection ids of length `id_length`.
pub(super) fn packets(mut datagram: &[u8], tag: usize, id_length: usize) -> Vec<QuicPacket> {
    let mut found = Vec::with_capacity(1);
    while let Some((packet, rest)) = packet(datagram, tag, id_length) {
        found.push(packet);
        datagram = rest;
    }
    found
}

fn packet(datagram: &[u8], tag: usize, id_length: usize) -> Option<(QuicPacket, &[u8])> {
    let mut reader = Reader(datagram);
    let first = reader.byte()?;
    let space = match (first & LONG, (first >> 4) & 3) {
        (0, _) => Space::Data,
        (_, 0) => Space::Initial,
        (_, 2) => Space::Handshake,
        _ => return None,
    };
    let end = if space == Space::Data {
        reader.skip(id_length)?;
        datagram.len()
    } else {
        reader.skip(4)?;
        for _ in 0..2 {
            let length = reader.byte()?;
            reader.skip(usize::from(length))?;
        }
        if space == Space::Initial {
            let token = reader.varint()?;
            reader.skip(token as usize)?;
        }
        let length = reader.varint()? as usize;
        datagram.len() - reader.0.len() + length
    };
    let number_length = usize::from(first & 3) + 1;
    let number =
        reader.take(number_length)?.iter().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
    let begin = datagram.len() - reader.0.len();
    let payload = datagram.get(begin..end.checked_sub(tag)?)?;
    let number = (number, number_length as u32 * 8);
    let packet = QuicPacket { space, number, length: end as u64, frames: frames(payload) };
    Some((packet, &datagram[end..]))
}

fn frames(payload: &[u8]) -> Vec<Frame> {
    let mut reader = Reader(payload);
    let mut frames = Vec::with_capacity(2);
    while let Some(frame) = reader.frame() {
        frames.push(frame);
    }
    frames
}

/// The bytes that are still to be read.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn skip(&mut self, length: usize) -> Option<()> {
        self.take(length).map(|_| ())
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    /// Reads a variable-length integer (RFC 9000 §16).
    fn varint(&mut self) -> Option<u64> {
        let first = *self.0.first()?;
        let bytes = self.take(1 << (first >> 6))?;
        let value = bytes.iter().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        Some(value & (u64::MAX >> (66 - 8 * bytes.len())))
    }

    fn varints(&mut self, count: usize) -> Option<()> {
        (0..count).try_for_each(|_| self.varint().map(|_| ()))
    }

    /// Skips a field that is preceded by its length.
    fn skip_field(&mut self) -> Option<()> {
        let length = self.varint()?;
        self.skip(length as usize)
    }

    fn frame(&mut self) -> Option<Frame> {
        let kind = self.varint()?;
        Some(match kind {
            0x00 => self.padding(),
            0x01 => Frame::Ping,
            0x02 | 0x03 => self.ack(kind == 0x03)?,
            0x06 => {
                let (offset, length) = (self.varint()?, self.varint()?);
                self.skip(length as usize)?;
                Frame::Crypto { offset, length }
            }
            0x08..=0x0f => self.stream(kind)?,
            0x10 => Frame::MaxData(self.varint()?),
            0x11 => Frame::MaxStreamData { id: self.varint()?, most: self.varint()? },
            0x1c | 0x1d => {
                self.varints(if kind == 0x1c { 2 } else { 1 })?;
                self.skip_field()?;
                Frame::Close
            }
            _ => {
                self.other(kind)?;
                Frame::Other(kind)
            }
        })
    }

    fn padding(&mut self) -> Frame {
        let length = self.0.iter().take_while(|&&byte| byte == 0).count();
        self.0 = &self.0[length..];
        Frame::Padding(length as u64 + 1)
    }

    /// Reads an ACK frame (RFC 9000 §19.3.1).
    fn ack(&mut self, with_ecn: bool) -> Option<Frame> {
        let (largest, _delay) = (self.varint()?, self.varint()?);
        let (count, first) = (self.varint()?, self.varint()?);
        let mut smallest = largest.checked_sub(first)?;
        let mut ranges = vec![smallest..=largest];
        for _ in 0..count {
            let (gap, length) = (self.varint()?, self.varint()?);
            let largest = smallest.checked_sub(gap + 2)?;
            smallest = largest.checked_sub(length)?;
            ranges.push(smallest..=largest);
        }
        if with_ecn {
            self.varints(3)?;
        }
        Some(Frame::Ack(ranges))
    }

    /// Reads a STREAM frame with the bits OFF, LEN and FIN of its type (RFC 9000 §19.8).
    fn stream(&mut self, kind: u64) -> Option<Frame> {
        let id = self.varint()?;
        let offset = if kind & 4 != 0 { self.varint()? } else { 0 };
        let length = if kind & 2 != 0 { self.varint()? } else { self.0.len() as u64 };
        self.skip(length as usize)?;
        Some(Frame::Stream { id, offset, length, fin: kind & 1 != 0 })
    }

    /// Skips the fields of frames of which only the type is used.
    fn other(&mut self, kind: u64) -> Option<()> {
        match kind {
            0x04 => self.varints(3),
            0x05 | 0x15 => self.varints(2),
            0x07 => self.skip_field(),
            0x12..=0x14 | 0x16 | 0x17 | 0x19 => self.varints(1),
            0x18 => {
                self.varints(2)?;
                let length = self.byte()?;
                self.skip(usize::from(length) + 16)
            }
            0x1a | 0x1b => self.skip(8),
            0x1e | 0x1f => Some(()),
            0xaf => self.varints(4),
            _ => None,
        }
    }
}

/// RFC 9000 §17.2: the form of the header.
const LONG: u8 = 0x80;

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 9000 appendix A.1
    #[test]
    fn lengths_of_numbers_are_in_their_first_bits() {
        let read = |bytes: &[u8]| Reader(bytes).varint();
        assert_eq!(
            read(&[0xc2, 0x19, 0x7c, 0x5e, 0xff, 0x14, 0xe8, 0x8c]),
            Some(151_288_809_941_952_652)
        );
        assert_eq!(read(&[0x9d, 0x7f, 0x3e, 0x7d]), Some(494_878_333));
        assert_eq!(read(&[0x7b, 0xbd]), Some(15_293));
        assert_eq!(read(&[0x25]), Some(37));
        assert_eq!(read(&[0x40, 0x25]), Some(37));
        assert_eq!(read(&[0x40]), None);
    }

    /// RFC 9000 appendix A.3
    #[test]
    fn a_number_is_completed_from_what_is_expected() {
        let packet = |number| QuicPacket { space: Space::Data, number, length: 0, frames: vec![] };
        assert_eq!(packet((0x9b32, 16)).number(0xa82f_30eb), 0xa82f_9b32);
        assert_eq!(packet((0xff, 8)).number(0x100), 0xff);
        assert_eq!(packet((0x01, 8)).number(0x1ff), 0x201);
        assert_eq!(packet((0x05, 8)).number(0), 5);
    }

    /// RFC 9000 §17.3.1 and §19: an acknowledgement of 9, 8 and 4 to 2, and a stream up to the end.
    #[test]
    fn frames_of_a_short_packet_are_read() {
        let mut datagram = vec![0x41, 1, 2, 3, 4, 0x12, 0x34];
        datagram.extend([0x02, 9, 0, 1, 1, 2, 2]);
        datagram.extend([0x0d, 4, 0x40, 0x64, 7, 7, 7]);
        datagram.extend([0; 16]);
        let found = packets(&datagram, 16, 4);
        let frames = vec![
            Frame::Ack(vec![8..=9, 2..=4]),
            Frame::Stream { id: 4, offset: 100, length: 3, fin: true },
        ];
        let number = (0x1234, 16);
        let length = datagram.len() as u64;
        assert_eq!(found, [QuicPacket { space: Space::Data, number, length, frames }]);
    }

    /// RFC 9000 §12.2
    #[test]
    fn packets_in_one_datagram_are_told_apart() {
        let mut initial = vec![0xc0, 0, 0, 0, 1, 1, 9, 0, 0, 18, 5, 0x01];
        initial.extend([0; 16]);
        let mut datagram = initial.clone();
        datagram.extend([0x40, 9, 6, 0x00, 0x00, 0x01]);
        datagram.extend([0; 16]);
        let found = packets(&datagram, 16, 1);
        assert_eq!(found.len(), 2);
        assert_eq!(
            (found[0].space, found[0].number, found[0].length),
            (Space::Initial, (5, 8), 28)
        );
        assert_eq!(found[0].frames, [Frame::Ping]);
        assert_eq!(found[1].frames, [Frame::Padding(2), Frame::Ping]);
    }

    #[test]
    fn what_is_cut_short_has_no_packet() {
        assert!(packets(&[0xc0, 0, 0], 16, 4).is_empty());
        assert!(packets(&[0x40, 1, 2, 3, 4, 1], 16, 4).is_empty());
    }

    /// RFC 9000 §19 and draft-ietf-quic-ack-frequency §4, §5: the next frame is read from where
    /// this one ends, whatever precedes it.
    #[test]
    fn each_frame_ends_where_its_fields_end() {
        let id = [&[0x18, 1, 0, 4][..], &[9; 4], &[9; 16]].concat();
        let of_kind: [(u64, &[u8]); 18] = [
            (0x04, &[0x04, 4, 1, 9]),
            (0x05, &[0x05, 4, 1]),
            (0x07, &[0x07, 3, 9, 9, 9]),
            (0x12, &[0x12, 5]),
            (0x13, &[0x13, 5]),
            (0x14, &[0x14, 5]),
            (0x15, &[0x15, 4, 5]),
            (0x16, &[0x16, 5]),
            (0x17, &[0x17, 5]),
            (0x18, &id),
            (0x19, &[0x19, 1]),
            (0x1a, &[0x1a, 9, 9, 9, 9, 9, 9, 9, 9]),
            (0x1b, &[0x1b, 9, 9, 9, 9, 9, 9, 9, 9]),
            (0x1c, &[0x1c, 1, 0, 2, 9, 9]),
            (0x1d, &[0x1d, 1, 2, 9, 9]),
            (0x1e, &[0x1e]),
            (0x1f, &[0x1f]),
            (0xaf, &[0x40, 0xaf, 1, 2, 3, 4]),
        ];
        for (kind, bytes) in of_kind {
            let both = [bytes, &[0x0a, 4, 3, 7, 7, 7]].concat();
            let is_close = kind == 0x1c || kind == 0x1d;
            let first = if is_close { Frame::Close } else { Frame::Other(kind) };
            let stream = Frame::Stream { id: 4, offset: 0, length: 3, fin: false };
            assert_eq!(frames(&both), [first, stream], "type {kind:#x}");
        }
        assert_eq!(frames(&[0x21, 1]), [], "there is no such frame");
    }

    /// RFC 9000 §14.4: a probe has PING and PADDING, and no data.
    #[test]
    fn a_probe_has_nothing_but_length() {
        let of = |frames: Vec<Frame>| {
            QuicPacket { space: Space::Data, number: (0, 8), length: 0, frames }.is_probe()
        };
        let stream = || Frame::Stream { id: 0, offset: 0, length: 9, fin: false };
        assert!(of(vec![Frame::Ping, Frame::Padding(9)]));
        assert!(of(vec![Frame::Padding(9), Frame::Ping]));
        assert!(!of(vec![Frame::Ping, stream(), Frame::Padding(9)]));
        assert!(!of(vec![Frame::Ping, Frame::Crypto { offset: 0, length: 9 }, Frame::Padding(9)]));
        assert!(!of(vec![Frame::Ping]));
        assert!(!of(vec![Frame::Ack(vec![1..=1])]));
        assert!(!of(vec![stream()]));
    }
}
