//! `[[program]]`: the keys of an application in Python, and the application that they make.

use std::sync::Arc;

use super::super::error::Checked;
use super::conversation::conversation;
use super::{Common, Particular, Rest, Section};
use crate::app::program::Own;

conversation! {
    /// Application in Python, which decides message by message what it writes, over a connection or
    /// as datagrams.
    Program {
        /// Python file next to the scenario with a class of `uplane.application.Application`. Each
        /// UE has its own object of the class.
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
