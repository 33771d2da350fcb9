//! One bearer of a UE: PDCP and RLC, both ends of both directions.
//!
//! In: packets, grants of bytes. Out: PDUs; packets.
//!
//! It belongs to neither side: a cell simulates both ends of each bearer in one object
//! ([`crate::ran::rlc::bearer`]), across which nothing goes but what PDUs carry. The UE fills
//! uplink blocks from it and the base station downlink blocks.

use crate::net::PerDirection;
use crate::ran::tables::qci::Characteristics;
use crate::ran::{bearer, pdcp, rlc};

/// The bearer as both sides set it up.
#[derive(Clone, Debug)]
pub(super) struct Bearer {
    pub(super) rlc: rlc::Bearer,
    pub(super) pdcp: PerDirection<pdcp::Transmitter>,
    pub(super) discards: PerDirection<bool>,
    pub(super) quality: Characteristics,
}

impl Bearer {
    pub(super) fn new(config: &bearer::Config) -> Self {
        let [rlc_down, rlc_up] = config.rlc.clone();
        let [pdcp_down, pdcp_up] = config.pdcp.clone();
        Self {
            rlc: rlc::Bearer::new(rlc_down, rlc_up),
            discards: PerDirection {
                down: pdcp_down.discard_timer.is_some(),
                up: pdcp_up.discard_timer.is_some(),
            },
            pdcp: PerDirection {
                down: pdcp::Transmitter::new(pdcp_down),
                up: pdcp::Transmitter::new(pdcp_up),
            },
            quality: config.qci.characteristics(),
        }
    }
}
