//! The section that makes a network of an LTE or NR cell.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ran::channel::fading::Antennas;
use crate::ran::channel::{Edge, Profile};
use crate::unit::range::{above, one_of, within};
use crate::unit::{Duration, Probability};

/// Network of sites with three cells each on a hexagonal grid (TR 36.814 Table A.2.1.1-1), instead
/// of a single cell. UE positions, interference and fading determine the SINR of each UE, so all
/// SINR keys of cells and UEs are refused.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Network {
    /// Number of rings of sites around the first site. 0, 1 and 2 rings give 1, 7 and 19 sites of
    /// three cells each.
    #[serde(default = "one_ring")]
    #[schemars(transform = within(0, 5).unit("rings"))]
    pub rings: u32,
    /// Deployment case: distance of sites, downtilt, path loss and antennas. `"case_1"` and
    /// `"case_3"`: macro cells at 2 GHz. `"umi_street_canyon"` and `"urban_macro"`: masts in
    /// streets or above roofs, with antenna arrays. At 120 kHz: one of the last two.
    #[serde(default)]
    pub case: DeploymentCase,
    /// Distance between neighbouring sites, in m. Default by `case`: 500 with `"case_1"`, 1732 with
    /// `"case_3"`, 200 with `"umi_street_canyon"`, 500 with `"urban_macro"`.
    #[serde(default)]
    #[schemars(transform = within(100, 20_000).unit("m"))]
    pub inter_site_distance_m: Option<f64>,
    /// Surroundings of the outer sites, and cells that have UEs. `"open"`: no further sites; UEs
    /// are in cells of the first site, and the others only interfere. `"wrapped"`: copies of all
    /// sites surround them, and UEs are in all cells; requires `rings` of at least 1.
    #[serde(default)]
    pub edge: Edge,
    /// Places UEs so that cells serve them in turn: UE number n is in cell number n, counted modulo
    /// the number of cells that have UEs (see `edge`). If false, UE positions are random over the
    /// area of these cells.
    #[serde(default)]
    pub equal_per_cell: bool,
    /// Log-normal shadowing: random loss of each link in addition to the path loss. Half of its
    /// variance is common to all sites. Standard deviation: 8 dB in `case_1` and `case_3`, the
    /// values of TR 38.901 in the others. If false, there is no shadowing.
    #[serde(default = "yes")]
    pub shadowing: bool,
    /// Downlink interference from other cells. `"full"`: all other cells transmit on the whole band
    /// all the time. `"load"`: all other cells transmit with a constant mean power, the share
    /// `neighbour_load` of their full power. `"coupled"`: cells with UEs interfere on the resource
    /// blocks on which they transmit.
    #[serde(default)]
    pub interference: InterferenceKind,
    /// Share of the band on which interfering cells transmit on average; they interfere with this
    /// share of their full power. With `interference = "load"`: required, for all other cells. With
    /// `"coupled"`: for cells without UEs, which do not interfere by default (0). Refused with
    /// `"full"`.
    #[serde(default)]
    pub neighbour_load: Option<Probability>,
    /// Uplink interference from UEs of other cells at each base station. `"constant"`: only the
    /// constant `interference_over_thermal_db`. `"coupled"`: the power received from transmitting
    /// UEs of other cells is added.
    #[serde(default)]
    pub uplink_interference: UplinkInterference,
    /// Uplink noise and interference relative to thermal noise at each base station, in dB. 0:
    /// thermal noise only. A larger value lowers the uplink SINR of all UEs. With
    /// `uplink_interference = "coupled"`, this is the part from cells without UEs, and the
    /// interference of UEs of other cells is added.
    #[serde(default = "five")]
    #[schemars(transform = within(0, 30).unit("dB"))]
    pub interference_over_thermal_db: f64,
    /// Fast fading of the link between each UE and its serving cell, in both directions: `"none"`,
    /// `"flat"`, or the name of a power-delay profile such as `"epa"`, whose fading differs over
    /// the band. Interference does not fade.
    #[serde(default)]
    pub fading: Profile,
    /// Speed of UEs, in km/h, which sets the rate of fast fading and of changes of their line of
    /// sight. Default 3. UE positions do not change. Requires one of: a `fading` other than
    /// `"none"`, `case = "umi_street_canyon"`, `case = "urban_macro"`.
    #[serde(default)]
    #[schemars(transform = above(0, 500).unit("km/h"))]
    pub speed_kmh: Option<f64>,
    /// Number of transmit antennas of the base station and of receive antennas of the UE in the
    /// downlink: `"1x1"`, `"1x2"` or `"2x2"`. With `case = "umi_street_canyon"` or `"urban_macro"`:
    /// `"1x1"` only.
    #[serde(default)]
    pub antennas: Antennas,
    /// Content of a UE's CQI report. `"wideband"`: one CQI for the whole band. `"subband"`: in
    /// addition two bits for each subband; requires a `fading` other than `"none"` and `"flat"`.
    #[serde(default)]
    pub cqi: CqiKind,
    /// Distance between two CQI reports of a UE. LTE, in TTIs (`N_pd`, TS 36.213 Table 7.2.2-1A):
    /// 1, 2, 5, 10, 20, 32, 40, 64, 80, 128 or 160; default 5. 1 is an aperiodic report in every
    /// TTI. NR, in slots (`CSI-ReportPeriodicityAndOffset`, TS 38.331 §6.3.2): 4, 5, 8, 10, 16, 20,
    /// 40, 80, 160 or 320, a multiple of the number of slots of the TDD pattern. Default for NR:
    /// the shortest of these periods of at least 5 ms.
    #[serde(default)]
    #[schemars(transform = one_of(CQI_PERIODS).unit("slots"))]
    pub cqi_period: Option<u64>,
    /// Carrier, line of sight and antenna arrays of TR 38.901. Requires `case =
    /// "umi_street_canyon"` or `"urban_macro"`. Without this section, the defaults of its keys
    /// apply.
    #[serde(default)]
    pub beams: Option<BeamSection>,
    /// Blockage of the path between a UE and its serving cell by people and cars. Without this
    /// section, no path is blocked.
    #[serde(default)]
    pub blockage: Option<BlockageSection>,
    /// Delay from the slot that a UE measures to the first slot whose scheduler uses the CQI
    /// report. LTE: in TTIs, default 8. NR: in slots. Default for NR: 4 ms, plus the wait for an
    /// uplink slot, plus the processing time of the base station (`gnb_rx_slots`).
    #[serde(default)]
    #[schemars(transform = within(1, 1000).unit("slots"))]
    pub cqi_delay: Option<u64>,
    /// Transmit power of a cell over its whole band, in dBm. Default in `case_1` and `case_3`: 43
    /// for bandwidths up to 5 MHz, 46 for larger ones. Default in `umi_street_canyon` and
    /// `urban_macro`: 35, or for an NR cell in FR1 44 per 20 MHz of bandwidth (51 at 100 MHz).
    #[serde(default)]
    #[schemars(transform = within(-20, 80).unit("dBm"))]
    pub base_power_dbm: Option<f64>,
}

