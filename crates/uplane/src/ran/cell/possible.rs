//! Checks that the parameters of a cell do not contradict each other.
//!
//! In: the parameters of a cell or a network, the number of its UEs. Out: a plan, from which cells
//! are made, or the first contradiction, for which a scenario is refused.

use super::air::config as air;
use super::carrier::Carrier;
use super::config::{Capacity, Config, DownlinkQueueView};
use crate::ran::mac::harq::Discipline;
use crate::ran::mac::timeline::Timeline;
use crate::ran::mac::timing::Clock;
use crate::unit::Instant;

/// A checked cell, with its UEs.
#[derive(Clone, Debug)]
pub struct CellPlan {
    config: Config,
    ues: u32,
}

impl CellPlan {
    /// Creates a checked cell with these parameters and at most `ues` UEs.
    ///
    /// # Errors
    /// A description of the first contradiction.
    pub fn new(config: Config, ues: u32) -> Result<Self, String> {
        config.check(ues)?;
        Ok(Self { config, ues })
    }

    /// Returns the parameters of the cell.
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// Returns the number of its UEs; in a network, the maximum number.
    pub(super) const fn ues(&self) -> u32 {
        self.ues
    }
}

/// Checked cells, with the air between them and the UEs of all cells.
#[derive(Clone, Debug)]
pub struct NetworkPlan {
    pub(super) cells: CellPlan,
    /// Downlink carrier of the cells.
    pub(super) carrier: Carrier,
    pub(super) air: air::Config,
    pub(super) ues: u32,
}

impl NetworkPlan {
    /// Creates the checked cells with these parameters and `ues` UEs together.
    ///
    /// # Errors
    /// A description of the first contradiction.
    pub fn new(cell: Config, air: air::Config, ues: u32) -> Result<Self, String> {
        let Capacity::Carrier(carrier) = &cell.downlink.channel.capacity else {
            return Err("a network without resource blocks".to_owned());
        };
        let carrier = carrier.clone();
        let cells = CellPlan::new(cell, air.geometry.most_in_a_cell(ues))?;
        Ok(Self { cells, carrier, air, ues })
    }

    /// Returns the parameters of its cells.
    pub const fn config(&self) -> &Config {
        self.cells.config()
    }

    /// Returns the parameters of the air between its cells.
    pub const fn air(&self) -> &air::Config {
        &self.air
    }
}

impl Config {
    /// Checks a cell with at most `ues` UEs for contradictions.
    pub(super) fn check(&self, ues: u32) -> Result<(), String> {
        let clock =
            Clock::new(Instant::ZERO, self.tti.num, self.tti.den).ok_or("a TTI of no length")?;
        let timeline = self.timeline(&clock);
        self.check_downlink_delays(&clock, &timeline, self.on_air())?;
        if let Some(urgent) = &self.downlink.urgent {
            let timeline = Timeline::with_slots(&self.timing, &clock, urgent.times.clone());
            self.check_downlink_delays(&clock, &timeline, urgent.on_air)?;
        }
        self.check_uplink_delays(&clock, &timeline)?;
        self.check_slots(&clock)?;
        self.secondaries.iter().try_for_each(|secondary| secondary.check(ues))?;
        if self.downlink.queue_view == DownlinkQueueView::Reports && !self.can_know_by_reports() {
            return Err("reports of queues need equal shares, UM and no maximum rates".to_owned());
        }
        let Some(pucch) = &self.uplink.pucch else { return Ok(()) };
        pucch.dimensions(ues).map(|_| ()).map_err(|lack| format!("{ues} UEs in a cell: {lack:?}"))
    }

    /// Checks that a block has arrived before its process is filled again.
    fn check_downlink_delays(
        &self,
        clock: &Clock,
        timeline: &Timeline,
        on_air: u64,
    ) -> Result<(), String> {
        for slot in (0..timeline.slots().len() as u64).filter(|&n| timeline.next_downlink(n) == n) {
            let end = timeline.downlink_on_air(slot) + on_air;
            let arrival = clock.at_or_after(clock.after(end, self.timing.ue_processing)) - slot;
            let feedback = timeline.feedback_known(slot) - slot;
            require(arrival <= feedback, || {
                format!("downlink feedback after {feedback} slots, arrival after {arrival}")
            })?;
        }
        Ok(())
    }

    /// Checks that a block has arrived before its process is filled again, and that a UE fills a
    /// block after it has the grant.
    fn check_uplink_delays(&self, clock: &Clock, timeline: &Timeline) -> Result<(), String> {
        let timing = &self.timing;
        let fill = clock.slots(timing.fill_to_uplink);
        let round_trip = timeline.uplink_round_trip();
        let arrival = clock.at_or_after(clock.after(self.on_air(), timing.uplink_decoding)) + fill;
        let slots = timeline.slots().len() as u64;
        let all = (0..slots).flat_map(|by| timeline.granted_in(by).map(move |slot| (by, slot)));
        for (by, slot) in all {
            let grant = slot - by;
            require(fill < grant, || {
                format!("blocks are filled {fill} slots ahead, granted {grant} slots ahead")
            })?;
            let granted_again = timeline.first_granted_from(timeline.report_known(slot));
            let (again, what) = match self.uplink.discipline {
                Discipline::Synchronous => (round_trip, "uplink round trip"),
                Discipline::Granted => {
                    (granted_again.map_or(0, |again| again - slot), "uplink grant")
                }
            };
            require(arrival <= again, || {
                format!("{what} after {again} slots, arrival after {arrival}")
            })?;
            let is_ahead = grant < round_trip || self.uplink.discipline == Discipline::Granted;
            require(is_ahead, || {
                format!("a grant {grant} slots ahead of a round trip of {round_trip}")
            })?;
        }
        Ok(())
    }

