//! Addresses of the hosts.
//!
//! In: the addresses that UEs and applications name. Out: host ids, by which packets are sent and
//! filtered.
//!
//! Addresses serve packet filters and captures alone: nothing is routed by them, and the version of
//! IP in the TCP parameter set gives the length of a header. Servers of one address at several
//! links are several hosts.

use core::net::{IpAddr, Ipv4Addr};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::super::error::quoted;
use super::super::plan::{SERVER, TunnelPlan};
use super::super::quantity::{Address, Prefix};
use super::super::schema::Common;
use super::names::Names;
use super::{Checked, Checker};
use crate::ran::bearer::Addresses;
use crate::unit::{HostId, UeId};

/// All hosts of a scenario.
#[derive(Clone, Debug, Default)]
pub(super) struct Hosts {
    /// By address and, for a server, the position of its link.
    known: BTreeMap<(IpAddr, usize), HostId>,
    /// The link of each server, by position.
    server_links: Vec<usize>,
}

impl Hosts {
    /// Returns the server with this address at the link at this position.
    pub(super) fn server(&self, address: Option<Address>, link: usize) -> HostId {
        let address = address.map_or(SERVER_ADDRESS, |address| address.0);
        self.known.get(&(address, link)).copied().unwrap_or(SERVER)
    }

    /// Returns, for each server in the order of the scenario, the index of its link in `links`.
    pub(super) fn server_links(&self) -> Vec<usize> {
        self.server_links.clone()
    }

    /// Returns the address of each host.
    pub(super) fn addresses(&self) -> BTreeMap<HostId, String> {
        self.known.iter().map(|((address, _), host)| (*host, address.to_string())).collect()
    }

    /// Returns the hosts with addresses of `prefix`.
    pub(super) fn within(&self, prefix: Prefix) -> Addresses {
        let within = self.known.iter().filter(|((address, _), _)| prefix.contains(*address));
        Addresses::of(within.map(|(_, host)| *host))
    }

    /// Returns a host with this address.
    fn host(&self, address: IpAddr) -> Option<HostId> {
        self.known.range((address, 0)..=(address, usize::MAX)).next().map(|(_, host)| *host)
    }
}

impl Checker<'_> {
    /// Returns the UEs in their order, then the servers in the order of the applications.
    pub(super) fn find_hosts(&self) -> Checked<Hosts> {
        let known = BTreeMap::from([((SERVER_ADDRESS, 0), SERVER)]);
        let mut hosts = Hosts { known, server_links: vec![0] };
        let mut ues = 0;
        for (position, ue) in self.file.ue.iter().enumerate() {
            let key = format!("ue.{position}.address");
            for number in 0..ue.count {
                let address = match ue.address {
                    Some(first) => first.plus(number),
                    None => Address(FIRST_UE_ADDRESS).plus(ues),
                };
                let id = HostId::ue(UeId(ues));
                ues += 1;
                let expected = "a first address with room for all UEs after it";
                let Some(Address(address)) = address else {
                    return self.wrong(&key, &format!("{} UEs", ue.count), expected);
                };
                let expected = "an address that no other host has";
                let is_new = hosts.host(address).is_none();
                hosts.known.insert((address, 0), id);
                self.demand(is_new, &key, format!("\"{address}\""), expected)?;
            }
        }
        for app in self.file.applications() {
            let link = self.server_link(&app)?;
            if let Some(address) = app.server_address {
                let key = format!("{}.server_address", app.key);
                self.add_server(&mut hosts, &key, address.0, link)?;
            } else if link > 0 {
                self.add_server(&mut hosts, "", SERVER_ADDRESS, link)?;
            }
        }
        Ok(hosts)
    }

    /// Returns the position of the link at whose network end the server of an application is.
    pub(super) fn server_link(&self, app: &Common) -> Checked<usize> {
        let Some(name) = app.server_link else { return Ok(0) };
        let links = self.file.link.iter().enumerate();
        let links = Names::of(links.map(|(position, link)| (link.name.as_str(), position)));
        let key = format!("{}.server_link", app.key);
        self.find(&key, name, &links, "the name of a link")
    }

    /// Checks that no server is inside a tunnel, where it would receive packets with tunnel
    /// headers, or between the tunnel and the radio.
    pub(super) fn servers_outside(&self, tunnel: Option<&TunnelPlan>) -> Checked<()> {
        let Some(tunnel) = tunnel else { return Ok(()) };
        for app in self.file.applications() {
            let inside = self.server_link(&app)? > tunnel.first;
            let expected = format!(
                "a link before the tunnel, or its first one, \"{}\": no server is inside the tunnel or behind it",
                self.file.link[tunnel.first].name
            );
            let found = quoted(app.server_link.unwrap_or_default());
            self.demand(!inside, &format!("{}.server_link", app.key), found, &expected)?;
        }
        Ok(())
    }

    fn add_server(
        &self,
        hosts: &mut Hosts,
        key: &str,
        address: IpAddr,
        link: usize,
    ) -> Checked<()> {
        if hosts.host(address).is_some_and(|host| !host.is_server()) {
            let expected = "an address that no UE has";
            return self.wrong(key, &format!("\"{address}\""), expected);
        }
        if let Entry::Vacant(place) = hosts.known.entry((address, link)) {
            place.insert(HostId::server(hosts.server_links.len() as u32));
            hosts.server_links.push(link);
        }
        Ok(())
    }
}

/// Of TEST-NET-2, for documentation (RFC 5737 §3).
const SERVER_ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::new(198, 51, 100, 1));
/// Private (RFC 1918 §3), as operators number UEs.
const FIRST_UE_ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::new(10, 45, 0, 1));
