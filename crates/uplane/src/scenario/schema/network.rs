//! The section that makes a network of an LTE or NR cell.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ran::channel::fading::Antennas;
use crate::ran::channel::{Edge, Profile};
use crate::unit::range::{above, one_of, within};
use crate::unit::{Duration, Probability};

/// Sites of three cells each on a hexagonal grid (TR 36.814 Table A.2.1.1-1), instead of a single
/// cell. Places, interference and fading decide about the SINR of each UE, instead of
/// `downlink_sinr_db` and `uplink_sinr_db`.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Network {
    /// Rings of sites around the first one: 0, 1, 2, … rings are 1, 7, 19, … sites.
    #[serde(default = "one_ring")]
    #[schemars(transform = within(0, 5).unit("rings"))]
    pub rings: u32,
    /// Distances, downtilt and loss.
    #[serde(default)]
    pub case: DeploymentCase,
    /// Distance between neighbouring sites in m; without, 500 in case 1, 1732 in case 3, 200 in
    /// streets, 500 above roofs.
    #[serde(default)]
    #[schemars(transform = within(100, 20_000).unit("m"))]
    pub inter_site_distance_m: Option<f64>,
    /// What is beyond the outer sites, and therefore where UEs are.
    #[serde(default)]
    pub edge: Edge,
    /// UEs are distributed to the cells in turns; by default at random.
    #[serde(default)]
    pub equal_per_cell: bool,
    /// Log-normal shadowing, half of it common to all sites: 8 dB in cases 1 and 3; of TR 38.901 in
    /// the others.
    #[serde(default = "yes")]
    pub shadowing: bool,
    /// How cells interfere with each other in the downlink.
    #[serde(default)]
    pub interference: InterferenceKind,
    /// The share of the band that other cells use on average: all of them for `load`, those without
    /// UEs for `coupled`, where it is 0 without this key.
    #[serde(default)]
    pub neighbour_load: Option<Probability>,
    /// How UEs of other cells interfere with the uplink.
    #[serde(default)]
    pub uplink_interference: UplinkInterference,
    /// Interference over thermal noise in the uplink, in dB: all of it, or with
    /// `uplink_interference = "coupled"` that of cells without UEs.
    #[serde(default = "five")]
    #[schemars(transform = within(0, 30).unit("dB"))]
    pub interference_over_thermal_db: f64,
    /// Fast fading of each link.
    #[serde(default)]
    pub fading: Profile,
    /// How fast UEs are for the fading, and for how lines of sight come and go, in km/h; 3 without.
    /// They stay where they are.
    #[serde(default)]
    #[schemars(transform = above(0, 500).unit("km/h"))]
    pub speed_kmh: Option<f64>,
    /// Antennas of the base station and of the UE in the downlink.
    #[serde(default)]
    pub antennas: Antennas,
    /// What UEs report of the channel.
    #[serde(default)]
    pub cqi: CqiKind,
    /// From one report to the next: in LTE in TTIs (`N_pd`, TS 36.213 Table 7.2.2-1A), 5 without, 1
    /// where reports are asked for in every TTI; in NR in slots
    /// (`CSI-ReportPeriodicityAndOffset`, TS 38.331 §6.3.2), a multiple of the TDD pattern, without
    /// the least of at least 5 ms.
    #[serde(default)]
    #[schemars(transform = one_of(CQI_PERIODS).unit("slots"))]
    pub cqi_period: Option<u64>,
    /// Settings of the propagation of TR 38.901: the cases `umi_street_canyon` and `urban_macro`.
    #[serde(default)]
    pub beams: Option<BeamSection>,
    /// People and cars that step between a UE and its mast.
    #[serde(default)]
    pub blockage: Option<BlockageSection>,
    /// From the slot that is measured to the first in which the scheduler makes use of the report:
    /// in LTE in TTIs, 8 without; in NR in slots, without 4 ms until an uplink slot carries it, and
    /// what the base station takes to read it.
    #[serde(default)]
    #[schemars(transform = within(1, 1000).unit("slots"))]
    pub cqi_delay: Option<u64>,
    /// Power of a cell over its whole band, in dBm; without, 46 in cases 1 and 3, 43 up to 5 MHz,
    /// and 35 in the others, but 44 for each 20 MHz of an NR cell below 7.125 GHz.
    #[serde(default)]
    #[schemars(transform = within(-20, 80).unit("dBm"))]
    pub base_power_dbm: Option<f64>,
}