impl Network {
    /// Returns `true` if the propagation is that of TR 38.901, with lines of sight that UEs may
    /// lack.
    pub(in super::super) const fn has_arrays(&self) -> bool {
        matches!(self.case, DeploymentCase::UmiStreetCanyon | DeploymentCase::UrbanMacro)
    }

    /// Returns `true` if the radio conditions change as UEs move.
    pub(in super::super) fn depends_on_speed(&self) -> bool {
        self.fading != Profile::None || self.has_arrays()
    }
}

/// Deployment cases of TR 36.814 Table A.2.1.1-1 and TR 38.901 Table 7.2-1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeploymentCase {
    /// Macro cells at 2 GHz: sites 500 m apart, antennas tilted down by 15°.
    #[default]
    #[serde(rename = "case_1")]
    Case1,
    /// Macro cells at 2 GHz: sites 1732 m apart, antennas tilted down by 6°.
    #[serde(rename = "case_3")]
    Case3,
    /// Masts of 10 m in streets, 200 m apart (TR 38.901 Table 7.2-1, UMi), with or without line of
    /// sight, and antenna arrays of cells and UEs.
    UmiStreetCanyon,
    /// Masts of 25 m above the roofs, 500 m apart (TR 38.901 Table 7.2-1, UMa), with or without
    /// line of sight, and antenna arrays of cells and UEs.
    UrbanMacro,
}

/// Carrier, line of sight and antenna arrays, for the propagation of TR 38.901.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BeamSection {
    /// Carrier frequency, in GHz, which determines path loss and Doppler shift. LTE: default 28. NR
    /// at 15, 30 or 60 kHz (FR1): 0.5 to 7.125, default 3.5. NR at 120 kHz (FR2): 24.25 to 71,
    /// default 28.
    #[serde(default)]
    #[schemars(transform = within(0.5, 100).unit("GHz"))]
    pub carrier_ghz: Option<f64>,
    /// Line of sight of UEs to the masts of cells. `"drawn"`: drawn for each UE and mast by their
    /// distance, and changing during the run for the mast of the serving cell. `"always"`: to all
    /// masts. `"never"`: to none.
    #[serde(default)]
    pub line_of_sight: LineOfSightKind,
    /// Rician factor `K` of a link with line of sight: power of the direct path relative to all
    /// other paths together, in dB (TR 38.901 Table 7.5-6: 9 dB on average). A larger value makes
    /// fast fading weaker. Without effect with `fading = "none"`.
    #[serde(default = "nine")]
    #[schemars(transform = within(-20, 40).unit("dB"))]
    pub rician_k_db: f64,
    /// Gain of a cell's antenna array over one of its elements (8 dBi), in dB, towards UEs of the
    /// cell. Towards UEs of other cells, the array has the gain of one element on average. 0: an
    /// array is no better than one element.
    #[serde(default = "eighteen")]
    #[schemars(transform = within(0, 40).unit("dB"))]
    pub base_array_db: f64,
    /// Gain of a UE's antenna array over one of its elements, in dB, towards the serving cell.
    /// Default: 9, over an element of 5 dBi. Default for an NR cell in FR1: 0, over an element of 0
    /// dBi.
    #[serde(default)]
    #[schemars(transform = within(0, 40).unit("dB"))]
    pub ue_array_db: Option<f64>,
    /// Maximum loss by imperfectly aligned beams between a UE and its serving cell, in dB. Each UE
    /// draws its loss between 0 and this value at the start of the run. 0: all beams are perfectly
    /// aligned.
    #[serde(default = "three")]
    #[schemars(transform = within(0, 20).unit("dB"))]
    pub misalignment_db: f64,
}

