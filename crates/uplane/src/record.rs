//! Everything a run can report: tables, whose rows are declared in the modules that produce them.
//!
//! In: rows, pushed by the entity that observes an event. Out: tidy tables with units in the column
//! names, as plain columns that the Python adapter exports as Arrow.
//!
//! Left out: any computation on rows. Percentiles, intervals and windows are computed from the
//! tables, where a user can see and change them.

mod activity;
mod declare;
mod owner;
mod table;
mod texts;
mod warning;

pub use activity::{Activity, rate_kbps};
pub(crate) use declare::{columns, counters, name, named, table};
pub use owner::Owner;
pub use table::{Column, Data, Field, Row, Table, Tables};
pub use texts::Texts;
pub(crate) use warning::WarningRow;
pub use warning::{Warned, Warning};
