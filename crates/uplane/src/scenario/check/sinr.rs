//! Checks of SINRs of UEs over time, in any cell without a network.
//!
//! In: the lists of each UE. Out: the same for each UE, one by one.

use super::super::schema::Ue;
use super::{Checked, Checker};
use crate::net::{Direction, PerDirection};
use crate::ran::cell::air::SinrStep;

impl Checker<'_> {
    /// Returns the SINRs over time of all UEs. Empty if no UE has any. `depends` returns whether
    /// anything depends on the SINR of a direction.
    pub(super) fn sinrs(
        &self,
        depends: impl Fn(Direction) -> bool,
    ) -> Checked<Vec<PerDirection<Vec<SinrStep>>>> {
        let ues = &self.file.ue;
        for (position, ue) in ues.iter().enumerate() {
            for way in Direction::BOTH {
                self.sinr_steps(position, ue, way, depends(way))?;
            }
        }
        if ues.iter().all(|ue| ue.downlink_sinrs.is_empty() && ue.uplink_sinrs.is_empty()) {
            return Ok(Vec::new());
        }
        let both =
            |ue: &Ue| PerDirection { down: ue.downlink_sinrs.clone(), up: ue.uplink_sinrs.clone() };
        Ok(ues.iter().flat_map(|ue| (0..ue.count).map(move |_| both(ue))).collect())
    }

    /// Checks SINRs over time: the first holds from the start, and times ascend.
    fn sinr_steps(&self, position: usize, ue: &Ue, way: Direction, depends: bool) -> Checked<()> {
        let (steps, name, one) = steps(ue, way);
        if steps.is_empty() {
            return Ok(());
        }
        let key = |rest: &str| format!("ue.{position}.{name}{rest}");
        let rule = "has no effect: neither MCS nor block errors depend on the SINR in this direction; remove it";
        self.require(depends, &key(""), rule)?;
        let rule = "not valid together with a constant SINR of this direction; remove one of them";
        self.require(one.is_none(), &key(""), rule)?;
        let rule = "not modelled together with SINRs over time; remove one of them";
        let spread = format!("ue.{position}.sinr_spread_db");
        self.require(ue.sinr_spread_db.is_none(), &spread, rule)?;
        for (number, step) in steps.iter().enumerate() {
            let key = key(&format!(".{number}.at"));
            let before = number.checked_sub(1).map(|before| steps[before].at);
            let (fits, expected) = match before {
                None => (step.at.is_zero(), "0 s: the first SINR holds from the start".into()),
                Some(at) => (step.at > at, format!("a time after that of the previous SINR, {at}")),
            };
            self.demand(fits, &key, step.at, &expected)?;
        }
        Ok(())
    }

    /// Refuses SINRs over time of any UE, with this rule.
    pub(super) fn no_sinrs(&self, rule: &str) -> Checked<()> {
        for (position, ue) in self.file.ue.iter().enumerate() {
            for way in Direction::BOTH {
                let (steps, name, _) = steps(ue, way);
                let key = format!("ue.{position}.{name}");
                self.require(steps.is_empty(), &key, rule)?;
            }
        }
        Ok(())
    }
}

/// Returns the list of a direction, its key, and the constant SINR that it excludes.
fn steps(ue: &Ue, way: Direction) -> (&[SinrStep], &'static str, Option<f64>) {
    match way {
        Direction::Down => (&ue.downlink_sinrs, "downlink_sinrs", ue.downlink_sinr_db),
        Direction::Up => (&ue.uplink_sinrs, "uplink_sinrs", ue.uplink_sinr_db),
    }
}
