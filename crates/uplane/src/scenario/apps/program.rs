//! `[[program]]`: the keys of an application in Python, and the application that they make.

use std::sync::Arc;

use super::super::error::Checked;
use super::conversation::conversation;
use super::{Common, Particular, Rest, Section};
use crate::app::program::Own;

conversation! {
    /// An application in Python: what it writes is decided message by message, over a connection or
    /// as datagrams.
    Program {
        /// The program: a file beside the scenario with a class of
        /// `uplane.application.Application`, of which each UE has an object.
        pub file: Own,
    }
}

impl Section for Program {
    fn check(&self, common: &Common, rest: &mut impl Rest) -> Checked<Particular> {
        let keys = self.carried();
        rest.takes_time(common)?;
        keys.check(common, rest, Arc::clone(self.file.maker()))
    }
}
