//! Losses of a transmission because others were sent on its resources (TS 38.213 §11.2).
//!
//! In: symbols, the share of the transmission's resource blocks, and whether its receiver knows.
//! Out: the losses of each of its code blocks.
//!
//! Coded bits are mapped to all resource blocks of a symbol before the next symbol (TS 38.211
//! §7.3.1.5). So code blocks follow each other in time, and a few symbols affect a few of them.
//!
//! Left out: symbols that carry more coded bits than others, since one has reference signals; the
//! effect of lost reference signals on the channel estimate. Base stations avoid these symbols.

/// The losses of one transmission.
#[derive(Clone, Debug, Default)]
pub struct Punctures {
    /// Shares of the transmission's resource blocks lost in each of its symbols, of which its
    /// receiver knows.
    known: [f64; SYMBOLS],
    /// Shares of the transmission's resource blocks lost in each of its symbols, which the receiver
    /// takes for its own bits.
    unknown: [f64; SYMBOLS],
    any: bool,
}

/// Losses of one code block, as shares of its coded bits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Damage {
    /// Share of bits that are absent.
    pub absent: f64,
    /// Share of bits that are noise.
    pub noise: f64,
}

impl Damage {
    /// No absent bits and no noise.
    pub const NONE: Self = Self { absent: 0.0, noise: 0.0 };
}

impl Punctures {
    /// Returns `true` if nothing is lost.
    pub const fn is_empty(&self) -> bool {
        !self.any
    }

    /// Resets the losses, for the next transmission.
    pub fn clear(&mut self) {
        if self.any {
            *self = Self::default();
        }
    }

    /// Adds a loss: the share `share` of the resource blocks, from symbol `from` of the
    /// transmission to before `to`. `is_known`: the receiver knows of the loss.
    pub fn add(&mut self, from: u32, to: u32, share: f64, is_known: bool) {
        let shares = if is_known { &mut self.known } else { &mut self.unknown };
        for symbol in &mut shares[from as usize..to as usize] {
            *symbol = (*symbol + share).min(1.0);
        }
        self.any = true;
    }

    /// Returns the losses of code block `number` of the `count` in a transmission of `symbols`
    /// symbols.
    pub fn damage(&self, number: u32, count: u32, symbols: u32) -> Damage {
        let place = |number: u32| f64::from(number) / f64::from(count) * f64::from(symbols);
        let (from, to) = (place(number), place(number + 1));
        let lost = |shares: &[f64]| {
            let in_symbol = |(symbol, share): (u32, &f64)| {
                let begin = f64::from(symbol);
                share * (to.min(begin + 1.0) - from.max(begin)).max(0.0)
            };
            (0..symbols).zip(shares).map(in_symbol).sum::<f64>() / (to - from)
        };
        Damage { absent: lost(&self.known).min(1.0), noise: lost(&self.unknown).min(1.0) }
    }
}

/// Maximum number of symbols of a transmission: those of a slot (TS 38.211 §4.3.2).
const SYMBOLS: usize = 14;

#[cfg(test)]
mod tests {
    use super::*;

    /// Half of the resource blocks of symbols 4 and 5 of 14: of seven code blocks with two symbols
    /// each, the third loses half of its bits; of two code blocks, the first loses a seventh.
    #[test]
    fn symbols_hit_the_code_blocks_that_lie_in_them() {
        let mut punctures = Punctures::default();
        assert!(punctures.is_empty());
        punctures.add(4, 6, 0.5, true);
        let absent = |number, count| punctures.damage(number, count, 14).absent;
        for (number, expected) in [(1, 0.0), (2, 0.5), (3, 0.0)] {
            assert!((absent(number, 7) - expected).abs() < 1e-12, "{number}");
        }
        assert!((absent(0, 2) - 1.0 / 7.0).abs() < 1e-12 && absent(1, 2).abs() < 1e-12);
    }

    /// All code blocks together lose the share of the whole, whatever their number.
    #[test]
    fn nothing_is_lost_twice() {
        let mut punctures = Punctures::default();
        punctures.add(3, 5, 0.25, false);
        punctures.add(11, 13, 0.75, false);
        punctures.add(11, 13, 0.75, false);
        for count in [1, 2, 5, 13, 100] {
            let all = (0..count).map(|number| punctures.damage(number, count, 14));
            let mean = all.map(|damage| damage.noise).sum::<f64>() / f64::from(count);
            let expected = (2.0 * 0.25 + 2.0) / 14.0;
            assert!((mean - expected).abs() < 1e-12, "{count}: {mean}");
        }
        punctures.clear();
        assert_eq!(punctures.damage(0, 1, 14), Damage::NONE);
    }
}
