//! Reliability of uplink control information.
//!
//! In: nothing. Out: the probabilities that feedback is misread, in the ratios of the requirements
//! of TS 36.104 §8.3 for a base station.
//!
//! Left out: dependence on the uplink SINR, false detection of scheduling requests, and missed
//! downlink assignments, after which silence could be read as ACK. This matters for UEs out of
//! uplink coverage. `nack_as_ack` is visible to RLC: a block is lost although HARQ had attempts
//! left.

use crate::unit::Probability;

/// Probabilities that feedback is misread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeedbackErrors {
    /// An ACK is read as NACK: a needless retransmission.
    pub ack_as_nack: Probability,
    /// A NACK is read as ACK: the block is lost to HARQ.
    pub nack_as_ack: Probability,
    /// A scheduling request is not detected.
    pub sr_missed: Probability,
    /// A CQI report cannot be decoded.
    pub cqi_erased: Probability,
}

impl FeedbackErrors {
    /// Feedback without errors.
    pub const NONE: Self = Self {
        ack_as_nack: Probability::ZERO,
        nack_as_ack: Probability::ZERO,
        sr_missed: Probability::ZERO,
        cqi_erased: Probability::ZERO,
    };
}

/// Requirements for a base station (TS 36.104 §8.3): ACK missed in 1 %, NACK read as ACK in 0.1 %.
impl Default for FeedbackErrors {
    fn default() -> Self {
        let probability = |value| Probability::new(value).expect("between zero and one");
        Self {
            ack_as_nack: probability(1e-2),
            nack_as_ack: probability(1e-3),
            sr_missed: probability(1e-2),
            cqi_erased: probability(1e-2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// TS 36.104 §8.3: the loss of a block is ten times less frequent than a needless
    /// retransmission.
    #[test]
    fn a_lost_block_is_rarer_than_a_needless_retransmission() {
        let errors = FeedbackErrors::default();
        let ratio = errors.ack_as_nack.value() / errors.nack_as_ack.value();
        assert!((ratio - 10.0).abs() < 1e-9);
    }
}
