//! The section of the places of control messages, in NR.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::unit::range::{one_of, within};

/// CORESET and UE-specific search space of all UEs (TS 38.213 §10.1). A PDCCH message takes the
/// first free candidate of its UE; candidates are hashed from the UE's identity and the slot.
/// Without a free candidate, the message is blocked in this slot. All levels together have at most
/// 44 candidates at 15 kHz, 36 at 30 kHz, 22 at 60 kHz, 20 at 120 kHz. Without this section, the
/// messages of a slot together may use 80 % of the control channel elements (CCEs), at any
/// position; a single message may use all.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchSpace {
    /// Number of resource blocks of the CORESET (`frequencyDomainResources`, TS 38.331 §6.3.2).
    /// Every six of them give one control channel element per symbol; a rest of fewer than six is
    /// not used. Downlink data cannot use the other resource blocks of the CORESET's symbols.
    /// Default: the whole carrier.
    #[serde(default)]
    #[schemars(transform = within(6, 270).unit("resource blocks"))]
    pub prbs: Option<u32>,
    /// Number of candidates of aggregation level 1 in a slot: places of one control channel element
    /// at which a UE looks for its PDCCH messages (`nrofCandidates`, TS 38.331 §6.3.2). 0: messages
    /// that need one element take the next higher level with candidates.
    #[serde(default)]
    #[schemars(transform = one_of(CANDIDATES).unit("candidates"))]
    pub level_1: u32,
    /// Number of candidates of aggregation level 2 in a slot: places of two control channel
    /// elements at which a UE looks for its PDCCH messages (`nrofCandidates`, TS 38.331 §6.3.2). 0:
    /// messages that need two elements take the next higher level with candidates, or else the next
    /// lower one.
    #[serde(default = "four")]
    #[schemars(transform = one_of(CANDIDATES).unit("candidates"))]
    pub level_2: u32,
    /// Number of candidates of aggregation level 4 in a slot: places of four control channel
    /// elements at which a UE looks for its PDCCH messages (`nrofCandidates`, TS 38.331 §6.3.2). 0:
    /// messages that need four elements take the next higher level with candidates, or else the
    /// next lower one.
    #[serde(default = "four")]
    #[schemars(transform = one_of(CANDIDATES).unit("candidates"))]
    pub level_4: u32,
    /// Number of candidates of aggregation level 8 in a slot: places of eight control channel
    /// elements at which a UE looks for its PDCCH messages (`nrofCandidates`, TS 38.331 §6.3.2). 0:
    /// messages that need eight elements take the next higher level with candidates, or else the
    /// next lower one.
    #[serde(default = "two")]
    #[schemars(transform = one_of(CANDIDATES).unit("candidates"))]
    pub level_8: u32,
    /// Number of candidates of aggregation level 16 in a slot: places of sixteen control channel
    /// elements at which a UE looks for its PDCCH messages (`nrofCandidates`, TS 38.331 §6.3.2). 0:
    /// messages that need sixteen elements take the highest level with candidates.
    #[serde(default = "one")]
    #[schemars(transform = one_of(CANDIDATES).unit("candidates"))]
    pub level_16: u32,
    /// C-RNTI of the first UE (TS 38.321 §7.1), from which the positions of its candidates are
    /// hashed. The following UEs have consecutive values.
    #[serde(default = "usual_rnti")]
    #[schemars(transform = within(1, 65_519))]
    pub first_rnti: u32,
}

/// TS 38.331 §6.3.2
const CANDIDATES: &[u32] = &[0, 1, 2, 3, 4, 5, 6, 8];

fn one() -> u32 {
    1
}

fn two() -> u32 {
    2
}

fn four() -> u32 {
    4
}

/// The first identity that public base stations give (0x4601).
fn usual_rnti() -> u32 {
    17_921
}
