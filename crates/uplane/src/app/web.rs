//! A web page: objects fetched one after the other, or several in parallel.
//!
//! In: events of the connections. Out: requests, objects, a report for each object and one for the
//! page.
//!
//! Left out: objects that are found in other objects, pipelining, name look-up and TLS. The pause
//! `per_object` before each object can represent their time.

mod lane;

use super::exchange::{Clock, Completion, Plan};
use super::report::{Kind, Transfer};
use super::{Effect, End, Input, Report, Volume};
use crate::sim::Outbox;
use crate::unit::{Bytes, Duration, Instant};
use lane::Lane;

/// The parameters of a page: its objects and their timing.
#[derive(Clone, Debug)]
pub struct Config {
    /// Length of each object, at least one byte, in the order of fetching.
    pub objects: Vec<Bytes>,
    /// Length of the client's request for an object. If zero, the server starts as soon as its end
    /// is open.
    pub request: Bytes,
    /// Number of objects fetched in parallel, each on its own connection. 1: one after the other.
    pub connections: u32,
    /// If true, a connection is reused for the next object. If false, each object has a new
    /// connection.
    pub persistent: bool,
    /// Start of the measured duration of an object. That of the page begins with its start.
    pub clock: Clock,
    /// End of the measured duration of an object. The page is complete with its last object.
    pub completion: Completion,
    /// Pause before each object, including the first; not part of the object's duration.
    pub per_object: Duration,
    /// If false, connections are open at once, without a handshake.
    pub handshake: bool,
}

/// The state of a web page in progress.
#[derive(Clone, Debug)]
pub struct WebPage {
    config: Config,
    lanes: Vec<Lane>,
    next_object: usize,
    next_connection: u32,
    failed: bool,
    /// The report of the page. `None` before the start and after the end.
    page: Option<Transfer>,
}

impl WebPage {
    /// Creates a page that waits for its start.
    pub fn new(config: Config) -> Self {
        Self {
            config,
            lanes: Vec::new(),
            next_object: 0,
            next_connection: 0,
            failed: false,
            page: None,
        }
    }

    /// Returns the bytes of all requests and objects, and the sum of the pauses before objects.
    pub(super) fn volume(&self) -> Volume {
        let bytes = self.config.objects.iter().map(|&object| self.config.request + object).sum();
        let span = self.config.per_object.saturating_mul(self.config.objects.len() as u64);
        Volume { packets: 0, bytes, span }
    }

    /// Processes an input event.
    pub fn on_input(&mut self, now: Instant, input: Input, out: &mut Outbox<Effect>) {
        match input {
            Input::Start => self.start(now, out),
            Input::Timer => self.on_timer(now, out),
            Input::Connected { connection, .. }
            | Input::Received { connection, .. }
            | Input::Acked { connection, .. }
            | Input::FirstSent { connection, .. } => self.advance(now, connection, input, out),
            Input::Closed { connection, .. } => self.on_closed(now, connection, out),
            Input::PeerClosed { .. } | Input::Datagram { .. } | Input::Echo { .. } => {}
        }
    }

    /// Ends the run: reports the objects under way and the page as incomplete.
    pub fn finish(&mut self, out: &mut Outbox<Effect>) {
        for position in 0..self.lanes.len() {
            self.close_books(position, out);
        }
        if let Some(page) = self.page.take() {
            out.emit(Effect::Report(Report::Transfer(page)));
        }
    }

    fn start(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        let bytes = self.config.objects.iter().copied().sum();
        self.page = Some(Transfer::begin(Kind::Page, 0, Some(bytes), now));
        self.lanes = vec![Lane::default(); self.config.connections as usize];
        for position in 0..self.lanes.len() {
            self.next(now, position, out);
        }
    }

    /// Gives a free lane the next object, or ends the lane.
    fn next(&mut self, now: Instant, position: usize, out: &mut Outbox<Effect>) {
        let lane = &mut self.lanes[position];
        if self.next_object < self.config.objects.len() {
            lane.wait_for(self.next_object, now + self.config.per_object);
            self.next_object += 1;
            self.on_timer(now, out);
        } else {
            lane.close(out);
            self.complete_if_all_done(now, out);
        }
    }

    /// Begins the objects whose pause is over.
    fn on_timer(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        for lane in &mut self.lanes {
            if let Some(object) = lane.take_object(now) {
                let plan = Plan {
                    sender: End::Server,
                    request: self.config.request,
                    file: self.config.objects[object],
                    clock: self.config.clock,
                    completion: self.config.completion,
                };
                if lane.begin(plan, object, self.next_connection, now, out) {
                    let connection = self.next_connection;
                    self.next_connection += 1;
                    out.emit(Effect::Open { connection, handshake: self.config.handshake });
                }
            }
        }
        out.wake(self.lanes.iter().filter_map(Lane::due).min());
    }

    fn advance(&mut self, now: Instant, connection: u32, input: Input, out: &mut Outbox<Effect>) {
        let Some(position) = self.lane_of(connection) else { return };
        if self.lanes[position].on_input(now, input, out) {
            self.close_books(position, out);
            if !self.config.persistent {
                self.lanes[position].close(out);
            }
            self.next(now, position, out);
        }
    }

    /// Processes a closed connection. An object that was not complete is lost, and the page
    /// continues.
    fn on_closed(&mut self, now: Instant, connection: u32, out: &mut Outbox<Effect>) {
        let Some(position) = self.lane_of(connection) else { return };
        let is_object_lost = self.lanes[position].is_fetching();
        self.close_books(position, out);
        self.lanes[position].forget_connection();
        if is_object_lost {
            self.failed = true;
            self.next(now, position, out);
        }
    }

    /// Reports the object of a lane in its current state, and adds it to the page.
    fn close_books(&mut self, position: usize, out: &mut Outbox<Effect>) {
        if let Some(object) = self.lanes[position].end_exchange(out)
            && let Some(page) = &mut self.page
        {
            page.requested = earlier(page.requested, object.requested);
            page.first_sent = earlier(page.first_sent, object.first_sent);
            page.first_byte = earlier(page.first_byte, object.first_byte);
            page.last_received = page.last_received.max(object.last_received);
            page.received += object.received;
        }
    }

    fn complete_if_all_done(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        if self.next_object < self.config.objects.len() || self.lanes.iter().any(Lane::is_busy) {
            return;
        }
        let Some(page) = &mut self.page else { return };
        if !self.failed {
            page.completed = Some(now);
            page.last_byte = page.last_received;
            page.duration = Some(now - page.started);
        }
        self.finish(out);
        out.emit(Effect::Finished);
    }

    fn lane_of(&self, connection: u32) -> Option<usize> {
        self.lanes.iter().position(|lane| lane.uses(connection))
    }
}

/// Returns the earlier of two instants. `None` is not yet known.
fn earlier(one: Option<Instant>, other: Option<Instant>) -> Option<Instant> {
    one.into_iter().chain(other).min()
}
