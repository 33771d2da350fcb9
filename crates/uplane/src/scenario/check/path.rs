//! Checks of the links and of the tunnel over them.

use std::sync::Arc;

use super::super::plan::{LinkPlan, TunnelPlan};
use super::super::schema::{Gtpu, LinkSection, OneWay};
use super::super::text::measurements::ABOVE_ZERO;
use super::names::{Names, keyed};
use super::radio::takes_time;
use super::{Checked, Checker};
use crate::net::link::{RateStep, Trace, Varying};
use crate::net::queue::{Aqm, red};
use crate::net::{gtpu, link};
use crate::unit::Bitrate;

impl Checker<'_> {
    pub(super) fn links(&self) -> Checked<Vec<LinkPlan>> {
        self.names(keyed("link", self.file.link.iter().map(|link| link.name.as_str())))?;
        for (position, link) in self.file.link.iter().enumerate() {
            self.capacity(position, link)?;
            if let Some(Aqm::Red(red)) = link.aqm {
                self.thresholds(&format!("link.{position}.aqm.red"), red)?;
            }
        }
        Ok(self.file.link.iter().map(plan).collect())
    }

    /// Checks that a link has one capacity in each direction.
    fn capacity(&self, position: usize, link: &LinkSection) -> Checked<()> {
        let key = |field: &str| format!("link.{position}.{field}");
        let both = (link.rate.get().is_some(), !link.rates.is_empty(), link.trace.is_some());
        self.one_capacity(&key, both)?;
        self.steps(&key("rates"), &link.rates)?;
        for (way, section) in [("down", &link.down), ("up", &link.up)] {
            let Some(own) = section else { continue };
            let key = |field: &str| key(&format!("{way}.{field}"));
            let given = (own.rate.is_some(), own.rates.is_some(), own.trace.is_some());
            self.one_capacity(&key, given)?;
            if let Some(steps) = &own.rates {
                let any = !steps.is_empty();
                self.demand(any, &key("rates"), "an empty list", "at least one rate")?;
                self.steps(&key("rates"), steps)?;
            }
        }
        Ok(())
    }

    fn one_capacity(
        &self,
        key: &impl Fn(&str) -> String,
        (rate, rates, trace): (bool, bool, bool),
    ) -> Checked<()> {
        let rule =
            "not valid together with another capacity; keep one of `rate`, `rates` and `trace`";
        self.require(!(rate && rates), &key("rates"), rule)?;
        self.require(!((rate || rates) && trace), &key("trace"), rule)
    }

    /// Checks rates over time: the first holds from the start, times ascend, and the last is no
    /// outage.
    fn steps(&self, key: &str, steps: &[RateStep]) -> Checked<()> {
        for (position, step) in steps.iter().enumerate() {
            let key = format!("{key}.{position}.at");
            match position.checked_sub(1) {
                None => {
                    let expected = "0 s: the first rate holds from the start";
                    self.demand(step.at.is_zero(), &key, step.at, expected)?;
                }
                Some(before) => {
                    let before = steps[before].at;
                    let expected = format!("a time after that of the previous rate, {before}");
                    self.demand(step.at > before, &key, step.at, &expected)?;
                }
            }
        }
        let Some((position, last)) = steps.iter().enumerate().next_back() else { return Ok(()) };
        let key = format!("{key}.{position}.rate");
        self.demand(last.rate.0.is_some(), &key, "an outage in the last rate", ABOVE_ZERO)
    }

    /// Checks the thresholds of RED.
    pub(super) fn thresholds(&self, key: &str, red: red::Config) -> Checked<()> {
        let ordered = red.max_threshold > red.min_threshold;
        let expected = format!("more than min_threshold, {}", red.min_threshold);
        self.demand(ordered, &format!("{key}.max_threshold"), red.max_threshold, &expected)
    }

    /// Returns `true` if a link bounds the rate down (0) or up (1) behind a server at the link
    /// `first`.
    pub(super) fn links_bound(&self, first: usize, way: usize) -> bool {
        self.file.link[first..].iter().any(|link| {
            let own = [&link.down, &link.up][way].clone().unwrap_or_default();
            config(link, &own).has_rate()
        })
    }

    /// Returns `true` if anything on the path between a UE and a server at the link `first` takes
    /// time.
    pub(super) fn takes_time(&self, first: usize) -> bool {
        let way_takes =
            |way: link::Config| way.has_rate() || !way.delay.is_zero() || !way.processing.is_zero();
        let link_takes = |link: &LinkSection| {
            [&link.down, &link.up]
                .into_iter()
                .any(|way| way_takes(config(link, way.as_ref().unwrap_or(&OneWay::default()))))
        };
        let end_takes = |gtpu: &Gtpu| {
            let end = tunnel_end(gtpu);
            !end.per_fragment.is_zero() || !end.per_packet.is_zero()
        };
        takes_time(&self.file.radio)
            || self.file.link[first..].iter().any(link_takes)
            || self.file.gtpu.iter().any(end_takes)
    }

    pub(super) fn tunnel(&self) -> Checked<Option<TunnelPlan>> {
        let Some(gtpu) = &self.file.gtpu else { return Ok(None) };
        let links = self.file.link.iter().enumerate();
        let names = Names::of(links.map(|(position, link)| (link.name.as_str(), position)));
        self.demand(
            !gtpu.links.is_empty(),
            "gtpu.links",
            "an empty list",
            "the names of the links inside the tunnel",
        )?;
        let mut positions = Vec::new();
        for (number, name) in gtpu.links.iter().enumerate() {
            positions.push(self.find(
                &format!("gtpu.links.{number}"),
                name,
                &names,
                "the name of a link",
            )?);
        }
        let neighbours = positions.windows(2).all(|pair| pair[1] == pair[0] + 1);
        self.demand(
            neighbours,
            "gtpu.links",
            gtpu.links.join(", "),
            "neighbouring links in the order of the path",
        )?;
        let (first, last) = (positions[0], positions[positions.len() - 1]);
        for position in first..=last {
            self.carries_outer(gtpu, position)?;
        }
        Ok(Some(TunnelPlan {
            first,
            last,
            config: tunnel(gtpu),
            end: tunnel_end(gtpu),
            mss_clamp: gtpu.mss_clamp.map(|size| size.0 as u16),
        }))
    }

    /// Checks the MTU of a link inside a tunnel. RFC 8200 §5: every link under IPv6 has an MTU of
    /// at least 1280 bytes.
    fn carries_outer(&self, gtpu: &Gtpu, position: usize) -> Checked<()> {
        let link = &self.file.link[position];
        let least = gtpu.outer_ip.minimum_mtu();
        let expected = format!("at least {least}, since an IPv6 tunnel passes");
        self.demand(link.mtu >= least, &format!("link.{position}.mtu"), link.mtu, &expected)
    }
}

