//! The radio conditions of UEs where no network gives them.
//!
//! In: the SINRs of the cell and of each UE. Out: those of all UEs, one by one.

use super::super::{Checked, Checker};
use crate::ran::lte::Conditions;
use crate::scenario::schema::{Lte, LteProfile};
use crate::unit::Decibel;

impl Checker<'_> {
    /// Radio conditions of all UEs.
    pub(super) fn conditions(&self, section: &Lte) -> Checked<Vec<Conditions>> {
        let asked = section.profile == LteProfile::SystemLevel;
        let common = Conditions::default();
        let common = Conditions {
            downlink: section.downlink_sinr_db.map_or(common.downlink, Decibel),
            uplink: section.uplink_sinr_db.map_or(common.uplink, Decibel),
        };
        let mut conditions = Vec::new();
        for (position, ue) in self.file.ue.iter().enumerate() {
            let expected = "no SINR of its own: only the profile system_level asks for it";
            for (name, value) in
                [("downlink_sinr_db", ue.downlink_sinr_db), ("uplink_sinr_db", ue.uplink_sinr_db)]
            {
                let key = format!("ue.{position}.{name}");
                self.demand(asked || value.is_none(), &key, value.unwrap_or_default(), expected)?;
            }
            let own = Conditions {
                downlink: ue.downlink_sinr_db.map_or(common.downlink, Decibel),
                uplink: ue.uplink_sinr_db.map_or(common.uplink, Decibel),
            };
            conditions.extend((0..ue.count).map(|_| own));
        }
        Ok(conditions)
    }

    /// By how much each UE may be better off.
    pub(super) fn spreads(&self, section: &Lte) -> Checked<Vec<Decibel>> {
        let mut spreads = Vec::new();
        for (position, ue) in self.file.ue.iter().enumerate() {
            let spread = ue.sinr_spread_db.unwrap_or(0.0);
            let key = format!("ue.{position}.sinr_spread_db");
            let asked = section.profile == LteProfile::SystemLevel || ue.sinr_spread_db.is_none();
            let expected = "no spread: only the profile system_level asks for radio conditions";
            self.demand(asked, &key, spread, expected)?;
            spreads.extend((0..ue.count).map(|_| Decibel(spread)));
        }
        Ok(spreads)
    }
}
