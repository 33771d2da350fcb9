//! Names of sections: their validity, and look-up of references to them.
//!
//! In: the names of one kind of section, in order. Out: their positions. A look-up takes time in
//! proportion to the logarithm of their number, so that a file of 10^5 sections takes about ten
//! times as long as one of 10^4.

use std::collections::{BTreeMap, BTreeSet};

use super::super::error::{ScenarioError, listed, nearest, quoted};
use super::{Checked, Checker};

/// Names and their values.
pub(super) struct Names<'a, T> {
    known: BTreeMap<&'a str, T>,
}

impl<'a, T: Copy> Names<'a, T> {
    pub(super) fn of(names: impl IntoIterator<Item = (&'a str, T)>) -> Self {
        Self { known: names.into_iter().collect() }
    }

    pub(super) fn get(&self, name: &str) -> Option<T> {
        self.known.get(name).copied()
    }

    /// Returns all names, for a message.
    fn listed(&self) -> Vec<&'a str> {
        self.known.keys().copied().collect()
    }
}

impl Checker<'_> {
    /// Returns the value of `name`, or an error at `key` if `names` does not contain it.
    pub(super) fn find<T: Copy>(
        &self,
        key: &str,
        name: &str,
        names: &Names<'_, T>,
        what: &str,
    ) -> Checked<T> {
        names.get(name).ok_or_else(|| self.unknown(key, name, &names.listed(), what))
    }

    /// Returns the error that `names` does not contain `name`.
    pub(super) fn unknown(
        &self,
        key: &str,
        name: &str,
        names: &[&str],
        what: &str,
    ) -> ScenarioError {
        let expected = format!("{what}: {}", listed(name, names));
        ScenarioError {
            nearest: nearest(name, names.iter().copied()),
            ..self.source.error(key, &quoted(name), &expected)
        }
    }

    /// Checks that a name is valid in keys and in tables.
    pub(super) fn name(&self, key: &str, name: &str) -> Checked<()> {
        let word = |c: char| c.is_alphanumeric() || "-_ ".contains(c);
        let valid = !name.trim().is_empty() && name.len() <= 64 && name.chars().all(word);
        let expected = "a name of 1 to 64 letters, digits, spaces, `-` or `_`";
        self.demand(valid, key, quoted(name), expected)
    }

    /// Checks the names of all sections of one kind, each with its key: no two may be equal.
    pub(super) fn names<'n>(
        &self,
        named: impl IntoIterator<Item = (String, &'n str)>,
    ) -> Checked<()> {
        let mut known = BTreeSet::new();
        for (key, name) in named {
            self.name(&key, name)?;
            let is_new = known.insert(name);
            self.demand(is_new, &key, quoted(name), "a name that no other such section has")?;
        }
        Ok(())
    }
}

/// Returns the names of the sections `section.0`, `section.1`, …, with their keys.
pub(super) fn keyed<'n>(
    section: &str,
    names: impl IntoIterator<Item = &'n str>,
) -> impl Iterator<Item = (String, &'n str)> {
    names.into_iter().enumerate().map(move |(at, name)| (format!("{section}.{at}.name"), name))
}
