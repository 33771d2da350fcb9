//! The section of dual connectivity, beside those of its two cells.

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Lte, Nr};
use crate::net::Direction;
use crate::unit::range::within;
use crate::unit::text::word_or;
use crate::unit::{Bytes, Duration};

/// Sections of a radio with dual connectivity: `[radio.en_dc]`, `[radio.lte]`, `[radio.nr]`.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct EnDcCells {
    /// Dual connectivity of the two cells.
    pub en_dc: EnDc,
    /// LTE cell, of the master node.
    pub lte: Box<Lte>,
    /// NR cell, of the secondary node.
    pub nr: Box<Nr>,
}

/// Dual connectivity (EN-DC, TS 37.340): each UE has one bearer over the LTE cell of `[radio.lte]`
/// (master node) and the NR cell of `[radio.nr]` (secondary node). PDCP is that of NR and uses the
/// keys `t_reordering`, `pdcp_sn_length` and `buffer` of `[radio.nr]`. An LTE cell without a
/// `bearer` section takes the RLC mode of the NR cell; otherwise both modes must be equal. Refused
/// in both cells: networks, handovers, RRC states, ACK filters, secondary carriers and urgent
/// blocks. Refused for the bearer: a discard timer, ROHC, AQM and SDAP headers.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EnDc {
    /// Cells that carry the bearer in both directions (TS 37.340 §4.2.2): `"split"`, both; `"mcg"`,
    /// the LTE cell; `"scg"`, the NR cell.
    #[serde(default)]
    pub bearer: BearerType,
    /// Node that terminates the bearer, with PDCP and the link to the core network: `"sn"`, the
    /// secondary node of the NR cell, or `"mn"`, the master node of the LTE cell. Data over the
    /// cell of the other node passes X2.
    #[serde(default)]
    pub terminated: Termination,
    /// Delay of X2 between the two nodes, in each direction. It applies to data over the cell of
    /// the node that does not terminate the bearer, and to delivery status reports of this cell.
    #[serde(default = "two_ms")]
    #[schemars(transform = within("0 s", "100 ms"))]
    pub x2_delay: Duration,
    /// Cell that carries the uplink of a split bearer while less data than
    /// `ul_data_split_threshold` is waiting (`primaryPath`, TS 38.331 §6.3.2): `"nr"` or `"lte"`.
    /// Default `"nr"`. Without effect with uplink `duplication`. Without effect, with a warning,
    /// unless `bearer = "split"`.
    #[serde(default)]
    pub primary_path: Option<PrimaryPath>,
    /// Amount of waiting uplink data from which a split bearer uses both cells
    /// (`ul-DataSplitThreshold`, TS 38.331 §6.3.2, TS 38.323 §5.2.1). It counts PDCP PDUs that wait
    /// in PDCP and in both cells. `"0 B"`: always both cells. `"infinity"`, the default: only the
    /// cell `primary_path`. Without effect with uplink `duplication`. Without effect, with a
    /// warning, unless `bearer = "split"`.
    #[serde(default)]
    #[schemars(transform = within("0 B", "6553600 B"))]
    pub ul_data_split_threshold: Option<SplitThreshold>,
    /// Directions in which both cells carry each packet of a split bearer, and the first copy that
    /// arrives counts (PDCP duplication, TS 38.323 §5.11): `"none"`, `"down"`, `"up"` or `"both"`.
    /// Default `"none"`. Without effect, with a warning, unless `bearer = "split"`.
    #[serde(default)]
    pub duplication: Option<Duplication>,
    /// Distance between two delivery status reports of a cell to PDCP (DDDS, TS 38.425 §5.4.1), and
    /// time over which the rate of the cell is measured. PDCP distributes the packets of a split
    /// bearer to the cells by these reports and rates. Without effect unless `bearer = "split"`.
    #[serde(default = "five_ms")]
    #[schemars(transform = within("1 ms", "1 s"))]
    pub delivery_status_period: Duration,
    /// Desired amount of unsent data in each cell, as the time in which the cell sends this amount
    /// at its best recent rate (TS 38.425 §5.4.1); at least 4500 B. PDCP submits packets of a split
    /// bearer to a cell while the cell has less. Uplink packets with `ul_data_split_threshold =
    /// "infinity"` are submitted at once. Minimum: the sum of `delivery_status_period`, twice
    /// `x2_delay`, and 5 ms.
    #[serde(default = "twenty_ms")]
    #[schemars(transform = within("1 ms", "10 s"))]
    pub desired_buffer: Duration,
}

/// Cells that carry the bearer of a UE.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BearerType {
    /// Split bearer: both cells.
    #[default]
    Split,
    /// MCG bearer: the LTE cell.
    Mcg,
    /// SCG bearer: the NR cell.
    Scg,
}

/// Node that terminates the bearer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Termination {
    /// Secondary node, which has the NR cell (option 3x of TR 38.801).
    #[default]
    Sn,
    /// Master node, which has the LTE cell (option 3 of TR 38.801).
    Mn,
}

/// Primary path of a split bearer's uplink.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PrimaryPath {
    /// The NR cell.
    #[default]
    Nr,
    /// The LTE cell.
    Lte,
}

/// Directions with PDCP duplication.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "PacketDuplication")]
pub enum Duplication {
    /// No direction.
    #[default]
    None,
    /// Downlink only.
    Down,
    /// Uplink only.
    Up,
    /// Downlink and uplink.
    Both,
}

/// Amount of waiting uplink data from which a split bearer uses both cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SplitThreshold {
    /// No amount: the primary path only.
    #[default]
    Infinity,
    /// Amount of data.
    Data(Bytes),
}

word_or! {
    SplitThreshold "SplitThreshold" "an amount such as \"100 B\" or \"200 kB\", or \"infinity\""
        { "infinity" => Infinity, _ => Data(Bytes) }
}

impl Duplication {
    /// Returns `true` if packets of this direction are sent twice.
    pub fn is_in(self, direction: Direction) -> bool {
        match self {
            Self::None => false,
            Self::Down => direction == Direction::Down,
            Self::Up => direction == Direction::Up,
            Self::Both => true,
        }
    }
}

/// The sections of dual connectivity stand beside one another, and not one in the other.
pub(super) fn beside(schema: &mut Schema) {
    let choices = schema.get_mut("oneOf").and_then(Value::as_array_mut).into_iter().flatten();
    for choice in choices {
        let described = choice["description"].clone();
        if let Some(sections) = choice["properties"].get_mut("en_dc").map(Value::take) {
            *choice = sections;
            choice["description"] = described;
        }
    }
}

fn two_ms() -> Duration {
    Duration::from_millis(2)
}

fn five_ms() -> Duration {
    Duration::from_millis(5)
}

fn twenty_ms() -> Duration {
    Duration::from_millis(20)
}
