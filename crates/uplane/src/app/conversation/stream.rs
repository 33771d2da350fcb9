//! Messages over one connection, in order in each direction.
//!
//! In: messages, and events of the connection. Out: writes, and messages that were read completely.
//!
//! A message that is written before its end of the connection is open waits there until it is open.

use std::collections::VecDeque;

use crate::app::report::Message;
use crate::app::{Effect, End};
use crate::net::{Direction, PerDirection};
use crate::sim::Outbox;
use crate::unit::Bytes;

/// Both directions of a connection.
#[derive(Clone, Debug, Default)]
pub(super) struct Stream {
    ways: PerDirection<Way>,
}

/// One direction of a connection.
#[derive(Clone, Debug, Default)]
struct Way {
    is_open: bool,
    /// Length of all messages so far.
    written: Bytes,
    /// Number of bytes that were read at the other end.
    read: Bytes,
    /// Messages that were not read completely, each with the position of its end.
    under_way: VecDeque<(Bytes, Message)>,
}

impl Stream {
    /// Writes a message at its end of the connection.
    pub(super) fn send(&mut self, message: Message, out: &mut Outbox<Effect>) {
        let way = &mut self.ways[message.direction];
        let bytes = message.bytes;
        way.written += bytes;
        if way.is_open {
            write(message.direction, bytes, out);
        }
        way.under_way.push_back((way.written, message));
    }

    /// Processes the opening of this end of the connection.
    pub(super) fn on_open(&mut self, end: End, out: &mut Outbox<Effect>) {
        let direction = sending(end);
        let way = &mut self.ways[direction];
        way.is_open = true;
        if !way.written.is_zero() {
            write(direction, way.written, out);
        }
    }

    /// Processes data read at this end. Returns the messages that are complete now.
    pub(super) fn on_received(&mut self, end: End, bytes: Bytes) -> Vec<Message> {
        let way = &mut self.ways[sending(end.peer())];
        way.read += bytes;
        let mut whole = Vec::new();
        while way.under_way.front().is_some_and(|(whole_at, _)| *whole_at <= way.read) {
            whole.extend(way.under_way.pop_front().map(|(_, message)| message));
        }
        whole
    }

    pub(super) fn is_idle(&self) -> bool {
        self.ways.iter().all(|way| way.under_way.is_empty())
    }

    pub(super) fn take_missing(&mut self) -> Vec<Message> {
        let queues = self.ways.iter_mut().flat_map(|way| way.under_way.drain(..));
        queues.map(|(_, message)| message).collect()
    }
}

/// Returns the direction in which this end sends.
const fn sending(end: End) -> Direction {
    match end {
        End::Client => Direction::Up,
        End::Server => Direction::Down,
    }
}

fn write(direction: Direction, bytes: Bytes, out: &mut Outbox<Effect>) {
    out.emit(Effect::Write { connection: CONNECTION, end: End::sending(direction), bytes });
}

/// Number of the only connection.
pub(super) const CONNECTION: u32 = 0;
