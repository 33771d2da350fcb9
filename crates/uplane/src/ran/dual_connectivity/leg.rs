//! The two legs of dual connectivity: the cell of the master node and that of the secondary node
//! (TS 37.340 §4.1.2: in EN-DC an eNB and an en-gNB).
//!
//! In: a value for each leg. Out: the value of one leg.

use std::ops::{Index, IndexMut};

use crate::record::named;

named! {
    /// One of the two cells of a UE.
    pub Leg {
        /// The LTE cell, of the master node: the master cell group.
        Lte = "lte",
        /// The NR cell, of the secondary node: the secondary cell group.
        Nr = "nr",
    }
}

/// One value for each leg.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PerLeg<T> {
    /// Value of the LTE cell.
    pub master: T,
    /// Value of the NR cell.
    pub secondary: T,
}

impl Leg {
    /// Both legs, that of the master node first.
    pub const BOTH: [Self; 2] = [Self::Lte, Self::Nr];

    /// Returns the other leg.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Lte => Self::Nr,
            Self::Nr => Self::Lte,
        }
    }
}

impl<T> PerLeg<T> {
    /// Makes a value for each leg by `make`.
    pub fn of(mut make: impl FnMut(Leg) -> T) -> Self {
        let [master, secondary] = Leg::BOTH.map(&mut make);
        Self { master, secondary }
    }
}

impl<T> Index<Leg> for PerLeg<T> {
    type Output = T;

    fn index(&self, leg: Leg) -> &T {
        match leg {
            Leg::Lte => &self.master,
            Leg::Nr => &self.secondary,
        }
    }
}

impl<T> IndexMut<Leg> for PerLeg<T> {
    fn index_mut(&mut self, leg: Leg) -> &mut T {
        match leg {
            Leg::Lte => &mut self.master,
            Leg::Nr => &mut self.secondary,
        }
    }
}
