//! Capacity for grants and assignments: the control channel elements of one slot, for both
//! directions together.
//!
//! In: messages with their aggregation levels. Out: whether each fits.
//!
//! Left out: search spaces (TS 36.213 §9.1.1); a limit below the number of elements stands for the
//! collisions there.

use crate::ran::phy::Aggregation;
use crate::ran::phy::control::Message;

/// How many control channel elements a cell has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// `N_CCE` of each slot.
    pub cces: u32,
    /// The share of them that messages can use before they get into each other's way.
    pub fill_limit: f64,
    /// What is sent on them.
    pub message: Message,
}

/// The elements of the current slot.
#[derive(Clone, Debug)]
pub struct ControlChannel {
    cces: u32,
    /// How many several messages may take.
    limit: u32,
    used: u32,
}

impl Config {
    /// The limit of 80 % below which collisions of search spaces are rare.
    pub const fn of(cces: u32) -> Self {
        Self { cces, fill_limit: 0.8, message: Message::LTE }
    }
}

impl ControlChannel {
    /// An empty slot; without limit for `None`.
    pub fn new(config: Option<Config>) -> Self {
        let (cces, limit) = config
            .map_or((u32::MAX, u32::MAX), |Config { cces, fill_limit, .. }| {
                (cces, (f64::from(cces) * fill_limit) as u32)
            });
        Self { cces, limit, used: 0 }
    }

    /// A new slot begins.
    pub fn clear(&mut self) {
        self.used = 0;
    }

    /// Takes the elements of one message; false when there are not enough left. A message that is
    /// alone always fits.
    pub fn take(&mut self, level: Aggregation) -> bool {
        let alone = self.used == 0;
        let fits = self.used + level.cces() <= if alone { self.cces } else { self.limit };
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
        let taken = (0..20).filter(|_| channel.take(Aggregation::Two)).count();
        assert_eq!((taken, channel.used()), (17, 34));
        assert!(!channel.take(Aggregation::One));
        channel.clear();
        assert!(channel.take(Aggregation::Eight));
    }

    /// TS 36.211 §6.8.1: 1.4 MHz with two control symbols has two CCEs.
    #[test]
    fn a_message_by_itself_may_take_all_elements() {
        let mut channel = ControlChannel::new(Some(Config::of(2)));
        assert!(!channel.take(Aggregation::Four));
        assert!(channel.take(Aggregation::Two));
        channel.clear();
        assert!(channel.take(Aggregation::One));
        assert!(!channel.take(Aggregation::One), "80 % of two are one");
    }

    #[test]
    fn an_unlimited_channel_takes_everything() {
        let mut channel = ControlChannel::new(None);
        assert!((0..1000).all(|_| channel.take(Aggregation::Eight)));
    }
}
