//! Logical channels of second RLC entities, for bearers with PDCP duplication in the uplink (TS
//! 38.323 §5.11). They differ from the bearer's first channel in group and carriers, and have no
//! configured grants and no ACK filter.
//!
//! In: the buffers of second entities. Out: requests and reports; while a block of a secondary
//! carrier is filled, these channels replace the first ones.

use super::{LogicalChannel, Ue};
use crate::net::Direction;
use crate::ran::bearer;
use crate::ran::cell::bearer::Bearer;
use crate::ran::cell::setup::Setup;
use crate::ran::mac::configured_grant::GrantSet;
use crate::unit::Instant;

impl Ue {
    /// Updates the channels of second RLC entities, as `on_data` does for the first ones. Returns
    /// `true` if any buffer changed.
    pub(super) fn on_data_of_others(
        &mut self,
        setup: &Setup,
        now: Instant,
        bearers: &[Bearer],
    ) -> bool {
        let mut changed = false;
        for place in 0..self.others.len() {
            let (position, LogicalChannel { known, priority, grants, request, .. }) =
                self.others[place];
            let bytes = bearers[position].rlc.available_beside(now, Direction::Up);
            changed |= bytes != known;
            if bytes > known && self.reporting.on_data(priority, self.highest_waiting()) {
                self.request_grant(setup, now, grants, request);
            }
            self.others[place].1.known = bytes;
        }
        changed
    }

    /// Swaps the channels of second RLC entities with the first ones. Call it twice to restore the
    /// original.
    pub(in crate::ran::cell) fn swap_channels(&mut self) {
        for (position, other) in &mut self.others {
            std::mem::swap(&mut self.channels[*position], other);
        }
        self.buckets.exchange();
    }

    pub(super) fn all_channels(&self) -> impl Iterator<Item = &LogicalChannel> {
        self.channels.iter().chain(self.others.iter().map(|(_, channel)| channel))
    }
}

/// Returns the channels of second RLC entities, which may use secondary carriers alone.
pub(super) fn others(bearers: &[bearer::Config]) -> Vec<(usize, LogicalChannel)> {
    let other = |(position, config): (usize, &bearer::Config)| {
        let bearer::SecondChannel { group, serving_cells } = config.second_channel?;
        let own = LogicalChannel::new(config, None);
        let grants = GrantSet::NONE;
        Some((position, LogicalChannel { group: group.into(), serving_cells, grants, ..own }))
    };
    bearers.iter().enumerate().filter_map(other).collect()
}
