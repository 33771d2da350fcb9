//! The section of a secondary carrier of an NR cell.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::lte_words::{Bler, McsChoice, UplinkPrbs};
use super::nr::{BANDWIDTHS, SPACINGS};
use super::nr_words::Duplex;
use super::nr_words::Modulation;
use crate::unit::Duration;
use crate::unit::range::{one_of, within};

/// One secondary carrier of all UEs (carrier aggregation, TS 38.300 §6.7): downlink and, with
/// `uplink`, uplink. A key that is not set takes its value from the cell's own carrier, which also
/// carries scheduling requests and HARQ feedback. Processing times of the base station count the
/// slots of the carrier that they concern. Refused beside `network`, `mini_slots`, `drx` and
/// `search_space`.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SecondaryCarrier {
    /// Channel bandwidth of the carrier, in MHz. With the subcarrier spacing it gives the number of
    /// resource blocks (TS 38.104 §5.3.2), in FR2 with 120 kHz and in FR1 otherwise.
    #[schemars(transform = one_of(BANDWIDTHS).unit("MHz"))]
    pub bandwidth_mhz: u32,
    /// Duplex mode of the carrier, `"FDD"` or a TDD pattern, written like `radio.nr.duplex`.
    /// Without an `uplink` of the carrier, only the downlink symbols of the pattern count. Default:
    /// `duplex` of the cell.
    #[serde(default)]
    pub duplex: Option<Duplex>,
    /// Subcarrier spacing of the carrier, in kHz (TS 38.211 Table 4.2-1). The slot grids of all
    /// carriers start at the same time. Default: `subcarrier_spacing_khz` of the cell.
    #[serde(default)]
    #[schemars(transform = one_of(SPACINGS).unit("kHz"))]
    pub subcarrier_spacing_khz: Option<u32>,
    /// Number of spatial layers of a downlink transport block on the carrier. Default: `layers` of
    /// the cell.
    #[serde(default)]
    #[schemars(transform = within(1, 4).unit("layers"))]
    pub layers: Option<u32>,
    /// Highest downlink modulation on the carrier, which selects the MCS table (TS 38.214
    /// §5.1.3.1). Default: `modulation` of the cell.
    #[serde(default)]
    pub modulation: Option<Modulation>,
    /// Downlink modulation and coding scheme (MCS) on the carrier: a fixed index, `"highest"` of
    /// the table, or `"adaptive"` by the reported CQI. Default: `mcs` of the cell.
    #[serde(default)]
    #[schemars(transform = within(0, 28))]
    pub mcs: Option<McsChoice>,
    /// Block error probability on the carrier, in both directions: `"sinr"`, `"none"`, or a list as
    /// for `radio.nr.bler`. Default: `bler` of the cell.
    #[serde(default)]
    pub bler: Option<Bler>,
    /// Downlink SINR of each UE on this carrier minus its downlink SINR on the cell's own carrier,
    /// in dB. With every MCS and error model, a lower SINR lets PDCCH messages take more control
    /// channel elements.
    #[serde(default)]
    #[schemars(transform = within(-60, 60).unit("dB"))]
    pub sinr_offset_db: f64,
    /// Uplink of the carrier (`uplinkConfig`, TS 38.331 §6.3.2). Without this section, the carrier
    /// has a downlink only.
    #[serde(default)]
    pub uplink: Option<CarrierUplink>,
    /// Activation of the carrier for UEs with data (TS 38.321 §5.9). Without this section, the
    /// carrier is always active.
    #[serde(default)]
    pub activation: Option<CarrierActivation>,
}

/// Uplink of a secondary carrier. `{}` takes all values from the uplink of the cell's own carrier,
/// except that all resource blocks carry data.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CarrierUplink {
    /// Number of spatial layers of an uplink transport block on the carrier. Default:
    /// `uplink_layers` of the cell.
    #[serde(default)]
    #[schemars(transform = within(1, 4).unit("layers"))]
    pub layers: Option<u32>,
    /// Highest uplink modulation on the carrier, which selects the MCS table (TS 38.214 §6.1.4.1).
    /// Default: `uplink_modulation` of the cell.
    #[serde(default)]
    pub modulation: Option<Modulation>,
    /// Uplink modulation and coding scheme (MCS) on the carrier: a fixed index, `"highest"` of the
    /// table, or `"adaptive"` by the SINR. Default: `uplink_mcs` of the cell.
    #[serde(default)]
    #[schemars(transform = within(0, 28))]
    pub mcs: Option<McsChoice>,
    /// Number of resource blocks of the carrier that carry uplink data. `"auto"`: all but four, two
    /// at each edge of the band. `"all"`: all. Default: `"all"`, because the PUCCH is on the cell's
    /// own carrier.
    #[serde(default)]
    #[schemars(transform = within(1, 275).unit("resource blocks"))]
    pub prbs: Option<UplinkPrbs>,
    /// Uplink SINR of each UE on this carrier minus its uplink SINR on the cell's own carrier, in
    /// dB. If two carriers share a UE's power equally, each has 3 dB less. A value other than 0
    /// requires, for this carrier, an uplink MCS `"adaptive"` or `bler = "sinr"`.
    #[serde(default)]
    #[schemars(transform = within(-60, 60).unit("dB"))]
    pub sinr_offset_db: f64,
}

/// Activation of a secondary carrier, for each UE separately.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CarrierActivation {
    /// Time from the arrival of data for a UE whose carrier is inactive until the carrier may carry
    /// this data (TS 38.133 §8.3). `0 s`: the carrier may carry it at once.
    #[schemars(transform = within("0 s", "1 s"))]
    pub delay: Duration,
    /// Time after a UE's last downlink assignment or uplink grant on the carrier at which the
    /// carrier is deactivated for the UE (`sCellDeactivationTimer`, TS 38.331 §6.3.2).
    #[schemars(transform = within("20 ms", "1280 ms"))]
    pub deactivation_timer: Duration,
}
