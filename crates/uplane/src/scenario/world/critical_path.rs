//! The chain of events that led to a transfer's completion.
//!
//! In: what happens at the hosts: a packet leaves, a packet comes, a timer is due. Out: for each
//! complete transfer, its time by cause.
//!
//! A packet leaves because something has just happened at its host: another packet came, a timer
//! was due, or the application began. So each host of an application has a stopwatch that says how
//! the present came about, back to the start of the application; a packet takes a copy along, adds
//! where it spends its own time, and hands it over where it arrives. What the data waited for
//! before it left (a window, a lost packet) is not on the path: the chain of acknowledgements that
//! ended the wait is. The causes sum to the time from start to completion.
//!
//! Left out: of two packets that come at one instant, the one handled last is taken for the cause.
//! Which of two equally late parts was critical is undefined. Where a user thinks at several
//! connections at a time, only for the first of these waits it is known what began it.

use std::collections::BTreeMap;

use crate::app::{self, Kind, Transfer};
use crate::net::{Cause, Ledger, Packet};
use crate::record::{Owner, Tables, table};
use crate::unit::{Duration, Instant, PacketId};

table! {
    /// One cause of the duration of a complete transfer: part of the chain of packets and waits
    /// that led to its completion, back to its start (on request: `record.critical_path`).
    critical_path: pub(super) CriticalPathRow {
        /// Application and UE.
        owner: Owner,
        /// Kind of the transfer: `download`, `upload`, `bulk` or `page`.
        kind: &'static str,
        /// Number of the transfer within its application and kind, starting at 0.
        number: u64,
        /// Cause of the time; the table `anatomy` lists all.
        cause: &'static str,
        /// Time due to the cause, over the whole chain, in ms.
        time_ms: Duration,
        /// Ratio of `time_ms` to the time from the start of the transfer to its completion.
        share: f64,
    }
}

/// The chains of all applications of a run.
#[derive(Default)]
pub(super) struct CriticalPaths {
    /// Chains of each started application.
    apps: BTreeMap<usize, App>,
    /// Chain of the newest event at each end of a connection.
    ends: BTreeMap<usize, Ledger>,
    /// Chain of the data that a slow application reads now, by end of a connection.
    readings: BTreeMap<usize, Ledger>,
    /// Packets in the network.
    ways: BTreeMap<PacketId, Way>,
}

/// The chains of one application.
struct App {
    /// Chains of the newest events at client and server.
    hosts: [Ledger; 2],
    /// Chain of the event that set the client's timer, by the time when the timer is due.
    timers: BTreeMap<Instant, Ledger>,
}

/// A packet in the network: the chain that led to it, and its own ledger at its departure.
struct Way {
    chain: Ledger,
    own: Ledger,
}

impl CriticalPaths {
    /// Starts the chains of an application.
    pub(super) fn start(&mut self, now: Instant, app: usize) {
        let hosts = [Ledger::start(now), Ledger::start(now)];
        self.apps.insert(app, App { hosts, timers: BTreeMap::new() });
    }

    /// Records that the client's newest event has set its timer. Events until then are not part of
    /// the timer's chain.
    pub(super) fn on_app_waits(&mut self, app: usize, due: Instant) {
        let Some(app) = self.apps.get_mut(&app) else { return };
        let client = &app.hosts[app::End::Client as usize];
        app.timers.entry(due).or_insert_with(|| client.clone());
    }

    /// Continues the chain of a client's timer that is due.
    pub(super) fn on_app_timer(&mut self, now: Instant, app: usize) {
        let Some(app) = self.apps.get_mut(&app) else { return };
        let client = &mut app.hosts[app::End::Client as usize];
        if let Some(chain) = app.timers.remove(&now) {
            *client = chain;
        }
        client.charge(Cause::ApplicationWait, now);
    }

    /// Charges the wait for a timer of one end of a connection to `cause`.
    pub(super) fn on_timer(&mut self, now: Instant, end: usize, cause: Cause) {
        if let Some(chain) = self.ends.get_mut(&end) {
            chain.charge(cause, now);
        }
    }

    /// Records that the slow application of an end starts to read the data that has just arrived,
    /// unless it still reads earlier data.
    pub(super) fn on_unread(&mut self, end: usize) {
        if let Some(chain) = self.ends.get(&end) {
            self.readings.entry(end).or_insert_with(|| chain.clone());
        }
    }

    /// Records that the slow application of an end has read data, and whether there is more
    /// (`goes_on`). The chain contains all its reading since the first of this data arrived.
    pub(super) fn on_reading(
        &mut self,
        now: Instant,
        (app, side): (usize, app::End),
        end: usize,
        goes_on: bool,
    ) {
        let Some(mut chain) = self.readings.remove(&end) else { return };
        chain.charge(Cause::ReadWait, now);
        if let Some(app) = self.apps.get_mut(&app) {
            app.hosts[side as usize] = chain.clone();
        }
        if goes_on {
            self.readings.insert(end, chain);
        }
    }

    /// Starts the chain of a packet that leaves one end of a connection.
    pub(super) fn on_departure(&mut self, app: usize, side: app::End, end: usize, packet: &Packet) {
        let Some(app) = self.apps.get_mut(&app) else { return };
        let own = packet.ledger.clone();
        let host = &app.hosts[side as usize];
        let newest = self.ends.get(&end).filter(|chain| chain.booked() >= host.booked());
        let mut chain = newest.unwrap_or(host).clone();
        chain.charge(Cause::ApplicationWait, own.booked());
        self.ends.insert(end, chain.clone());
        self.ways.insert(packet.id, Way { chain, own });
    }

    /// Continues the chain of a packet at the end of a connection that it has reached.
    pub(super) fn on_arrival(&mut self, app: usize, side: app::End, end: usize, packet: &Packet) {
        let (Some(app), Some(way)) = (self.apps.get_mut(&app), self.ways.remove(&packet.id)) else {
            return;
        };
        let mut chain = way.chain;
        chain.follow(&way.own, &packet.ledger);
        app.hosts[side as usize] = chain.clone();
        self.ends.insert(end, chain);
    }

    /// Writes the chain of a transfer that an application reports as complete.
    pub(super) fn on_transfer(
        &mut self,
        app: usize,
        owner: &Owner,
        transfer: &Transfer,
        tables: &mut Tables,
    ) {
        if transfer.kind == Kind::Object {
            return;
        }
        let (Some(app), Some(completed)) = (self.apps.remove(&app), transfer.completed) else {
            return;
        };
        let [client, server] = &app.hosts;
        let mut chain = if client.booked() >= server.booked() { client } else { server }.clone();
        chain.charge(Cause::ApplicationWait, completed);
        for (cause, span) in chain.entries() {
            tables.push(CriticalPathRow {
                owner: owner.clone(),
                kind: transfer.kind.name(),
                number: transfer.number,
                cause: cause.name(),
                time_ms: span,
                share: span.as_secs_f64() / chain.total().as_secs_f64(),
            });
        }
    }
}
