//! The uplink control channel of LTE (PUCCH): resources for scheduling requests, acknowledgements
//! and reports, and the resource blocks that they take at both edges of the band (TS 36.211 §5.4,
//! TS 36.213 §10.1).
//!
//! In: the number of UEs of a cell, the periods of their requests and reports, the number of
//! downlink control channel elements. Out: the number of resources of each kind in a slot, their
//! resource blocks, and the SR period.
//!
//! ```text
//!  edge │ format 2: reports │ format 1: requests │ formats 1a, 1b: one for each CCE │ data …
//!       │ 12 a block        │ 36/Δ a block                                          │
//! ```
//!
//! A UE has a resource for its request and one for its report in one slot of each period. The UEs
//! of a cell use these slots in turn, so the fullest slot counts. The first CCE of a downlink
//! assignment determines the resource of its HARQ-ACK: there are as many resources as CCEs, used or
//! not.
//!
//! Left out: resource blocks with formats 1 and 2 mixed (`nCS-AN`), the extended cyclic prefix,
//! format 3; the required distance between the cyclic shifts of UEs, since errors do not depend on
//! how full a resource block is. Reports of subbands count like those of the band, as if longer
//! ones went with data.

/// Distance of the cyclic shifts in use (`deltaPUCCH-Shift`): every one, every second, every third.
/// Longer echoes need a larger distance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shift {
    /// `ds1`
    One,
    /// `ds2`
    #[default]
    Two,
    /// `ds3`
    Three,
}

/// The configuration of a cell's PUCCH.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// `N_RB^UL`: number of resource blocks of the band.
    pub band: u32,
    /// `deltaPUCCH-Shift`
    pub shift: Shift,
    /// `N_CCE` of the downlink: number of resources kept for HARQ-ACKs.
    pub cces: u32,
    /// `nRB-CQI`: number of resource blocks for reports. `None`: as many as needed.
    pub nrb_cqi: Option<u32>,
    /// `n1PUCCH-AN`: number of resources for requests, before those for HARQ-ACKs. `None`: as many
    /// as needed.
    pub n1_an: Option<u32>,
    /// `N_pd`: number of slots between two reports of a UE. `None`: no UE reports.
    pub report_period: Option<u64>,
    /// SR period in slots. `None`: the shortest period of the standard that fits.
    pub request_period: Option<u64>,
    /// Number of UEs that hold resources in addition to those simulated.
    pub other_ues: u32,
    /// Number of resource blocks of the whole channel. `None`: as many as needed.
    pub prbs: Option<u32>,
}

/// The dimensions of a PUCCH for a number of UEs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimensions {
    /// Number of resource blocks for reports.
    pub nrb_cqi: u32,
    /// Number of resources for requests.
    pub n1_an: u32,
    /// Number of resource blocks that cannot carry data; even, with half of them at each edge.
    pub prbs: u32,
    /// SR period of a UE, in slots.
    pub request_period: u64,
}

/// The resource that is too small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shortage {
    /// Resource blocks for reports, with the number needed.
    Reports(u32),
    /// Resources for requests, with the shortest period that would fit, if there is one.
    Requests(Option<u64>),
    /// Resource blocks of the channel, with the number needed, which includes one for data.
    Blocks(u32),
}

impl Shift {
    /// Returns `3·12/Δ`, the number of format 1 resources of a resource block, by three orthogonal
    /// covers and the cyclic shifts (TS 36.211 §5.4.1).
    pub const fn per_block(self) -> u32 {
        COVERS * REPORTS_PER_BLOCK / (self as u32 + 1)
    }
}

