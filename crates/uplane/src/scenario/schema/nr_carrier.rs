//! The section of a secondary carrier of an NR cell.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::lte_words::{Bler, McsChoice, UplinkPrbs};
use super::nr::{BANDWIDTHS, SPACINGS};
use super::nr_words::Duplex;
use super::nr_words::Modulation;
use crate::unit::Duration;
use crate::unit::range::{one_of, within};

/// A carrier beside the cell's own, for all UEs (carrier aggregation, TS 38.300 §6.7): of the
/// downlink and, with `uplink`, of the uplink. What it does not say is that of the cell's own
/// carrier, on which requests and HARQ feedback go up; delays of the base station count the slots
/// of the carrier that they are about.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SecondaryCarrier {
    /// Channel bandwidth; with the spacing it gives the resource blocks (TS 38.104 §5.3.2), in FR2
    /// with 120 kHz and in FR1 otherwise.
    #[schemars(transform = one_of(BANDWIDTHS).unit("MHz"))]
    pub bandwidth_mhz: u32,
    /// "FDD", or a TDD pattern, as `duplex` of the cell has them; without `uplink`, only what goes
    /// down counts.
    #[serde(default)]
    pub duplex: Option<Duplex>,
    /// Distance of subcarriers (TS 38.211 Table 4.2-1). Its slots begin with those of the cell's
    /// own carrier.
    #[serde(default)]
    #[schemars(transform = one_of(SPACINGS).unit("kHz"))]
    pub subcarrier_spacing_khz: Option<u32>,
    /// Spatial layers of the downlink.
    #[serde(default)]
    #[schemars(transform = within(1, 4).unit("layers"))]
    pub layers: Option<u32>,
    /// The highest modulation of the downlink (TS 38.214 Tables 5.1.3.1-1, -2).
    #[serde(default)]
    pub modulation: Option<Modulation>,
    /// Modulation and coding scheme of the downlink: always the same, "highest", or "adaptive" by
    /// the radio conditions.
    #[serde(default)]
    #[schemars(transform = within(0, 28))]
    pub mcs: Option<McsChoice>,
    /// Probability that the first, second, … transmission of a block fails; "sinr" or "none", as
    /// `bler` of the cell has them.
    #[serde(default)]
    pub bler: Option<Bler>,
    /// By how much the downlink SINR of each UE is higher on this carrier than on the cell's own;
    /// lower for a negative value.
    #[serde(default)]
    #[schemars(transform = within(-60, 60).unit("dB"))]
    pub sinr_offset_db: f64,
    /// It has an uplink (`uplinkConfig`, TS 38.331 §6.3.2); without, it carries the downlink alone.
    #[serde(default)]
    pub uplink: Option<CarrierUplink>,
    /// How it is activated for a UE with data (TS 38.321 §5.9); without, it always is.
    #[serde(default)]
    pub activation: Option<CarrierActivation>,
}

/// The uplink of a secondary carrier: `{}` has all as the uplink of the cell's own carrier has it,
/// on all resource blocks.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CarrierUplink {
    /// Spatial layers; by default `uplink_layers` of the cell.
    #[serde(default)]
    #[schemars(transform = within(1, 4).unit("layers"))]
    pub layers: Option<u32>,
    /// The highest modulation (TS 38.214 §6.1.4.1); by default `uplink_modulation` of the cell.
    #[serde(default)]
    pub modulation: Option<Modulation>,
    /// Modulation and coding scheme: always the same, "highest", or "adaptive" by the radio
    /// conditions; by default `uplink_mcs` of the cell.
    #[serde(default)]
    #[schemars(transform = within(0, 28))]
    pub mcs: Option<McsChoice>,
    /// Resource blocks that carry data; "auto": all but two at each edge. By default all, since the
    /// control channel is on the cell's own carrier.
    #[serde(default)]
    #[schemars(transform = within(1, 275).unit("resource blocks"))]
    pub prbs: Option<UplinkPrbs>,
    /// By how much the uplink SINR of each UE is higher on this carrier than on the cell's own;
    /// lower for a negative value. Two carriers that share a UE's power have 3 dB less each.
    #[serde(default)]
    #[schemars(transform = within(-60, 60).unit("dB"))]
    pub sinr_offset_db: f64,
}

/// Activation of a secondary carrier, UE by UE.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CarrierActivation {
    /// From data for a UE until the carrier may carry it (TS 38.133 §8.3).
    #[schemars(transform = within("0 s", "1 s"))]
    pub delay: Duration,
    /// After so long without an assignment on it, the carrier is no longer active for the UE
    /// (`sCellDeactivationTimer`, TS 38.331 §6.3.2).
    #[schemars(transform = within("20 ms", "1280 ms"))]
    pub deactivation_timer: Duration,
}
