//! Blocks of downlink SPS that are too small for the packets of a call. Control messages announce
//! the blocks of such a call, as without SPS.
//!
//! In: calls of the file, the radio as it is planned. Out: warnings. Left out: configured grants of
//! the uplink, which carry a part of a packet and report the rest.

use super::super::plan::RadioPlan;
use super::Checker;
use crate::net::Direction;
use crate::record::{Owner, Warned, Warning};

impl Checker<'_> {
    /// Warns of calls for which the blocks of downlink SPS are too small.
    pub(super) fn too_small_blocks(&self, radio: &RadioPlan) -> Vec<Warning> {
        let RadioPlan::Cell(cell) = radio else { return Vec::new() };
        let Some(sps) = cell.config().downlink.sps else { return Vec::new() };
        let calls = self.file.voice.iter().filter(|call| call.direction == Direction::Down);
        let warn = |(app, needed): (String, u64)| {
            let words = "a datagram of {app} needs a block of {amount} B, more than the {of} B of \
                         {place}: control messages announce its block, as without SPS";
            let warning = Warning::new(Warned::Unused, words);
            let (amount, of) = (Some(needed), Some(sps.bytes.0));
            let place = "radio.nr.downlink_sps.size".to_owned();
            let owner = Owner { app, ue: String::new() };
            Warning { owner, place, amount, of, ..warning }
        };
        calls
            .map(|call| (call.name.clone(), cell.config().least_block(call.payload).0))
            .filter(|(_, needed)| *needed > sps.bytes.0)
            .map(warn)
            .collect()
    }
}
