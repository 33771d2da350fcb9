//! Messages as UDP datagrams: one per message, or several for a longer message.
//!
//! In: messages, and datagrams that arrive. Out: datagrams, and messages of which all datagrams
//! arrived, in any order.
//!
//! Left out: retransmission. A message with a lost datagram is not delivered.

use std::collections::{BTreeMap, BTreeSet};

use crate::app::report::Message;
use crate::app::{Effect, End};
use crate::sim::Outbox;
use crate::unit::Bytes;

/// The messages under way.
#[derive(Clone, Debug)]
pub(super) struct Datagrams {
    /// Maximum payload of a datagram.
    payload: Bytes,
    next: u64,
    /// Messages under way with the numbers of their missing datagrams, by the number of a message's
    /// first datagram.
    under_way: BTreeMap<u64, (Message, BTreeSet<u64>)>,
}

impl Datagrams {
    pub(super) fn new(payload: Bytes) -> Self {
        Self { payload, next: 0, under_way: BTreeMap::new() }
    }

    /// Sends all datagrams of a message at once.
    pub(super) fn send(&mut self, message: Message, out: &mut Outbox<Effect>) {
        let (first, end) = (self.next, End::sending(message.direction));
        let mut left = message.bytes;
        while !left.is_zero() {
            let payload = left.min(self.payload);
            out.emit(Effect::SendDatagram { end, number: self.next, payload });
            self.next += 1;
            left -= payload;
        }
        self.under_way.insert(first, (message, (first..self.next).collect()));
    }

    /// Processes a datagram that arrived. Returns its message if that is complete now.
    pub(super) fn on_arrival(&mut self, number: u64) -> Option<Message> {
        let (&first, (_, missing)) = self.under_way.range_mut(..=number).next_back()?;
        let is_last = missing.remove(&number) && missing.is_empty();
        let whole = if is_last { self.under_way.remove(&first) } else { None };
        whole.map(|(message, _)| message)
    }

    pub(super) fn is_idle(&self) -> bool {
        self.under_way.is_empty()
    }

    pub(super) fn take_missing(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.under_way).into_values().map(|(message, _)| message).collect()
    }
}