impl Config {
    /// Computes the dimensions of the channel for `ues` simulated UEs.
    ///
    /// # Errors
    /// If a fixed number of the configuration is too small.
    pub fn dimensions(&self, ues: u32) -> Result<Dimensions, Shortage> {
        let ues = ues + self.other_ues;
        let reports = self.report_period.map_or(0, |period| in_fullest_slot(ues, period));
        let needed = reports.div_ceil(REPORTS_PER_BLOCK);
        let nrb_cqi = self.nrb_cqi.unwrap_or(needed);
        if nrb_cqi < needed {
            return Err(Shortage::Reports(needed));
        }
        let request_period = self.request_period(ues, nrb_cqi)?;
        let n1_an = self.n1_an.unwrap_or(in_fullest_slot(ues, request_period));
        let needed = self.blocks(nrb_cqi, n1_an);
        let prbs = self.prbs.unwrap_or(needed);
        if prbs < needed || prbs >= self.band {
            return Err(Shortage::Blocks(needed));
        }
        Ok(Dimensions { nrb_cqi, n1_an, prbs, request_period })
    }

    /// Returns the configured period, or the shortest one, if it leaves a resource to each UE.
    fn request_period(&self, ues: u32, nrb_cqi: u32) -> Result<u64, Shortage> {
        let room = self.room_for_requests(nrb_cqi)?;
        let fits = |period: u64| in_fullest_slot(ues, period) <= room;
        let shortest = PERIODS.into_iter().find(|&period| fits(period));
        match (self.request_period, shortest) {
            (Some(given), _) if fits(given) => Ok(given),
            (None, Some(shortest)) => Ok(shortest),
            _ => Err(Shortage::Requests(shortest)),
        }
    }

    /// Returns the number of resources for requests in a slot.
    fn room_for_requests(&self, nrb_cqi: u32) -> Result<u32, Shortage> {
        match (self.n1_an, self.prbs) {
            (Some(n1_an), _) => Ok(n1_an),
            (None, None) => Ok(u32::MAX),
            (None, Some(prbs)) => {
                let all = prbs.saturating_sub(nrb_cqi) * self.shift.per_block();
                all.checked_sub(self.cces).ok_or(Shortage::Blocks(self.blocks(nrb_cqi, 1)))
            }
        }
    }

    /// Returns the number of resource blocks that cannot carry data. A region of the channel has a
    /// block at one edge in the first half of a subframe and at the other edge in the second half;
    /// two regions fill both (TS 36.211 §5.4.3).
    fn blocks(&self, nrb_cqi: u32, n1_an: u32) -> u32 {
        let regions = nrb_cqi + (n1_an + self.cces).div_ceil(self.shift.per_block());
        regions.next_multiple_of(2)
    }
}

/// Returns the number of `ues` that share the fullest slot of a period.
fn in_fullest_slot(ues: u32, period: u64) -> u32 {
    u64::from(ues).div_ceil(period) as u32
}

/// SR periods in slots (TS 36.213 Table 10.1.5-1, `sr-ConfigIndex`).
pub const PERIODS: [u64; 7] = [1, 2, 5, 10, 20, 40, 80];

/// Number of format 2 resources of a resource block: `N_sc^RB` cyclic shifts (TS 36.211 §5.4.2).
const REPORTS_PER_BLOCK: u32 = 12;
/// Number of orthogonal sequences of format 1 (TS 36.211 Table 5.4.1-2).
const COVERS: u32 = 3;

#[cfg(test)]
mod tests {
    use super::*;

    /// A cell of 10 MHz with three control symbols.
    const CELL: Config = Config {
        band: 50,
        shift: Shift::Two,
        cces: 43,
        nrb_cqi: None,
        n1_an: None,
        report_period: Some(5),
        request_period: Some(10),
        other_ues: 0,
        prbs: None,
    };

    fn check(config: &Config, ues: u32, nrb_cqi: u32, n1_an: u32, prbs: u32, request_period: u64) {
        let expected = Dimensions { nrb_cqi, n1_an, prbs, request_period };
        assert_eq!(config.dimensions(ues), Ok(expected), "{ues} UEs");
    }

    /// TS 36.211 §5.4.1: three covers times twelve, six or four cyclic shifts.
    #[test]
    fn a_resource_block_has_36_18_or_12_resources_of_format_1() {
        assert_eq!([Shift::One, Shift::Two, Shift::Three].map(Shift::per_block), [36, 18, 12]);
    }

