//! Rows at the end of a run, and of samples during it.
//!
//! In: the entities. Out: tables.

use super::recorder::Site;
use super::{Facts, World};
use crate::net::Direction;
use crate::net::link::LinkSample;
use crate::record::{Owner, table};
use crate::sim::{Agenda, EntityId};
use crate::unit::{Bytes, Duration, Instant};

table! {
    /// The run itself, one row.
    run: pub(super) RunRow {
        /// Seed of the run.
        seed: u64,
        /// Number of simulated events (calls of entities).
        events: u64,
        /// Number of IP packets created.
        packets: u64,
        /// Simulated time at the end of the run, in s.
        simulated_s: Instant,
    }
}

table! {
    /// State of one TCP or QUIC sender, sampled at the interval `record.series`. A sender that has
    /// sent no data has no rows.
    series: pub(super) SeriesRow {
        /// Time of the sample since the start of the run, in s.
        time_s: Instant,
        /// Application and UE.
        owner: Owner,
        /// Number of the flow in the run.
        flow: u64,
        /// Sending host: `server` or `ue`.
        sender: &'static str,
        /// Congestion window of the sender, in bytes.
        cwnd_bytes: Bytes,
        /// Slow-start threshold of the sender, in bytes; missing while unlimited.
        ssthresh_bytes: Option<Bytes>,
        /// Bytes in flight from the sender. TCP: sent and not acknowledged. QUIC: ack-eliciting
        /// packets that are neither acknowledged nor lost.
        flight_bytes: Bytes,
        /// Smoothed round-trip time at the sender, in ms; missing without a sample.
        srtt_ms: Option<Duration>,
        /// Bytes delivered in order to the other end's application since the connection opened.
        delivered_bytes: Bytes,
        /// Current reason why the sender is not sending: `cwnd`, `rwnd`, `application`, `sndbuf`,
        /// `recovery`, `pacing` or `idle`.
        limit: &'static str,
    }
}

table! {
    /// Queue and throughput of one direction of a link, sampled at the interval `record.series`. An
    /// idle link has no rows.
    link_series: pub(super) LinkSeriesRow {
        /// Time of the sample since the start of the run, in s.
        time_s: Instant,
        /// Name of the link.
        hop: String,
        /// Direction: `down` or `up`.
        direction: &'static str,
        /// Sample.
        sample: LinkSample,
    }
}

impl World<'_> {
    /// Writes one row for each sender that has sent data and for each place that is not at rest,
    /// and comes again.
    pub(super) fn sample(&mut self, now: Instant, entity: EntityId, agenda: &mut Agenda) {
        for number in 0..self.ends.len() {
            let end = &self.ends[number];
            let statistics = end.connection.statistics(now);
            if statistics.counters.segments == 0 {
                continue;
            }
            let flow = &self.flows[end.flow.index()];
            let ends = flow.ends.expect("an end belongs to a connection");
            let peer = ends[usize::from(ends[0] == number)];
            self.recorder.tables.push(SeriesRow {
                time_s: now,
                owner: self.recorder.owner(flow.app_session),
                flow: u64::from(end.flow.0),
                sender: sender(end.host.is_server()),
                cwnd_bytes: statistics.cwnd,
                ssthresh_bytes: statistics.ssthresh,
                flight_bytes: statistics.flight,
                srtt_ms: statistics.srtt,
                delivered_bytes: self.ends[peer].delivered,
                limit: statistics.limit,
            });
        }
        self.sample_quic(now);
        self.sample_places(now);
        let interval = self.plan.record.series.expect("the sampler runs only with an interval");
        agenda.arm(entity, now + interval);
    }

    /// Writes one row for each queue and radio link that is not at rest.
    fn sample_places(&mut self, now: Instant) {
        let period = now.saturating_since(self.sampled);
        self.sampled = now;
        for link in &mut self.links {
            if let Some(sample) = link.own.sample(now, period) {
                let (hop, direction) = (self.recorder.hop(link.site), link.direction.name());
                self.recorder.tables.push(LinkSeriesRow { time_s: now, hop, direction, sample });
            }
        }
        self.radio.sample(now, period, &self.plan.ues, &mut self.recorder.tables);
    }

    /// Ends the run at `now`.
    pub(super) fn finish(mut self, now: Instant, seed: u64, events: u64) -> Facts {
        self.check_conservation();
        if self.plan.record.series.is_some() && now > self.sampled {
            self.sample_places(now);
        }
        self.finish_conversations();
        let (plan, packets, tables) = (self.plan, self.packets, &mut self.recorder.tables);
        tables.push(RunRow { seed, events, packets, simulated_s: now });
        plan.warnings.iter().for_each(|warning| tables.warn(warning.clone()));
        self.report_connections(now);
        self.report_quic(now);
        self.report_hops();
        self.radio.report(now, &plan.ues, &mut self.recorder.tables);
        Facts { tables: self.recorder.finish(), events }
    }

    fn report_hops(&mut self) {
        for link in &self.links {
            let (tally, held) = (*link.own.tally(), link.own.held());
            self.recorder.on_hop(link.site, link.direction, tally, held, link.acks);
        }
        for end in &self.tunnel_ends {
            let (tally, held) = (*end.own.tally(), end.own.held());
            self.recorder.on_hop(end.site, end.direction, tally, held, end.acks);
        }
        for direction in Direction::BOTH {
            let (tally, held) = (self.radio.tally(direction), self.radio.held(direction));
            let acks = self.radio_acks[direction as usize];
            self.recorder.on_hop(Site::Radio, direction, tally, held, acks);
        }
    }
}

pub(super) fn sender(is_server: bool) -> &'static str {
    if is_server { "server" } else { "ue" }
}
