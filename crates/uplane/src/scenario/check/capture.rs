//! Whether what is on the air of a cell can be told as bytes.
//!
//! In: what is recorded, the cell. Out: an error where the cell counts bytes that no block has, or
//! has more bearers than logical channels have numbers.

use super::super::schema::{Lte, Radio};
use super::{Checked, Checker};

impl Checker<'_> {
    /// A capture has the headers that the standards say: they must cost what they cost there.
    pub(super) fn capture(&self) -> Checked<()> {
        if !self.file.record.radio {
            return Ok(());
        }
        let (bearers, channels) = match &self.file.radio {
            Radio::Lte(cell) => (cell.bearer.len(), LTE_CHANNELS),
            Radio::Nr(cell) => (cell.bearer.len(), NR_CHANNELS),
            Radio::Fixed(_) | Radio::Geran(_) => return Ok(()),
            Radio::EnDc(_) => {
                let expected = "false: no capture beside radio.en_dc";
                return self.wrong("record.radio", "true", expected);
            }
        };
        if let Radio::Lte(cell) = &self.file.radio {
            let expected = "false: blocks of this cell have no bytes that one could show, for its profile has a rate, or `mac_headers` or `rlc_headers` is false";
            self.demand(has_bytes(cell), "record.radio", true, expected)?;
        }
        if let Radio::Nr(cell) = &self.file.radio {
            let groups = cell.max_code_block_groups.or(cell.uplink_max_code_block_groups);
            for (is_there, other) in [
                (!cell.secondary_carrier.is_empty(), "radio.nr.secondary_carrier"),
                (cell.urgent.is_some(), "radio.nr.urgent"),
                (groups.is_some(), "code block groups"),
            ] {
                let expected = format!("false: no capture beside {other}");
                self.demand(!is_there, "record.radio", true, &expected)?;
            }
        }
        let found = format!("a capture of {bearers} bearers");
        let expected = format!("false: at most {channels} bearers have a logical channel");
        self.demand(bearers <= channels, "record.radio", found, &expected)
    }
}

/// Blocks have a size that resource blocks give, and all headers take space in them.
fn has_bytes(cell: &Lte) -> bool {
    cell.mac_headers && cell.rlc_headers && !cell.profile.has_rate()
}

/// Logical channels 3 to 10 (TS 36.321 Table 6.2.1-1).
const LTE_CHANNELS: usize = 8;
/// Logical channels 4 to 32 (TS 38.321 Table 6.2.1-1).
const NR_CHANNELS: usize = 29;
