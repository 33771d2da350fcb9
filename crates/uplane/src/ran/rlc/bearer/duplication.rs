//! PDCP duplication in the downlink of a bearer (TS 38.323 §5.11, TS 38.321 §5.10): each packet
//! goes to a second RLC entity too, whose PDUs go over other carriers; the first copy that comes
//! wins.
//!
//! In: SDUs, carriers that have their turn. Out: the second entity in the place of the first while
//! one of its carriers has its turn.
//!
//! Both entities have one PDCP: one numbering, one receiver, which takes each COUNT once.
//!
//! Left out: acknowledged mode, in which a copy is discarded when the other one is acknowledged;
//! more than two copies; the uplink; activation by a control element. Who asks what duplication
//! costs in acknowledged mode, or how a base station should switch it, can tell.

use super::Bearer;
use crate::net::{Direction, Packet};
use crate::ran::rlc::path::Path;
use crate::ran::rlc::sdu::Sdu;
use crate::unit::Instant;

/// The second RLC entity of a downlink.
#[derive(Clone, Debug)]
pub(super) struct Duplication {
    other: Path,
}

impl Duplication {
    /// When its timers want to be called.
    pub(super) fn next_timer(&self) -> Option<Instant> {
        self.other.next_timer()
    }
}

impl Bearer {
    /// The same with a second entity for its downlink, which is in unacknowledged mode.
    #[must_use]
    pub fn duplicated(mut self) -> Self {
        assert!(!self.paths.down.is_acknowledged(), "duplication is of unacknowledged mode");
        let other = self.paths.down.duplicate();
        self.duplication = Some(Box::new(Duplication { other }));
        self
    }

    /// True where PDCP sends each packet of the downlink twice.
    pub fn is_duplicated(&self) -> bool {
        self.duplication.is_some()
    }

    /// Carriers of the other entity have their turn.
    pub fn swap_entities(&mut self) {
        if let Some(duplication) = &mut self.duplication {
            self.paths.down.swap_entities(&mut duplication.other);
        }
    }

    /// Takes an SDU for both entities; gives the packet back when the first one has no room.
    #[cold]
    pub(super) fn enqueue_twice(&mut self, sdu: Sdu) -> Result<(), Box<Packet>> {
        let copy = sdu.clone();
        let duplication = self.duplication.as_mut().expect("a bearer that duplicates");
        self.paths.down.enqueue_with_copy(sdu, copy, &mut duplication.other)
    }

    /// Does something with the second entity, if there is one.
    pub(super) fn with_other(&mut self, what: impl FnOnce(&mut Path)) {
        if self.is_duplicated() {
            self.swap_entities();
            what(&mut self.paths[Direction::Down]);
            self.swap_entities();
        }
    }
}
