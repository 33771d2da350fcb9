//! The radio conditions of UEs in a cell without a network.
//!
//! In: the SINRs of the cell and of each UE. Out: those of all UEs, one by one.

use super::super::{Checked, Checker};
use crate::net::Direction;
use crate::ran::lte::Conditions;
use crate::scenario::schema::Lte;
use crate::unit::Decibel;

impl Checker<'_> {
    /// Returns the radio conditions of all UEs.
    pub(super) fn conditions(&self, section: &Lte) -> Checked<Vec<Conditions>> {
        let common = Conditions::default();
        let common = Conditions {
            downlink: section.downlink_sinr_db.map_or(common.downlink, Decibel),
            uplink: section.uplink_sinr_db.map_or(common.uplink, Decibel),
        };
        let mut conditions = Vec::new();
        for (position, ue) in self.file.ue.iter().enumerate() {
            for (name, value, direction) in [
                ("downlink_sinr_db", ue.downlink_sinr_db, Direction::Down),
                ("uplink_sinr_db", ue.uplink_sinr_db, Direction::Up),
            ] {
                let key = format!("ue.{position}.{name}");
                let asked = value.is_none() || section.depends_on_sinr(direction);
                self.require(asked, &key, NO_SINR)?;
            }
            let own = Conditions {
                downlink: ue.first_downlink_sinr_db().map_or(common.downlink, Decibel),
                uplink: ue.first_uplink_sinr_db().map_or(common.uplink, Decibel),
            };
            conditions.extend((0..ue.count).map(|_| own));
        }
        Ok(conditions)
    }

    /// Returns the maximum random increase of each UE's SINR.
    pub(super) fn spreads(&self, section: &Lte) -> Checked<Vec<Decibel>> {
        let mut spreads = Vec::new();
        let depends = Direction::BOTH.iter().any(|&way| section.depends_on_sinr(way));
        for (position, ue) in self.file.ue.iter().enumerate() {
            let spread = ue.sinr_spread_db.unwrap_or(0.0);
            let key = format!("ue.{position}.sinr_spread_db");
            self.require(depends || ue.sinr_spread_db.is_none(), &key, NO_SINR)?;
            spreads.extend((0..ue.count).map(|_| Decibel(spread)));
        }
        Ok(spreads)
    }
}

/// The rule about an SINR without effect.
pub(super) const NO_SINR: &str = "has no effect: in this direction nothing depends on the SINR; remove it, or set an adaptive MCS, `bler = \"sinr\"` or, in the downlink, limited `control_symbols`, without `rate` and `block`";