    /// Checks that a retransmission without a grant finds as many resource blocks as before.
    fn check_slots(&self, clock: &Clock) -> Result<(), String> {
        let Capacity::Carrier(carrier) = &self.uplink.channel.capacity else { return Ok(()) };
        let slots = carrier.by_slot.as_ref().map_or(1, |slots| slots.len().max(1) as u64);
        let round_trip = clock.slots(self.timing.uplink_round_trip);
        match self.uplink.discipline {
            Discipline::Synchronous => require(round_trip.is_multiple_of(slots), || {
                format!("{slots} slots that differ, and a round trip of {round_trip}")
            }),
            Discipline::Granted => Ok(()),
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
    use crate::ran::mac::timeline::SlotTimes;
    use crate::ran::mac::timing::{Delay, Timing};
    use crate::ran::phy::lte::Bandwidth;

    /// Returns the reason why a cell with these delays is refused.
    fn refused(discipline: Discipline, timing: Timing) -> Option<String> {
        let config = preset::system_level(Bandwidth::Mhz5, vec![Conditions::default()]);
        let uplink = super::super::config::Uplink { discipline, ..config.uplink.clone() };
        Config { timing, uplink, ..config }.check(1).err()
    }

    const ANY: Discipline = Discipline::Synchronous;

    /// A block has arrived after its slot and 1.5 TTIs of processing: in slot 3, and 2 slots later
    /// if it is sent 2 slots later.
    #[test]
    fn feedback_follows_the_block() {
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

    /// Each slot has its own delays: here the delay of the second of two is a slot too short.
    #[test]
    fn feedback_of_each_slot_follows_its_block() {
        let config = preset::system_level(Bandwidth::Mhz5, vec![Conditions::default()]);
        let config = Config { timing: Timing::standard(), ..config };
        let clock = Clock::new(Instant::ZERO, 1_000_000, 1).expect("a TTI takes time");
        let checked = |feedback: [u64; 2]| {
            let slots = feedback.map(|feedback| SlotTimes { feedback, ..SlotTimes::both_ways() });
            let timeline = Timeline::with_slots(&config.timing, &clock, Box::new(slots));
            config.check_downlink_delays(&clock, &timeline, 1)
        };
        assert_eq!(checked([3, 3]), Ok(()));
        let why = "downlink feedback after 2 slots, arrival after 3".to_owned();
        assert_eq!(checked([3, 2]), Err(why));
    }

    #[test]
    fn a_block_is_filled_after_its_grant() {
        let timing = |fill| Timing { fill_to_uplink: Delay::ttis(fill), ..Timing::standard() };
        assert_eq!(refused(ANY, timing(3)), None);
        let why = "blocks are filled 4 slots ahead, granted 4 slots ahead";
        assert_eq!(refused(ANY, timing(4)).as_deref(), Some(why));
    }

    /// A block is filled one slot before its transmission, and arrives at the base station in slot
    /// 3: 4 slots after it was filled. Its process is filled again 4 slots later at the earliest.
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

    /// If the slot names the process, a grant must not be for a process whose last block is
    /// unfinished.
    #[test]
    fn a_grant_is_not_further_ahead_than_a_round_trip() {
        let timing = |grant| Timing { grant_to_uplink: Delay::ttis(grant), ..Timing::standard() };
        assert_eq!(refused(ANY, timing(7)), None);
        let why = "a grant 8 slots ahead of a round trip of 8";
        assert_eq!(refused(ANY, timing(8)).as_deref(), Some(why));
        assert_eq!(refused(Discipline::Granted, timing(8)), None);
    }

    /// As in ns-3: RLC reports in unacknowledged mode only, without rate limits.
    #[test]
    fn queue_reports_require_the_downlink_of_ns3() {
        use crate::net::PerDirection;
        use crate::ran::{bearer, rlc};
        use crate::unit::Bitrate;
        let lena = preset::lena(Bandwidth::Mhz5, vec![bearer::Config::default_bearer()]);
        assert_eq!(lena.check(1), Ok(()));
        let rate = Bitrate::from_bps(1_000_000).expect("not zero");
        let (mut limited, mut acknowledged, mut together) = (lena.clone(), lena.clone(), lena);
        limited.bearers[0].mbr = PerDirection::both(Some(rate));
        acknowledged.bearers[0].rlc.down = rlc::Config::Am(rlc::am::Config::default());
        together.aggregate_maximum = Some(rate);
        for config in [limited, acknowledged, together] {
            assert!(config.check(1).is_err_and(|why| why.contains("no maximum rates")));
        }
    }
}
