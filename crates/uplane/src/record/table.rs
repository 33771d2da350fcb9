//! Tables as named columns, and the rows that they take.
//!
//! In: rows, whose types define the columns. Out: columns, with names and documentation for export.

use std::slice::IterMut;

use super::texts::Texts;
use crate::unit::{Bytes, CellId, Decibel, Duration, Instant};

/// One table with its rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Name of the table, which is also the name of its file.
    pub name: &'static str,
    /// Meaning of one row of the table.
    pub doc: &'static str,
    /// The columns, in order, all of the same length.
    pub columns: Vec<Column>,
}

/// One column of a table, with its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Name of the column, with its unit last: `delay_ms`.
    pub name: String,
    /// Meaning of a value in the column.
    pub doc: &'static str,
    /// The values of all rows.
    pub data: Data,
}

/// The values of one column.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// Whole numbers without missing ones.
    U64(Vec<u64>),
    /// Numbers. `None`: missing.
    F64(Vec<Option<f64>>),
    /// Texts, such as names and causes.
    Text(Texts),
}

/// A field of a row: a value with its column, or a group of values with a column each.
pub trait Field {
    /// Appends the columns of such a field. A group has its own names and documentation.
    fn declare(name: &str, doc: &'static str, columns: &mut Vec<Column>);
    /// Appends the field to the next columns, and advances to the column behind them.
    fn push(self, columns: &mut IterMut<'_, Column>);
}

/// A row of one of the tables of a run.
pub trait Row: Field {
    /// Name of the row's table.
    const TABLE: &'static str;
    /// Meaning of one row of the table.
    const DOC: &'static str;
}

/// The tables of a run in progress.
#[derive(Clone, Debug, Default)]
pub struct Tables(Vec<Table>);

impl Tables {
    /// Adds a table without rows.
    #[must_use]
    pub fn with<R: Row>(mut self) -> Self {
        assert!(self.0.iter().all(|table| table.name != R::TABLE), "two tables {}", R::TABLE);
        let mut columns = Vec::new();
        R::declare(R::TABLE, R::DOC, &mut columns);
        self.0.push(Table { name: R::TABLE, doc: R::DOC, columns });
        self
    }

    /// Appends a row to its table.
    ///
    /// # Panics
    /// If there is no such table.
    pub fn push<R: Row>(&mut self, row: R) {
        let table = self.0.iter_mut().find(|table| table.name == R::TABLE);
        let table = table.unwrap_or_else(|| panic!("no table {}", R::TABLE));
        row.push(&mut table.columns.iter_mut());
    }

    /// Returns the table with the most bytes of values. Returns `None` if there are no tables.
    pub fn largest(&self) -> Option<&Table> {
        self.0.iter().max_by_key(|table| table.bytes())
    }

    /// Returns all tables, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &Table> {
        self.0.iter()
    }

    /// Returns all tables, in the order in which they were added.
    pub fn finish(self) -> Vec<Table> {
        self.0
    }
}

impl Table {
    /// Returns the column with this name.
    pub fn column(&self, name: &str) -> Option<&Data> {
        self.columns.iter().find(|column| column.name == name).map(|column| &column.data)
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| match &column.data {
            Data::U64(values) => values.len(),
            Data::F64(values) => values.len(),
            Data::Text(values) => values.len(),
        })
    }

    /// Returns the memory that the values take, in bytes.
    pub fn bytes(&self) -> u64 {
        self.columns.iter().map(|column| column.data.bytes()).sum()
    }

    /// Returns the typical memory of one row, in bytes.
    pub fn row_bytes(&self) -> u64 {
        self.columns.iter().map(|column| column.data.value_bytes()).sum()
    }
}

impl Data {
    fn bytes(&self) -> u64 {
        match self {
            Self::U64(values) => values.capacity() as u64 * self.value_bytes(),
            Self::F64(values) => values.capacity() as u64 * self.value_bytes(),
            Self::Text(values) => values.written_out(),
        }
    }

    fn value_bytes(&self) -> u64 {
        match self {
            Self::U64(_) => size_of::<u64>() as u64,
            Self::F64(_) => size_of::<Option<f64>>() as u64,
            Self::Text(_) => Texts::TYPICAL,
        }
    }
}

/// Declares the conversion of values to those of a column.
macro_rules! values {
    ($($type:ty: $data:ident = |$value:ident| $stored:expr;)+) => {$(
        impl Field for $type {
            fn declare(name: &str, doc: &'static str, columns: &mut Vec<Column>) {
                let data = Data::$data(Default::default());
                columns.push(Column { name: name.to_owned(), doc, data });
            }
            fn push(self, columns: &mut IterMut<'_, Column>) {
                let $value = self;
                let column = columns.next().expect("a column a field");
                match &mut column.data {
                    Data::$data(values) => values.push($stored),
                    other => unreachable!("{} pushed into {other:?}", stringify!($type)),
                }
            }
        }
    )+};
}

values! {
    u64: U64 = |number| number;
    Bytes: U64 = |bytes| bytes.0;
    CellId: U64 = |cell| cell.0.into();
    f64: F64 = |number| Some(number);
    Option<f64>: F64 = |number| number;
    Option<u64>: F64 = |number| number.map(|number| number as f64);
    Option<Bytes>: F64 = |bytes| bytes.map(|bytes| bytes.0 as f64);
    Decibel: F64 = |level| Some(level.0);
    Instant: F64 = |at| Some(at.as_secs_f64());
    Option<Instant>: F64 = |at| at.map(Instant::as_secs_f64);
    String: Text = |text| &text;
    &'static str: Text = |text| text;
}

/// The unit of a time is the end of its column's name: `_s` or `_ms`.
impl Field for Option<Duration> {
    fn declare(name: &str, doc: &'static str, columns: &mut Vec<Column>) {
        assert!(name.ends_with("_s") || name.ends_with("_ms"), "{name} is in no unit of time");
        f64::declare(name, doc, columns);
    }
    fn push(self, columns: &mut IterMut<'_, Column>) {
        let is_in_ms = columns.as_slice().first().is_some_and(|next| next.name.ends_with("_ms"));
        let unit = if is_in_ms { Duration::as_millis_f64 } else { Duration::as_secs_f64 };
        self.map(unit).push(columns);
    }
}

impl Field for Duration {
    fn declare(name: &str, doc: &'static str, columns: &mut Vec<Column>) {
        Option::<Self>::declare(name, doc, columns);
    }
    fn push(self, columns: &mut IterMut<'_, Column>) {
        Some(self).push(columns);
    }
}
