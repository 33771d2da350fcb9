//! One bearer of a UE: PDCP and RLC, both ends of both directions.
//!
//! In: packets, grants of bytes. Out: PDUs; packets.
//!
//! A bearer belongs to neither side: a cell simulates both ends of each bearer in one object
//! ([`crate::ran::rlc::bearer`]), and only PDUs pass between them. The UE fills uplink blocks from
//! it and the base station downlink blocks.

use crate::net::{Direction, PerDirection};
use crate::ran::tables::class::Characteristics;
use crate::ran::{bearer, pdcp, rlc};
use crate::sim::Stream;

/// One bearer, with the entities of both sides.
#[derive(Clone, Debug)]
pub(super) struct Bearer {
    pub(super) rlc: rlc::Bearer,
    pub(super) pdcp: PerDirection<pdcp::Transmitter>,
    pub(super) discards: PerDirection<bool>,
    pub(super) quality: Characteristics,
    /// Its downlink uses urgent blocks.
    pub(super) urgent: bool,
}

/// Swaps the RLC entities of the first carrier with those of secondary carriers, for bearers with
/// PDCP duplication in this direction. Call it twice to restore the original.
pub(super) fn swap_entities(bearers: &mut [Bearer], direction: Direction) {
    for bearer in bearers {
        bearer.rlc.swap_entities(direction);
    }
}

impl Bearer {
    /// Creates a bearer with a managed downlink queue, if `config` has an AQM.
    pub(super) fn managed(config: &bearer::Config, stream: impl FnOnce() -> Stream) -> Self {
        let mut bearer = Self::new(config);
        if let Some(aqm) = config.aqm {
            bearer.rlc.manage(Direction::Down, aqm, stream());
        }
        bearer
    }

    pub(super) fn new(config: &bearer::Config) -> Self {
        let PerDirection { down, up } = config.rlc.clone();
        let rlc =
            rlc::Bearer::new(down, up).reordered(&config.pdcp.clone().map(|pdcp| pdcp.reordering));
        let duplicates = config.duplication.down || config.duplication.up;
        Self {
            rlc: if duplicates { rlc.duplicated(config.duplication) } else { rlc },
            discards: PerDirection::of(|direction| config.pdcp[direction].discard_timer.is_some()),
            pdcp: config.pdcp.clone().map(pdcp::Transmitter::new),
            quality: config.quality,
            urgent: config.urgent,
        }
    }
}
