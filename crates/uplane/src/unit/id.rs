//! Small typed numbers that identify the entities of one run.
//!
//! In: positions in the run's lists. Out: ids of different types that cannot be confused.

/// Declares one id type: a 32-bit index into one list of the run.
macro_rules! id {
    ($(#[$doc:meta] $name:ident),+ $(,)?) => {$(
        #[$doc]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// Returns the id as an index of its list.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    )+};
}

id! {
    /// A flow: one TCP connection, or one stream of datagrams, both directions together.
    FlowId,
    /// A host: a server or a UE, as the address of packets.
    HostId,
    /// A user equipment of one radio.
    UeId,
    /// A cell of the radio network.
    CellId,
    /// A bearer of one UE.
    BearerId,
    /// A one-directional link.
    LinkId,
    /// An application of the scenario.
    AppId,
}

/// The kind of a host. Servers and UEs are numbered separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Host {
    /// A server. Number 0 is that of applications which name no address.
    Server(u32),
    /// A UE, by its id.
    Ue(UeId),
}

impl HostId {
    /// Returns the id of the server with this number.
    pub const fn server(number: u32) -> Self {
        Self(number | SERVER_BIT)
    }

    /// Returns the id of this UE.
    pub const fn ue(ue: UeId) -> Self {
        Self(ue.0)
    }

    /// Returns the kind and number of the host.
    pub const fn host(self) -> Host {
        if self.0 & SERVER_BIT == 0 {
            Host::Ue(UeId(self.0))
        } else {
            Host::Server(self.0 & !SERVER_BIT)
        }
    }

    /// Returns `true` for servers.
    pub const fn is_server(self) -> bool {
        matches!(self.host(), Host::Server(_))
    }
}

/// Bit that is set in the ids of servers. A scenario has far fewer UEs than this.
const SERVER_BIT: u32 = 1 << 31;

/// A packet of a run, numbered in the order of creation. Fragments of a packet share its id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PacketId(pub u64);