impl Default for BeamSection {
    fn default() -> Self {
        Self {
            carrier_ghz: None,
            line_of_sight: LineOfSightKind::Drawn,
            rician_k_db: nine(),
            base_array_db: eighteen(),
            ue_array_db: None,
            misalignment_db: three(),
        }
    }
}

/// Line of sight of UEs to the masts of cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LineOfSightKind {
    /// Drawn for each UE and mast with the probability of their distance (TR 38.901 Table 7.4.2-1).
    /// The line of sight to the mast of the serving cell changes as the UE moves: over 50 m, the
    /// correlation falls to 1/e.
    #[default]
    Drawn,
    /// All UEs have a line of sight to all masts, always.
    Always,
    /// No UE has a line of sight to any mast, ever.
    Never,
}

/// Blockage of the path between a UE and its serving cell, as a process of two states. UEs are
/// blocked independently.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BlockageSection {
    /// Mean time between the end of one blockage of a UE and the start of the next.
    #[serde(default = "five_seconds")]
    #[schemars(transform = within("1 ms", "3600 s"))]
    pub between: Duration,
    /// Mean duration of a blockage, including the ramp at its start and the ramp at its end.
    #[serde(default = "four_tenths")]
    #[schemars(transform = within("1 ms", "3600 s"))]
    pub lasting: Duration,
    /// Mean loss of the path during a blockage, between the ramps, in dB.
    #[serde(default = "twenty")]
    #[schemars(transform = within(0, 80).unit("dB"))]
    pub loss_db: f64,
    /// Standard deviation of the loss between blockages, in dB. Each blockage draws its loss, at
    /// least 0 dB. 0: all blockages have the loss `loss_db`.
    #[serde(default = "five")]
    #[schemars(transform = within(0, 80).unit("dB"))]
    pub deviation_db: f64,
    /// Time in which the loss rises at the start of a blockage, and falls at its end. At most half
    /// of `lasting`. `0 s`: the loss rises and falls at once.
    #[serde(default = "sixty_milliseconds")]
    pub ramp: Duration,
}

/// Interference between cells in the downlink.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum InterferenceKind {
    /// All other cells transmit on their whole band all the time.
    Full,
    /// All other cells interfere with constant power: their full power multiplied by
    /// `neighbour_load`.
    Load,
    /// Cells with UEs interfere on the resource blocks on which they transmit in the same slot;
    /// cells without UEs interfere as with `load`.
    #[default]
    Coupled,
}

/// Interference from UEs of other cells in the uplink.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UplinkInterference {
    /// Constant noise and interference of `interference_over_thermal_db`, whatever UEs transmit.
    #[default]
    Constant,
    /// In addition to `interference_over_thermal_db`, the power that a base station receives from
    /// transmitting UEs of other cells, averaged over the band and about 20 uplink slots.
    Coupled,
}

/// Content of CQI reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CqiKind {
    /// One CQI for the whole band.
    #[default]
    Wideband,
    /// One CQI for the whole band and two bits for each subband. The scheduler then chooses
    /// resource block groups for each UE.
    Subband,
}

/// TS 36.213 Table 7.2.2-1A and 1, TS 38.331 §6.3.2.
const CQI_PERIODS: &[u32] = &[1, 2, 4, 5, 8, 10, 16, 20, 32, 40, 64, 80, 128, 160, 320];

fn one_ring() -> u32 {
    1
}

fn yes() -> bool {
    true
}

fn five() -> f64 {
    5.0
}

fn nine() -> f64 {
    9.0
}

fn eighteen() -> f64 {
    18.0
}

fn three() -> f64 {
    3.0
}

fn twenty() -> f64 {
    20.0
}

fn five_seconds() -> Duration {
    Duration::from_secs(5)
}

fn four_tenths() -> Duration {
    Duration::from_millis(400)
}

fn sixty_milliseconds() -> Duration {
    Duration::from_millis(60)
}
