//! A lane of a page: it fetches objects one after the other, on one connection or on a new one for
//! each.
//!
//! In: objects. Out: exchanges, on a new or on the open connection.

use crate::app::exchange::{Exchange, Plan};
use crate::app::report::{Kind, Transfer};
use crate::app::{Effect, End, Input, close_both};
use crate::sim::Outbox;
use crate::unit::{Bytes, Instant};

/// A lane: at most one object and one connection.
#[derive(Clone, Debug, Default)]
pub(super) struct Lane {
    /// The object that waits, and the end of its pause.
    waiting: Option<(usize, Instant)>,
    exchange: Option<Exchange>,
    /// The connection that the last exchange left open, and the number of bytes that the server has
    /// written on it.
    open: Option<(u32, Bytes)>,
}

impl Lane {
    /// Assigns the next object, which begins at `begin`.
    pub(super) fn wait_for(&mut self, object: usize, begin: Instant) {
        self.waiting = Some((object, begin));
    }

    /// Returns the end of the pause.
    pub(super) fn due(&self) -> Option<Instant> {
        self.waiting.map(|(_, begin)| begin)
    }

    /// Takes the object, once its pause is over.
    pub(super) fn take_object(&mut self, now: Instant) -> Option<usize> {
        self.waiting.take_if(|&mut (_, begin)| begin <= now).map(|(object, _)| object)
    }

    /// Begins the object on the open connection. If there is none, uses connection `new` and
    /// returns `true`: the caller must open it.
    pub(super) fn begin(
        &mut self,
        plan: Plan,
        object: usize,
        new: u32,
        now: Instant,
        out: &mut Outbox<Effect>,
    ) -> bool {
        let connection = self.open.take();
        let id = (Kind::Object, object as u64);
        let mut exchange = Exchange::begin(plan, id, connection.unwrap_or((new, Bytes::ZERO)), now);
        if connection.is_some() {
            for end in [End::Client, End::Server] {
                exchange.on_open(now, end, out);
            }
        }
        self.exchange = Some(exchange);
        connection.is_none()
    }

    /// Processes an event of the connection. Returns `true` if the object is complete.
    pub(super) fn on_input(
        &mut self,
        now: Instant,
        input: Input,
        out: &mut Outbox<Effect>,
    ) -> bool {
        self.exchange.as_mut().is_some_and(|exchange| exchange.on_input(now, input, out))
    }

    /// Ends the exchange and reports it in its current state. Its connection stays open.
    pub(super) fn end_exchange(&mut self, out: &mut Outbox<Effect>) -> Option<Transfer> {
        let exchange = self.exchange.take()?;
        exchange.emit_report(out);
        self.open = Some((exchange.connection(), exchange.written()));
        Some(exchange.into_report())
    }

    /// Closes the connection that is open without an exchange.
    pub(super) fn close(&mut self, out: &mut Outbox<Effect>) {
        if let Some((connection, _)) = self.open.take() {
            close_both(connection, out);
        }
    }

    /// Forgets the connection, which is closed.
    pub(super) fn forget_connection(&mut self) {
        self.open = None;
    }

    /// Returns `true` while an object is under way.
    pub(super) fn is_fetching(&self) -> bool {
        self.exchange.is_some()
    }

    /// Returns `true` while the lane has an object, under way or waiting.
    pub(super) fn is_busy(&self) -> bool {
        self.waiting.is_some() || self.is_fetching()
    }

    /// Returns `true` if the lane uses this connection.
    pub(super) fn uses(&self, connection: u32) -> bool {
        let exchange = self.exchange.as_ref().map(Exchange::connection);
        let open = self.open.map(|(open, _)| open);
        exchange.or(open) == Some(connection)
    }
}
