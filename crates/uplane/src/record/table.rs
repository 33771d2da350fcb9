//! A table as named columns, and the macro that declares one from its row.
//!
//! In: a row type, declared once with a line of documentation for each column. Out: the row struct, a
//! growing column store with `push`, and `into_table` with names and documentation for the outside.

/// One finished table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// What the table is called: the name of its file.
    pub name: &'static str,
    /// What one row is.
    pub doc: &'static str,
    /// The columns, in order, all of one length.
    pub columns: Vec<Column>,
}

/// One column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Name, with its unit last: `delay_ms`.
    pub name: &'static str,
    /// What a value means.
    pub doc: &'static str,
    /// The values.
    pub data: Data,
}

/// The values of one column.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// Whole numbers.
    U64(Vec<u64>),
    /// Numbers; a missing one is `None`.
    F64(Vec<Option<f64>>),
    /// Texts.
    Text(Vec<String>),
}

/// A value that can stand in a column.
pub trait Cell {
    /// An empty column for such values.
    fn column() -> Data;
    /// Appends the value to a column made by [`Cell::column`].
    fn push(self, data: &mut Data);
}

impl Table {
    /// The column called `name`.
    pub fn column(&self, name: &str) -> Option<&Data> {
        self.columns.iter().find(|column| column.name == name).map(|column| &column.data)
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| match &column.data {
            Data::U64(values) => values.len(),
            Data::F64(values) => values.len(),
            Data::Text(values) => values.len(),
        })
    }
}

impl Cell for u64 {
    fn column() -> Data {
        Data::U64(Vec::new())
    }
    fn push(self, data: &mut Data) {
        match data {
            Data::U64(values) => values.push(self),
            other => unreachable!("a whole number pushed into {other:?}"),
        }
    }
}

impl Cell for Option<f64> {
    fn column() -> Data {
        Data::F64(Vec::new())
    }
    fn push(self, data: &mut Data) {
        match data {
            Data::F64(values) => values.push(self),
            other => unreachable!("a number pushed into {other:?}"),
        }
    }
}

impl Cell for f64 {
    fn column() -> Data {
        Option::<Self>::column()
    }
    fn push(self, data: &mut Data) {
        Some(self).push(data);
    }
}

impl Cell for String {
    fn column() -> Data {
        Data::Text(Vec::new())
    }
    fn push(self, data: &mut Data) {
        match data {
            Data::Text(values) => values.push(self),
            other => unreachable!("a text pushed into {other:?}"),
        }
    }
}

impl Cell for &'static str {
    fn column() -> Data {
        String::column()
    }
    fn push(self, data: &mut Data) {
        self.to_owned().push(data);
    }
}

/// Declares one table from its row.
///
/// ```text
/// table! {
///     /// What one row is.
///     pings: Ping {
///         /// What the value means.
///         rtt_ms: Option<f64>,
///     }
/// }
/// ```
///
/// gives `struct Ping { pub rtt_ms: Option<f64> }` and `struct Pings` (named by `store`) with
/// `push(&mut self, Ping)` and `into_table(self) -> Table`.
macro_rules! table {
    ($(#[doc = $doc:literal])+ $name:ident as $store:ident: $row:ident {
        $($(#[doc = $field_doc:literal])+ $field:ident: $cell:ty,)+
    }) => {
        $(#[doc = $doc])+
        #[derive(Clone, Debug)]
        pub struct $row {
            $($(#[doc = $field_doc])+ pub $field: $cell,)+
        }

        #[doc = concat!("The rows of the table `", stringify!($name), "`.")]
        #[derive(Clone, Debug)]
        pub struct $store($crate::record::Table);

        impl Default for $store {
            fn default() -> Self {
                Self($crate::record::Table {
                    name: stringify!($name),
                    doc: concat!($($doc),+).trim_ascii(),
                    columns: vec![$($crate::record::Column {
                        name: stringify!($field),
                        doc: concat!($($field_doc),+).trim_ascii(),
                        data: <$cell as $crate::record::Cell>::column(),
                    }),+],
                })
            }
        }

        impl $store {
            /// Appends one row.
            pub fn push(&mut self, row: $row) {
                let mut columns = self.0.columns.iter_mut();
                $($crate::record::Cell::push(
                    row.$field,
                    &mut columns.next().expect("a column a field").data,
                );)+
            }

            /// The rows so far.
            pub fn table(&self) -> &$crate::record::Table {
                &self.0
            }

            /// The finished table.
            pub fn into_table(self) -> $crate::record::Table {
                self.0
            }
        }
    };
}
pub(super) use table;

#[cfg(test)]
#[allow(unreachable_pub, dead_code, reason = "the macro makes public tables")]
mod tests {
    use super::*;

    table! {
        /// One echo.
        echoes as Echoes: Echo {
            /// Its number.
            number: u64,
            /// How long it took.
            rtt_ms: Option<f64>,
        }
    }

    #[test]
    fn a_row_lands_in_its_columns_with_their_documentation() {
        let mut echoes = Echoes::default();
        echoes.push(Echo { number: 1, rtt_ms: Some(2.5) });
        echoes.push(Echo { number: 2, rtt_ms: None });
        let table = echoes.into_table();
        assert_eq!((table.name, table.doc, table.rows()), ("echoes", "One echo.", 2));
        assert_eq!(table.columns[1].doc, "How long it took.");
        assert_eq!(table.column("rtt_ms"), Some(&Data::F64(vec![Some(2.5), None])));
    }
}
