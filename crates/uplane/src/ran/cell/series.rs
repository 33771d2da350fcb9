//! Series of a cell over time, UE by UE.
//!
//! In: the times of samples. Out: rows of `bearer_series` and `radio_series`, from the data waiting
//! at that time and the counters since the previous sample. Nothing is kept unless samples are
//! taken.
//!
//! Left out: single blocks. A row has only the mean of their schemes between two samples; to see a
//! frequency-selective scheduler at work, sample each slot.

use super::statistics::UeCounters;
use super::{Capacity, Cell};
use crate::net::{Count, Direction, Packet, PerDirection};
use crate::ran::phy::LinkModel;
use crate::ran::series::Place;
use crate::record::{Activity, Tables, rate_kbps, table};
use crate::unit::{Bytes, Decibel, Duration, Instant, UeId};

table! {
    /// Radio link of one UE in one direction since the previous sample, at the interval
    /// `record.series`. An idle link has no rows.
    radio_series: pub(super) RadioRow {
        /// Time of the sample since the start of the run, in s.
        time_s: Instant,
        /// Name of the UE.
        ue: String,
        /// Direction: `down` or `up`.
        direction: &'static str,
        /// Number of new transport blocks since the previous sample.
        blocks: u64,
        /// Bytes of new transport blocks since the previous sample, headers and padding included.
        block_bytes: Bytes,
        /// Rate of new transport blocks since the previous sample, in kbit/s.
        rate_kbps: f64,
        /// Mean MCS index (`I_MCS`) of new transport blocks; missing without any, or if blocks have
        /// no MCS.
        mean_mcs: Option<f64>,
        /// Number of transmissions since the previous sample, first ones and HARQ retransmissions.
        transmissions: u64,
        /// Number of transmissions since the previous sample after which the receiver could not
        /// decode the block.
        failures: u64,
        /// Number of resource blocks of all transmissions since the previous sample; bytes in a
        /// cell without resource blocks.
        resource_units: u64,
        /// Mean wideband CQI of the reports that the scheduler used since the previous sample;
        /// missing without any.
        mean_cqi: Option<f64>,
        /// SINR of the last transmission at its receiver, in dB; missing if errors do not depend on
        /// the SINR.
        sinr_db: Option<f64>,
        /// Number of uplink grants to the UE since the previous sample; missing in the downlink.
        grants: Option<u64>,
        /// Number of scheduling requests of the UE since the previous sample; missing in the
        /// downlink.
        sr_sent: Option<u64>,
    }
}

/// Counters of one UE at the previous sample.
#[derive(Clone, Debug, Default)]
pub(super) struct Sampled {
    counted: UeCounters,
    links: PerDirection<Activity>,
    queues: PerDirection<Vec<Activity>>,
}

/// Counters of one direction.
#[derive(Clone, Copy, Debug)]
struct Counted {
    blocks: u64,
    bytes: Bytes,
    schemes: u64,
    transmissions: u64,
    decoded: u64,
    units: u64,
    grants: u64,
    requests: u64,
}

impl Cell {
    /// Writes a sample of all UEs.
    pub fn sample(&mut self, now: Instant, period: Duration, ues: &[String], tables: &mut Tables) {
        for ue in 0..self.ues.len() {
            self.sample_ue(ue, now, period, ues, tables);
        }
    }

    /// Writes a sample of one UE.
    pub(super) fn sample_ue(
        &mut self,
        ue: usize,
        now: Instant,
        period: Duration,
        ues: &[String],
        tables: &mut Tables,
    ) {
        self.sampled.resize_with(self.ues.len(), Sampled::default);
        let name = &ues[self.air.links[ue].id.index()];
        let mut sampled = std::mem::take(&mut self.sampled[ue]);
        for direction in Direction::BOTH {
            let activities = &mut sampled.queues[direction];
            activities.resize_with(self.bearers[ue].len(), Activity::default);
            for (position, activity) in activities.iter_mut().enumerate() {
                let waiting = self.waiting(ue, position, direction);
                let place = Place { ue: name, bearer: position, direction };
                place.sample(now, waiting, activity, tables);
            }
            let row = self.radio_row(ue, now, period, direction, &sampled.counted);
            let is_active = row.transmissions > 0 || row.grants > Some(0) || row.sr_sent > Some(0);
            if sampled.links[direction].has_row(is_active) {
                tables.push(RadioRow { ue: name.clone(), ..row });
            }
        }
        sampled.counted = self.counted(ue);
        self.sampled[ue] = sampled;
    }

