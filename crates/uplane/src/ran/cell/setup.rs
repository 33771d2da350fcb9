//! Constants of a cell that both sides know: its parameters, its clock, its slots.
//!
//! In: the parameters of a cell, the number of its UEs. Out: these parameters in slots and
//! instants.

use super::block::OnAir;
use super::carrier_place::CarrierPlace;
use super::config::Config;
use super::possible::CellPlan;
use super::slot_capacity::{SlotCapacity, UNLIMITED};
use super::starts::Starts;
use super::urgent;
use crate::net::{Cause, Direction, Ledger, PerDirection};
use crate::ran::bearer::{self, PacketFilters};
use crate::ran::mac::harq::Discipline;
use crate::ran::mac::served_groups::ServedGroups;
use crate::ran::mac::timeline::Timeline;
use crate::ran::mac::timing::Clock;
use crate::ran::rlc;
use crate::sim::Streams;
use crate::unit::{Bytes, Duration, Instant};

/// The common constants of a cell.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    pub(super) config: Config,
    pub(super) clock: Clock,
    /// Place of this carrier among those of its cell.
    pub(super) place: CarrierPlace,
    /// Logical channel groups that its uplink may carry.
    pub(super) served_groups: ServedGroups,
    pub(super) timeline: Timeline,
    /// Resource units of each slot.
    pub(super) capacity: PerDirection<SlotCapacity>,
    /// Length of a slot, to the nearest nanosecond.
    pub(super) tti: Duration,
    /// Time by which an uplink transmission ends before its slot does.
    pub(super) uplink_spared: Duration,
    /// Time by which a downlink transmission ends before its slot does, for each slot of a pattern
    /// that repeats.
    downlink_spared: Box<[Duration]>,
    /// Additional processing time of a UE for a downlink block, for each slot of that pattern.
    downlink_late: Box<[Duration]>,
    /// Number of slots that a block is on the air.
    pub(super) on_air: u64,
    /// Number of slots of the clock in a slot of the carrier.
    pub(super) in_carrier_slot: u64,
    /// Grid of urgent blocks, if some bearers are urgent.
    pub(super) urgent: Option<Box<urgent::Grid>>,
    /// Some bearer is in acknowledged mode, whose STATUS PDUs change buffers.
    pub(super) acknowledged: bool,
    /// UEs derive uplink rules from packets of some bearer.
    pub(super) reflective: bool,
    /// The packet filters of all bearers.
    pub(super) filters: PacketFilters,
    /// UEs filter acknowledgements of some bearer.
    pub(super) ack_filters: bool,
    /// Some bearer has a managed queue.
    pub(super) managed: bool,
    /// PDCP discards packets of some bearer that have waited too long for the downlink.
    pub(super) discards: bool,
}

impl Setup {
    /// Creates the setup for `ue_count` of the plan's UEs.
    pub(super) fn new(plan: &CellPlan, ue_count: u32, streams: Streams) -> Self {
        debug_assert!(ue_count <= plan.ues(), "{ue_count} UEs of {}", plan.ues());
        let config = plan.config().for_ues(ue_count);
        let phase =
            config.phase.offset(config.carrier_slot(), &mut streams.open("radio", "grid phase"));
        let place = CarrierPlace::new(&config, 0);
        Self::beginning(config, place, Instant::ZERO + phase)
    }

    /// Creates the setup of a cell, or of one of its carriers, whose slot 0 begins at `origin`.
    pub(super) fn beginning(config: Config, place: CarrierPlace, origin: Instant) -> Self {
        let tti = config.tti.length();
        let clock = Clock::new(origin, config.tti.num, config.tti.den).expect("a TTI takes time");
        let capacity = PerDirection::of(|direction: Direction| {
            SlotCapacity::new(&config.channel(direction).capacity, config.tti)
        });
        let uplink_spared = config.uplink_spared();
        let (downlink_spared, downlink_late) = match &config.slots {
            None => (ALIKE.into(), ALIKE.into()),
            Some(slots) => (slots.downlink_spared.clone(), slots.downlink_late.clone()),
        };
        let (on_air, in_carrier_slot) = (config.on_air(), config.in_carrier_slot());
        let timeline = config.timeline(&clock);
        let served_groups = served_groups(&config, place);
        let grid = |own| Box::new(urgent::Grid::new(own, &config.timing, &clock, config.tti));
        let urgent = config.downlink.urgent.as_deref().map(grid);
        let acknowledged =
            config.bearers.iter().any(|bearer| bearer.rlc.iter().all(rlc::Config::is_acknowledged));
        let filters = PacketFilters::of(&config.bearers);
        let reflective = config.bearers.iter().any(|bearer| bearer.reflective.is_some());
        let ack_filters = !config.ack_filters.is_empty();
        let managed = config.bearers.iter().any(|bearer| bearer.aqm.is_some());
        let discards = config.bearers.iter().any(|it| it.pdcp.down.discard_timer.is_some());
        Self {
            config,
            clock,
            place,
            served_groups,
            timeline,
            capacity,
            tti,
            uplink_spared,
            downlink_spared,
            downlink_late,
            on_air,
            in_carrier_slot,
            urgent,
            acknowledged,
            reflective,
            filters,
            ack_filters,
            managed,
            discards,
        }
    }

    /// Returns the time on the air of a block that begins in `slot`.
    #[inline(always)]
    pub(super) fn times_of_block(&self, direction: Direction, slot: u64) -> OnAir {
        let (started, ended) = (self.clock.start(slot), self.ended(direction, slot));
        OnAir { slot, started, ended }
    }

    /// Returns the end of a transmission that begins with `slot`.
    #[inline(always)]
    pub(super) fn ended(&self, direction: Direction, slot: u64) -> Instant {
        self.clock.start(slot + self.on_air) - self.spared(direction, slot)
    }

