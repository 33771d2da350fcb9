//! Rules by which the bearers of one UE share a transport block.
//!
//! In: the demand of each bearer, the size of the block. Out: bytes for each bearer.
//!
//! The standard leaves this to the eNB in the downlink, and prescribes token buckets in the uplink.
//! The LTE module of ns-3 uses the third rule in both directions; study 001 examines its
//! consequences for bearers of different QoS.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::prioritisation::Buckets;
use crate::unit::{Bytes, Instant};

/// Rule by which the bearers of a UE share one transport block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "SharingKind")]
pub enum Sharing {
    /// The bearer with the highest QCI or 5QI priority takes all that it needs, then the next.
    #[default]
    Priority,
    /// In order of priority, each bearer first gets what its prioritised bit rate allows (a token
    /// bucket); the rest is divided by priority (logical channel prioritization, TS 36.321
    /// §5.4.3.1).
    Buckets,
    /// Each bearer with data gets an equal share of the block. The part of a share that the bearer
    /// does not need is padding.
    Equal,
}

/// Demands of a UE's bearers on one block.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// Bytes that each bearer has to send.
    pub demands: &'a [Bytes],
    /// Bytes that guaranteed rates give each bearer before the rule divides the block. Empty if no
    /// bearer has a guaranteed rate.
    pub promised: &'a [Bytes],
}

impl Sharing {
    /// Divides `room` bytes among the bearers of a UE. The `promised` bytes go first, in the order
    /// of priority, with every rule; the rule divides the rest. Writes one entry per bearer to
    /// `shares`.
    pub fn share(
        self,
        buckets: &mut Buckets,
        now: Instant,
        mut room: Bytes,
        Wanted { demands, promised }: Wanted<'_>,
        shares: &mut Vec<Bytes>,
    ) {
        if promised.iter().all(|promised| promised.is_zero()) {
            return self.share_rest(buckets, now, room, demands, shares);
        }
        let mut first = vec![Bytes::ZERO; demands.len()];
        for &bearer in buckets.order() {
            first[bearer] = promised[bearer].min(demands[bearer]).min(room);
            room -= first[bearer];
        }
        let rest: Vec<Bytes> =
            demands.iter().zip(&first).map(|(demand, &first)| *demand - first).collect();
        self.share_rest(buckets, now, room, &rest, shares);
        shares.iter_mut().zip(first).for_each(|(share, first)| *share += first);
    }

    fn share_rest(
        self,
        buckets: &mut Buckets,
        now: Instant,
        room: Bytes,
        demands: &[Bytes],
        shares: &mut Vec<Bytes>,
    ) {
        match self {
            Self::Buckets => buckets.share(now, room, demands, shares),
            Self::Priority => {
                shares.clear();
                shares.resize(demands.len(), Bytes::ZERO);
                let mut rest = room;
                for &bearer in buckets.order() {
                    shares[bearer] = demands[bearer].min(rest);
                    rest -= shares[bearer];
                }
            }
            Self::Equal => {
                let active = demands.iter().filter(|demand| !demand.is_zero()).count() as u64;
                let each = Bytes(room.0 / active.max(1));
                shares.clear();
                shares.extend(
                    demands.iter().map(|demand| if demand.is_zero() { Bytes::ZERO } else { each }),
                );
            }
        }
    }

    /// Returns `true` if bytes that a bearer left may go to the next bearer.
    pub const fn passes_on(self) -> bool {
        !matches!(self, Self::Equal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ran::mac::prioritisation::{Channel, Payment};

    fn share_after(rule: Sharing, room: u64, demands: [u64; 3], promised: [u64; 3]) -> Vec<u64> {
        let channels = [90, 70, 20].map(|priority| Channel { priority, ..Channel::default() });
        let mut shares = Vec::new();
        let mut buckets = Buckets::new(&channels, Payment::ForPrioritised);
        let wanted = Wanted { demands: &demands.map(Bytes), promised: &promised.map(Bytes) };
        rule.share(&mut buckets, Instant::ZERO, Bytes(room), wanted, &mut shares);
        shares.into_iter().map(|bytes| bytes.0).collect()
    }

    fn share(rule: Sharing, room: u64, demands: [u64; 3]) -> Vec<u64> {
        share_after(rule, room, demands, [0; 3])
    }

    #[test]
    fn priority_serves_the_urgent_bearer_first() {
        assert_eq!(share(Sharing::Priority, 549, [5_000, 200, 0]), [349, 200, 0]);
        assert_eq!(share(Sharing::Priority, 549, [5_000, 5_000, 0]), [0, 549, 0]);
    }

    /// TS 23.501 §5.7.2.5: promised bytes go before the rule and reduce the bearer's demand. The
    /// rule divides the rest of the block.
    #[test]
    fn what_is_promised_goes_before_any_rule() {
        let after = |rule, promised| share_after(rule, 549, [5_000, 5_000, 100], promised);
        for rule in [Sharing::Priority, Sharing::Buckets] {
            assert_eq!(after(rule, [0; 3]), [0, 449, 100]);
            assert_eq!(after(rule, [200, 0, 0]), [200, 249, 100]);
            assert_eq!(after(rule, [900, 0, 0]), [549, 0, 0]);
            assert_eq!(after(rule, [900, 0, 50]), [499, 0, 50], "the most urgent promise first");
        }
        assert_eq!(after(Sharing::Equal, [0; 3]), [183; 3]);
        assert_eq!(after(Sharing::Equal, [249, 0, 0]), [349, 100, 100]);
    }

    /// The LTE module of ns-3: 549 bytes for two bearers are 274 for each, whatever their needs.
    #[test]
    fn equal_shares_ignore_need_and_priority() {
        assert_eq!(share(Sharing::Equal, 549, [5_000, 20, 0]), [274, 274, 0]);
        assert_eq!(share(Sharing::Equal, 549, [5_000, 0, 0]), [549, 0, 0]);
    }
}
