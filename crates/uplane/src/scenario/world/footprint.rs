//! Memory of a run under way.
//!
//! In: the counts of tables, hops and connections. Out: rows and estimated bytes.
//!
//! Left out: what a TCP receiver holds out of order, which its buffer limits.

use super::{Placed, World};
use crate::net::Direction;
use crate::record::Table;
use crate::scenario::footprint::{Footprint, wired};
use crate::scenario::plan::Transport;

impl World<'_> {
    /// Returns the rows so far and the memory of the run.
    pub(super) fn footprint(&self) -> Footprint {
        let tables = &self.recorder.tables;
        let unwritten = self.radio.captured() + self.quic.logged();
        let rows: u64 = tables.iter().map(|table| table.rows() as u64).sum();
        let written: u64 = tables.iter().map(Table::bytes).sum();
        let largest = tables.largest().map(|table| (table.name, table.rows() as u64));
        let bytes = wired(self.plan) + written + unwritten * UNWRITTEN + self.held_bytes();
        Footprint { rows: rows + unwritten, bytes, largest }
    }

    /// Returns the bytes of the packets inside links, tunnels and the radio.
    fn held_bytes(&self) -> u64 {
        let links = self.links.iter().map(|Placed { own, .. }| own.tally().held());
        let tunnels = self.tunnel_ends.iter().map(|Placed { own, .. }| own.tally().held());
        let radio = Direction::BOTH.into_iter().map(|way| self.radio.tally(way).held());
        let has_content =
            self.plan.apps.iter().any(|app| matches!(app.transport, Transport::Quic(_)));
        let content = u64::from(has_content);
        let held = links.chain(tunnels).chain(radio);
        held.map(|held| held.packets * PACKET + held.bytes.0 * content).sum()
    }
}

/// A packet with its place in a queue and what its sender remembers of it.
const PACKET: u64 = 400;
/// A recorded fact that becomes a row when the run ends.
const UNWRITTEN: u64 = 300;
