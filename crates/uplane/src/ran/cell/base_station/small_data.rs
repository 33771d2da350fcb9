//! What the base station makes of a preamble for small data transmission (SDT, TS 38.300 §18).
//!
//! In: the UE of a preamble that is answered. Out: an estimate of what it has, so that the grant
//! for Msg3 is large enough.
//!
//! Such preambles are a part of their own in a RACH (TS 38.321 §5.1.1b). Here a UE draws among all,
//! and the base station knows: who studies how many a cell needs can tell.

use super::BaseStation;
use crate::ran::cell::setup::Setup;
use crate::ran::mac::buffer_status::Groups;
use crate::unit::Bytes;

impl BaseStation {
    /// The preamble that is answered in `slot` says that its UE has `most` bytes at most.
    pub(in crate::ran::cell) fn on_small_data_preamble(
        &mut self,
        setup: &Setup,
        slot: u64,
        ue: u32,
        most: Bytes,
    ) {
        let mut groups = Groups::default();
        let bearer = &setup.config.bearers[0];
        groups[usize::from(bearer.logical_channel_group)] = most + HEADERS;
        self.ues[ue as usize].up.estimate.on_report(slot, groups);
    }
}

/// Room for the headers of a packet in MAC, RLC and PDCP, and for a report.
const HEADERS: Bytes = Bytes(24);
