//! Rate limit of challenge acknowledgements (RFC 5961 §7).
//!
//! In: segments that ask for an acknowledgement only because they are old or belong to another
//! connection. Out: whether to acknowledge. Two ends that always answered each other's late
//! acknowledgements would never stop.

use crate::unit::{Duration, Instant};

/// Rate limit of one end (RFC 5961 §7).
#[derive(Clone, Debug, Default)]
pub(super) struct ChallengeLimit {
    last: Option<Instant>,
}

impl ChallengeLimit {
    /// Returns `true` at most once per interval.
    pub(super) fn allows(&mut self, now: Instant) -> bool {
        let allowed = self.last.is_none_or(|last| now >= last + INTERVAL);
        if allowed {
            self.last = Some(now);
        }
        allowed
    }
}

/// RFC 5961 §7 leaves the rate to the host; Linux uses half a second per connection.
const INTERVAL: Duration = Duration::from_millis(500);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_of_an_interval_is_answered() {
        let mut limit = ChallengeLimit::default();
        let answered: Vec<u64> = (0..2000)
            .filter(|&millis| limit.allows(Instant::ZERO + Duration::from_millis(millis)))
            .collect();
        assert_eq!(answered, [0, 500, 1000, 1500]);
    }
}
