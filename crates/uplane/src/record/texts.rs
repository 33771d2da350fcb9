//! The texts of a column: each distinct text is stored once, and each row has the number of its
//! text.
//!
//! In: the text of each row. Out: the same texts, in order. A column of names or causes has few
//! distinct texts and up to millions of rows.

use std::collections::BTreeMap;
use std::ops::Index;
use std::sync::Arc;

/// A column of texts, each stored once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    rows: Vec<u32>,
    words: Vec<Arc<str>>,
    numbers: BTreeMap<Arc<str>, u32>,
    /// Length of the texts of all rows, in bytes.
    length: u64,
}

impl Texts {
    /// Memory of a row with a text of usual length, written out, in bytes.
    pub(super) const TYPICAL: u64 = 16;

    /// Appends the text of one row.
    ///
    /// # Panics
    /// If there are more than 2^32 different texts.
    pub fn push(&mut self, text: &str) {
        let number = self.numbers.get(text).copied().unwrap_or_else(|| self.learn(text));
        self.rows.push(number);
        self.length += text.len() as u64;
    }

    fn learn(&mut self, text: &str) -> u32 {
        let word: Arc<str> = text.into();
        let number = u32::try_from(self.words.len()).expect("fewer words than 2^32");
        self.words.push(Arc::clone(&word));
        self.numbers.insert(word, number);
        number
    }

    /// Returns the text of each row, in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().map(|&number| &*self.words[number as usize])
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns the memory of the rows in bytes, with each text written out and an offset of 8
    /// bytes, as in readers of tables. During the run, the rows take less memory.
    pub(super) fn written_out(&self) -> u64 {
        size_of::<u64>() as u64 * self.rows.len() as u64 + self.length
    }

    /// Returns `true` if there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

impl Index<usize> for Texts {
    type Output = str;

    fn index(&self, row: usize) -> &str {
        &self.words[self.rows[row] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_their_texts_and_a_word_is_kept_once() {
        let mut texts = Texts::default();
        let given = ["down", "up", "down", "", "up", "down"];
        for text in given {
            texts.push(text);
        }
        assert_eq!(texts.iter().collect::<Vec<_>>(), given);
        assert_eq!((&texts[1], &texts[5], texts.len()), ("up", "down", 6));
        assert_eq!(texts.words.len(), 3);
    }
}
