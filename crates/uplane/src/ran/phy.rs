//! The LTE physical layer as numbers: how many bits fit, and how likely a block is lost.
//!
//! In: an allocation, a modulation and coding scheme, the SINR of the resource blocks, what earlier
//! transmissions of the block left in the soft buffer. Out: transport block sizes, block error
//! probabilities, channel quality indicators, control channel elements. Everything here is a
//! function of its arguments; who draws random numbers and who keeps time is the MAC layer.
//!
//! The tour, each file using those above it:
//!
//! 1. [`numerology`]: resource blocks and what is left of them for data.
//! 2. [`modulation`], [`mcs`], [`transport_block`], [`allocation`]: how many bits are sent.
//! 3. [`sinr`], [`information`]: what one resource element tells about a bit.
//! 4. [`code_block`], [`receiver`], [`block_error`], [`soft_buffer`]: whether the block decodes.
//! 5. [`link_model`]: the same question when a study prescribes the answer.
//! 6. [`cqi`], [`adaptation`], [`outer_loop`]: what the UE reports and the eNB makes of it.
//! 7. [`dci`], [`pdcch`], [`pucch`], [`feedback`]: the control channels.
//! 8. [`nr`]: the tables and sizes that differ in NR.
//!
//! Left out: everything below the code block: waveforms, synchronisation, the decoder itself. A block
//! error probability stands for them; it follows published link-level curves within 0.7 dB
//! (`tests/phy_published.rs`). MU-MIMO and precoding gains are in the SINR that the caller gives.

pub mod adaptation;
pub mod allocation;
pub mod block_error;
pub mod code_block;
pub mod cqi;
pub mod dci;
pub mod effective_sinr;
pub mod feedback;
pub mod information;
pub mod link_model;
pub mod mcs;
pub mod modulation;
pub mod nr;
pub mod numerology;
pub mod outer_loop;
pub mod pdcch;
pub mod pucch;
pub mod receiver;
pub mod sinr;
pub mod soft_buffer;
pub mod transport_block;

pub use adaptation::{RateControl, TransportFormat};
pub use allocation::Allocation;
pub use code_block::{ChannelCode, CodeBlocks, RedundancyVersion};
pub use cqi::Cqi;
pub use link_model::LinkModel;
pub use mcs::{Mcs, McsTable};
pub use modulation::Modulation;
pub use numerology::{AntennaPorts, Bandwidth, Cfi};
pub use outer_loop::OuterLoop;
pub use receiver::Receiver;
pub use sinr::Sinr;
pub use soft_buffer::{Reception, SoftBuffer};
pub use transport_block::{Layers, TbsIndex, TransportBlockSize};
