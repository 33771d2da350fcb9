//! Use of a bearer's remaining bytes in a block after an RLC STATUS PDU.
//!
//! The standard lets data follow a STATUS PDU in the same block (TS 36.321 §6.1.2). In the LTE
//! module of ns-3 a bearer in acknowledged mode makes one RLC PDU of each transmission opportunity,
//! and a STATUS PDU goes before data. Its eNB has one opportunity per bearer and block: so a STATUS
//! PDU of a few bytes costs a whole share, most often the band for a TTI. Its UEs have one for the
//! STATUS PDU and another for data, but only if they knew of the STATUS PDU before the grant; they
//! do not know of one that `t-StatusProhibit` had held back.
//!
//! In: the PDU just built. Out: whether the bearer may build another.
//!
//! Left out: in that module an RLC retransmission also takes its own opportunity.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ran::rlc::Pdu;

/// Use of the rest of a bearer's share of a transport block after an RLC STATUS PDU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StatusPdus {
    /// Data of the same bearer follows the STATUS PDU up to the end of the bearer's share (TS
    /// 36.321 §6.1.2).
    #[default]
    WithData,
    /// No data of the same bearer follows until the bearer's next transmission opportunity. The
    /// rest of its share is padding, or goes to other bearers if the sharing rule allows it.
    Alone,
    /// As `alone` after a STATUS PDU that `t-StatusProhibit` had delayed; data follows all others.
    AloneIfHeldBack,
}

impl StatusPdus {
    /// Returns `true` if nothing may follow this PDU in the share of its bearer.
    #[inline]
    pub const fn ends_share(self, pdu: &Pdu) -> bool {
        match (self, pdu) {
            (Self::WithData, _) | (_, Pdu::Data(_)) => false,
            (Self::Alone, Pdu::Status(_)) => true,
            (Self::AloneIfHeldBack, Pdu::Status(status)) => status.held_back,
        }
    }
}
