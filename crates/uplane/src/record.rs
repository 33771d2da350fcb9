//! Everything a run can report, each table declared once.
//!
//! In: rows, pushed by whoever sees the fact. Out: tidy tables with units in the column names, as
//! plain columns that the Python adapter hands out as Arrow.
//!
//! Left out: any computation on rows. Percentiles, intervals and windows are made from the tables,
//! where a user can see and change them.

mod table;
mod tables;

pub use table::{Cell, Column, Data, Table};
pub use tables::*;
