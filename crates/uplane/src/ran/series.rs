//! The queues of radio bearers over time.
//!
//! In: the times of samples, the data that waits then. Out: rows of the table `bearer_series`.
//! Every radio has this table; in a radio without bearers, each UE counts as one bearer.
//!
//! Left out: data in the processing of a base station or a UE before the queue, and data that is
//! sent and not yet acknowledged by RLC or HARQ. This matters for the total of a sender's data in
//! flight.

use crate::net::{Count, Direction};
use crate::record::{Activity, Tables, table};
use crate::unit::{Bytes, Instant};

table! {
    /// Queue of one radio bearer, sampled at the interval `record.series`. A queue that stays empty
    /// has no rows.
    bearer_series: pub(super) BearerRow {
        /// Time of the sample since the start of the run, in s.
        time_s: Instant,
        /// Name of the UE.
        ue: String,
        /// Number of the bearer within its UE; 0 is the default bearer.
        bearer: u64,
        /// Direction: `down` or `up`.
        direction: &'static str,
        /// Number of packets in the transmit queue, partly sent ones included.
        queue_packets: u64,
        /// Bytes in the transmit queue that were never sent.
        queue_bytes: Bytes,
    }
}

/// The identity of a queue.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a> {
    pub(super) ue: &'a str,
    pub(super) bearer: usize,
    pub(super) direction: Direction,
}

impl Place<'_> {
    /// Writes a sample of this queue, unless nothing has changed.
    pub(super) fn sample(
        self,
        now: Instant,
        waiting: Count,
        activity: &mut Activity,
        tables: &mut Tables,
    ) {
        let Count { packets: queue_packets, bytes: queue_bytes } = waiting;
        if activity.has_row(queue_packets > 0) {
            let (ue, bearer) = (self.ue.to_owned(), self.bearer as u64);
            let direction = self.direction.name();
            let time_s = now;
            tables.push(BearerRow { time_s, ue, bearer, direction, queue_packets, queue_bytes });
        }
    }
}
