//! To whom the facts of a row belong.

use super::columns;

columns! {
    /// An application on a UE, by their names.
    #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub Owner {
        /// The application.
        app: String,
        /// The UE.
        ue: String,
    }
}
