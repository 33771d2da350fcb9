//! The places where UEs look for their control messages, and the places that are taken in a slot
//! (TS 38.213 §10.1).
//!
//! In: UEs, aggregation levels, slots. Out: whether a message fits, and its place.
//!
//! A UE looks at a few candidates of each aggregation level, at places that are hashed by its
//! identity (C-RNTI) and the slot. A message takes the first candidate of its level whose elements
//! are all free; without one it is blocked, however many elements are free elsewhere. The places
//! repeat in each frame.
//!
//! Left out: a higher level for a message whose own level has no free candidate, and an order of
//! messages that fits more of them; this matters for base stations that search for such an order.
//! Common search spaces, whose messages are rare.

use crate::ran::phy::Aggregation;

/// The UE-specific search space of all UEs of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// `M_s,max^(L)`: candidates of each aggregation level in ascending order
    /// (`nrofCandidates`).
    pub candidates: [u32; 5],
    /// `A_p`, by the number of the CORESET.
    pub factor: u32,
    /// NR slots of a frame.
    pub slots_per_frame: u64,
    /// Slots of the clock in one NR slot.
    pub ticks: u64,
    /// C-RNTI of the first UE; the other UEs have the next numbers.
    pub first_rnti: u32,
}

/// The elements of the current slot, by place.
#[derive(Clone, Debug)]
pub struct SearchSpace {
    config: Config,
    /// `A_p^(n+1) mod D` of each slot `n` of a frame.
    powers: Box<[u32]>,
    /// Element of `powers` for the current slot.
    power: u32,
    taken: Box<[bool]>,
}

impl Config {
    /// Returns the number of candidates of a level; 0 if a CORESET of `cces` elements is too small
    /// for one.
    pub const fn candidates_of(&self, level: Aggregation, cces: u32) -> u32 {
        if level.cces() > cces { 0 } else { self.candidates[level as usize] }
    }

    /// Returns the level of a message that needs `least`, in a CORESET of `cces` elements: the
    /// lowest level from `least` upwards that has candidates, or else the highest below it.
    pub fn level(&self, least: Aggregation, cces: u32) -> Aggregation {
        let has = |level: &Aggregation| self.candidates_of(*level, cces) > 0;
        let above = Aggregation::ALL.into_iter().filter(has).find(|&level| level >= least);
        let below = || Aggregation::ALL.into_iter().rfind(has);
        above.or_else(below).expect("a search space has a candidate")
    }
}

impl SearchSpace {
    /// Creates an empty CORESET of `cces` elements, before the first slot.
    pub fn new(config: Config, cces: u32) -> Self {
        let next = |power: &u64| Some(power * u64::from(config.factor) % u64::from(MODULUS));
        let powers = std::iter::successors(next(&1), next).map(|power| power as u32);
        let powers: Box<[u32]> = powers.take(config.slots_per_frame as usize).collect();
        let taken = vec![false; cces as usize].into();
        Self { power: powers[0], config, powers, taken }
    }

    /// Frees all elements at the start of slot `slot` of the cell's clock.
    pub fn begin(&mut self, slot: u64) {
        let Config { ticks, slots_per_frame, .. } = self.config;
        self.power = self.powers[(slot / ticks % slots_per_frame) as usize];
        self.taken.fill(false);
    }

    /// Takes the elements of one message to UE number `ue`. Returns `false` if no candidate is
    /// free.
    pub fn take(&mut self, ue: u32, level: Aggregation) -> bool {
        let y = self.hash(self.config.first_rnti + ue);
        let cces = self.taken.len() as u32;
        let candidates = self.config.candidates_of(level, cces);
        let places = (0..candidates).map(|candidate| {
            let first = first_cce(y, level.cces(), candidate, candidates, cces) as usize;
            first..first + level.cces() as usize
        });
        let Some(place) = places.into_iter().find(|place| {
            let mut elements = self.taken[place.clone()].iter();
            elements.all(|taken| !taken)
        }) else {
            return false;
        };
        self.taken[place].fill(true);
        true
    }

    /// Returns `Y_{p,n}` of a UE in the current slot: `A_p · Y_{p,n−1} mod D`, starting at
    /// `Y_{p,−1} = n_RNTI`.
    const fn hash(&self, rnti: u32) -> u32 {
        (self.power as u64 * rnti as u64 % MODULUS as u64) as u32
    }
}

/// Returns the first element of candidate `candidate` of `candidates` with `level` elements each,
/// in a CORESET of `cces` elements that has room for one.
const fn first_cce(y: u32, level: u32, candidate: u32, candidates: u32, cces: u32) -> u32 {
    level * ((y + candidate * cces / (level * candidates)) % (cces / level))
}

/// `D`
const MODULUS: u32 = 65_537;

#[cfg(test)]
mod tests {
    use super::Aggregation::{Eight, Four, One, Sixteen, Two};
    use super::*;

    const CONFIG: Config = Config {
        candidates: [0, 6, 4, 2, 1],
        factor: 39_829,
        slots_per_frame: 20,
        ticks: 1,
        first_rnti: 1,
    };

