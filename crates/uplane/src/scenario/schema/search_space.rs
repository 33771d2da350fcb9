//! The section of the places of control messages, in NR.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::unit::range::{one_of, within};

/// The CORESET and the UE-specific search space of all UEs (TS 38.213 §10.1): a control message
/// goes to one of the candidates of its UE, which are hashed by its identity, or is blocked.
/// Without this section 80 % of the control channel's elements can be used, wherever they are.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchSpace {
    /// Resource blocks of the CORESET (`frequencyDomainResources`, TS 38.331 §6.3.2), in sixes; all
    /// of the carrier without. Its symbols carry no data beside it.
    #[serde(default)]
    #[schemars(transform = within(6, 270).unit("resource blocks"))]
    pub prbs: Option<u32>,
    /// Candidates of one element (`nrofCandidates`, TS 38.331 §6.3.2).
    #[serde(default)]
    #[schemars(transform = one_of(CANDIDATES).unit("candidates"))]
    pub level_1: u32,
    /// Candidates of two elements.
    #[serde(default = "four")]
    #[schemars(transform = one_of(CANDIDATES).unit("candidates"))]
    pub level_2: u32,
    /// Candidates of four elements.
    #[serde(default = "four")]
    #[schemars(transform = one_of(CANDIDATES).unit("candidates"))]
    pub level_4: u32,
    /// Candidates of eight elements.
    #[serde(default = "two")]
    #[schemars(transform = one_of(CANDIDATES).unit("candidates"))]
    pub level_8: u32,
    /// Candidates of sixteen elements.
    #[serde(default = "one")]
    #[schemars(transform = one_of(CANDIDATES).unit("candidates"))]
    pub level_16: u32,
    /// Identity of the first UE (C-RNTI, TS 38.321 §7.1); the others have the next ones.
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
