//! Phase of a grid of slots.
//!
//! In: a slot length and a random stream. Out: an offset in [0, slot).
//!
//! In one deterministic run, traffic can lock to the grid, and the result of one phase looks like a
//! property of the system. So each run has a random phase.

use crate::sim::Stream;
use crate::unit::Duration;
use crate::unit::text::word_or;

/// Offset of a grid of slots from the start of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Offset drawn once per run, uniform over one slot.
    Random,
    /// Fixed offset for every run, modulo one slot.
    Fixed(Duration),
}

word_or! {
    Phase "Phase" "a time such as \"5 ms\", or \"random\""
        { "random" => Random, _ => Fixed(Duration) }
}

impl Phase {
    /// Returns the offset for slots of this length. Draws one number, also for a fixed offset.
    pub fn offset(self, slot: Duration, stream: &mut Stream) -> Duration {
        let drawn = stream.below(slot.as_nanos());
        match self {
            Self::Random => Duration::from_nanos(drawn),
            Self::Fixed(offset) => Duration::from_nanos(offset.as_nanos() % slot.as_nanos()),
        }
    }
}

impl Default for Phase {
    /// Returns the phase of a grid that begins with the run.
    fn default() -> Self {
        Self::Fixed(Duration::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Streams;

    #[test]
    fn an_offset_is_shorter_than_the_slot() {
        let slot = Duration::from_millis(20);
        let mut stream = Streams::new(1).open("radio", "grid phase");
        for _ in 0..1000 {
            assert!(Phase::Random.offset(slot, &mut stream) < slot);
        }
        let offset = Phase::Fixed(Duration::from_millis(25)).offset(slot, &mut stream);
        assert_eq!(offset, Duration::from_millis(5));
    }
}