    /// TS 38.213 §10.1, worked by hand: `Y_0` of identity 1 is `A_p` itself, in CORESET 0.
    #[test]
    fn candidates_are_hashed_over_the_coreset() {
        let mut space = SearchSpace::new(Config { factor: 39_827, ..CONFIG }, 45);
        space.begin(0);
        assert_eq!(space.hash(1), 39_827);
        assert_eq!(space.hash(2), 2 * 39_827 - 65_537);
        // 45 elements have 11 places of four: 39 827 mod 11 is 7; candidate 1 of 4 adds 45/16 = 2.
        let first = |y, level, candidate, of| first_cce(y, level, candidate, of, 45);
        assert_eq!(first(39_827, 4, 0, 4), 4 * 7);
        assert_eq!(first(39_827, 4, 1, 4), 4 * 9);
        // Candidate 3 adds floor(3 · 45/16) = 8, and wraps around after the last of 11 places.
        assert_eq!(first(39_827, 4, 3, 4), 4 * 4);
        // There are two places of sixteen: 39 827 is odd.
        assert_eq!(first(39_827, 16, 0, 1), 16);
        space.begin(1);
        assert_eq!(space.hash(1), 39_827 * 39_827 % 65_537);
        space.begin(20);
        assert_eq!(space.hash(1), 39_827, "the next frame begins");
    }

    /// All candidates lie inside the CORESET, and those of one level do not overlap.
    #[test]
    fn candidates_lie_inside_and_apart() {
        let mut space = SearchSpace::new(CONFIG, 45);
        for slot in 0..20 {
            space.begin(slot);
            for (level, candidates) in [(1, 6), (2, 6), (4, 4), (8, 2), (16, 1)] {
                for y in (1..100).map(|rnti| space.hash(4601 * rnti)) {
                    let firsts: Vec<u32> =
                        (0..candidates).map(|m| first_cce(y, level, m, candidates, 45)).collect();
                    for (place, first) in firsts.iter().enumerate() {
                        assert!(first % level == 0 && first + level <= 45);
                        assert!(!firsts[..place].contains(first), "{level} {firsts:?}");
                    }
                }
            }
        }
    }

    /// 45 elements have two places of 16, and one candidate: UEs whose hashes are both even or both
    /// odd are in each other's way, though elements are free.
    #[test]
    fn a_message_is_blocked_where_its_ue_does_not_look() {
        let mut space = SearchSpace::new(CONFIG, 45);
        space.begin(0);
        let odd = |ue: u32| space.hash(1 + ue) % 2 == 1;
        let (odd, even): (Vec<u32>, Vec<u32>) = (0..20).partition(|&ue| odd(ue));
        assert!(space.take(odd[0], Sixteen));
        assert!(!space.take(odd[1], Sixteen), "32 elements are free");
        assert!(space.take(even[0], Sixteen));
        assert!(!space.take(even[1], Sixteen));
        space.begin(1);
        assert!(space.take(odd[0], Sixteen), "a slot begins empty");
    }

    /// A message to the same UE takes its next candidate.
    #[test]
    fn a_ue_gets_as_many_messages_as_it_has_candidates() {
        let mut space = SearchSpace::new(CONFIG, 45);
        space.begin(7);
        for (level, candidates) in [(Eight, 2), (Four, 4), (Two, 6), (One, 0)] {
            space.begin(7);
            let taken = (0..10).filter(|_| space.take(3, level)).count();
            assert_eq!(taken, candidates, "{level:?}");
        }
    }

    /// The identity of UE number 2 is the first identity plus 2. A message takes all elements of
    /// its first free candidate: the first of four candidates in slot 0 of a frame, with `A_p` of
    /// CORESET 1, has `Y` = 39 829 · 12 mod 65 537 = 19 189, which is 5 mod 11.
    #[test]
    fn a_message_takes_its_first_free_candidate() {
        let mut space = SearchSpace::new(Config { first_rnti: 10, ..CONFIG }, 45);
        let elements = |space: &SearchSpace| -> Vec<usize> {
            (0..45).filter(|&place| space.taken[place]).collect()
        };
        space.begin(0);
        assert!(space.take(2, Four));
        assert_eq!(elements(&space), [20, 21, 22, 23]);
        assert!(space.take(2, Four));
        assert_eq!(elements(&space), [20, 21, 22, 23, 28, 29, 30, 31], "2 places on");
        // One element of the first candidate is taken: it is not free.
        space.begin(20);
        space.taken[23] = true;
        assert!(space.take(2, Four));
        assert_eq!(elements(&space), [23, 28, 29, 30, 31]);
    }

    #[test]
    fn a_level_without_candidates_gives_way_to_another() {
        let level = |least, cces| CONFIG.level(least, cces);
        assert_eq!(level(One, 45), Two, "there are none of one");
        assert_eq!(level(Eight, 45), Eight);
        assert_eq!(level(Sixteen, 12), Eight, "no room for sixteen");
        let only = Config { candidates: [0, 0, 4, 0, 0], ..CONFIG };
        assert_eq!(only.level(Sixteen, 45), Four);
    }
}
