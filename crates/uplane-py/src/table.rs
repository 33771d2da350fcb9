//! A finished table as Arrow, by the Arrow `PyCapsule` interface.
//!
//! In: the columns of a [`record::Table`]. Out: `__arrow_c_stream__`, which polars, pandas, DuckDB
//! and pyarrow read without copying the values; `lists`, for a campaign that keeps a few numbers of
//! each run and needs no library for frames.
//!
//! Left out: the documentation of columns in the Arrow schema. Readers drop it; Python asks the
//! table.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{Float64Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, Float64Array, LargeStringArray, RecordBatch, RecordBatchIterator, UInt64Array,
};
use arrow_schema::{DataType, Field, Schema};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PyString};
use uplane::record;

/// A finished table.
#[pyclass(name = "Table", frozen, module = "uplane._core")]
pub(crate) struct CoreTable {
    /// Name of the table.
    #[pyo3(get)]
    name: &'static str,
    /// Meaning of a row.
    #[pyo3(get)]
    doc: &'static str,
    /// Name and meaning of each column, in order.
    #[pyo3(get)]
    columns: Vec<(String, &'static str)>,
    batch: RecordBatch,
}

impl From<record::Table> for CoreTable {
    fn from(table: record::Table) -> Self {
        let columns =
            table.columns.iter().map(|column| (column.name.clone(), column.doc)).collect();
        Self { name: table.name, doc: table.doc, columns, batch: batch(table.columns) }
    }
}

#[pymethods]
impl CoreTable {
    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    /// Returns the columns of these names, in this order, as lists. A missing value is `None`.
    /// Raises a `KeyError` if there is no such column.
    fn lists<'py>(&self, py: Python<'py>, wanted: Vec<String>) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        for name in wanted {
            let Some(values) = self.batch.column_by_name(&name) else {
                return Err(PyKeyError::new_err(name));
            };
            found.set_item(name, list(py, values)?)?;
        }
        Ok(found)
    }

    /// Returns the rows as an Arrow stream of one batch.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface lets a producer ignore the wish: the reader casts.
        drop(requested_schema);
        let batches = [Ok(self.batch.clone())];
        let reader = RecordBatchIterator::new(batches, self.batch.schema());
        let stream = FFI_ArrowArrayStream::new(Box::new(reader));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }
}

fn batch(columns: Vec<record::Column>) -> RecordBatch {
    let (fields, arrays): (Vec<_>, Vec<_>) = columns
        .into_iter()
        .map(|column| {
            let is_nullable = matches!(column.data, record::Data::F64(_));
            let values = array(column.data);
            (Field::new(column.name, values.data_type().clone(), is_nullable), values)
        })
        .unzip();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)
        .expect("columns of one length, each of its own type")
}

fn array(data: record::Data) -> ArrayRef {
    match data {
        record::Data::U64(values) => Arc::new(UInt64Array::from(values)),
        record::Data::F64(values) => Arc::new(Float64Array::from(values)),
        record::Data::Text(values) => Arc::new(LargeStringArray::from_iter_values(values.iter())),
    }
}

/// Returns the values of a column as a list, for each type that [`array`] creates.
fn list<'py>(py: Python<'py>, values: &ArrayRef) -> PyResult<Bound<'py, PyList>> {
    match values.data_type() {
        DataType::UInt64 => PyList::new(py, values.as_primitive::<UInt64Type>().values()),
        DataType::Float64 => {
            let values = values.as_primitive::<Float64Type>();
            if values.null_count() == 0 {
                PyList::new(py, values.values())
            } else {
                PyList::new(py, values)
            }
        }
        _ => texts(py, values.as_string()),
    }
}

/// Returns texts as a list. Equal texts share one Python object, since few are different.
fn texts<'py>(py: Python<'py>, values: &LargeStringArray) -> PyResult<Bound<'py, PyList>> {
    let mut known = BTreeMap::new();
    let rows = values
        .iter()
        .flatten()
        .map(|text| known.entry(text).or_insert_with(|| PyString::new(py, text)).clone());
    PyList::new(py, rows.collect::<Vec<_>>())
}
