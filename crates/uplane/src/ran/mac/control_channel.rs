//! Capacity for grants and assignments: the control channel elements of one slot, for both
//! directions together.
//!
//! In: messages with their aggregation levels. Out: whether each fits.
//!
//! By default only the number of elements is limited, and a limit below it stands for collisions at
//! the places at which UEs look for their messages (TS 36.213 §9.1.1, TS 38.213 §10.1). With
//! [`super::search_space`] each message takes one of these places.

use super::search_space::{self, SearchSpace};
use crate::ran::phy::Aggregation;
use crate::ran::phy::control::Message;

/// The control channel elements of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// `N_CCE` of each slot.
    pub cces: u32,
    /// Share of the elements that messages can use before they collide.
    pub fill_limit: f64,
    /// The messages on these elements.
    pub message: Message,
    /// The places where UEs look for messages. They replace `fill_limit`.
    pub search: Option<search_space::Config>,
}

/// The elements of the current slot.
#[derive(Clone, Debug)]
pub struct ControlChannel {
    cces: u32,
    /// Maximum number of elements that several messages take together.
    limit: u32,
    used: u32,
    search: Option<Box<SearchSpace>>,
}

impl Config {
    /// Creates parameters with a limit of 80 %, below which collisions of search spaces are rare.
    pub const fn of(cces: u32) -> Self {
        Self { cces, fill_limit: 0.8, message: Message::LTE, search: None }
    }

    /// Returns the aggregation level of a message that needs `least`: the highest level up to
    /// `least` that fits into the elements. With search spaces the level has candidates, and may be
    /// higher than `least` ([`search_space::Config::level`]).
    pub fn level(&self, least: Aggregation) -> Aggregation {
        let within = least.within(self.cces);
        self.search.map_or(within, |search| search.level(least, self.cces))
    }
}

impl ControlChannel {
    /// Creates an empty slot; `None` has no limit.
    pub fn new(config: Option<Config>) -> Self {
        let (cces, limit) = config
            .map_or((u32::MAX, u32::MAX), |Config { cces, fill_limit, .. }| {
                (cces, (f64::from(cces) * fill_limit) as u32)
            });
        let search = config.and_then(|it| it.search.map(|search| (search, it.cces)));
        let search = search.map(|(search, cces)| Box::new(SearchSpace::new(search, cces)));
        Self { cces, limit, used: 0, search }
    }

    /// Starts slot `slot`, in which all elements are free.
    pub fn begin(&mut self, slot: u64) {
        self.used = 0;
        if let Some(search) = &mut self.search {
            search.begin(slot);
        }
    }

    /// Takes the elements of one message to UE number `ue`. Returns `false` if too few elements are
    /// left, or if none of the places where the UE looks is free. A message that is alone in its
    /// slot collides with no other, so the limit does not apply to it.
    pub fn take(&mut self, ue: u32, level: Aggregation) -> bool {
        let alone = self.used == 0;
        let fits = match &mut self.search {
            Some(search) => search.take(ue, level),
            None => self.used + level.cces() <= if alone { self.cces } else { self.limit },
        };
        if fits {
            self.used += level.cces();
        }
        fits
    }

    /// Elements taken in this slot.
    pub fn used(&self) -> u32 {
        self.used
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// TS 36.211 §6.8.1: 10 MHz with three control symbols has 43 CCEs; 80 % of them are 34.
    #[test]
    fn messages_of_both_directions_share_the_elements() {
        let mut channel = ControlChannel::new(Some(Config::of(43)));
        let taken = (0..20).filter(|_| channel.take(0, Aggregation::Two)).count();
        assert_eq!((taken, channel.used()), (17, 34));
        assert!(!channel.take(0, Aggregation::One));
        channel.begin(1);
        assert!(channel.take(0, Aggregation::Eight));
    }

    /// TS 36.211 §6.8.1: 1.4 MHz with two control symbols has two CCEs.
    #[test]
    fn a_lone_message_may_take_all_elements() {
        let mut channel = ControlChannel::new(Some(Config::of(2)));
        assert!(!channel.take(0, Aggregation::Four));
        assert!(channel.take(0, Aggregation::Two));
        channel.begin(1);
        assert!(channel.take(0, Aggregation::One));
        assert!(!channel.take(0, Aggregation::One), "80 % of two are one");
    }

    #[test]
    fn an_unlimited_channel_takes_everything() {
        let mut channel = ControlChannel::new(None);
        assert!((0..1000).all(|_| channel.take(0, Aggregation::Eight)));
    }
}
