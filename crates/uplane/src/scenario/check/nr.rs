//! Checks of an NR cell: keys that contradict each other, and the cell that all of them make.

mod access;
mod bearer;
mod channel;
mod configured_grant;
mod control_channel;
mod downlink_sps;
mod duplication;
mod mini_slots;
mod network;
mod request;
mod rrc_inactive;
mod secondary;
mod serving_cells;
mod urgent;

use super::super::schema::{Bler, GnbTime, McsChoice, Nr};
use super::{Checked, Checker, lte};
use crate::net::Direction;
use crate::ran::cell::config::{DownlinkQueueView, Slots};
use crate::ran::cell::{Access, Conditions, Config, Downlink, Tti, Uplink};
use crate::ran::mac::buffer_status;
use crate::ran::mac::buffer_status::Levels;
use crate::ran::mac::harq::Discipline;
use crate::ran::mac::header::SubHeaders;
use crate::ran::mac::timing::{Delay, Timing};
use crate::ran::nr::slot_format::SlotFormat;
use crate::ran::nr::timeline::{Processing, SlotGrid};
use crate::ran::phy::nr::numerology::SYMBOLS;
use crate::ran::phy::nr::{
    Capability, FrequencyRange, Numerology, carrier_bandwidths, carrier_prbs,
};
use crate::unit::{Decibel, Duration};
use mini_slots::Within;

/// The grid and the resource blocks of a cell.
struct Frame {
    numerology: Numerology,
    format: SlotFormat,
    prbs: u32,
    control_symbols: u32,
    within: Option<Within>,
    /// Slots of the cell's clock in a slot: 1, or symbols where transmissions begin within it.
    ticks: u64,
}

impl Frame {
    /// Returns the length of a slot of the clock.
    fn tti(&self) -> Tti {
        Tti { num: self.numerology.slot().as_nanos(), den: self.ticks }
    }

    /// Returns the minimum number of slots of the clock that last at least `time`.
    fn ticks_in(&self, time: Duration) -> u64 {
        let Tti { num, den } = self.tti();
        (u128::from(time.as_nanos()) * u128::from(den)).div_ceil(num.into()) as u64
    }

    /// Returns the numbers of PRBs and symbols of the control channel.
    fn control(&self) -> (u32, u32) {
        (self.within.map_or(self.prbs, |within| within.control_prbs), self.control_symbols)
    }

    fn grid(&self) -> SlotGrid<'_> {
        let Self { format, numerology, control_symbols, .. } = self;
        SlotGrid { format, numerology: *numerology, control_symbols: *control_symbols }
    }
}

