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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ran::cell::config::Conditions;
    use crate::ran::lte::preset;
    use crate::ran::mac::timing::{Delay, Timing};
    use crate::ran::phy::lte::Bandwidth;

    /// Why a cell with these delays is refused.
    fn refused(discipline: Discipline, timing: Timing) -> Option<String> {
        let config = preset::system_level(Bandwidth::Mhz5, vec![Conditions::default()]);
        let uplink = super::super::config::Uplink { discipline, ..config.uplink.clone() };
        Config { timing, uplink, ..config }.check(1).err()
    }

    const ANY: Discipline = Discipline::Synchronous;

    /// A block has arrived one slot and 1.5 of processing after it began: in slot 3, and 2 later
    /// where it goes on the air that much later.
    #[test]
    fn feedback_comes_after_the_block() {
        for (block_to_air, arrival) in [(0, 3), (2, 5)] {
            let timing = |feedback| Timing {
                block_to_air: Delay::ttis(block_to_air),
                downlink_feedback: Delay::ttis(feedback),
                ..Timing::standard()
            };
            assert_eq!(refused(ANY, timing(arrival)), None);
            let early = arrival - 1;
            let why = format!("downlink feedback after {early} slots, arrival after {arrival}");
            assert_eq!(refused(ANY, timing(early)), Some(why));
        }
    }

    #[test]
    fn a_block_is_filled_after_its_grant() {
        let timing = |fill| Timing { fill_to_uplink: Delay::ttis(fill), ..Timing::standard() };
        assert_eq!(refused(ANY, timing(3)), None);
        let why = "blocks are filled 4 slots ahead, granted 4 slots ahead";
        assert_eq!(refused(ANY, timing(4)).as_deref(), Some(why));
    }

    /// The same slot 3, and one slot from the filling to the air.
    #[test]
    fn an_uplink_process_is_filled_after_its_block_has_arrived() {
        let timing = |report, round_trip| Timing {
            fill_to_uplink: Delay::ttis(1),
            grant_to_uplink: Delay::ttis(2),
            report_to_grant: Delay::ttis(report),
            uplink_round_trip: Delay::ttis(round_trip),
            ..Timing::standard()
        };
        assert_eq!(refused(ANY, timing(1, 4)), None);
        let why = "uplink round trip after 3 slots, arrival after 4";
        assert_eq!(refused(ANY, timing(9, 3)).as_deref(), Some(why));
        assert_eq!(refused(Discipline::Granted, timing(2, 3)), None);
        let why = "uplink grant after 3 slots, arrival after 4";
        assert_eq!(refused(Discipline::Granted, timing(1, 9)).as_deref(), Some(why));
    }

    /// Where the slot names the process, a grant may not reach the block before in it.
    #[test]
    fn a_grant_is_not_further_ahead_than_a_round_trip() {
        let timing = |grant| Timing { grant_to_uplink: Delay::ttis(grant), ..Timing::standard() };
        assert_eq!(refused(ANY, timing(7)), None);
        let why = "a grant 8 slots ahead of a round trip of 8";
        assert_eq!(refused(ANY, timing(8)).as_deref(), Some(why));
        assert_eq!(refused(Discipline::Granted, timing(8)), None);
    }

    /// As in ns-3: RLC reports in unacknowledged mode only, and no rate is limited.
    #[test]
    fn queues_are_known_by_reports_where_somebody_makes_them() {
        use crate::net::PerDirection;
        use crate::ran::{bearer, rlc};
        use crate::unit::Bitrate;
        let lena = preset::lena(Bandwidth::Mhz5, vec![bearer::Config::default_bearer()]);
        assert_eq!(lena.check(1), Ok(()));
        let rate = Bitrate::from_bps(1_000_000).expect("not zero");
        let (mut limited, mut acknowledged, mut together) = (lena.clone(), lena.clone(), lena);
        limited.bearers[0].mbr = Some(PerDirection::both(rate));
        acknowledged.bearers[0].rlc.down = rlc::Config::Am(rlc::am::Config::default());
        together.aggregate_maximum = Some(rate);
        for config in [limited, acknowledged, together] {
            assert!(config.check(1).is_err_and(|why| why.contains("no maximum rates")));
        }
    }
}
