//! Bytes as decisions.
//!
//! In: the bytes of one input. Out: numbers, choices, texts, one after another. An input that has
//! ended reads as zero, so that every input means something, and the first variant of each choice
//! should be the simplest one.

/// The unread rest of an input.
#[derive(Clone, Debug)]
pub struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    /// Creates an input from its bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Returns `true` if only zeros are left.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Reads the next byte.
    pub fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((&first, rest)) => {
                self.0 = rest;
                first
            }
            None => 0,
        }
    }

    /// Reads the next four bytes.
    pub fn word(&mut self) -> u32 {
        u32::from_le_bytes(std::array::from_fn(|_| self.byte()))
    }

    /// Returns `true` for about `percent` of all bytes, and `false` for the byte zero.
    pub fn percent(&mut self, percent: u64) -> bool {
        let byte = u64::from(self.byte());
        byte > 0 && byte * 100 > (100 - percent) * 255
    }

    /// Reads a truth value.
    pub fn flag(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    /// Returns a number from 0 to `bound − 1`. Reads the number of bytes that the bound needs.
    pub fn below(&mut self, bound: u64) -> u64 {
        let mut value = 0;
        let mut rest = bound.saturating_sub(1);
        while rest > 0 {
            value = value << 8 | u64::from(self.byte());
            rest >>= 8;
        }
        value % bound.max(1)
    }

    /// Returns a number from `from` to `to`, both included.
    pub fn range(&mut self, from: u64, to: u64) -> u64 {
        from + self.below(to - from + 1)
    }

    /// Returns a number up to `most`. Draws its length in bits first, so that small numbers are as
    /// frequent as large ones.
    pub fn magnitude(&mut self, most: u64) -> u64 {
        let bits = self.below(u64::from(64 - most.leading_zeros()) + 1);
        self.below(1 << bits).min(most)
    }

    /// Returns one of the elements of `of`.
    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }

    /// Takes all bytes that are left.
    pub fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_that_has_ended_says_zero() {
        let mut input = Input::new(&[7]);
        assert_eq!([input.byte(), input.byte()], [7, 0]);
        assert_eq!((input.word(), input.below(9), input.percent(99)), (0, 0, false));
    }

    #[test]
    fn a_range_has_both_ends() {
        let seen: std::collections::BTreeSet<u64> =
            (0..=255).map(|byte| Input::new(&[byte]).range(3, 5)).collect();
        assert_eq!(seen.into_iter().collect::<Vec<_>>(), [3, 4, 5]);
    }

    #[test]
    fn magnitudes_stay_below_their_limit() {
        for byte in 0..=255 {
            assert!(Input::new(&[byte, 255, 255, 255]).magnitude(1000) <= 1000);
        }
    }
}