impl Checker<'_> {
    /// Checks a section and returns its cell.
    pub(super) fn nr(&self, section: &Nr) -> Checked<Config> {
        let frame = self.frame(section, CELL)?;
        let (timing, slots) = self.nr_timing(section, &frame, &frame)?;
        let (processing, ..) = self.nr_processing(section, &frame, &frame)?;
        let request = self.nr_request(section, &frame)?;
        let random_access = self.nr_random_access(section, &frame, (&timing, &slots))?;
        let grants = self.nr_grants(section, &frame, &timing, &slots)?;
        let ack_filters = self.ack_filters("radio.nr", section.ack_filter.as_ref())?;
        let bearers = self.data_radio_bearers(section, !ack_filters.is_empty())?;
        let down = self.nr_channel(section, &frame, CELL, true)?;
        let urgent = self.nr_urgent(section, &frame, &processing, &down, &bearers)?;
        let mut config = Config {
            tti: frame.tti(),
            phase: section.phase,
            timing,
            slots: Some(slots),
            downlink: Downlink {
                channel: down,
                outer_loop: section.outer_loop,
                urgent,
                queue_view: DownlinkQueueView::Exact,
                sps: self.nr_downlink_sps(section, &frame)?,
                drx: self.drx("radio.nr.drx", section.drx.as_ref())?,
            },
            uplink: Uplink {
                channel: self.nr_channel(section, &frame, CELL, false)?,
                discipline: Discipline::Granted,
                outer_loop: section.outer_loop,
                access: Access::Standard,
                request,
                more_requests: self.nr_more_requests(section, &frame)?,
                request_delay: section.sr_delay_timer.unwrap_or_default(),
                report: buffer_status::Config {
                    periodic: Some(section.periodic_bsr_timer),
                    retransmission: Some(section.retx_bsr_timer),
                    levels: Levels::FiveOrEightBits,
                    formats: buffer_status::NR_FORMATS,
                },
                grants,
                random_access,
                pucch: None,
            },
            control_channel: Some(self.nr_control_channel(section, &frame)?),
            feedback: lte::feedback(section.feedback),
            sub_headers: SubHeaders::NR,
            bearers,
            aggregate_maximum: section.ue_ambr.get(),
            uplink_aggregate_maximum: section.uplink_ue_ambr.get(),
            conditions: self.nr_conditions(section),
            spreads: self.nr_spreads(),
            sinrs: self.sinrs(|way| any_carrier_depends_on_sinr(section, way))?,
            handover: None,
            rrc: None,
            ack_filters,
            secondaries: Vec::new(),
            carries_uplink: false,
            activation: None,
        };
        config.secondaries = self.secondary_carriers(section, &frame, &config)?;
        config.handover = self.handover("radio.nr.handover", section.handover.as_ref(), &config)?;
        config.rrc = self.nr_rrc(section, &frame, &config)?;
        Ok(config)
    }

    /// Checks the grid of the carrier whose keys are at `place`.
    fn frame(&self, section: &Nr, place: &str) -> Checked<Frame> {
        let khz = section.subcarrier_spacing_khz;
        let numerology = Numerology::of_spacing(khz).expect("the schema has the spacings");
        let format = match section.duplex.0.slots(numerology) {
            Ok(format) => format,
            Err(rule) => return self.wrong(&format!("{place}.duplex"), "", &rule),
        };
        let range = if khz == 120 { FrequencyRange::Fr2 } else { FrequencyRange::Fr1 };
        let mhz = section.bandwidth_mhz;
        let Some(prbs) = carrier_prbs(range, mhz, khz) else {
            let valid: Vec<String> =
                carrier_bandwidths(range, khz).map(|mhz| mhz.to_string()).collect();
            let (last, others) = valid.split_last().expect("each spacing has bandwidths");
            let expected = format!("{} or {last} MHz at {khz} kHz", others.join(", "));
            return self.wrong(&format!("{place}.bandwidth_mhz"), &format!("{mhz} MHz"), &expected);
        };
        let within = self.within_slots(section, prbs)?;
        let ticks = if within.is_some() { SYMBOLS.into() } else { 1 };
        let control_symbols = section.control_symbols;
        Ok(Frame { numerology, format, prbs, control_symbols, within, ticks })
    }

    /// Returns the processing times of UEs and base station, and then the UE's time to receive and
    /// its time to transmit. HARQ feedback is sent on the carrier of `pucch`.
    fn nr_processing(
        &self,
        section: &Nr,
        frame: &Frame,
        pucch: &Frame,
    ) -> Checked<(Processing, Duration, Duration)> {
        let numerology = frame.numerology;
        let capability = if section.ue_capability == 2 { Capability::Two } else { Capability::One };
        let more_dmrs = section.dmrs_symbols > 1;
        let (Some(receive), Some(transmit)) = (
            numerology.pdsch_processing(capability, more_dmrs, 0),
            numerology.pusch_processing(capability),
        ) else {
            return self.no_capability(section);
        };
        let takes_of = |numerology: Numerology, time: GnbTime, as_ue: Duration| match time {
            GnbTime::AsUe => half(as_ue),
            GnbTime::Slots(slots) => numerology.slot() * u64::from(slots),
        };
        let takes = |time, as_ue| takes_of(numerology, time, as_ue);
        let processing = Processing {
            transmit: takes(section.gnb_tx_slots, transmit),
            receive: takes(section.gnb_rx_slots, receive),
            feedback: takes_of(pucch.numerology, section.gnb_rx_slots, transmit),
            request: takes(section.gnb_sr_slots, transmit),
            least_k1: section.least_k1,
            least_k2: section.least_k2,
            capability,
            more_dmrs,
            answers_anywhere: section.secondary_carrier.iter().any(|it| it.uplink.is_some()),
        };
        Ok((processing, receive, transmit))
    }

    /// Returns the delays of the cell and the timing of each slot.
    fn nr_timing(&self, section: &Nr, frame: &Frame, pucch: &Frame) -> Checked<(Timing, Slots)> {
        let (processing, receive, transmit) = self.nr_processing(section, frame, pucch)?;
        let (least_grant, slots) = match &frame.within {
            None => self.nr_slot_times(section, frame, pucch, &processing)?,
            Some(within) => self.nr_symbol_times(section, frame, within, &processing)?,
        };
        let delay = |time: GnbTime, takes: Duration| match time {
            GnbTime::Slots(slots) if frame.ticks == 1 => Delay::ttis(slots),
            _ => Delay::NONE.at_least(takes),
        };
        let timing = Timing {
            enb_processing: delay(section.gnb_tx_slots, processing.transmit),
            block_to_air: Delay::NONE,
            ue_processing: Delay::NONE.at_least(half(receive)),
            ue_transmission: Delay::NONE.at_least(half(transmit)),
            fill_to_uplink: Delay::NONE,
            uplink_decoding: delay(section.gnb_rx_slots, processing.receive),
            grant_to_uplink: least_grant,
            ..Timing::standard()
        };
        Ok((timing, slots))
    }

    /// Returns the minimum delay from a grant to its transmission, and the timing of each slot.
    fn nr_slot_times(
        &self,
        section: &Nr,
        frame: &Frame,
        pucch: &Frame,
        processing: &Processing,
    ) -> Checked<(Delay, Slots)> {
        let Frame { numerology, format, .. } = frame;
        let grid = frame.grid();
        let times = grid.times_beside(&pucch.grid(), processing);
        let (Some(times), Some(least)) = (times, grid.least_grant(processing)) else {
            return self.no_capability(section);
        };
        let symbols = format.slots().iter();
        let spared = symbols.map(|slot| {
            numerology.slot()
                - numerology.symbol_start(if slot.down == 0 { SYMBOLS } else { slot.down })
        });
        let slots = Slots {
            times,
            downlink_spared: spared.collect(),
            downlink_late: Box::new([Duration::ZERO]),
            on_air: 1,
            in_carrier_slot: 1,
        };
        Ok((Delay::ttis(least as u32), slots))
    }

    fn no_capability<T>(&self, section: &Nr) -> Checked<T> {
        let found = section.ue_capability.to_string();
        let expected = "1: there is no capability 2 with 120 kHz (TS 38.214 §5.3)";
        self.wrong("radio.nr.ue_capability", &found, expected)
    }

    /// Returns the radio conditions of all UEs.
    fn nr_conditions(&self, section: &Nr) -> Vec<Conditions> {
        let usual = Conditions::default();
        let down = section.downlink_sinr_db.map_or(usual.downlink, Decibel);
        let up = section.uplink_sinr_db.map_or(usual.uplink, Decibel);
        let of = |ue: &super::super::schema::Ue| Conditions {
            downlink: ue.first_downlink_sinr_db().map_or(down, Decibel),
            uplink: ue.first_uplink_sinr_db().map_or(up, Decibel),
        };
        self.file.ue.iter().flat_map(|ue| (0..ue.count).map(move |_| of(ue))).collect()
    }

    /// Returns the maximum random increase of each UE's SINR.
    fn nr_spreads(&self) -> Vec<Decibel> {
        let spread = |ue: &super::super::schema::Ue| Decibel(ue.sinr_spread_db.unwrap_or(0.0));
        self.file.ue.iter().flat_map(|ue| (0..ue.count).map(move |_| spread(ue))).collect()
    }
}

/// The keys of the first carrier.
const CELL: &str = "radio.nr";

/// Returns `true` if anything of a direction depends on the SINR: in the uplink schemes or errors,
/// in the downlink the room that control messages take in any case.
fn depends_on_sinr(section: &Nr, way: Direction) -> bool {
    let adapts = section.uplink_mcs == McsChoice::Adaptive;
    way == Direction::Down || section.bler == Bler::Sinr || adapts
}

/// Returns `true` if [`depends_on_sinr`] holds for any carrier with this direction.
pub(super) fn any_carrier_depends_on_sinr(cell: &Nr, way: Direction) -> bool {
    let carriers = cell.secondary_carrier.iter();
    let mut carriers = carriers.filter(|it| way == Direction::Down || it.uplink.is_some());
    depends_on_sinr(cell, way)
        || carriers.any(|own| depends_on_sinr(&secondary::with(cell, own), way))
}

/// Returns half of a UE's processing time: half is before a transmission and half after a reception
/// (TR 37.910).
fn half(time: Duration) -> Duration {
    Duration::from_nanos(time.as_nanos() / 2)
}