fn plan(link: &LinkSection) -> LinkPlan {
    let ways =
        [&link.down, &link.up].map(|way| config(link, way.as_ref().unwrap_or(&OneWay::default())));
    let lost = [&link.down, &link.up].map(|way| {
        let own = way.as_ref().and_then(|way| way.lost_packets.as_ref());
        own.unwrap_or(&link.lost_packets).clone()
    });
    LinkPlan { name: link.name.clone(), ways, lost }
}

/// Returns the capacity of one direction. Its own key takes precedence over that of both
/// directions.
fn capacity(link: &LinkSection, way: &OneWay) -> (Option<Bitrate>, Option<Varying>) {
    let rates = |steps: &Vec<RateStep>| Varying::Rates(steps.clone());
    let trace = |trace: &Trace| Varying::Opportunities(trace.clone());
    let own = way.rates.as_ref().map(rates).or(way.trace.as_ref().map(trace));
    match (own, way.rate) {
        (Some(varying), _) => (None, Some(varying)),
        (None, Some(rate)) => (rate.get(), None),
        (None, None) => {
            let steps = Some(&link.rates).filter(|steps| !steps.is_empty());
            (link.rate.get(), steps.map(rates).or(link.trace.as_ref().map(trace)))
        }
    }
}

fn config(link: &LinkSection, way: &OneWay) -> link::Config {
    let (rate, varying) = capacity(link, way);
    link::Config {
        rate,
        varying: varying.map(Arc::new),
        delay: way.delay.unwrap_or(link.delay),
        mtu: link.mtu,
        queue: way.queue.unwrap_or(link.queue),
        aqm: link.aqm,
        loss: link::Loss {
            per_packet: way.packet_loss.unwrap_or(link.packet_loss),
            per_frame: way.frame_loss.unwrap_or(link.frame_loss),
            per_byte: way.byte_loss.unwrap_or(link.byte_loss),
            bursts: link.burst_loss,
        },
        reordering: link.reordering,
        framing: link.framing,
        processing: link.processing,
        icmp: link.icmp,
    }
}

fn tunnel(gtpu: &Gtpu) -> gtpu::Config {
    gtpu::Config {
        ip: gtpu.outer_ip,
        sequence_numbers: gtpu.sequence_number,
        pdu_session_container: gtpu.session_container,
        dont_fragment: gtpu.dont_fragment,
        esp: gtpu.ipsec.map(|cipher| gtpu::Esp { ip: gtpu.outer_ip, cipher }),
    }
}

fn tunnel_end(gtpu: &Gtpu) -> gtpu::egress::Config {
    gtpu::egress::Config {
        per_fragment: gtpu.per_fragment,
        per_packet: gtpu.per_packet,
        reassembly_timeout: gtpu.reassembly_timeout,
    }
}
