//! The two directions of the user plane, and pairs of values with one for each.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::{Index, IndexMut};
use std::slice::IterMut;

use crate::record::{Column, Field};

/// A direction of the user plane.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize, Serialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "Way")]
pub enum Direction {
    /// Downlink: from the network to the UE.
    #[default]
    Down,
    /// Uplink: from the UE to the network.
    Up,
}

/// One value for each direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PerDirection<T> {
    /// The value that belongs to the downlink.
    pub down: T,
    /// The value that belongs to the uplink.
    pub up: T,
}

impl Direction {
    /// Both directions, the downlink first.
    pub const BOTH: [Self; 2] = [Self::Down, Self::Up];

    /// Returns the name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Down => "down",
            Self::Up => "up",
        }
    }

    /// Returns the opposite direction.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Down => Self::Up,
            Self::Up => Self::Down,
        }
    }
}

impl Field for Direction {
    fn declare(name: &str, doc: &'static str, columns: &mut Vec<Column>) {
        <&'static str>::declare(name, doc, columns);
    }

    fn push(self, columns: &mut IterMut<'_, Column>) {
        self.name().push(columns);
    }
}

impl<T> PerDirection<T> {
    /// Returns both values, the downlink first.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        [&self.down, &self.up].into_iter()
    }

    /// Returns mutable references to both values, the downlink first.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        [&mut self.down, &mut self.up].into_iter()
    }

    /// Applies `of` to each value.
    pub fn map<U>(self, mut of: impl FnMut(T) -> U) -> PerDirection<U> {
        PerDirection { down: of(self.down), up: of(self.up) }
    }

    /// Calls `make` for each direction, the downlink first.
    pub fn of(mut make: impl FnMut(Direction) -> T) -> Self {
        let [down, up] = Direction::BOTH.map(&mut make);
        Self { down, up }
    }

    /// Returns the value of this direction, and that of the other one.
    #[inline(always)]
    pub fn both_from(&mut self, direction: Direction) -> (&mut T, &mut T) {
        match direction {
            Direction::Down => (&mut self.down, &mut self.up),
            Direction::Up => (&mut self.up, &mut self.down),
        }
    }
}

impl<T: Clone> PerDirection<T> {
    /// Returns a pair with the same value for both directions.
    pub fn both(value: T) -> Self {
        Self { down: value.clone(), up: value }
    }
}

impl<T> Index<Direction> for PerDirection<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, direction: Direction) -> &T {
        match direction {
            Direction::Down => &self.down,
            Direction::Up => &self.up,
        }
    }
}

impl<T> IndexMut<Direction> for PerDirection<T> {
    #[inline(always)]
    fn index_mut(&mut self, direction: Direction) -> &mut T {
        match direction {
            Direction::Down => &mut self.down,
            Direction::Up => &mut self.up,
        }
    }
}
