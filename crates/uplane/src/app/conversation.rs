//! A conversation of messages: one end writes, the other reads, whoever decides what.
//!
//! In: what happens to the connection or to datagrams, and the timer. Out: what the conversation's
//! [`Behaviour`] wants to send, and a report for each message.
//!
//! The behaviour says which messages go when: those of a file ([`super::replay`]), or what a
//! program wants ([`super::program`]).
//! [`Stream`] and [`Datagrams`] carry them. Once nothing is under way and the behaviour wants no
//! call, nothing can happen any more: the conversation closes its connection and is finished.
//!
//! Left out: several connections, and a stream of QUIC for each message. Over one of them a message
//! waits for those before it in its direction; who studies head-of-line blocking could tell.

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

/// Who decides what is written when, at both ends.
pub trait Behaviour: fmt::Debug + Send + Sync {
    /// It is the application's start time.
    fn on_start(&mut self, now: Instant, wishes: &mut Wishes);
    /// It is the time for which it asked.
    fn on_timer(&mut self, now: Instant, wishes: &mut Wishes);
    /// All of a message has been read at the other end.
    fn on_delivered(&mut self, now: Instant, message: &Message, wishes: &mut Wishes);
    /// What it reports at the end.
    fn values(&mut self) -> Vec<Value> {
        Vec::new()
    }
}

/// Makes the behaviour of one conversation, whose messages may be as long as this.
pub type Maker = Arc<dyn Fn(Bytes) -> Box<dyn Behaviour> + Send + Sync>;

/// What a behaviour wants.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// Messages that are written now, each at least a byte and none longer than is allowed.
    pub messages: Vec<(Direction, Bytes)>,
    /// When it wants to be called; stays until then, or until it says otherwise.
    pub wake: Option<Instant>,
}

/// What carries the messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// One connection.
    Connection {
        /// False when it is open before the run begins.
        handshake: bool,
    },
    /// UDP datagrams, one for each message.
    Datagrams {
        /// The longest payload: a longer message is split.
        payload: Bytes,
    },
}

/// The application.
pub struct Conversation {
    carrier: Carrier,
    /// Of a message.
    longest: Bytes,
    maker: Maker,
    /// `None` before the start and after the end.
    talk: Option<Talk>,
}

/// A conversation that has begun.
struct Talk {
    behaviour: Box<dyn Behaviour>,
    wishes: Wishes,
    carried: Carried,
    next: u64,
}

/// The messages under way, by what carries them.
enum Carried {
    Stream(Stream),
    Datagrams(Datagrams),
}

impl Conversation {
    /// A conversation that waits for its start.
    pub fn new(carrier: Carrier, longest: Bytes, maker: Maker) -> Self {
        Self { carrier, longest, maker, talk: None }
    }

    /// Takes what happened now.
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

    /// The run ends: reports the messages that were not delivered, and what the behaviour has to
    /// say.
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

    /// Writes what the behaviour wants.
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

    /// The messages that are whole by what has arrived now.
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

    /// True when no message is under way.
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

/// A copy has not begun.
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
