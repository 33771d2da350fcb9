//! The section of dual connectivity, beside those of its two cells.

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Lte, Nr};
use crate::net::Direction;
use crate::unit::range::within;
use crate::unit::text::word_or;
use crate::unit::{Bytes, Duration};

/// The sections of a radio with dual connectivity: `[radio.en_dc]`, `[radio.lte]`, `[radio.nr]`.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct EnDcCells {
    /// What is between the cells.
    pub en_dc: EnDc,
    /// The cell of the master node.
    pub lte: Box<Lte>,
    /// The cell of the secondary node.
    pub nr: Box<Nr>,
}

/// Dual connectivity (EN-DC, TS 37.340): each UE has the LTE cell of `[radio.lte]`, of its master
/// node, and the NR cell of `[radio.nr]`, of its secondary node, and one bearer. PDCP is NR's, with
/// the keys of `[radio.nr]`: `t_reordering`, `pdcp_sn_length`, `buffer`.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EnDc {
    /// Which cells carry the bearer (TS 37.340 §4.2.2).
    #[serde(default)]
    pub bearer: BearerType,
    /// The node in which the bearer ends: that has PDCP, and the link to the core network. X2 is
    /// between it and the cell of the other node.
    #[serde(default)]
    pub terminated: Termination,
    /// From one node to the other, each way.
    #[serde(default = "two_ms")]
    #[schemars(transform = within("0 s", "100 ms"))]
    pub x2_delay: Duration,
    /// The cell of a split bearer's uplink below the threshold (`primaryPath`, TS 38.331 §6.3.2);
    /// "nr" by default.
    #[serde(default)]
    pub primary_path: Option<PrimaryPath>,
    /// Waiting data from which on the uplink of a split bearer uses the other cell too, in bytes of
    /// PDCP PDUs that wait in PDCP and in both legs. Default "infinity". (`ul-DataSplitThreshold`, TS
    /// 38.331 §6.3.2, TS 38.323 §5.2.1)
    #[serde(default)]
    #[schemars(transform = within("0 B", "6553600 B"))]
    pub ul_data_split_threshold: Option<SplitThreshold>,
    /// In which directions each packet of a split bearer goes over both cells, and the first copy
    /// wins (packet duplication, TS 38.323 §5.11); "none" by default.
    #[serde(default)]
    pub duplication: Option<Duplication>,
    /// From one delivery status of a cell's node to the next (DDDS, TS 38.425 §5.4.1), and the time
    /// over which the rate of a cell is measured.
    #[serde(default = "five_ms")]
    #[schemars(transform = within("1 ms", "1 s"))]
    pub delivery_status_period: Duration,
    /// The desired buffer size of each cell (TS 38.425 §5.4.1), as the time in which the cell sends
    /// it: longer than a period and X2 both ways.
    #[serde(default = "twenty_ms")]
    #[schemars(transform = within("1 ms", "10 s"))]
    pub desired_buffer: Duration,
}

/// Which cells carry the bearer of a UE.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BearerType {
    /// Both.
    #[default]
    Split,
    /// The LTE cell.
    Mcg,
    /// The NR cell.
    Scg,
}

/// The node in which a bearer ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Termination {
    /// The secondary node, of the NR cell (option 3x of TR 38.801).
    #[default]
    Sn,
    /// The master node, of the LTE cell (option 3).
    Mn,
}

/// A cell of dual connectivity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PrimaryPath {
    /// The NR cell.
    #[default]
    Nr,
    /// The LTE cell.
    Lte,
}

/// Directions with packet duplication.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "PacketDuplication")]
pub enum Duplication {
    /// None.
    #[default]
    None,
    /// To the UE.
    Down,
    /// From the UE.
    Up,
    /// Both.
    Both,
}

/// From how much data on both cells are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SplitThreshold {
    /// Never.
    #[default]
    Infinity,
    /// From so much on.
    Data(Bytes),
}

word_or! {
    SplitThreshold "SplitThreshold" "an amount such as \"100 B\" or \"200 kB\", or \"infinity\""
        { "infinity" => Infinity, _ => Data(Bytes) }
}

impl Duplication {
    /// True where packets of this direction are sent twice.
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
