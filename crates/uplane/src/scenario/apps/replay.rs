//! `[[replay]]`: the keys of a replay, and the application that they make.

use std::sync::Arc;

use super::super::error::Checked;
use super::conversation::{MOST_DATAGRAMS, conversation};
use super::{Common, Particular, Rest, Section};
use crate::app::replay::{Replay as Repeat, Writes};

conversation! {
    /// Replay of the messages that an application wrote, each at its time, over a connection or as
    /// datagrams.
    Replay {
        /// File of comma-separated values next to the scenario, with the heading
        /// `time,direction,bytes`: the messages that an application wrote. Times count from the
        /// application's start, in ascending order.
        pub file: Writes,
    }
}

impl Section for Replay {
    fn check(&self, common: &Common, rest: &mut impl Rest) -> Checked<Particular> {
        rest.ends(common, "file", self.file.total())?;
        let keys = self.carried();
        let longest = self.file.longest();
        let rule = format!(
            "too small for the message of {longest}: a message has at most {MOST_DATAGRAMS} datagrams"
        );
        let key = format!("{}.payload", common.key);
        rest.demand(longest <= keys.longest(), &key, "", &rule)?;
        let repeat = Repeat::new(&self.file);
        keys.check(common, rest, Arc::new(move |_| Box::new(repeat.clone())))
    }
}
