//! The components of packet filters as text: addresses, prefixes and ports.

mod address;
mod ports;

pub use address::{Address, Prefix};
pub use ports::Ports;
