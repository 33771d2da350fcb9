//! Which host has which address.
//!
//! In: the addresses that UEs and applications name. Out: host ids, by which packets are sent and
//! filtered.
//!
//! Addresses serve packet filters alone: nothing is routed by them, and what a header weighs says
//! the version of IP in the TCP parameter set.

use core::net::{IpAddr, Ipv4Addr};
use std::collections::BTreeMap;

use super::super::plan::SERVER;
use super::super::quantity::{Address, Prefix};
use super::{Checked, Checker};
use crate::ran::bearer::Addresses;
use crate::unit::{HostId, UeId};

/// All hosts of a scenario.
#[derive(Clone, Debug, Default)]
pub(super) struct Hosts {
    known: BTreeMap<IpAddr, HostId>,
    /// How many of them are servers.
    servers: u32,
}

impl Hosts {
    /// The server with this address.
    pub(super) fn server(&self, address: Option<Address>) -> HostId {
        address.and_then(|address| self.host(address.0)).unwrap_or(SERVER)
    }

    /// The hosts with addresses of `prefix`.
    pub(super) fn within(&self, prefix: Prefix) -> Addresses {
        let within = self.known.iter().filter(|(address, _)| prefix.contains(**address));
        Addresses::of(within.map(|(_, host)| *host))
    }

    fn host(&self, address: IpAddr) -> Option<HostId> {
        self.known.get(&address).copied()
    }
}

impl Checker<'_> {
    /// The UEs in their order, then the servers in the order of the applications.
    pub(super) fn find_hosts(&self) -> Checked<Hosts> {
        let mut hosts = Hosts { known: BTreeMap::from([(SERVER_ADDRESS, SERVER)]), servers: 1 };
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
                let is_new = hosts.known.insert(address, id).is_none();
                self.demand(is_new, &key, format!("\"{address}\""), expected)?;
            }
        }
        for app in self.file.applications() {
            if let Some(address) = app.server_address {
                self.add_server(&mut hosts, &format!("{}.server_address", app.key), address.0)?;
            }
        }
        Ok(hosts)
    }

    fn add_server(&self, hosts: &mut Hosts, key: &str, address: IpAddr) -> Checked<()> {
        match hosts.host(address) {
            None => {
                hosts.known.insert(address, HostId::server(hosts.servers));
                hosts.servers += 1;
                Ok(())
            }
            Some(host) if host.is_server() => Ok(()),
            Some(_) => {
                let expected = "the address of a server: this one is a UE's";
                self.wrong(key, &format!("\"{address}\""), expected)
            }
        }
    }
}

/// Of TEST-NET-2, for documentation (RFC 5737 §3).
const SERVER_ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::new(198, 51, 100, 1));
/// Private (RFC 1918 §3), as operators number UEs.
const FIRST_UE_ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::new(10, 45, 0, 1));
