//! The SINR of a UE over time, in a cell without a network around it.
//!
//! In: steps, each with its start. Out: the SINR of a transmission, and the SINR that the base
//! station learns: measurements at regular slots, known some slots later, as in a network.
//!
//! Left out: an SINR that differs over the band or that changes within a slot. This matters if a
//! measured channel has finer steps than the cell's measurements.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::config::Reports;
use crate::net::{Direction, PerDirection};
use crate::ran::mac::timing::Clock;
use crate::ran::phy::Sinr;
use crate::unit::range::within;
use crate::unit::{Decibel, Duration, Instant};

/// One SINR of a UE, which holds until the next one.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SinrStep {
    /// Time from which the SINR holds, counted from the start of the run. The first is 0 s; later
    /// ones ascend.
    pub at: Duration,
    /// SINR of the UE from `at` until the next entry of the list, in dB: in the downlink for
    /// `downlink_sinrs`, in the uplink for `uplink_sinrs`.
    #[schemars(transform = within(-30, 60).unit("dB"))]
    pub sinr_db: f64,
}

/// The changing SINRs of one UE.
#[derive(Clone, Debug)]
pub(in crate::ran::cell) struct VaryingSinr {
    /// Steps of each direction, starting at the start of the run; empty if the SINR does not
    /// change.
    steps: PerDirection<Box<[(Instant, Sinr)]>>,
    /// The first slot in which a new measurement is known.
    due: PerDirection<u64>,
    /// Index of the step that the base station knows.
    known: PerDirection<usize>,
}

impl VaryingSinr {
    /// Returns `None` for a UE whose SINRs never change.
    pub(in crate::ran::cell) fn new(steps: &PerDirection<Vec<SinrStep>>) -> Option<Box<Self>> {
        let varies = steps.iter().any(|steps| !steps.is_empty());
        let steps = PerDirection::of(|direction: Direction| {
            let step = |step: &SinrStep| (Instant::ZERO + step.at, Decibel(step.sinr_db).into());
            steps[direction].iter().map(step).collect()
        });
        let (due, known) = (PerDirection::default(), PerDirection::default());
        varies.then(|| Box::new(Self { steps, due, known }))
    }

    /// Returns the SINR at `time`; `None` if it does not change.
    pub(super) fn at(&self, direction: Direction, time: Instant) -> Option<Sinr> {
        Some(self.steps[direction].get(self.step_at(direction, time))?.1)
    }

    /// Returns the SINR that the base station learns in `slot`, if it differs from the one it
    /// knows. If `is_lost` returns `true`, the report does not arrive, and the next measurement has
    /// the SINR.
    pub(super) fn measured(
        &mut self,
        direction: Direction,
        slot: u64,
        offset: u64,
        clock: &Clock,
        is_lost: impl FnOnce() -> bool,
    ) -> Option<Sinr> {
        if slot < self.due[direction] || self.steps[direction].is_empty() {
            return None;
        }
        let reports = match direction {
            Direction::Down => REPORTS,
            Direction::Up => SOUNDING,
        };
        let measured = reports.in_force(slot, offset);
        self.due[direction] = reports.in_force_until(measured, offset);
        let step = self.step_at(direction, clock.start(measured));
        if step == self.known[direction] || is_lost() {
            return None;
        }
        self.known[direction] = step;
        Some(self.steps[direction][step].1)
    }

    fn step_at(&self, direction: Direction, time: Instant) -> usize {
        self.steps[direction].partition_point(|(at, _)| *at <= time).saturating_sub(1)
    }
}

/// The UE's downlink reports, with the defaults of a network.
const REPORTS: Reports = Reports::of_any_slot(5, 8);

/// The base station's uplink measurements.
const SOUNDING: Reports = Reports::of_any_slot(10, 8);

#[cfg(test)]
mod tests {
    use super::*;

    fn varying() -> VaryingSinr {
        let step = |millis, sinr_db| SinrStep { at: Duration::from_millis(millis), sinr_db };
        let down = vec![step(0, 20.0), step(22, 3.0), step(40, 9.0)];
        *VaryingSinr::new(&PerDirection { down, up: Vec::new() }).expect("it changes")
    }

    #[test]
    fn a_step_holds_from_its_time_on() {
        let (varying, at) = (varying(), |ms| Instant::ZERO + Duration::from_millis(ms));
        let db = |ms| varying.at(Direction::Down, at(ms)).map(Sinr::linear);
        let linear = |db| Some(Sinr::from(Decibel(db)).linear());
        assert_eq!([0, 21, 22, 39, 40, 900].map(db), [20.0, 20.0, 3.0, 3.0, 9.0, 9.0].map(linear));
        assert_eq!(varying.at(Direction::Up, at(22)), None);
    }

    /// Measured each five slots, starting with slot 2, and known eight slots later: a change at 22
    /// ms is measured in slot 22 and known in slot 30; after a lost report it is known with the
    /// next.
    #[test]
    fn the_next_report_has_a_changed_sinr() {
        let clock = Clock::new(Instant::ZERO, 1_000_000, 1).expect("a slot");
        let learned = |lost: u64| {
            let mut varying = varying();
            let learn = |slot: &u64| {
                varying.measured(Direction::Down, *slot, 2, &clock, || *slot == lost).is_some()
            };
            (0..60).filter(learn).collect::<Vec<_>>()
        };
        assert_eq!(learned(0), [30, 50]);
        assert_eq!(learned(30), [35, 50]);
        assert_eq!(varying().measured(Direction::Up, 30, 2, &clock, || false), None);
    }
}
