//! The owner of a row: an application and its UE.

use super::columns;

columns! {
    /// Application on a UE, by their names.
    #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub Owner {
        /// Name of the application.
        app: String,
        /// Name of the UE that runs the application.
        ue: String,
    }
}
