//! The section of the places of control messages, in NR.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::unit::range::{one_of, within};

/// CORESET and UE-specific search space of all UEs (TS 38.213 §10.1). A PDCCH message takes the
/// first free candidate of its UE; candidates are hashed from the UE's identity and the slot.
/// Without a free candidate, the message is blocked in this slot. Without this section, messages
/// may use 80 % of the control channel elements (CCEs), at any position.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchSpace {
    /// Number of resource blocks of the CORESET, a multiple of six (`frequencyDomainResources`, TS
    /// 38.331 §6.3.2). Data cannot use the other resource blocks of its symbols. Default: the whole
    /// carrier.
    #[serde(default)]
    #[schemars(transform = within(6, 270).unit("resource blocks"))]
    pub prbs: Option<u32>,
    /// Number of candidates of aggregation level 1, one CCE each, in a slot (`nrofCandidates`, TS
    /// 38.331 §6.3.2).
    #[serde(default)]
    #[schemars(transform = one_of(CANDIDATES).unit("candidates"))]
    pub level_1: u32,
    /// Number of candidates of aggregation level 2, two CCEs each, in a slot (`nrofCandidates`, TS
    /// 38.331 §6.3.2).
    #[serde(default = "four")]
    #[schemars(transform = one_of(CANDIDATES).unit("candidates"))]
    pub level_2: u32,
    /// Number of candidates of aggregation level 4, four CCEs each, in a slot (`nrofCandidates`, TS
    /// 38.331 §6.3.2).
    #[serde(default = "four")]
    #[schemars(transform = one_of(CANDIDATES).unit("candidates"))]
    pub level_4: u32,
    /// Number of candidates of aggregation level 8, eight CCEs each, in a slot (`nrofCandidates`,
    /// TS 38.331 §6.3.2).
    #[serde(default = "two")]
    #[schemars(transform = one_of(CANDIDATES).unit("candidates"))]
    pub level_8: u32,
    /// Number of candidates of aggregation level 16, sixteen CCEs each, in a slot
    /// (`nrofCandidates`, TS 38.331 §6.3.2).
    #[serde(default = "one")]
    #[schemars(transform = one_of(CANDIDATES).unit("candidates"))]
    pub level_16: u32,
    /// C-RNTI of the first UE (TS 38.321 §7.1); the following UEs have consecutive values.
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
