//! Size and occasion of the base station's uplink grants.
//!
//! In: requests, the estimate of a UE's buffer. Out: bytes of a transport block.
//!
//! Left out: power limits. A UE gets as many resource blocks as it needs, whatever its path loss;
//! the radio conditions of a UE are an input.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::configured_grant::{self, Start};
use super::header::SubHeaders;
use crate::net::Cause;
use crate::unit::{Bytes, Duration};

/// The base station's policy for uplink grants.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// The size of the grant that answers a scheduling request.
    pub on_request: OnRequest,
    /// Answer to a request while an earlier grant is under way.
    pub repeated: Repeated,
    /// Reported bytes are granted too.
    pub on_report: bool,
    /// Bytes of RLC and MAC headers per reported byte.
    pub header_share: f64,
    /// Proactive grants, while downlink data flows to the UE.
    pub proactive: Option<ProactiveGrant>,
    /// Semi-persistent scheduling (TS 36.321 §5.10.2), which costs no control channel, or the
    /// configured grants of each UE.
    pub sps: Vec<Sps>,
    /// Configured grants are entries of a list (`configuredGrantConfigToAddModList`, TS 38.331
    /// §6.3.2), and a confirmation names each of them.
    pub in_a_list: bool,
}

/// The size of the first grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnRequest {
    /// As large as an uplink block may be.
    Unlimited,
    /// A fixed size.
    Bytes(Bytes),
    /// This size in 1 ms; in shorter TTIs in proportion, at least one byte.
    PerMillisecond(Bytes),
}

/// Answer of the base station to a scheduling request of a UE that still has a grant to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "RepeatedRequest")]
pub enum Repeated {
    /// No further grant: the grant that is still to come answers the request.
    Ignore,
    /// One more grant for each request, so that requests and grants form a pipeline.
    #[serde(rename = "grant")]
    GrantEach,
}

/// Proactive grants (pre-scheduling), which hope for acknowledgements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProactiveGrant {
    /// Distance between two grants, in slots.
    pub every: u64,
    /// Size of each grant.
    pub bytes: Bytes,
    /// Time after the last downlink block during which grants continue, in slots.
    pub inactivity: u64,
}

/// Semi-persistent scheduling, or a configured grant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sps {
    /// Distance between two uplink transmissions, in slots.
    pub period: u64,
    /// Size of each transmission.
    pub bytes: Bytes,
    /// Slots of a period that can have occasions, if not all can. UEs get these slots in turn.
    pub slots: Option<Box<[u64]>>,
    /// A UE without data sends nothing (TS 38.321 §5.4.3.1.3).
    pub skips: bool,
    /// Processes and repetitions of a configured grant. With `None` there is one transmission in
    /// the process that the slot names, and the wait for it counts as alignment.
    pub configured: Option<configured_grant::Config>,
}

impl Sps {
    /// Returns the place of UE number `ue` in the period, where no message sets it.
    pub fn offset_of(&self, ue: u64) -> u64 {
        let slots = self.slots.as_deref();
        slots.map_or(ue, |slots| slots[ue as usize % slots.len()])
    }

    /// Returns the first slot with this offset at or after slot `first`.
    pub const fn next(&self, offset: u64, first: u64) -> u64 {
        first + (offset + self.period - first % self.period) % self.period
    }

    /// Returns `true` if an occasion may be in `slot`.
    pub fn has_place(&self, slot: u64) -> bool {
        self.slots.as_ref().is_none_or(|slots| slots.contains(&(slot % self.period)))
    }

    /// Returns the start of the next block of a UE with this offset, at or after slot `first`.
    pub fn next_start(&self, offset: u64, first: u64, goes_up: impl Fn(u64) -> bool) -> Start {
        let Some(configured) = &self.configured else {
            let slot = self.next(offset, first);
            return Start { occasion: slot, slot };
        };
        let mut occasion = self.next(offset, first.saturating_sub(configured.repetitions - 1));
        loop {
            if let Some(start) = configured.start_in(occasion, first, &goes_up) {
                return start;
            }
            occasion += self.period;
        }
    }

