//! Checks that the transmissions of a cell can be recorded as bytes.
//!
//! In: the recorded tables, the cell. Out: an error if headers of the cell's blocks take no bytes,
//! or if the cell has more bearers than there are logical channels.

use super::super::schema::{Lte, Radio};
use super::{Checked, Checker};

impl Checker<'_> {
    /// Checks that headers take the bytes of the standards, which a capture shows.
    pub(super) fn capture(&self) -> Checked<()> {
        if !self.file.record.radio {
            return Ok(());
        }
        let (bearers, channels) = match &self.file.radio {
            Radio::Lte(cell) => (cell.bearer.len(), LTE_CHANNELS),
            Radio::Nr(cell) => (cell.bearer.len(), NR_CHANNELS),
            Radio::Fixed(_) | Radio::Geran(_) => return Ok(()),
            Radio::EnDc(_) => {
                let rule = "not available with radio.en_dc";
                return self.wrong("record.radio", "", rule);
            }
        };
        if let Radio::Lte(cell) = &self.file.radio {
            let rule = "requires `mac_headers`, `rlc_headers` and a profile with resource blocks: \
                        other blocks have no bytes to record";
            self.require(has_bytes(cell), "record.radio", rule)?;
        }
        if let Radio::Nr(cell) = &self.file.radio {
            let groups = cell.max_code_block_groups.or(cell.uplink_max_code_block_groups);
            for (is_there, other) in [
                (!cell.secondary_carrier.is_empty(), "radio.nr.secondary_carrier"),
                (cell.urgent.is_some(), "radio.nr.urgent"),
                (groups.is_some(), "code block groups"),
            ] {
                let rule = format!("not available with {other}");
                self.require(!is_there, "record.radio", &rule)?;
            }
        }
        let rule = format!("requires at most {channels} bearers, one per logical channel");
        self.require(bearers <= channels, "record.radio", &rule)
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
