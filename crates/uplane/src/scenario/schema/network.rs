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
    /// Number of rings of sites around the first site: 0, 1, 2, … rings are 1, 7, 19, … sites of
    /// three cells each.
    #[serde(default = "one_ring")]
    #[schemars(transform = within(0, 5).unit("rings"))]
    pub rings: u32,
    /// Deployment case: distance of sites, downtilt, path loss and antennas. `"case_1"`,
    /// `"case_3"`, `"umi_street_canyon"` or `"urban_macro"`.
    #[serde(default)]
    pub case: DeploymentCase,
    /// Distance between neighbouring sites, in m. Default: 500 in `case_1`, 1732 in `case_3`, 200
    /// in `umi_street_canyon`, 500 in `urban_macro`.
    #[serde(default)]
    #[schemars(transform = within(100, 20_000).unit("m"))]
    pub inter_site_distance_m: Option<f64>,
    /// Surroundings of the outer sites. `"open"`: no further sites, and UEs only in cells of the
    /// first site. `"wrapped"`: copies of all sites around them, and UEs in all cells; requires at
    /// least one ring.
    #[serde(default)]
    pub edge: Edge,
    /// Places UEs so that the cells serve equal numbers of UEs: UE number n is in cell number n,
    /// counted modulo the number of cells. If false, UE positions are random over the area.
    #[serde(default)]
    pub equal_per_cell: bool,
    /// Log-normal shadowing of the path loss, drawn for each UE; half of its variance is common to
    /// all sites. Its standard deviation is 8 dB in `case_1` and `case_3`, otherwise the value of
    /// TR 38.901. If false, there is no shadowing.
    #[serde(default = "yes")]
    pub shadowing: bool,
    /// Interference from other cells in the downlink. `"full"`: full power on the whole band,
    /// always. `"load"`: the constant ratio `neighbour_load` of full power. `"coupled"`: the
    /// resource blocks on which each cell transmits.
    #[serde(default)]
    pub interference: InterferenceKind,
    /// Ratio of the band that interfering cells use on average, in the downlink: 0 for no
    /// interference, 1 for all. With `interference = "load"`: required, for all other cells. With
    /// `"coupled"`: for cells without UEs, default 0. Refused with `"full"`.
    #[serde(default)]
    pub neighbour_load: Option<Probability>,
    /// Interference from UEs of other cells at a base station. `"constant"`:
    /// `interference_over_thermal_db` alone. `"coupled"`: in addition, the power received from UEs
    /// that transmit.
    #[serde(default)]
    pub uplink_interference: UplinkInterference,
    /// Uplink noise and interference relative to thermal noise at each base station, in dB: 0 for
    /// noise alone. With `uplink_interference = "coupled"`, it is only the part from cells without
    /// UEs, to which UEs of other cells add.
    #[serde(default = "five")]
    #[schemars(transform = within(0, 30).unit("dB"))]
    pub interference_over_thermal_db: f64,
    /// Fast fading of each link between a cell and a UE: `"none"`, `"flat"`, or a power-delay
    /// profile.
    #[serde(default)]
    pub fading: Profile,
    /// Speed of UEs, in km/h, for fast fading and changes of the line of sight; positions do not
    /// change. Default 3. Requires one of: `fading` other than `"none"`, `case =
    /// "umi_street_canyon"`, `case = "urban_macro"`. Refused otherwise.
    #[serde(default)]
    #[schemars(transform = above(0, 500).unit("km/h"))]
    pub speed_kmh: Option<f64>,
    /// Number of transmit antennas of the base station and receive antennas of the UE in the
    /// downlink: `"1x1"`, `"1x2"` or `"2x2"`. The cases `umi_street_canyon` and `urban_macro`
    /// require `"1x1"`.
    #[serde(default)]
    pub antennas: Antennas,
    /// Content of a UE's CQI report: `"wideband"`, one CQI for the whole band, or `"subband"`, in
    /// addition two bits for each subband. `"subband"` requires frequency-selective fading: a
    /// `fading` other than `"none"` and `"flat"`.
    #[serde(default)]
    pub cqi: CqiKind,
    /// Distance between two CQI reports of a UE. LTE: in TTIs (`N_pd`, TS 36.213 Table 7.2.2-1A),
    /// default 5; 1 is an aperiodic report in every TTI. NR: in slots
    /// (`CSI-ReportPeriodicityAndOffset`, TS 38.331 §6.3.2), a multiple of the TDD pattern;
    /// default: the shortest of at least 5 ms.
    #[serde(default)]
    #[schemars(transform = one_of(CQI_PERIODS).unit("slots"))]
    pub cqi_period: Option<u64>,
    /// Carrier, line of sight and antenna arrays of TR 38.901, for the cases `umi_street_canyon`
    /// and `urban_macro` only. Without this section, the defaults of its keys apply.
    #[serde(default)]
    pub beams: Option<BeamSection>,
    /// Blockage of the path between a UE and its serving cell by people and cars. Without this
    /// section, paths are never blocked.
    #[serde(default)]
    pub blockage: Option<BlockageSection>,
    /// Delay from the slot that a UE measures to the first slot whose scheduler uses its CQI
    /// report. LTE: in TTIs, default 8. NR: in slots; default: 4 ms, then the wait for an uplink
    /// slot, then the base station's processing time.
    #[serde(default)]
    #[schemars(transform = within(1, 1000).unit("slots"))]
    pub cqi_delay: Option<u64>,
    /// Transmit power of a cell over its whole band, in dBm. Default in `case_1` and `case_3`: 46,
    /// or 43 for bandwidths up to 5 MHz. Default in the other cases: 35; for an NR cell below 7.125
    /// GHz, 44 for each 20 MHz of bandwidth (51 for 100 MHz).
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
    /// sight, and antenna arrays at both ends.
    UmiStreetCanyon,
    /// Masts of 25 m above the roofs, 500 m apart (TR 38.901 Table 7.2-1, UMa), with or without
    /// line of sight, and antenna arrays at both ends.
    UrbanMacro,
}