    /// Returns the first slot after the bundle at `occasion`.
    pub fn end_of(&self, occasion: u64) -> u64 {
        occasion + self.configured.as_ref().map_or(1, |configured| configured.repetitions)
    }

    /// Returns the cause that a wait for the next occasion is charged to.
    pub const fn wait(&self) -> Cause {
        match self.configured {
            Some(_) => Cause::ConfiguredGrantWait,
            None => Cause::RadioAlignment,
        }
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            on_request: OnRequest::Bytes(Bytes(32)),
            repeated: Repeated::Ignore,
            on_report: true,
            header_share: 0.06,
            proactive: None,
            sps: Vec::new(),
            in_a_list: false,
        }
    }
}

impl OnRequest {
    /// Returns the bytes of the grant in slots of this length; `None` for as large as possible.
    pub fn size(self, slot: Duration) -> Option<Bytes> {
        match self {
            Self::Unlimited => None,
            Self::Bytes(bytes) => Some(bytes),
            Self::PerMillisecond(bytes) => {
                let millisecond = Duration::from_millis(1).as_nanos();
                let scaled = (bytes.0 * slot.as_nanos() + millisecond / 2) / millisecond;
                Some(Bytes(scaled.max(1)))
            }
        }
    }
}

impl Policy {
    /// Returns the configured grants with their numbers.
    pub fn configured(&self) -> impl Iterator<Item = (usize, &configured_grant::Config)> {
        let each = self.sps.iter().enumerate();
        each.filter_map(|(number, sps)| Some((number, sps.configured.as_ref()?)))
    }

    /// Returns the `configuredGrantTimer` of the grant that has this HARQ process.
    pub fn timer_of(&self, process: usize) -> Option<u64> {
        let mut configured = self.configured().map(|(_, configured)| configured);
        configured.find(|it| it.has_process(process)).map(|it| it.timer)
    }

    /// Returns the size of a block for `data` bytes with their headers.
    pub fn block_for(&self, data: Bytes, sub_headers: SubHeaders) -> Bytes {
        if data.is_zero() {
            return data;
        }
        let with_share = (data.0 as f64 * (1.0 + self.header_share)).ceil() as u64;
        Bytes(with_share) + sub_headers.allowance()
    }

    /// Returns the data that a block of this size should carry: the inverse of
    /// [`Policy::block_for`], exact to one byte.
    pub fn data_in(&self, block: Bytes, sub_headers: SubHeaders) -> Bytes {
        let payload = block.saturating_sub(sub_headers.allowance());
        Bytes((payload.0 as f64 / (1.0 + self.header_share)) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_for_data_carries_it() {
        let policy = Policy::default();
        let lte = SubHeaders::LTE;
        for data in [1, 52, 1000, 150_000].map(Bytes) {
            let carried = policy.data_in(policy.block_for(data, lte), lte);
            assert!(carried >= data && carried.0 <= data.0 + 1, "{carried} of {data}");
        }
        assert_eq!(policy.block_for(Bytes::ZERO, lte), Bytes::ZERO);
        let free = Policy { header_share: 0.0, ..policy };
        for data in [77, 1 << 40].map(Bytes) {
            assert_eq!(free.block_for(data, SubHeaders::NONE), data);
            assert_eq!(free.data_in(data, SubHeaders::NONE), data);
        }
    }

    #[test]
    fn a_grant_per_millisecond_scales_with_the_tti() {
        let size =
            |micros| OnRequest::PerMillisecond(Bytes(50)).size(Duration::from_micros(micros));
        assert_eq!([1000, 500, 100, 1].map(size), [50, 25, 5, 1].map(|bytes| Some(Bytes(bytes))));
        assert_eq!(OnRequest::Unlimited.size(Duration::from_millis(1)), None);
    }

    /// 33 bytes a millisecond are 16.5 in half of one, and 8.25 in a quarter.
    #[test]
    fn the_scaled_grant_is_rounded_to_the_nearest_byte() {
        let size =
            |micros| OnRequest::PerMillisecond(Bytes(33)).size(Duration::from_micros(micros));
        assert_eq!([500, 250].map(size), [Some(Bytes(17)), Some(Bytes(8))]);
    }
}