impl Network {
    /// The propagation is that of TR 38.901, with lines of sight that UEs have or have not.
    pub(in super::super) const fn has_arrays(&self) -> bool {
        matches!(self.case, DeploymentCase::UmiStreetCanyon | DeploymentCase::UrbanMacro)
    }

    /// Something changes as UEs move.
    pub(in super::super) fn depends_on_speed(&self) -> bool {
        self.fading != Profile::None || self.has_arrays()
    }
}

/// Deployments of TR 36.814 Table A.2.1.1-1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeploymentCase {
    /// Sites 500 m apart, antennas tilted by 15°.
    #[default]
    #[serde(rename = "case_1")]
    Case1,
    /// Sites 1732 m apart, antennas tilted by 6°.
    #[serde(rename = "case_3")]
    Case3,
    /// Masts of 10 m in streets, 200 m apart (TR 38.901 Table 7.2-1, UMi), with line of sight or
    /// without, and arrays at both ends.
    UmiStreetCanyon,
    /// Masts of 25 m above the roofs, 500 m apart (TR 38.901 Table 7.2-1, UMa), the same.
    UrbanMacro,
}

/// Carrier, line of sight and arrays where the propagation is that of TR 38.901.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BeamSection {
    /// The carrier, in GHz; without 28, and 3.5 for an NR cell in FR1.
    #[serde(default)]
    #[schemars(transform = within(0.5, 100).unit("GHz"))]
    pub carrier_ghz: Option<f64>,
    /// Who sees the mast.
    #[serde(default)]
    pub line_of_sight: LineOfSightKind,
    /// `K`: the direct ray over all others, in dB, while there is a line of sight (TR 38.901 Table
    /// 7.5-6: 9 dB on average).
    #[serde(default = "nine")]
    #[schemars(transform = within(-20, 40).unit("dB"))]
    pub rician_k_db: f64,
    /// What the array of a cell adds to one of its elements of 8 dBi, in dB.
    #[serde(default = "eighteen")]
    #[schemars(transform = within(0, 40).unit("dB"))]
    pub base_array_db: f64,
    /// What the array of a UE adds to one of its elements of 5 dBi, in dB; 9 without. For an NR
    /// cell in FR1 an element has 0 dBi, and an array adds 0 without this key.
    #[serde(default)]
    #[schemars(transform = within(0, 40).unit("dB"))]
    pub ue_array_db: Option<f64>,
    /// How much a UE loses at most because the beams are not perfectly aligned, in dB.
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

/// Lines of sight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LineOfSightKind {
    /// By the distance (TR 38.901 Table 7.4.2-1), and changing as a UE moves: over 50 m the
    /// correlation falls to 1/e.
    #[default]
    Drawn,
    /// Every UE, always.
    Always,
    /// No UE, ever.
    Never,
}

/// Blockage as a process of two states.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BlockageSection {
    /// Mean time between two blockers.
    #[serde(default = "five_seconds")]
    #[schemars(transform = within("1 ms", "3600 s"))]
    pub between: Duration,
    /// Mean time that one stays, its coming and going included.
    #[serde(default = "four_tenths")]
    #[schemars(transform = within("1 ms", "3600 s"))]
    pub lasting: Duration,
    /// Mean loss behind one, in dB.
    #[serde(default = "twenty")]
    #[schemars(transform = within(0, 80).unit("dB"))]
    pub loss_db: f64,
    /// Standard deviation of that loss, in dB.
    #[serde(default = "five")]
    #[schemars(transform = within(0, 80).unit("dB"))]
    pub deviation_db: f64,
    /// How long it takes to come, and to go.
    #[serde(default = "sixty_milliseconds")]
    pub ramp: Duration,
}

/// Interference between cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum InterferenceKind {
    /// All other cells send all the time.
    Full,
    /// All other cells are on the air with the mean of `neighbour_load`.
    Load,
    /// Cells with UEs interfere on the resource blocks on which they send.
    #[default]
    Coupled,
}

/// Interference between UEs of different cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UplinkInterference {
    /// Always the same.
    #[default]
    Constant,
    /// Each base station receives the power of the UEs of other cells when they send, on average
    /// over the band and the last 20 slots that go up.
    Coupled,
}

/// Reports of the channel quality.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CqiKind {
    /// One number for the band; the scheduler gives out slots.
    #[default]
    Wideband,
    /// Two bits more for each subband; the scheduler gives out resource block groups.
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
