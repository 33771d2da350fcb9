//! The Python face of uplane: text in, Arrow tables out.
//!
//! In: a scenario as text, and a seed. Out: tables that any Arrow reader takes without a copy,
//! errors as the exceptions of `uplane.errors`.
//!
//! Left out: simulation logic, files and statistics. The first lives in the crate `uplane`, the
//! others in the Python package around this module.

mod application;
mod beside;
mod control;
mod error;
mod program;
mod scenario;
mod table;
mod watch;

/// The module that the Python package imports as `uplane._core`.
#[pyo3::pymodule(name = "_core")]
mod core_module {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::application::CoreMessage;
    #[pymodule_export]
    use super::control::{CoreAckSample, CoreStart};
    #[pymodule_export]
    use super::scenario::{CoreScenario, Outcome};
    #[pymodule_export]
    use super::table::CoreTable;
    #[pymodule_export]
    use super::watch::Watch;

    /// Returns the version of the simulator.
    #[pyfunction]
    fn version() -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    /// Returns the JSON Schema of a scenario, as text.
    #[pyfunction]
    fn json_schema() -> String {
        uplane::scenario::Scenario::json_schema().to_string()
    }

    /// Returns the names of the built-in TCP parameter sets.
    #[pyfunction]
    fn tcp_profiles() -> Vec<&'static str> {
        uplane::scenario::tcp_profiles()
    }

    /// Returns section, name and text of each built-in base file.
    #[pyfunction]
    fn profiles() -> Vec<(&'static str, &'static str, &'static str)> {
        uplane::scenario::profiles()
    }

    #[pymodule_init]
    #[expect(clippy::unnecessary_wraps, reason = "the signature is PyO3's")]
    fn init(_module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::error::keep_bugs_quiet();
        Ok(())
    }
}
