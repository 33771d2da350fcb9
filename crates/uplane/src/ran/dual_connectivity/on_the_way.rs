//! The PDUs of one direction of a bearer in RLC or on X2, for the COUNT of a packet that a leg
//! delivers.
//!
//! In: packets that are submitted, received, lost. Out: their COUNT, and whether the last copy of a
//! packet is lost.
//!
//! A PDU carries its sequence number over the air; here the name of a packet identifies it.

use std::collections::BTreeMap;

use crate::net::{Body, Count, Packet};
use crate::unit::{Bytes, PacketId};

/// PDUs in RLC or on X2.
#[derive(Clone, Debug, Default)]
pub(super) struct OnTheWay(BTreeMap<Name, Pdu>);

/// Name of a packet: its number; for a fragment, also the packet that was cut, and the offset.
type Name = (PacketId, Option<(u64, Bytes)>);

#[derive(Clone, Copy, Debug)]
struct Pdu {
    count: u64,
    length: Bytes,
    /// Number of copies under way.
    left: u32,
    /// The receiver has received a copy.
    received: bool,
}

impl OnTheWay {
    /// Records a packet that is submitted in `left` copies.
    pub(super) fn begin(&mut self, packet: &Packet, count: u64, left: u32) {
        let pdu = Pdu { count, length: packet.length, left, received: false };
        let other = self.0.insert(name(packet), pdu);
        assert!(other.is_none(), "two packets have one name: {packet:?}");
    }

    /// Records a copy that a leg delivered. Returns its COUNT, unless another copy arrived before.
    pub(super) fn receive(&mut self, packet: &Packet) -> Option<u64> {
        let pdu = self.0.get_mut(&name(packet)).expect("what comes was submitted");
        let first = !std::mem::replace(&mut pdu.received, true);
        let count = pdu.count;
        self.end(packet);
        first.then_some(count)
    }

    /// Records a copy that a leg lost. Returns `true` if its packet is lost with it.
    pub(super) fn lose(&mut self, packet: &Packet) -> bool {
        let pdu = self.0[&name(packet)];
        self.end(packet);
        pdu.left == 1 && !pdu.received
    }

    /// Returns the packets of which the receiver has had no copy.
    pub(super) fn held(&self) -> Count {
        let mut held = Count::default();
        let missing = self.0.values().filter(|pdu| !pdu.received);
        missing.for_each(|pdu| held.add(pdu.length));
        held
    }

    /// Returns all copies under way.
    pub(super) fn copies(&self) -> Count {
        let mut all = Count::default();
        for pdu in self.0.values() {
            (0..pdu.left).for_each(|_| all.add(pdu.length));
        }
        all
    }

    fn end(&mut self, packet: &Packet) {
        let name = name(packet);
        let pdu = self.0.get_mut(&name).expect("what ends was submitted");
        pdu.left -= 1;
        if pdu.left == 0 {
            self.0.remove(&name);
        }
    }
}

fn name(packet: &Packet) -> Name {
    let piece = match &packet.body {
        Body::Fragment(fragment) => Some((fragment.cut, fragment.offset)),
        _ => None,
    };
    (packet.id, piece)
}
