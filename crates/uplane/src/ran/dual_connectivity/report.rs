//! Reports of dual connectivity, during a run and at its end.
//!
//! In: the bearers and the cells. Out: counts, and rows in the tables.

use super::DualConnectivity;
use super::leg::Leg;
use crate::net::{Count, Direction, Tally};
use crate::ran::cell::CellStatistics;
use crate::ran::series::Place;
use crate::record::{Activity, Tables, counters, table};
use crate::unit::{Bytes, CellId, Instant};

counters! {
    /// PDUs of one leg of a bearer.
    pub(in crate::ran) LegCounters {
        /// Number of PDCP PDUs that PDCP submitted to the leg.
        packets: u64,
        /// Bytes of PDCP PDUs that PDCP submitted to the leg, PDCP headers included.
        bytes: Bytes,
        /// Number of PDCP PDUs of the leg that arrived at the receiving PDCP entity as first
        /// copies.
        first: u64,
        /// Number of PDCP PDUs that arrived over the leg after `t-Reordering` had expired for them,
        /// and were dropped.
        late: u64,
        /// Number of PDCP PDUs of the leg that were discarded because another copy had arrived.
        duplicates: u64,
        /// Number of PDCP PDUs that the leg lost.
        lost: u64,
    }
}

table! {
    /// PDUs of one leg of a UE's bearer in one direction, with dual connectivity.
    legs: pub(in crate::ran) LegRow {
        /// Name of the UE.
        ue: String,
        /// Direction: `down` or `up`.
        direction: &'static str,
        /// Leg.
        leg: Leg,
        /// Counters.
        counted: LegCounters,
    }
}

impl DualConnectivity {
    /// Returns the traffic of all UEs in this direction. `wire` counts transport blocks of both
    /// cells.
    pub fn tally(&self, direction: Direction) -> Tally {
        let wire = |leg| self.cells[leg].tally(direction).wire;
        Tally { wire: wire(Leg::Lte) + wire(Leg::Nr), ..self.tallies[direction] }
    }

    /// Returns the number of packets inside in this direction, counted one by one.
    ///
    /// # Panics
    /// If the number of copies in the cells and on X2 is not the number that PDCP has submitted.
    pub fn held(&self, direction: Direction) -> Count {
        let (mut held, mut copies) = (Count::default(), Count::default());
        for bearer in &self.bearers[direction] {
            held += bearer.held();
            copies += bearer.copies();
        }
        let mut legs = self.x2.held(direction);
        for leg in Leg::BOTH {
            legs += self.cells[leg].held(direction);
        }
        assert_eq!(legs, copies, "{}: copies in the legs, of those given", direction.name());
        held
    }

    /// Writes a sample of the packets that wait in PDCP and in both legs.
    pub fn sample(&mut self, now: Instant, ues: &[String], tables: &mut Tables) {
        for (ue, name) in ues.iter().enumerate() {
            for direction in Direction::BOTH {
                let waiting = self.waiting(ue, direction);
                let activity: &mut Activity = &mut self.sampled[direction][ue];
                Place { ue: name, bearer: 0, direction }.sample(now, waiting, activity, tables);
            }
        }
    }

    /// Writes the rows of the run until `now`; `ues` has the names of the UEs.
    pub fn report(&self, now: Instant, ues: &[String], tables: &mut Tables) {
        for (ue, name) in ues.iter().enumerate() {
            for direction in Direction::BOTH {
                self.bearers[direction][ue].warn(name, direction, tables);
                for leg in Leg::BOTH {
                    let counted = self.bearers[direction][ue].counted[leg];
                    let (ue, direction) = (name.clone(), direction.name());
                    tables.push(LegRow { ue, direction, leg, counted });
                }
            }
        }
        let mut sum = CellStatistics::default();
        for (id, leg) in (0..).map(CellId).zip(Leg::BOTH) {
            sum += self.cells[leg].statistics();
            self.cells[leg].report_member(id, tables);
        }
        sum.report_sum(tables);
        for ue in 0..ues.len() {
            self.cells.secondary.report_ue_beside(&self.cells.master, ue, now, ues, tables);
        }
    }

    /// Returns the packets to or from a UE that are not yet sent.
    fn waiting(&self, ue: usize, direction: Direction) -> Count {
        let router = &self.bearers[direction][ue].router;
        let mut waiting = Count { packets: router.queue().len() as u64, bytes: router.queued() };
        for leg in Leg::BOTH {
            waiting += self.cells[leg].waiting(ue, 0, direction);
        }
        waiting
    }
}
