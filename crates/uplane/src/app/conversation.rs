//! A conversation of messages: one end writes and the other reads, as a behaviour decides.
//!
//! In: events of the connection or of datagrams, and the timer. Out: the messages that the
//! conversation's [`Behaviour`] sends, and a report for each message.
//!
//! The behaviour determines the messages and their times: those of a file ([`super::replay`]), or
//! those of a program ([`super::program`]). [`Stream`] and [`Datagrams`] carry them. Once no
//! message is under way and the behaviour requests no call, nothing can happen any more: the
//! conversation closes its connection and is finished.
//!
//! Left out: several connections, and a QUIC stream for each message. Over one stream a message
//! waits for those before it in its direction. This matters for studies of head-of-line blocking.

mod datagrams;
mod stream;

use std::fmt;
use std::sync::Arc;

use super::report::{Message, Value};
use super::{Effect, End, Input, Report, close_both};
use crate::net::Direction;
use crate::sim::Outbox;
use crate::unit::{Bytes, Instant};
use datagrams::Datagrams;
use stream::{CONNECTION, Stream};

/// The rule for the messages and their times, at both ends.
pub trait Behaviour: fmt::Debug + Send + Sync {
    /// Called at the application's start time.
    fn on_start(&mut self, now: Instant, wishes: &mut Wishes);
    /// Called at the time in [`Wishes::wake`].
    fn on_timer(&mut self, now: Instant, wishes: &mut Wishes);
    /// Called when all of a message has been read at the other end.
    fn on_delivered(&mut self, now: Instant, message: &Message, wishes: &mut Wishes);
    /// Returns the values to report at the end.
    fn values(&mut self) -> Vec<Value> {
        Vec::new()
    }
}

/// Creates the behaviour of one conversation. The argument is the maximum length of a message.
pub type Maker = Arc<dyn Fn(Bytes) -> Box<dyn Behaviour> + Send + Sync>;

/// The requests of a behaviour.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// Messages to write now: each has at least one byte, and at most the maximum length.
    pub messages: Vec<(Direction, Bytes)>,
    /// Time of the next call. The value remains until that time, or until the behaviour changes it.
    pub wake: Option<Instant>,
}

/// The transport of the messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// One connection, in both directions.
    Connection {
        /// If false, the connection is open before the run begins.
        handshake: bool,
    },
    /// UDP datagrams, one for each message.
    Datagrams {
        /// Maximum payload: a longer message is split.
        payload: Bytes,
    },
}

/// The state of a conversation.
pub struct Conversation {
    carrier: Carrier,
    /// Maximum length of a message.
    longest: Bytes,
    maker: Maker,
    /// The conversation in progress. `None` before the start and after the end.
    talk: Option<Talk>,
}

/// A conversation in progress.
struct Talk {
    behaviour: Box<dyn Behaviour>,
    wishes: Wishes,
    carried: Carried,
    next: u64,
}

/// The messages under way, by transport.
enum Carried {
    Stream(Stream),
    Datagrams(Datagrams),
}

impl Conversation {
    /// Creates a conversation that waits for its start.
    pub fn new(carrier: Carrier, longest: Bytes, maker: Maker) -> Self {
        Self { carrier, longest, maker, talk: None }
    }

    /// Processes an input event.
    pub fn on_input(&mut self, now: Instant, input: Input, out: &mut Outbox<Effect>) {
        if let Input::Start = input {
            self.start(out);
        }
        let Some(talk) = &mut self.talk else { return };
        match input {
            Input::Start => talk.behaviour.on_start(now, &mut talk.wishes),
            Input::Timer => talk.on_timer(now),
            Input::Connected { end, .. } => talk.carried.on_open(end, out),
            Input::Received { .. } | Input::Datagram { .. } => talk.on_arrival(now, input, out),
            Input::Closed { .. } => return self.end(out),
            _ => return,
        }
        talk.send(now, out);
        out.wake(talk.wishes.wake);
        if talk.wishes.wake.is_none() && talk.carried.is_idle() {
            self.close(out);
        }
    }

