//! Which cells are possible: parameters that contradict each other.
//!
//! In: the parameters of a cell, the number of its UEs. Out: the first contradiction. A scenario is
//! refused by it; a cell is only built of what has passed.

use super::config::{Capacity, Config, Knowledge};
use crate::ran::mac::harq::Discipline;
use crate::ran::mac::timing::Clock;
use crate::unit::Instant;

impl Config {
    /// Whether a cell with at most `ues` UEs can be like this.
    ///
    /// # Errors
    /// What contradicts what, in words.
    pub fn check(&self, ues: u32) -> Result<(), String> {
        let clock =
            Clock::new(Instant::ZERO, self.tti.num, self.tti.den).ok_or("a TTI of no length")?;
        self.check_downlink_delays(&clock)?;
        self.check_uplink_delays(&clock)?;
        self.check_slots(&clock)?;
        if self.downlink.knowledge == Knowledge::Reports && !self.can_know_by_reports() {
            return Err("reports of queues need equal shares, UM and no maximum rates".to_owned());
        }
        let Some(pucch) = &self.uplink.pucch else { return Ok(()) };
        pucch.dimensions(ues).map(|_| ()).map_err(|lack| format!("{ues} UEs in a cell: {lack:?}"))
    }

    /// A block must have arrived before its process is filled again.
    fn check_downlink_delays(&self, clock: &Clock) -> Result<(), String> {
        let timing = &self.timing;
        let on_air = clock.slots(timing.block_to_air);
        let arrival = clock.at_or_after(clock.after(on_air + 1, timing.ue_processing));
        let feedback = clock.slots(timing.downlink_feedback);
        require(arrival <= feedback, || {
            format!("downlink feedback after {feedback} slots, arrival after {arrival}")
        })
    }

    /// The same of the uplink; and a UE fills a block after it has the grant.
    fn check_uplink_delays(&self, clock: &Clock) -> Result<(), String> {
        let timing = &self.timing;
        let fill = clock.slots(timing.fill_to_uplink);
        let grant = clock.slots(timing.grant_to_uplink);
        let round_trip = clock.slots(timing.uplink_round_trip);
        require(fill < grant, || {
            format!("blocks are filled {fill} slots ahead, granted {grant} slots ahead")
        })?;
        let arrival = clock.at_or_after(clock.after(1, timing.uplink_decoding)) + fill;
        let (again, what) = match self.uplink.discipline {
            Discipline::Synchronous => (round_trip, "uplink round trip"),
            Discipline::Granted => (clock.slots(timing.report_to_grant) + grant, "uplink grant"),
        };
        require(arrival <= again, || {
            format!("{what} after {again} slots, arrival after {arrival}")
        })?;
        let is_ahead = grant < round_trip || self.uplink.discipline == Discipline::Granted;
        require(is_ahead, || format!("a grant {grant} slots ahead of a round trip of {round_trip}"))
    }

    /// A block that is sent again without a grant finds as many resource blocks as before.
    fn check_slots(&self, clock: &Clock) -> Result<(), String> {
        let Capacity::Carrier(carrier) = &self.uplink.channel.capacity else { return Ok(()) };
        let slots = carrier.by_slot.as_ref().map_or(1, |slots| slots.len().max(1) as u64);
        let round_trip = clock.slots(self.timing.uplink_round_trip);
        match self.uplink.discipline {
            Discipline::Synchronous => require(round_trip.is_multiple_of(slots), || {
                format!("{slots} slots that differ, and a round trip of {round_trip}")
            }),
            Discipline::Granted => require(self.uplink.grants.sps.is_none(), || {
                "semi-persistent grants, and a process named by each grant".to_owned()
            }),
        }
    }
}

fn require(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}
