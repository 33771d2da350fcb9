//! Warnings about a run, as rows.
//!
//! In: the subject of a warning, with a pattern of words. Out: a row of the table `warnings`, with
//! a sentence.
//!
//! Warnings with the same kind, application and pattern have the same meaning. Many of them, from
//! many UEs or runs, become one sentence by inserting lists and ranges of their columns into the
//! pattern.

use super::{Owner, Tables, columns, named, table};

named! {
    /// Kind of a warning.
    pub Warned {
        /// No application uses a part of the scenario.
        Unused = "unused",
        /// A key of the scenario has no effect.
        Unread = "unread",
        /// Connections ended with a failure.
        Failed = "failed",
        /// Transfers were not completed: their connections failed, or the run ended first.
        Incomplete = "incomplete",
        /// The receive window of the peer limited a sender.
        ReceiveWindow = "receive window",
        /// The send buffer limited a sender.
        SendBuffer = "send buffer",
        /// A full queue limited a sender.
        Queue = "queue",
        /// A packet filter claimed no packet.
        IdleFilter = "idle filter",
        /// A UE sent or received nothing: its SINR allows no transport block, or all blocks failed.
        Coverage = "coverage",
        /// More packets were in flight than the sequence numbers of PDCP can tell apart.
        PdcpWindow = "pdcp window",
        /// Prague shares a marking queue with flows that yield more to a mark.
        Coexistence = "coexistence",
    }
}

columns! {
    /// One warning.
    #[derive(Clone, Debug, PartialEq)]
    pub Warning {
        /// Kind of the warning.
        kind: Warned,
        /// Application and UE; empty if the warning is about none.
        owner: Owner,
        /// Link, tunnel, radio or bearer, or key or section of the scenario; empty if the warning
        /// is about none.
        place: String,
        /// Ratio of the time that the warning concerns; missing if it is about no time.
        share: Option<f64>,
        /// Number of connections, transfers, packets or UEs that the warning concerns; missing if
        /// it is about none.
        amount: Option<u64>,
        /// Total number from which `amount` is counted, over all UEs of the application; missing
        /// without `amount`.
        of: Option<u64>,
        /// Text of the warning with column names in braces; `{share}` is in percent.
        pattern: String,
    }
}

table! {
    /// Warnings about the run: limits that decided its result, failures, and parts of the scenario
    /// without effect.
    warnings: pub(crate) WarningRow {
        /// Warning.
        warning: Warning,
        /// Text of the warning, one sentence.
        text: String,
    }
}

impl Warning {
    /// Returns a warning with this pattern, about the whole run.
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
    /// Appends a warning to the table `warnings`.
    pub fn warn(&mut self, warning: Warning) {
        let text = warning.in_words();
        self.push(WarningRow { warning, text });
    }
}
