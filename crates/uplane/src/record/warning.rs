//! What a user should know about a run, as rows.
//!
//! In: what is warned of, with a pattern of words. Out: a row of the table `warnings`, with a
//! sentence.
//!
//! Warnings with the same kind, application and pattern say the same. Many of them, of many UEs or
//! runs, become one sentence by putting lists and ranges of their columns into the pattern.

use super::{Owner, Tables, columns, named, table};

named! {
    /// What a warning is about.
    pub Warned {
        /// No application uses a part of the scenario.
        Unused = "unused",
        /// Nothing looks at the value of a key.
        Unread = "unread",
        /// Connections ended before their time.
        Failed = "failed",
        /// Transfers were not completed: their connections failed, or the run ended first.
        Incomplete = "incomplete",
        /// The window that the receiver offered limited a sender.
        ReceiveWindow = "receive window",
        /// The send buffer limited a sender.
        SendBuffer = "send buffer",
        /// A full queue limited a sender.
        Queue = "queue",
        /// A packet filter claimed no packet.
        IdleFilter = "idle filter",
        /// A UE sent or received nothing: its SINR allows no transport block, or none decoded.
        Coverage = "coverage",
        /// More packets were in flight than the sequence numbers of PDCP can tell apart.
        PdcpWindow = "pdcp window",
        /// Prague shares a marking queue with flows that yield more to a mark.
        Coexistence = "coexistence",
    }
}

columns! {
    /// One thing that a user should know.
    #[derive(Clone, Debug, PartialEq)]
    pub Warning {
        /// What it is about.
        kind: Warned,
        /// The application and the UE; empty where it is about none.
        owner: Owner,
        /// The link, tunnel, radio or bearer, or the key or section of the scenario; empty where it
        /// is about none.
        place: String,
        /// Part of the time.
        share: Option<f64>,
        /// How many connections, transfers, packets or UEs.
        amount: Option<u64>,
        /// Of how many, over all UEs of the application.
        of: Option<u64>,
        /// The words, with the columns that they name in braces; `{share}` in per cent.
        pattern: String,
    }
}

table! {
    /// What a user should know about the run: limits that decided its result, what failed, and what
    /// had no effect.
    warnings: pub(crate) WarningRow {
        /// What it is.
        warning: Warning,
        /// The same in words.
        text: String,
    }
}

impl Warning {
    /// A warning in these words, about the whole run.
    pub fn new(kind: Warned, pattern: impl Into<String>) -> Self {
        let (owner, place, pattern) = (Owner::default(), String::new(), pattern.into());
        Self { kind, owner, place, share: None, amount: None, of: None, pattern }
    }

    fn in_words(&self) -> String {
        let number = |number: Option<u64>| number.map_or_else(String::new, |it| it.to_string());
        let percent = self.share.map_or_else(String::new, |share| format!("{:.0}", share * 100.0));
        let values = [
            ("{app}", &self.owner.app),
            ("{ue}", &self.owner.ue),
            ("{place}", &self.place),
            ("{share}", &percent),
            ("{amount}", &number(self.amount)),
            ("{of}", &number(self.of)),
        ];
        let fill = |text: String, (name, value): (&str, &String)| text.replace(name, value);
        values.into_iter().fold(self.pattern.clone(), fill)
    }
}

impl Tables {
    /// Appends a warning.
    pub fn warn(&mut self, warning: Warning) {
        let text = warning.in_words();
        self.push(WarningRow { warning, text });
    }
}
