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

/// One packet of a run, in the order of creation; fragments of it share its id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PacketId(pub u64);
