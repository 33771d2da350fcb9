//! Congestion controls that do not share a queue fairly.
//!
//! In: the links with a managed queue, the applications over them. Out: warnings. Left out: queues
//! of bearers, since packet filters decide in the run which flows share one.

use super::super::plan::{AppPlan, Transport};
use super::Checker;
use super::tcp::Profiles;
use crate::net::queue::Aqm;
use crate::record::{Warned, Warning};
use crate::unit::Host;

impl Checker<'_> {
    /// Warns of each link whose single marking queue serves both Prague, which yields to the share
    /// of marks, and flows that respond to each round with a mark as to a loss (RFC 9331 §4.1).
    pub(super) fn coexistence(&self, apps: &[AppPlan], profiles: &Profiles) -> Vec<Warning> {
        let server_links = self.hosts.server_links();
        let mut warnings = Vec::new();
        for (position, link) in self.file.link.iter().enumerate() {
            if !matches!(link.aqm, Some(Aqm::Codel(_) | Aqm::Red(_) | Aqm::Step(_))) {
                continue;
            }
            let passes = |app: &&AppPlan| match app.server.host() {
                Host::Server(number) => server_links[number as usize] <= position,
                Host::Ue(_) => false,
            };
            let mut has = [false; 2];
            for app in apps.iter().filter(passes) {
                match app.transport {
                    Transport::Tcp(set) => has[usize::from(profiles.is_prague(set))] = true,
                    Transport::Quic(_) => has[0] = true,
                    Transport::Absent => {}
                }
            }
            if has == [true, true] {
                let words = "Prague and classic flows share the queue of link {place}: at the same \
                             marks Prague yields less and takes most of the rate; `fq_codel` or \
                             `dualpi2` keeps them apart";
                let place = link.name.clone();
                warnings.push(Warning { place, ..Warning::new(Warned::Coexistence, words) });
            }
        }
        warnings
    }
}
