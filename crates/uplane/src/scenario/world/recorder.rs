//! The recorder of a run's tables.
//!
//! In: deliveries, drops, reports of applications. Out: rows of tables, and the counts for
//! warnings.

use std::collections::{BTreeMap, BTreeSet};

use super::super::plan::{AppPlan, Plan};
use super::anatomy::Anatomy;
use super::flow::direction_from;
use crate::app::{Datagram, Fate, Kind, Ping, Report};
use crate::net::{ByCause, Count, Direction, DropCause, DropRow, HopRow, Packet, Tally};
use crate::record::{Owner, Table, Tables, Warned, Warning};
use crate::unit::{Bytes, Instant};

/// The tables of one run, growing.
pub(super) struct Recorder {
    /// Name and UE of each application.
    owners: Vec<Owner>,
    /// Names of the links.
    links: Vec<String>,
    anatomy: Anatomy,
    dropped: BTreeMap<(usize, Site, Direction, DropCause), Count>,
    /// Datagrams and echoes of each application that were dropped, whole or in part.
    lost: BTreeSet<(usize, u64)>,
    /// Of the transfers of each application, those that were not completed, and all; without those
    /// that have no end.
    finite: BTreeMap<usize, (u64, u64)>,
    pub(super) tables: Tables,
}

/// A place that can drop packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Site {
    /// The link at this position of the scenario.
    Link(usize),
    Tunnel,
    Radio,
    Host,
}

impl Recorder {
    pub(super) fn new(plan: &Plan, tables: Tables) -> Self {
        let owner =
            |app: &AppPlan| Owner { app: app.name.clone(), ue: plan.ues[app.ue.index()].clone() };
        Self {
            owners: plan.apps.iter().map(owner).collect(),
            links: plan.links.iter().map(|link| link.name.clone()).collect(),
            anatomy: Anatomy::new(plan),
            dropped: BTreeMap::new(),
            lost: BTreeSet::new(),
            finite: BTreeMap::new(),
            tables,
        }
    }

    /// Returns the names of an application and of its UE.
    pub(super) fn owner(&self, app_session: usize) -> Owner {
        self.owners[app_session].clone()
    }

    /// Records a packet that has reached its user: the application for data, the transport for
    /// acknowledgements.
    pub(super) fn on_delivered(
        &mut self,
        now: Instant,
        app_session: usize,
        packet: &Packet,
        bytes: Bytes,
    ) {
        let Self { anatomy, owners, tables, .. } = self;
        anatomy.on_delivered(now, (app_session, &owners[app_session]), packet, bytes, tables);
    }

    /// Records data of a stream that an application reads, separately from the packets.
    pub(super) fn on_read(
        &mut self,
        now: Instant,
        app_session: usize,
        direction: Direction,
        bytes: Bytes,
    ) {
        let Self { anatomy, owners, tables, .. } = self;
        anatomy.on_read(now, &owners[app_session], direction, bytes, tables);
    }

    /// Records a drop of an application's packet.
    pub(super) fn on_drop(
        &mut self,
        app_session: usize,
        site: Site,
        packet: &Packet,
        cause: DropCause,
    ) {
        let direction = direction_from(packet.source);
        self.dropped.entry((app_session, site, direction, cause)).or_default().add(packet.length);
        // The other copy of a duplicate has arrived.
        if cause != DropCause::Duplicate {
            self.lost.extend(packet.number().map(|number| (app_session, number)));
        }
    }

    /// Returns the drops at a hop, of all applications, by cause.
    pub(super) fn dropped_at(&self, site: Site, direction: Direction) -> ByCause {
        let mut sums = ByCause::default();
        for (&(_, at, way, cause), &count) in &self.dropped {
            if (at, way) == (site, direction) {
                sums[cause as usize] += count;
            }
        }
        sums
    }

    /// Returns the full queue that dropped most of this application's packets of one direction, and
    /// their number.
    pub(super) fn fullest_queue(
        &self,
        app_session: usize,
        direction: Direction,
    ) -> Option<(Site, u64)> {
        let queues = self.dropped.iter().filter(|((app, _, way, cause), _)| {
            *app == app_session && *way == direction && *cause == DropCause::Queue
        });
        queues
            .map(|((_, site, ..), count)| (*site, count.packets))
            .max_by_key(|&(_, packets)| packets)
    }

    /// Records a report of an application.
    pub(super) fn on_report(&mut self, app_session: usize, mut report: Report) {
        if let Report::Ping(Ping { number, fate, .. })
        | Report::Datagram(Datagram { number, fate, .. }) = &mut report
            && *fate == Fate::Open
            && self.lost.contains(&(app_session, *number))
        {
            *fate = Fate::Lost;
        }
        if let Report::Transfer(transfer) = &report
            // A page is complete when its objects are.
            && transfer.bytes.is_some() && transfer.kind != Kind::Object
        {
            let (incomplete, all) = self.finite.entry(app_session).or_default();
            *incomplete += u64::from(transfer.completed.is_none());
            *all += 1;
        }
        report.write(self.owner(app_session), &mut self.tables);
    }

    /// Records the counters of one hop in one direction: `tally` has the packets that entered, left
    /// and were dropped, `held` those still inside, and `acks` the pure ACKs that entered.
    pub(super) fn on_hop(
        &mut self,
        site: Site,
        direction: Direction,
        tally: Tally,
        held: Count,
        acks: Count,
    ) {
        let (hop, direction) = (self.hop(site), direction.name());
        let (acks_in, ack_bytes_in) = (acks.packets, acks.bytes);
        self.tables.push(HopRow { hop, direction, tally, held, acks_in, ack_bytes_in });
    }

    /// Returns all tables. Optional tables that are not recorded are empty.
    pub(super) fn finish(mut self) -> Vec<Table> {
        self.anatomy.report(&self.owners, &mut self.tables);
        self.report_drops();
        self.warn_of_incomplete();
        self.tables.finish()
    }

    fn report_drops(&mut self) {
        for (&(app_session, site, direction, cause), count) in &self.dropped {
            let owner = self.owner(app_session);
            let (hop, direction) = (self.hop(site), direction.name());
            let Count { packets, bytes } = *count;
            self.tables.push(DropRow { owner, hop, direction, cause, packets, bytes });
        }
    }

    /// Warns of transfers that were not completed.
    fn warn_of_incomplete(&mut self) {
        let mut all: BTreeMap<&str, u64> = BTreeMap::new();
        for (&app_session, &(_, transfers)) in &self.finite {
            *all.entry(&self.owners[app_session].app).or_default() += transfers;
        }
        for (&app_session, &(incomplete, _)) in &self.finite {
            let owner = self.owner(app_session);
            let (amount, of) = (Some(incomplete), Some(all[owner.app.as_str()]));
            if incomplete > 0 {
                let words = "{app} on {ue}: {amount} of {of} transfers were not completed";
                let warning = Warning::new(Warned::Incomplete, words);
                self.tables.warn(Warning { owner, amount, of, ..warning });
            }
        }
    }

    /// Returns the name of a hop in tables.
    pub(super) fn hop(&self, site: Site) -> String {
        match site {
            Site::Link(position) => format!("link {}", self.links[position]),
            Site::Tunnel => "tunnel".to_owned(),
            Site::Radio => "radio".to_owned(),
            Site::Host => "host".to_owned(),
        }
    }
}
