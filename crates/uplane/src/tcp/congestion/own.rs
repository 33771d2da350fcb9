//! A congestion control that is a program beside the scenario.
//!
//! In: a [`Program`], and a [`Maker`] that can run it. Out: a [`Controller`] for each connection.
//!
//! The core checks that the program does no more than any control may.

use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::controller::{Controller, Start};
use crate::unit::program::Program;

/// Makes the controllers of a program.
pub type Maker = Arc<dyn Fn(&Start) -> Box<dyn Controller> + Send + Sync>;

/// A control as a program.
pub type Own = Program<Maker>;

impl Serialize for Own {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        target.serialize_str(&self.to_text())
    }
}