    /// Returns the time at which the receiver has processed a block that begins in `slot`.
    #[inline(always)]
    pub(super) fn processed(&self, direction: Direction, slot: u64) -> Instant {
        let (processing, late) = match direction {
            Direction::Down => {
                (self.config.timing.ue_processing, of_slot(&self.downlink_late, slot))
            }
            Direction::Up => (self.config.timing.uplink_decoding, Duration::ZERO),
        };
        self.clock.after(slot + self.on_air, processing) + late - self.spared(direction, slot)
    }

    /// Charges the wait of a downlink packet whose block is built `now`. `starts` has the starts of
    /// slots, `woke` the slot in which a sleeping UE woke. The rest is charged to `wait`.
    #[inline(always)]
    pub(super) fn charge_start(
        &self,
        ledger: &mut Ledger,
        (starts, wait): (&Starts<'_>, Cause),
        now: Instant,
        woke: Option<u64>,
    ) {
        // The packet became ready within a slot; a longer time was a wait for other packets.
        let ready = ledger.booked();
        if ready + self.tti >= now {
            ledger.charge(Cause::RadioAlignment, now);
            return;
        }
        let [aligned, first] = starts.after(ready);
        ledger.charge(Cause::RadioAlignment, aligned);
        ledger.charge(Cause::DuplexWait, first);
        if let Some(woke) = woke {
            ledger.charge(Cause::DrxSleep, self.clock.start(woke).min(now));
        }
        ledger.charge(wait, now);
    }

    /// Returns the time by which a transmission ends before its slot does.
    #[inline(always)]
    fn spared(&self, direction: Direction, slot: u64) -> Duration {
        match direction {
            Direction::Up => self.uplink_spared,
            Direction::Down => of_slot(&self.downlink_spared, slot),
        }
    }

    /// Returns a number of slots as a time, with `tti` as the length of each.
    #[inline(always)]
    pub(super) fn slots(&self, slots: u64) -> Duration {
        Duration::from_nanos(slots * self.tti.as_nanos())
    }

    /// Returns the slot that is under way at `time`.
    pub(super) fn slot_at(&self, time: Instant) -> u64 {
        let next = self.clock.at_or_after(time);
        next - u64::from(self.clock.start(next) > time)
    }

    /// Returns the time at which a request is sent in `slot`.
    pub(super) fn request_begins(&self, slot: u64) -> Instant {
        self.clock.start(slot) + self.config.uplink.request.begins
    }

    /// Returns the first slot whose requests are sent at `time` or later.
    pub(super) fn first_request_from(&self, time: Instant) -> u64 {
        let begins = self.config.uplink.request.begins;
        let since = time.saturating_since(Instant::ZERO).saturating_sub(begins);
        self.clock.at_or_after(Instant::ZERO + since)
    }

    /// Returns the number of HARQ processes of a UE's uplink: one per slot of the round trip if the
    /// slot names them.
    pub(super) fn uplink_processes(&self) -> u32 {
        match self.config.uplink.discipline {
            Discipline::Synchronous => self.timeline.uplink_round_trip() as u32,
            Discipline::Granted => self.config.uplink.channel.harq.processes,
        }
    }

    /// Returns a number for an uplink process of this carrier that is unique for the UE.
    pub(super) fn process_of_ue(&self, process: usize) -> usize {
        if self.place.is_alone() {
            return process;
        }
        self.place.process(process, self.uplink_processes() as usize)
    }

    /// Returns the size of the grant that answers a request.
    pub(super) fn first_grant(&self) -> Bytes {
        self.config.uplink.grants.on_request.size(self.tti).unwrap_or(Bytes(UNLIMITED))
    }

    /// Returns the size of an uplink block for `data` bytes with their headers.
    pub(super) fn block_for(&self, data: Bytes) -> Bytes {
        self.config.uplink.grants.block_for(data, self.config.sub_headers)
    }

    /// Returns the data that an uplink block of this size should carry.
    pub(super) fn data_in(&self, block: Bytes) -> Bytes {
        self.config.uplink.grants.data_in(block, self.config.sub_headers)
    }
}

/// Returns the logical channel groups that may use this carrier. All channels of a group may use
/// the same carriers.
fn served_groups(config: &Config, place: CarrierPlace) -> ServedGroups {
    let groups = config.bearers.iter().flat_map(bearer::Config::groups);
    let barred = groups.filter(|(_, carriers)| !carriers.contains(place.number()));
    barred.fold(ServedGroups::ALL, |served, (group, _)| served.without(group))
}

/// Returns the entry of `slot` in a table that repeats.
#[inline(always)]
fn of_slot(table: &[Duration], slot: u64) -> Duration {
    match table {
        [alike] => *alike,
        slots => slots[(slot % slots.len() as u64) as usize],
    }
}

/// Table for slots that are all alike.
const ALIKE: [Duration; 1] = [Duration::ZERO];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ran::bearer;
    use crate::ran::lte::preset;
    use crate::ran::phy::lte::Bandwidth;

    /// A slot is under way from its beginning until that of the next.
    #[test]
    fn the_slot_at_a_time_is_the_one_under_way() {
        let config = preset::lena(Bandwidth::Mhz5, vec![bearer::Config::default_bearer()]);
        let place = CarrierPlace::new(&config, 0);
        let at = |micros| Instant::ZERO + Duration::from_micros(micros);
        let setup = Setup::beginning(config, place, at(300));
        let slots = [300, 301, 1299, 1300, 1301, 5800].map(|micros| setup.slot_at(at(micros)));
        assert_eq!(slots, [0, 0, 0, 1, 1, 5]);
    }
}
