//! The tables of a run.
//!
//! In: the rows that each entity declares. Out: their tables, empty.

use super::anatomy::{AnatomyRow, DeliveryRow, PacketRow};
use super::connections::ConnectionRow;
use super::critical_path::CriticalPathRow;
use super::headers::HeaderRow;
use super::network_delays::NetworkDelayRow;
use super::outcome::{LinkSeriesRow, RunRow, SeriesRow};
use super::quic::{QlogRow, QuicRow};
use crate::net::{DropRow, HopRow};
use crate::record::{Tables, WarningRow};
use crate::{app, ran};

/// Returns all tables of a run, in the order in which a user sees them.
pub(in super::super) fn declare() -> Tables {
    let tables = app::declare(Tables::default().with::<RunRow>().with::<WarningRow>());
    let tables = tables.with::<ConnectionRow>().with::<QuicRow>().with::<AnatomyRow>();
    let tables = tables.with::<HopRow>().with::<DropRow>().with::<SeriesRow>();
    let tables = tables.with::<LinkSeriesRow>().with::<NetworkDelayRow>();
    ran::declare(
        tables
            .with::<DeliveryRow>()
            .with::<PacketRow>()
            .with::<QlogRow>()
            .with::<HeaderRow>()
            .with::<CriticalPathRow>(),
    )
}
