//! Small typed numbers that name the things of one run.
//!
//! In: positions in the run's lists. Out: ids of different kinds that cannot be mixed up.

/// Declares one id type: a 32-bit index into one list of the run.
macro_rules! id {
    ($(#[$doc:meta] $name:ident),+ $(,)?) => {$(
        #[$doc]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The id as a position in its list.
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
    /// A cell.
    CellId,
    /// A bearer of one UE.
    BearerId,
    /// A one-directional link.
    LinkId,
    /// An application.
    AppId,
}

/// What a host is. Servers and UEs are numbered apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Host {
    /// A server; number 0 is that of applications which name no address.
    Server(u32),
    /// A UE.
    Ue(UeId),
}

impl HostId {
    /// The server with this number.
    pub const fn server(number: u32) -> Self {
        Self(number | SERVER_BIT)
    }

    /// The host that is this UE.
    pub const fn ue(ue: UeId) -> Self {
        Self(ue.0)
    }

    /// What the host is.
    pub const fn host(self) -> Host {
        if self.0 & SERVER_BIT == 0 {
            Host::Ue(UeId(self.0))
        } else {
            Host::Server(self.0 & !SERVER_BIT)
        }
    }

    /// True for servers.
    pub const fn is_server(self) -> bool {
        matches!(self.host(), Host::Server(_))
    }
}

/// Set in the ids of servers. A scenario has far fewer UEs than this.
const SERVER_BIT: u32 = 1 << 31;

/// One packet of a run, in the order of creation; fragments of it share its id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PacketId(pub u64);