/// Carrier, line of sight and antenna arrays, for the propagation of TR 38.901.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BeamSection {
    /// Carrier frequency, in GHz, which determines path loss and the rate of fading. Default 28, or
    /// 3.5 for an NR cell in FR1. Must be in the frequency range of the NR subcarrier spacing.
    #[serde(default)]
    #[schemars(transform = within(0.5, 100).unit("GHz"))]
    pub carrier_ghz: Option<f64>,
    /// Line of sight between a UE and its serving cell. `"drawn"`: by chance, less likely at longer
    /// distances. `"always"`: all UEs have one. `"never"`: none has.
    #[serde(default)]
    pub line_of_sight: LineOfSightKind,
    /// Rician factor `K` with a line of sight: power of the direct path relative to all other
    /// paths, in dB. A larger value gives less fading. (TR 38.901 Table 7.5-6: 9 dB on average.)
    /// Without effect with `fading = "none"`.
    #[serde(default = "nine")]
    #[schemars(transform = within(-20, 40).unit("dB"))]
    pub rician_k_db: f64,
    /// Gain of a cell's antenna array towards its own UEs, in dB, relative to one of its elements
    /// (8 dBi). Towards UEs of other cells, the array has the gain of one element on average.
    #[serde(default = "eighteen")]
    #[schemars(transform = within(0, 40).unit("dB"))]
    pub base_array_db: f64,
    /// Gain of a UE's antenna array towards its own cell, in dB, relative to one of its elements.
    /// Default 9 over an element of 5 dBi; for an NR cell in FR1, default 0 over an element of 0
    /// dBi.
    #[serde(default)]
    #[schemars(transform = within(0, 40).unit("dB"))]
    pub ue_array_db: Option<f64>,
    /// Maximum loss by imperfectly aligned beams, in dB. Each UE draws its loss between 0 and this
    /// value in each run.
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

/// Line of sight between a UE and its serving cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LineOfSightKind {
    /// Drawn with the probability of the distance (TR 38.901 Table 7.4.2-1), and changing as the UE
    /// moves: over 50 m, the correlation falls to 1/e.
    #[default]
    Drawn,
    /// All UEs, always.
    Always,
    /// No UE, ever.
    Never,
}

/// Blockage of the path between a UE and its serving cell, as a process of two states. UEs are
/// blocked independently.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BlockageSection {
    /// Mean time between the end of one blockage and the start of the next.
    #[serde(default = "five_seconds")]
    #[schemars(transform = within("1 ms", "3600 s"))]
    pub between: Duration,
    /// Mean duration of a blockage, both ramps included.
    #[serde(default = "four_tenths")]
    #[schemars(transform = within("1 ms", "3600 s"))]
    pub lasting: Duration,
    /// Mean loss of the path during a blockage, in dB.
    #[serde(default = "twenty")]
    #[schemars(transform = within(0, 80).unit("dB"))]
    pub loss_db: f64,
    /// Standard deviation of the loss from one blockage to the next, in dB. 0: all blockages have
    /// the loss `loss_db`.
    #[serde(default = "five")]
    #[schemars(transform = within(0, 80).unit("dB"))]
    pub deviation_db: f64,
    /// Time in which the loss rises at the start of a blockage, and time in which it falls at its
    /// end. At most half of `lasting`. `"0 s"`: the loss changes at once.
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
    /// Constant: `interference_over_thermal_db`.
    #[default]
    Constant,
    /// Power that a base station receives from transmitting UEs of other cells, averaged over the
    /// band and about 20 uplink slots.
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
