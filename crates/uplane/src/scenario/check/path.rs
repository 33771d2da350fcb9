//! Checks of the links and of the tunnel over them.

use super::super::plan::{LinkPlan, TunnelPlan};
use super::super::schema::{FramingKind, Gtpu, LinkSection, OneWay};
use super::names::{Names, keyed};
use super::radio::takes_time;
use super::{Checked, Checker};
use crate::net::framing::Framing;
use crate::net::{gtpu, link};

impl Checker<'_> {
    pub(super) fn links(&self) -> Checked<Vec<LinkPlan>> {
        self.names(keyed("link", self.file.link.iter().map(|link| link.name.as_str())))?;
        Ok(self.file.link.iter().map(plan).collect())
    }

    /// True when anything on the path between a UE and a server takes time.
    pub(super) fn takes_time(&self) -> bool {
        let way_takes = |way: link::Config| {
            way.rate.is_some() || !way.delay.is_zero() || !way.processing.is_zero()
        };
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
            || self.file.link.iter().any(link_takes)
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

    /// RFC 8200 §5: every link under IPv6 has an MTU of at least 1280 bytes.
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
    LinkPlan { name: link.name.clone(), ways }
}

fn config(link: &LinkSection, way: &OneWay) -> link::Config {
    link::Config {
        rate: way.rate.unwrap_or(link.rate).get(),
        delay: way.delay.unwrap_or(link.delay),
        mtu: link.mtu,
        queue: way.queue.unwrap_or(link.queue),
        loss: link::Loss {
            per_packet: way.packet_loss.unwrap_or(link.packet_loss),
            per_frame: way.frame_loss.unwrap_or(link.frame_loss),
            per_byte: way.byte_loss.unwrap_or(link.byte_loss),
        },
        framing: match link.framing {
            FramingKind::None => Framing::None,
            FramingKind::Ethernet => Framing::Ethernet { vlan_tags: 0 },
            FramingKind::EthernetVlan => Framing::Ethernet { vlan_tags: 1 },
            FramingKind::Ppp => Framing::Ppp,
        },
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
