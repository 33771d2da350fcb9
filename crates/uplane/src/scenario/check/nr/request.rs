//! Scheduling requests of an NR cell: its own configuration, further ones, and which bearer has
//! which.
//!
//! In: the sections of a cell and of its bearers. Out: the parameters of requests.

use super::super::names::{Names, keyed};
use super::super::{Checked, Checker};
use super::Frame;
use super::configured_grant::may_use;
use crate::ran::bearer;
use crate::ran::mac::scheduling_request::{self, Prohibit};
use crate::ran::nr::mini_slots::REQUEST_SYMBOL;
use crate::ran::nr::timeline::PUCCH_SYMBOL;
use crate::scenario::schema::{Nr, NrBearer, SchedulingRequest};
use crate::unit::Duration;

impl Checker<'_> {
    /// Checks the cell's configuration of scheduling requests (TS 38.213 §9.2.4).
    pub(super) fn nr_request(
        &self,
        section: &Nr,
        frame: &Frame,
    ) -> Checked<scheduling_request::Config> {
        let own = SchedulingRequest {
            name: String::new(),
            period: section.sr_period,
            offset: section.sr_offset,
            prohibit_timer: section.sr_prohibit_timer,
            trans_max: section.sr_trans_max,
        };
        self.nr_request_of(section, &own, "radio.nr.sr_period", frame)
    }

    /// Returns the configurations beside that of the cell. Some bearer must use each of them.
    pub(super) fn nr_more_requests(
        &self,
        section: &Nr,
        frame: &Frame,
    ) -> Checked<Vec<scheduling_request::Config>> {
        const KEY: &str = "radio.nr.scheduling_request";
        let all = &section.scheduling_request;
        self.names(keyed(KEY, all.iter().map(|own| own.name.as_str())))?;
        if !all.is_empty() {
            let asks = section.rach.as_ref().is_none_or(|rach| rach.scheduling_requests);
            let rule = "requires `rach.scheduling_requests = true`: otherwise UEs send no requests";
            self.require(asks, KEY, rule)?;
        }
        // A bearer that names none has that of the cell.
        let named = |own: &NrBearer| own.scheduling_request.is_some();
        let cells = section.bearer.is_empty() || !section.bearer.iter().all(named);
        let most = MOST_CONFIGURATIONS - usize::from(cells);
        let expected = format!(
            "at most {most}: a UE has at most eight configurations; that of the cell counts if a bearer uses it"
        );
        self.demand(all.len() <= most, KEY, format!("{} sections", all.len()), &expected)?;
        for (place, own) in all.iter().enumerate() {
            let has = |bearer: &NrBearer| bearer.scheduling_request.as_ref() == Some(&own.name);
            let used = section.bearer.iter().any(has);
            let rule = format!(
                "no bearer uses \"{0}\"; set `scheduling_request = \"{0}\"` in a bearer, or remove it",
                own.name
            );
            self.require(used, &format!("{KEY}.{place}.name"), &rule)?;
        }
        let applied = section.bearer.iter().any(|bearer| bearer.sr_delay_timer_applied);
        let idle = section.sr_delay_timer.is_some() && !applied;
        let rule = "requires a bearer with `sr_delay_timer_applied = true`";
        self.require(!idle, "radio.nr.sr_delay_timer", rule)?;
        let of = |(place, own)| {
            self.nr_request_of(section, own, &format!("{KEY}.{place}.period"), frame)
        };
        all.iter().enumerate().map(of).collect()
    }

    fn nr_request_of(
        &self,
        section: &Nr,
        own: &SchedulingRequest,
        key: &str,
        frame: &Frame,
    ) -> Checked<scheduling_request::Config> {
        let slots = self.uplink_slots(frame, key, own.period)?;
        let (slots, begins) = if frame.within.is_some() {
            let last = |slot: &u64| slot * frame.ticks + u64::from(REQUEST_SYMBOL);
            (slots.iter().map(last).collect(), Duration::ZERO)
        } else {
            (slots, frame.numerology.symbol_start(PUCCH_SYMBOL))
        };
        Ok(scheduling_request::Config {
            period: own.period * frame.ticks,
            offset: own.offset,
            slots: Some(slots),
            begins,
            prohibit: Prohibit::Slots(frame.ticks_in(own.prohibit_timer)),
            dsr_trans_max: own.trans_max,
            random_access: section.random_access,
            back_off: section.random_access_backoff,
        })
    }

    /// Returns the scheduling request configuration of a bearer (`LogicalChannelConfig`, TS 38.331
    /// §6.3.2).
    pub(super) fn nr_bearer_request(
        &self,
        section: &Nr,
        key: &impl Fn(&str) -> String,
        own: &NrBearer,
    ) -> Checked<bearer::Request> {
        let names = section.scheduling_request.iter().map(|each| each.name.as_str());
        let names = Names::of(names.zip(1..));
        let configuration = match &own.scheduling_request {
            None => 0,
            Some(name) => {
                let what = "a configuration of scheduling requests";
                self.find(&key("scheduling_request"), name, &names, what)?
            }
        };
        let waits = !may_use(section.configured_grants(), own).is_empty();
        let rule = "requires a configured grant that this bearer may use";
        let idle = own.sr_mask.is_some() && !waits;
        self.require(!idle, &key("sr_mask"), rule)?;
        let masked = own.sr_mask.unwrap_or(true);
        if own.sr_delay_timer_applied {
            let key = key("sr_delay_timer_applied");
            let has = section.sr_delay_timer.is_some();
            self.require(has, &key, "requires radio.nr.sr_delay_timer")?;
            let asks = section.rach.as_ref().is_none_or(|rach| rach.scheduling_requests);
            let rule = "requires `rach.scheduling_requests = true`: otherwise UEs send no requests";
            self.require(asks, &key, rule)?;
            let rule = "not valid for a bearer that waits for its configured grant instead of \
                        sending a request; set `sr_mask = false`";
            self.require(!waits || !masked, &key, rule)?;
        }
        Ok(bearer::Request { configuration, masked, delayed: own.sr_delay_timer_applied })
    }
}

/// `maxNrofSR-ConfigPerCellGroup` (TS 38.331 §6.4)
const MOST_CONFIGURATIONS: usize = 8;
