//! Radio access: the radios that carry IP packets over the air.
//!
//! In: IP packets, each for one UE and one direction. Out: the same packets later, in order, or
//! dropped with a cause.
//!
//! All radios have one interface: `new(config, ue_count, streams)`, `on_packet`, `on_timer`;
//! `tally` and `held`, which count the packets that passed and those inside; `sample` and `report`,
//! which write table rows. Time in a radio is booked on the packet's ledger before the packet is
//! delivered.

pub mod ack_filter;
pub mod bearer;
pub mod cell;
pub mod channel;
mod dedicated;
pub mod dual_connectivity;
pub mod fixed;
pub mod geran;
pub mod handover;
pub mod lte;
pub mod mac;
pub mod nr;
pub mod pdcp;
mod phase;
pub mod phy;
pub mod rlc;
pub mod rrc;
pub mod sdap;
mod series;
pub mod tables;

pub use dedicated::{Channel, Dedicated, Exit};
pub use phase::Phase;

use crate::net::{Direction, DropCause, Packet};
use crate::record::Tables;
use crate::unit::UeId;

/// Adds the tables of all radios.
pub(crate) fn declare(tables: Tables) -> Tables {
    let tables = tables.with::<series::BearerRow>();
    cell::declare(tables).with::<dual_connectivity::LegRow>()
}

/// The effects of one call of a radio.
#[derive(Clone, Debug)]
pub enum Effect {
    /// The packet leaves the radio at the far end: at the UE for `Down`, at the network for `Up`.
    Deliver {
        /// Direction of the packet.
        direction: Direction,
        /// The UE that receives or has sent the packet.
        ue: UeId,
        /// The packet, with the time of the radio booked.
        packet: Box<Packet>,
    },
    /// The radio drops the packet.
    Drop {
        /// Direction of the packet.
        direction: Direction,
        /// The UE that the packet is for, or from.
        ue: UeId,
        /// The packet that is dropped.
        packet: Box<Packet>,
        /// Cause for which the radio drops the packet.
        cause: DropCause,
    },
}
