//! What is written down during a run.
//!
//! In: deliveries, reports of applications, states of connections and hops. Out: tables.

use super::super::plan::{AppPlan, Plan};
use super::super::warning::Warning;
use crate::app::Kind;
use crate::app::Report;
use std::collections::BTreeMap;

use crate::net::{Cause, Count, Direction, DropCause, Packet, Tally};
use crate::record::{
    Anatomy, AnatomyRow, Connections, Datagrams, Deliveries, Delivery, DropRow, Drops, Hop, Hops,
    PacketRow, Packets, Pings, Series, Table, Transfers,
};
use crate::unit::{Bytes, Duration, Instant};

use super::flow::direction_from;

/// The tables of one run, growing.
pub(super) struct Recorder {
    /// The names of each application and its UE.
    names: Vec<(String, String)>,
    /// The names of the links.
    links: Vec<String>,
    accounts: Vec<[Account; 4]>,
    dropped: BTreeMap<(usize, Site, Direction, DropCause), Count>,
    /// Of the transfers of each application, those that were not completed, and all; without those that have no end.
    finite: BTreeMap<usize, (u64, u64)>,
    keeps_packets: bool,
    keeps_deliveries: bool,
    transfers: Transfers,
    pings: Pings,
    datagrams: Datagrams,
    deliveries: Deliveries,
    packets: Packets,
    hops: Hops,
    pub(super) connections: Connections,
    pub(super) series: Series,
}

/// Where packets can be dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Site {
    /// The link at this position of the scenario.
    Link(usize),
    Tunnel,
    Radio,
    Host,
}

/// Where the time of one application's packets of one direction and class went.
#[derive(Clone, Debug)]
struct Account {
    packets: u64,
    spent: [Duration; Cause::ALL.len()],
}

impl Default for Account {
    fn default() -> Self {
        Self { packets: 0, spent: [Duration::ZERO; Cause::ALL.len()] }
    }
}

impl Recorder {
    pub(super) fn new(plan: &Plan) -> Self {
        let names = |app: &AppPlan| (app.name.clone(), plan.ues[app.ue.index()].clone());
        Self {
            names: plan.apps.iter().map(names).collect(),
            links: plan.links.iter().map(|link| link.name.clone()).collect(),
            accounts: vec![Default::default(); plan.apps.len()],
            dropped: BTreeMap::new(),
            finite: BTreeMap::new(),
            keeps_packets: plan.record.packets,
            keeps_deliveries: plan.record.deliveries,
            transfers: Transfers::default(),
            pings: Pings::default(),
            datagrams: Datagrams::default(),
            deliveries: Deliveries::default(),
            packets: Packets::default(),
            hops: Hops::default(),
            connections: Connections::default(),
            series: Series::default(),
        }
    }

    /// The name of an application and of its UE.
    pub(super) fn name(&self, conversation: usize) -> (String, String) {
        self.names[conversation].clone()
    }

    /// A packet has reached its user: the application for data, the transport for acknowledgements.
    pub(super) fn on_delivered(
        &mut self,
        now: Instant,
        conversation: usize,
        packet: &Packet,
        bytes: Bytes,
    ) {
        let direction = direction_from(packet.source);
        let is_ack = packet.is_bare_segment();
        let account =
            &mut self.accounts[conversation][direction as usize * 2 + usize::from(is_ack)];
        account.packets += 1;
        packet.ledger.add_to(&mut account.spent);
        if self.keeps_deliveries && !bytes.is_zero() {
            let (app, ue) = self.name(conversation);
            let direction = direction.name();
            self.deliveries.push(Delivery {
                time_s: now.as_secs_f64(),
                app,
                ue,
                direction,
                bytes: bytes.0,
            });
        }
        if self.keeps_packets {
            self.keep(now, conversation, packet, direction, is_ack);
        }
    }

    fn keep(
        &mut self,
        now: Instant,
        conversation: usize,
        packet: &Packet,
        direction: Direction,
        is_ack: bool,
    ) {
        for (cause, span) in packet.ledger.entries() {
            let (app, ue) = self.name(conversation);
            self.packets.push(PacketRow {
                packet: packet.id.0,
                app,
                ue,
                direction: direction.name(),
                class: class(is_ack),
                started_s: packet.ledger.started().as_secs_f64(),
                delivered_s: now.as_secs_f64(),
                bytes: packet.length.0,
                cause: cause.name(),
                time_ms: span.as_millis_f64(),
            });
        }
    }

    /// A packet of this application goes no further.
    pub(super) fn on_drop(
        &mut self,
        conversation: usize,
        site: Site,
        packet: &Packet,
        cause: DropCause,
    ) {
        let direction = direction_from(packet.source);
        self.dropped.entry((conversation, site, direction, cause)).or_default().add(packet.length);
    }

    /// The full queue that dropped most of this application's packets of one direction, and how many.
    pub(super) fn fullest_queue(
        &self,
        conversation: usize,
        direction: Direction,
    ) -> Option<(Site, u64)> {
        let queues = self.dropped.iter().filter(|((app, _, way, cause), _)| {
            *app == conversation && *way == direction && *cause == DropCause::Queue
        });
        queues
            .map(|((_, site, ..), count)| (*site, count.packets))
            .max_by_key(|&(_, packets)| packets)
    }

