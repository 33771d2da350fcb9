//! What a user should know about a run: each kind once, with what it is about.
//!
//! In: what a scenario says and nothing uses, and facts of a run that decide its result. Out: the kind, and words.

use std::fmt;

/// One thing that a user should know.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Warning {
    /// No application uses these TCP parameter sets.
    UnusedTcp {
        /// Their names.
        sets: Vec<String>,
    },
    /// No application runs on so many UEs.
    IdleUes {
        /// The names of their sections.
        sections: Vec<String>,
        /// How many.
        idle: u64,
        /// Of how many.
        of: u64,
    },
    /// Nothing looks at the values of these keys.
    Unread {
        /// The keys.
        keys: Vec<String>,
        /// Why.
        reason: &'static str,
    },
    /// Connections of an application ended before their time.
    Failed {
        /// The application.
        app: String,
        /// Its UEs.
        ues: Vec<String>,
        /// How they ended.
        how: Failure,
        /// How many.
        connections: u64,
        /// Of how many.
        of: u64,
    },
    /// Transfers of an application were not completed: their connections failed, or the run ended first.
    Incomplete {
        /// The application.
        app: String,
        /// Its UEs.
        ues: Vec<String>,
        /// How many.
        transfers: u64,
        /// Of how many.
        of: u64,
    },
    /// The window that the receiver offered limited a sender.
    ReceiveWindow {
        /// The application.
        app: String,
        /// Its UE.
        ue: String,
        /// Part of the time.
        share: f64,
    },
    /// A full queue limited a sender.
    Queue {
        /// The application.
        app: String,
        /// Its UE.
        ue: String,
        /// Where the queue is.
        hop: String,
        /// What it dropped.
        packets: u64,
        /// Part of the time.
        share: f64,
    },
    /// A packet filter claimed nothing.
    IdleFilter {
        /// The name of its bearer.
        bearer: String,
        /// No other filter has the same.
        precedence: u8,
        /// What it would claim, in words.
        claims: String,
    },
}

/// How a connection failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Failure {
    /// It had not opened by the end of the run.
    NotOpened,
    /// Its opener gave up.
    NoAnswer,
    /// It had opened, and one end reset it.
    Reset,
    /// It was refused.
    Refused,
    /// It had opened, and one end gave up.
    TimedOut,
}

impl Failure {
    const fn in_words(self) -> &'static str {
        match self {
            Self::NotOpened => "not open when the run ended",
            Self::NoAnswer => "never opened: the handshake timed out",
            Self::Reset => "reset",
            Self::Refused => "never opened: it was reset",
            Self::TimedOut => "given up after too many timeouts",
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnusedTcp { sets } => {
                write!(f, "no application uses the TCP parameter sets {}", some(sets))
            }
            Self::IdleUes { sections, idle, of } => {
                write!(f, "no application runs on {idle} of {of} UEs ({})", some(sections))
            }
            Self::Unread { keys, reason } => {
                write!(f, "without effect, since {reason}: {}", some(keys))
            }
            Self::Failed { app, ues, how, connections, of } => {
                let (ues, how) = (some(ues), how.in_words());
                write!(f, "{app} on {ues}: {connections} of {of} connections {how}")
            }
            Self::Incomplete { app, ues, transfers, of } => {
                let ues = some(ues);
                write!(f, "{app} on {ues}: {transfers} of {of} transfers were not completed")
            }
            Self::ReceiveWindow { app, ue, share } => write!(
                f,
                "{app} on {ue}: limited by the receive window for {:.0} % of the time",
                share * 100.0
            ),
            Self::Queue { app, ue, hop, packets, share } => write!(
                f,
                "{app} on {ue}: limited by the queue of the {hop} ({packets} packets dropped) for {:.0} % of the time",
                share * 100.0
            ),
            Self::IdleFilter { bearer, precedence, claims } => write!(
                f,
                "bearer {bearer}: its filter of precedence {precedence} ({claims}) has claimed no packet"
            ),
        }
    }
}

/// The first of several names, and how many more there are.
fn some(names: &[String]) -> String {
    let shown = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// So many keys with names of 64 characters stand in one line.
const SHOWN: usize = 2;
