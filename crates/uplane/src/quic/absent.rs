//! The connection type of a build without QUIC, which has no values.

use super::Role;
use super::effect::Effect;
use super::profile::Profile;
use super::statistics::{LogEvent, Statistics};
use crate::net::{Cause, Packet};
use crate::sim::{Outbox, Stream};
use crate::unit::{Bytes, Instant};

/// A connection that cannot exist.
#[derive(Debug)]
pub enum Connection {}

#[expect(missing_docs, reason = "as in a build with QUIC")]
impl Connection {
    pub fn new(_: &Profile, _: Role, _: Stream, _: bool) -> Self {
        unreachable!("a build without QUIC refuses scenarios with it")
    }

    pub fn connect(&mut self, _: Instant, _: &mut Outbox<Effect>) {
        match *self {}
    }

    pub fn write(&mut self, _: Instant, _: u32, _: Bytes, _: &mut Outbox<Effect>) {
        match *self {}
    }

    pub fn finish(&mut self, _: Instant, _: u32, _: &mut Outbox<Effect>) {
        match *self {}
    }

    pub fn close(&mut self, _: Instant, _: &mut Outbox<Effect>) {
        match *self {}
    }

    pub fn name(&mut self, _: u32, _: u64) {
        match *self {}
    }

    pub fn on_packet(&mut self, _: Instant, _: Box<Packet>, _: &mut Outbox<Effect>) {
        match *self {}
    }

    pub fn on_timer(&mut self, _: Instant, _: &mut Outbox<Effect>) {
        match *self {}
    }

    pub fn awaited(&self) -> Cause {
        match *self {}
    }

    pub fn log(&self) -> &[LogEvent] {
        match *self {}
    }

    pub fn statistics(&self, _: Instant) -> Statistics {
        match *self {}
    }
}