    /// Ends the run: reports the messages that were not delivered, and the values of the behaviour.
    pub fn finish(&mut self, out: &mut Outbox<Effect>) {
        if let Some(mut talk) = self.talk.take() {
            let mut missing = talk.carried.take_missing();
            missing.sort_by_key(|message| message.number);
            for message in missing {
                out.emit(Effect::Report(Report::Message(message)));
            }
            for value in talk.behaviour.values() {
                out.emit(Effect::Report(Report::Value(value)));
            }
        }
    }

    fn start(&mut self, out: &mut Outbox<Effect>) {
        let carried = match self.carrier {
            Carrier::Connection { handshake } => {
                out.emit(Effect::Open { connection: CONNECTION, handshake });
                Carried::Stream(Stream::default())
            }
            Carrier::Datagrams { payload } => Carried::Datagrams(Datagrams::new(payload)),
        };
        let behaviour = (self.maker)(self.longest);
        self.talk = Some(Talk { behaviour, wishes: Wishes::default(), carried, next: 0 });
    }

    fn close(&mut self, out: &mut Outbox<Effect>) {
        if let Carrier::Connection { .. } = self.carrier {
            close_both(CONNECTION, out);
        }
        self.end(out);
    }

    fn end(&mut self, out: &mut Outbox<Effect>) {
        self.finish(out);
        out.wake(None);
        out.emit(Effect::Finished);
    }
}

impl Talk {
    fn on_timer(&mut self, now: Instant) {
        self.wishes.wake = None;
        self.behaviour.on_timer(now, &mut self.wishes);
    }

    fn on_arrival(&mut self, now: Instant, input: Input, out: &mut Outbox<Effect>) {
        for mut message in self.carried.whole_after(input) {
            message.delivered = Some(now);
            message.latency = Some(now - message.written);
            self.behaviour.on_delivered(now, &message, &mut self.wishes);
            out.emit(Effect::Report(Report::Message(message)));
        }
    }

    /// Writes the messages that the behaviour requests.
    fn send(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        for (direction, bytes) in self.wishes.messages.drain(..) {
            let message = Message::write(self.next, direction, now, bytes);
            self.next += 1;
            match &mut self.carried {
                Carried::Stream(stream) => stream.send(message, out),
                Carried::Datagrams(datagrams) => datagrams.send(message, out),
            }
        }
    }
}

impl Carried {
    fn on_open(&mut self, end: End, out: &mut Outbox<Effect>) {
        if let Self::Stream(stream) = self {
            stream.on_open(end, out);
        }
    }

    /// Returns the messages that are complete with the data that has just arrived.
    fn whole_after(&mut self, input: Input) -> Vec<Message> {
        match (self, input) {
            (Self::Stream(stream), Input::Received { end, bytes, .. }) => {
                stream.on_received(end, bytes)
            }
            (Self::Datagrams(datagrams), Input::Datagram { number, .. }) => {
                datagrams.on_arrival(number).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns `true` if no message is under way.
    fn is_idle(&self) -> bool {
        match self {
            Self::Stream(stream) => stream.is_idle(),
            Self::Datagrams(datagrams) => datagrams.is_idle(),
        }
    }

    fn take_missing(&mut self) -> Vec<Message> {
        match self {
            Self::Stream(stream) => stream.take_missing(),
            Self::Datagrams(datagrams) => datagrams.take_missing(),
        }
    }
}

/// The clone of a conversation has not started.
impl Clone for Conversation {
    fn clone(&self) -> Self {
        Self::new(self.carrier, self.longest, Arc::clone(&self.maker))
    }
}

impl fmt::Debug for Conversation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let behaviour = self.talk.as_ref().map(|talk| &talk.behaviour);
        f.debug_struct("Conversation")
            .field("carrier", &self.carrier)
            .field("behaviour", &behaviour)
            .finish_non_exhaustive()
    }
}
