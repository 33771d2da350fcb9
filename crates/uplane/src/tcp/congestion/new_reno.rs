//! Congestion avoidance: the window grows by one segment a round trip, and is halved after a loss
//! (RFC 5681 §3.1).

use super::controller::{AckSample, Start};
use super::loss_based::{Avoidance, LossBased};
use crate::tcp::profile::{Growth, Profile};

/// Additive increase, multiplicative decrease.
#[derive(Clone, Debug)]
pub(super) struct NewReno {
    growth: Growth,
    /// Bytes acknowledged since the window last grew (`bytes_acked` of RFC 3465 §2.1).
    acked: u64,
}

/// The controller of a new connection.
pub(super) fn new(start: &Start, profile: &Profile) -> LossBased<NewReno> {
    LossBased::new(start, profile, NewReno { growth: profile.growth, acked: 0 })
}

impl Avoidance for NewReno {
    fn increase(&mut self, acked: u64, cwnd: u64, mss: u64, _: &AckSample) -> u64 {
        match self.growth {
            // RFC 5681 §3.1, equation 3
            Growth::PerAck => (mss * mss / cwnd).max(1),
            // RFC 3465 §2.1
            Growth::Abc1 | Growth::Abc2 | Growth::PerByte => {
                self.acked += acked;
                if self.acked < cwnd {
                    return 0;
                }
                self.acked -= cwnd;
                mss
            }
        }
    }

    /// RFC 5681 §3.1, equation 4; RFC 8511 §3
    fn on_loss(&mut self, _: u64, flight: u64, _: u64, gentle: bool) -> u64 {
        self.acked = 0;
        if gentle { flight / 5 * 4 } else { flight / 2 }
    }
}