    /// Returns the bytes of a UE's bearers that are not yet sent, as PDCP PDUs: in RLC, and in
    /// processing before it.
    pub(in crate::ran) fn unsent(&self, ue: UeId, direction: Direction) -> Bytes {
        let pdu = |bearer: usize, packet: &Packet| {
            self.setup.config.bearers[bearer].pdcp[direction].sn_length.header() + packet.length
        };
        let processing: Bytes = match direction {
            Direction::Down => {
                let own = self.processing.iter().filter(|it| it.ue == ue.0);
                own.map(|it| pdu(it.bearer, &it.packet)).sum()
            }
            Direction::Up => {
                let own = self.uplink_processing.iter().filter(|it| it.ue == ue.0);
                own.map(|it| pdu(it.bearer, &it.packet)).sum()
            }
        };
        let bearers = self.bearers[ue.index()].iter();
        let queued: Bytes = bearers.map(|bearer| bearer.rlc.buffer(direction).bytes()).sum();
        processing + queued
    }

    /// Returns the unsent packets of one bearer.
    pub(in crate::ran) fn waiting(&self, ue: usize, bearer: usize, direction: Direction) -> Count {
        let buffer = self.bearers[ue][bearer].rlc.buffer(direction);
        Count { packets: buffer.elements(), bytes: buffer.bytes() }
    }

    /// Returns the row of one direction since `before` was counted, without the UE's name.
    fn radio_row(
        &self,
        ue: usize,
        now: Instant,
        period: Duration,
        direction: Direction,
        before: &UeCounters,
    ) -> RadioRow {
        let (link, counted) = (&self.air.links[ue], self.counted(ue));
        let channel = self.setup.config.channel(direction);
        let news = counted.of(direction).since(before.of(direction));
        let has_schemes = matches!(channel.capacity, Capacity::Carrier(_));
        let depends_on_sinr = matches!(channel.link, LinkModel::Sinr(_));
        let mean = |sum: u64, of: u64| (of > 0).then(|| sum as f64 / of as f64);
        let down = direction == Direction::Down;
        let reports = counted.cqi_reports - before.cqi_reports;
        let qualities = counted.qualities - before.qualities;
        RadioRow {
            time_s: now,
            ue: String::new(),
            direction: direction.name(),
            blocks: news.blocks,
            block_bytes: news.bytes,
            rate_kbps: rate_kbps(news.bytes, period),
            mean_mcs: mean(news.schemes, news.blocks).filter(|_| has_schemes),
            transmissions: news.transmissions,
            failures: news.transmissions - news.decoded,
            resource_units: news.units,
            mean_cqi: mean(qualities, reports).filter(|_| down),
            sinr_db: depends_on_sinr.then(|| tidy(Decibel::from(link.sinr[direction]))),
            grants: (!down).then_some(news.grants),
            sr_sent: (!down).then_some(news.requests),
        }
    }
}

/// Returns a ratio in dB to 1e-9: a set value of 15 dB is linear inside, and would otherwise be
/// 15.000000000000002 in the table.
fn tidy(ratio: Decibel) -> f64 {
    (ratio.0 * 1e9).round() / 1e9
}

impl UeCounters {
    const fn of(&self, direction: Direction) -> Counted {
        let up = &self.uplink;
        match direction {
            Direction::Down => Counted {
                blocks: self.blocks,
                bytes: Bytes(self.bytes),
                schemes: self.schemes,
                transmissions: self.transmissions,
                decoded: self.decoded[0],
                units: self.units,
                grants: 0,
                requests: 0,
            },
            Direction::Up => Counted {
                blocks: up.blocks,
                bytes: up.block_bytes,
                schemes: up.schemes,
                transmissions: up.transmissions,
                decoded: self.decoded[1],
                units: up.units,
                grants: up.grants,
                requests: up.sr_sent,
            },
        }
    }
}

impl Counted {
    fn since(self, before: Self) -> Self {
        Self {
            blocks: self.blocks - before.blocks,
            bytes: self.bytes - before.bytes,
            schemes: self.schemes - before.schemes,
            transmissions: self.transmissions - before.transmissions,
            decoded: self.decoded - before.decoded,
            units: self.units - before.units,
            grants: self.grants - before.grants,
            requests: self.requests - before.requests,
        }
    }
}
