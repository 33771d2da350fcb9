//! Number tables of the specifications that more than one layer of a radio reads.
//!
//! In: the files of `crates/uplane/data`, at compile time. Out: buffer size levels ([`bsr`]) and QoS
//! classes ([`qci`]) as constants.
//!
//! Left out: reading tables at run time. A run starts without parsing anything.

pub mod bsr;
pub(crate) mod csv;
pub mod qci;