    /// Computed by hand. 10 UEs: 2 reports are 1 block, 1 request and 43 HARQ-ACKs are ⌈44/18⌉ = 3.
    /// 200 UEs: 40 reports are ⌈40/12⌉ = 4, 20 requests and 43 are ⌈63/18⌉ = 4. 1000 UEs: ⌈200/12⌉
    /// = 17 and ⌈143/18⌉ = 8, an odd number.
    #[test]
    fn more_ues_take_more_resource_blocks() {
        check(&CELL, 10, 1, 1, 4, 10);
        check(&CELL, 40, 1, 4, 4, 10);
        check(&CELL, 200, 4, 20, 8, 10);
        check(&CELL, 1000, 17, 100, 26, 10);
        let silent = Config { other_ues: 190, ..CELL };
        assert_eq!(silent.dimensions(10), CELL.dimensions(200));
    }

    /// Computed by hand: 200 requests in each slot and 43 HARQ-ACKs are ⌈243/18⌉ = 14 blocks.
    #[test]
    fn a_request_in_every_slot_costs_resource_blocks_for_each_ue() {
        let eager = Config { request_period: Some(1), report_period: None, ..CELL };
        check(&eager, 200, 0, 200, 14, 1);
        let calm = Config { request_period: Some(80), ..eager };
        check(&calm, 200, 0, 3, 4, 80);
    }

    /// TS 36.213 Table 10.1.5-1. Computed by hand: 6 blocks without reports have 108 resources, 65
    /// of them for requests: 200 UEs need 200, 100, 40 of them with periods of 1, 2, 5.
    #[test]
    fn the_shortest_period_that_fits_is_found() {
        let fixed = Config { request_period: None, report_period: None, prbs: Some(6), ..CELL };
        for (ues, period) in [(1, 1), (65, 1), (66, 2), (130, 2), (131, 5), (200, 5), (5200, 80)] {
            check(&fixed, ues, 0, ues.div_ceil(period as u32), 6, period);
        }
        assert_eq!(fixed.dimensions(5201), Err(Shortage::Requests(None)));
    }

    #[test]
    fn the_missing_pucch_resource_is_named() {
        let fixed = Config { prbs: Some(4), ..CELL };
        // 200 UEs: 4 blocks of reports leave none for HARQ-ACKs.
        assert_eq!(fixed.dimensions(200), Err(Shortage::Blocks(8)));
        // 100 UEs: 20 reports are 2 blocks; 36 resources are fewer than CCEs.
        assert_eq!(fixed.dimensions(100), Err(Shortage::Blocks(6)));
        // 60 UEs: 1 block; 54 − 43 = 11 requests, and 60 UEs need 12 or 6.
        let quick = Config { request_period: Some(5), ..fixed };
        assert_eq!(quick.dimensions(60), Err(Shortage::Requests(Some(10))));
        // 2000 UEs: ⌈400/12⌉ + ⌈243/18⌉ = 34 + 14.
        assert_eq!(CELL.dimensions(2000).map(|channel| channel.prbs), Ok(48));
        assert_eq!(CELL.dimensions(2200), Err(Shortage::Blocks(52)));
        let few = Config { n1_an: Some(5), ..CELL };
        assert_eq!(few.dimensions(60), Err(Shortage::Requests(Some(20))));
        let blind = Config { nrb_cqi: Some(1), ..CELL };
        assert_eq!(blind.dimensions(61), Err(Shortage::Reports(2)));
    }

    /// TS 36.211 §5.4.3: an operator's own numbers.
    #[test]
    fn numbers_that_are_given_are_used() {
        let own = Config { nrb_cqi: Some(2), n1_an: Some(36), ..CELL };
        // 2 + ⌈(36 + 43)/18⌉ = 7, and its partner at the other edge.
        check(&own, 10, 2, 36, 8, 10);
        let wider = Config { shift: Shift::Three, ..own };
        check(&wider, 10, 2, 36, 10, 10);
    }
}
