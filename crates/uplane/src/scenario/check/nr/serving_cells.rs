//! The carriers that the uplink of a bearer may use.
//!
//! In: the section of a cell and that of a bearer. Out: the carriers by number.

use super::super::{Checked, Checker};
use crate::ran::bearer;
use crate::ran::mac::serving_cells::ServingCells;
use crate::scenario::schema::{Nr, NrBearer};

impl Checker<'_> {
    /// Checks `allowedServingCells` (TS 38.331 §6.3.2).
    pub(super) fn nr_serving_cells(
        &self,
        section: &Nr,
        key: &impl Fn(&str) -> String,
        own: &NrBearer,
    ) -> Checked<ServingCells> {
        let Some(named) = &own.allowed_serving_cells else { return Ok(ServingCells::ALL) };
        let key = |field: &str| key(&format!("{KEY}{field}"));
        let with_uplink = numbers_with_uplink(section);
        let rule = "requires a radio.nr.secondary_carrier that has an `uplink`";
        self.require(with_uplink.len() > 1, &key(""), rule)?;
        self.demand(!named.is_empty(), &key(""), "an empty list", "at least one carrier")?;
        for (place, number) in named.iter().enumerate() {
            let listed: Vec<String> = with_uplink.iter().map(u32::to_string).collect();
            let expected = format!(
                "the number of a carrier with an uplink, 0 for the cell's own: {}",
                listed.join(", ")
            );
            let key = key(&format!(".{place}"));
            self.demand(with_uplink.contains(number), &key, number, &expected)?;
            let again = named[..place].contains(number);
            self.demand(!again, &key, number, "each carrier once")?;
        }
        if named.len() == with_uplink.len() {
            return Ok(ServingCells::ALL);
        }
        if named.contains(&0) {
            return Ok(named.iter().copied().collect());
        }
        let without = [
            (own.allowed_cg_list.is_some(), "`allowed_cg_list`: configured grants are"),
            (has_small_data(section), "small data: a UE in RRC_INACTIVE is"),
        ];
        for (given, what) in without {
            let rule = format!("must contain 0 with {what} on the cell's own carrier only");
            self.require(!given, &key(""), &rule)?;
        }
        Ok(named.iter().copied().collect())
    }

    /// Checks that all channels of a logical channel group may use the same carriers. Buffer status
    /// reports are per group, so a base station cannot separate them.
    pub(super) fn groups_of_carriers(&self, bearers: &[bearer::Config]) -> Checked<()> {
        for (position, own) in bearers.iter().enumerate() {
            let group = own.logical_channel_group;
            let mut others = bearers.iter().filter(|it| it.logical_channel_group == group);
            let alike = others.all(|it| it.serving_cells == own.serving_cells);
            if own.serving_cells == ServingCells::ALL || alike {
                continue;
            }
            if own.duplication.up {
                let key = format!("radio.nr.bearer.{position}.uplink_duplication");
                let rule = format!(
                    "requires a logical channel group of its own; another bearer of group {group} may use all carriers"
                );
                return self.wrong(&key, "", &rule);
            }
            let rule = format!(
                "must be the same for all bearers of logical channel group {group}, since a grant serves any of them"
            );
            let key = format!("radio.nr.bearer.{position}.{KEY}");
            return self.wrong(&key, "", &rule);
        }
        Ok(())
    }
}

/// Carriers that carry uplink blocks.
pub(super) fn numbers_with_uplink(section: &Nr) -> Vec<u32> {
    let others = (1..).zip(&section.secondary_carrier);
    let others = others.filter(|(_, carrier)| carrier.uplink.is_some());
    std::iter::once(0).chain(others.map(|(number, _)| number)).collect()
}

pub(super) fn has_small_data(section: &Nr) -> bool {
    section.rrc_inactive.as_ref().is_some_and(|inactive| inactive.small_data.is_some())
}

const KEY: &str = "allowed_serving_cells";
