//! The macros that declare rows: a counter is declared as a column where it is counted, with one
//! line of documentation for both.

/// Declares a group of columns as a struct. A field has a column of its name, or of the name after
/// `as`; fields after `besides` have none.
///
/// ```text
/// columns! {
///     /// Counters of a queue.
///     #[derive(Clone, Debug, Default)]
///     pub QueueCounters {
///         /// Number of packets.
///         packets: u64,
///         /// Wait of the last packet.
///         waited as waited_ms: Duration,
///     } besides {
///         /// Arrival of the last packet.
///         came: Instant,
///     }
/// }
/// ```
macro_rules! columns {
    ($(#[$attribute:meta])* $vis:vis $name:ident {
        $($(#[doc = $doc:literal])+ $field:ident $(as $column:ident)?: $type:ty,)+
    } $(besides {
        $($(#[doc = $other_doc:literal])+ $other:ident: $other_type:ty,)+
    })?) => {
        $(#[$attribute])*
        $vis struct $name {
            $($(#[doc = $doc])+ $vis $field: $type,)+
            $($($(#[doc = $other_doc])+ $vis $other: $other_type,)+)?
        }

        impl $crate::record::Field for $name {
            fn declare(
                _: &str,
                _: &'static str,
                columns: &mut Vec<$crate::record::Column>,
            ) {
                $(<$type as $crate::record::Field>::declare(
                    $crate::record::name!($field $($column)?),
                    concat!($($doc),+).trim_ascii(),
                    columns,
                );)+
            }

            fn push(self, columns: &mut std::slice::IterMut<'_, $crate::record::Column>) {
                $($crate::record::Field::push(self.$field, columns);)+
            }
        }
    };
}

/// Declares counters: columns that start at zero and can be summed.
macro_rules! counters {
    ($(#[doc = $doc:literal])+ $vis:vis $name:ident {
        $($(#[doc = $field_doc:literal])+ $field:ident $(as $column:ident)?: $type:ty,)+
    } $(besides {
        $($(#[doc = $other_doc:literal])+ $other:ident: $other_type:ty,)+
    })?) => {
        $crate::record::columns! {
            $(#[doc = $doc])+
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
            $vis $name {
                $($(#[doc = $field_doc])+ $field $(as $column)?: $type,)+
            } $(besides {
                $($(#[doc = $other_doc])+ $other: $other_type,)+
            })?
        }

        impl std::ops::AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                $(self.$field += other.$field;)+
                $($(self.$other += other.$other;)+)?
            }
        }
    };
}

/// Declares a table by its row; fields are those of [`columns!`].
///
/// ```text
/// table! {
///     /// One echo request and its reply.
///     echoes: pub EchoRow {
///         /// Name of the UE.
///         ue: String,
///         /// Counters of the UE's queue.
///         counted: QueueCounters,
///     }
/// }
/// ```
macro_rules! table {
    ($(#[doc = $doc:literal])+ $table:ident: $vis:vis $row:ident { $($fields:tt)+ }) => {
        $crate::record::columns! {
            $(#[doc = $doc])+
            #[derive(Clone, Debug)]
            $vis $row { $($fields)+ }
        }

        impl $crate::record::Row for $row {
            const TABLE: &'static str = stringify!($table);
            const DOC: &'static str = concat!($($doc),+).trim_ascii();
        }
    };
}

/// Declares an enum whose values have names in tables. The documentation of a column with this type
/// lists the names and their meanings.
///
/// ```text
/// named! {
///     /// Reason why a packet was dropped.
///     pub DropCause {
///         /// The queue was full.
///         Queue = "queue",
///     }
/// }
/// ```
macro_rules! named {
    ($(#[doc = $doc:literal])+ $vis:vis $name:ident {
        $($(#[doc = $value_doc:literal])+ $value:ident = $text:literal,)+
    }) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        $vis enum $name {
            $($(#[doc = $value_doc])+ $value,)+
        }

        impl $name {
            /// All values of the enum, in order.
            $vis const ALL: &'static [Self] = &[$(Self::$value),+];

            /// Returns the name in tables.
            $vis const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $text,)+
                }
            }
        }

        impl $crate::record::Field for $name {
            fn declare(
                name: &str,
                _: &'static str,
                columns: &mut Vec<$crate::record::Column>,
            ) {
                let doc = concat!($($doc,)+ $(" `", $text, "`:", $($value_doc),+),+);
                <&str as $crate::record::Field>::declare(name, doc.trim_ascii(), columns);
            }

            fn push(self, columns: &mut std::slice::IterMut<'_, $crate::record::Column>) {
                self.name().push(columns);
            }
        }
    };
}

/// The name of a column: that of its field, unless it has another.
macro_rules! name {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $column:ident) => {
        stringify!($column)
    };
}

pub(crate) use {columns, counters, name, named, table};

#[cfg(test)]
mod tests {
    use crate::record::{Data, Tables};
    use crate::unit::Duration;

    counters! {
        /// Counters of a queue.
        Counters {
            /// Number of packets received.
            packets: u64,
            /// Number of packets sent.
            gone as left: u64,
        } besides {
            /// Maximum wait of a packet.
            longest: u64,
        }
    }

    table! {
        /// One
        /// echo.
        echoes: Echo {
            /// Name of the UE.
            ue: String,
            /// Counters of its queue.
            counted: Counters,
            /// Round-trip
            /// time.
            rtt_ms: Option<Duration>,
            /// Maximum round-trip time.
            limit as limit_s: Duration,
        }
    }

    fn echo(packets: u64, rtt_ms: Option<u64>) -> Echo {
        let counted = Counters { packets, gone: 1, longest: 7 };
        let (rtt_ms, limit) = (rtt_ms.map(Duration::from_millis), Duration::from_millis(500));
        Echo { ue: format!("ue-{packets}"), counted, rtt_ms, limit }
    }

    #[test]
    fn a_row_lands_in_its_columns_with_their_documentation() {
        let mut tables = Tables::default().with::<Echo>();
        tables.push(echo(3, Some(2)));
        tables.push(echo(4, None));
        let [table] = &tables.finish()[..] else { panic!("one table") };
        assert_eq!((table.name, table.doc, table.rows()), ("echoes", "One echo.", 2));
        let about: Vec<_> = table.columns.iter().map(|it| (&*it.name, it.doc)).collect();
        assert_eq!(
            about,
            [
                ("ue", "Name of the UE."),
                ("packets", "Number of packets received."),
                ("left", "Number of packets sent."),
                ("rtt_ms", "Round-trip time."),
                ("limit_s", "Maximum round-trip time."),
            ]
        );
        assert_eq!(table.column("packets"), Some(&Data::U64(vec![3, 4])));
        assert_eq!(table.column("left"), Some(&Data::U64(vec![1, 1])));
        assert_eq!(table.column("rtt_ms"), Some(&Data::F64(vec![Some(2.0), None])));
        assert_eq!(table.column("limit_s"), Some(&Data::F64(vec![Some(0.5), Some(0.5)])));
    }

    #[test]
    fn counters_sum_with_those_that_are_no_columns() {
        let mut sum = Counters { packets: 1, gone: 2, longest: 3 };
        sum += Counters { packets: 10, gone: 20, longest: 30 };
        assert_eq!(sum, Counters { packets: 11, gone: 22, longest: 33 });
    }

    #[test]
    #[should_panic(expected = "two tables echoes")]
    fn a_table_is_named_once() {
        drop(Tables::default().with::<Echo>().with::<Echo>());
    }
}