    /// Applications with transfers that were not completed.
    pub(super) fn incomplete(&self) -> Vec<Warning> {
        let mut told: BTreeMap<&str, (Vec<String>, u64, u64)> = BTreeMap::new();
        for (&conversation, &(incomplete, all)) in &self.finite {
            let (app, ue) = &self.names[conversation];
            let (ues, transfers, of) = told.entry(app).or_default();
            *transfers += incomplete;
            *of += all;
            if incomplete > 0 {
                ues.push(ue.clone());
            }
        }
        let told = told.into_iter().filter(|(_, (ues, ..))| !ues.is_empty());
        let told = told.map(|(app, (ues, transfers, of))| Warning::Incomplete {
            app: app.to_owned(),
            ues,
            transfers,
            of,
        });
        told.collect()
    }

    /// An application reports.
    pub(super) fn on_report(&mut self, conversation: usize, report: Report) {
        let (app, ue) = &self.names[conversation];
        match report {
            Report::Transfer(transfer) => {
                // A page is complete when its objects are.
                let counts = transfer.bytes.is_some() && transfer.kind != Kind::Object;
                if counts {
                    let (incomplete, all) = self.finite.entry(conversation).or_default();
                    *incomplete += u64::from(transfer.completed.is_none());
                    *all += 1;
                }
                self.transfers.push(transfer.row(app, ue));
            }
            Report::Ping(ping) => self.pings.push(ping.row(app, ue)),
            Report::Datagram(datagram) => self.datagrams.push(datagram.row(app, ue)),
        }
    }

    /// What went through one hop, and what it still holds, counted there.
    pub(super) fn on_hop(
        &mut self,
        site: Site,
        direction: Direction,
        tally: &Tally,
        held: Count,
        acks: Count,
    ) {
        let hop = self.hop(site);
        let dropped = |cause: DropCause| tally.dropped[cause as usize].packets;
        self.hops.push(Hop {
            hop,
            direction: direction.name(),
            packets_in: tally.entered.packets,
            bytes_in: tally.entered.bytes.0,
            acks_in: acks.packets,
            ack_bytes_in: acks.bytes.0,
            packets_out: tally.left.packets,
            bytes_out: tally.left.bytes.0,
            dropped_queue: dropped(DropCause::Queue),
            dropped_loss: dropped(DropCause::Loss),
            dropped_too_big: dropped(DropCause::TooBig),
            dropped_incomplete: dropped(DropCause::Incomplete),
            dropped_late: dropped(DropCause::Late),
            dropped_filtered: dropped(DropCause::Filtered),
            dropped_duplicate: dropped(DropCause::Duplicate),
            bytes_dropped: tally.dropped().bytes.0,
            packets_held: held.packets,
            bytes_held: held.bytes.0,
            wire_bytes: tally.wire.0,
            queue_max_bytes: tally.queue_max.0,
        });
    }

    /// All tables; the optional ones only where they were asked for.
    pub(super) fn into_tables(self) -> Vec<Table> {
        let anatomy = self.anatomy();
        let drops = self.drops();
        let mut tables = vec![
            self.transfers.into_table(),
            self.pings.into_table(),
            self.datagrams.into_table(),
            self.connections.into_table(),
            anatomy.into_table(),
            self.hops.into_table(),
            drops.into_table(),
        ];
        tables.extend([
            self.series.into_table(),
            self.deliveries.into_table(),
            self.packets.into_table(),
        ]);
        tables
    }

    fn drops(&self) -> Drops {
        let mut drops = Drops::default();
        for (&(conversation, site, direction, cause), count) in &self.dropped {
            let (app, ue) = self.name(conversation);
            drops.push(DropRow {
                app,
                ue,
                hop: self.hop(site),
                direction: direction.name(),
                cause: cause.name(),
                packets: count.packets,
                bytes: count.bytes.0,
            });
        }
        drops
    }

    /// The name of a hop in tables.
    pub(super) fn hop(&self, site: Site) -> String {
        match site {
            Site::Link(position) => format!("link {}", self.links[position]),
            Site::Tunnel => "tunnel".to_owned(),
            Site::Radio => "radio".to_owned(),
            Site::Host => "host".to_owned(),
        }
    }

    fn anatomy(&self) -> Anatomy {
        let mut anatomy = Anatomy::default();
        for (accounts, (app, ue)) in self.accounts.iter().zip(&self.names) {
            for (position, account) in accounts.iter().enumerate() {
                let total = account.spent.iter().fold(Duration::ZERO, |sum, &span| sum + span);
                let direction = if position < 2 { Direction::Down } else { Direction::Up };
                let booked =
                    Cause::ALL.iter().zip(account.spent).filter(|(_, span)| !span.is_zero());
                for (cause, span) in booked {
                    anatomy.push(AnatomyRow {
                        app: app.clone(),
                        ue: ue.clone(),
                        direction: direction.name(),
                        class: class(position % 2 == 1),
                        cause: cause.name(),
                        packets: account.packets,
                        mean_ms: span.as_millis_f64() / account.packets as f64,
                        share: span.as_secs_f64() / total.as_secs_f64(),
                    });
                }
            }
        }
        anatomy
    }
}

fn class(is_ack: bool) -> &'static str {
    if is_ack { "ack" } else { "data" }
}
