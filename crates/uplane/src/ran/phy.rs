//! The physical layer as numbers: the bits that fit into an allocation, and the probability that a
//! block is lost.
//!
//! In: an allocation, a modulation and coding scheme, the SINR of the resource blocks, the soft
//! buffer after earlier transmissions of the block. Out: transport block sizes, block error
//! probabilities, channel quality indicators, control channel elements. Every result is a function
//! of its arguments; the MAC draws random numbers and keeps time.
//!
//! The files, in an order in which each uses those above it:
//!
//! 1. [`resource_grid`], [`modulation`], [`mcs`], [`transport_block`]: resources, modulation and
//!    block sizes.
//! 2. [`sinr`], [`information`]: mutual information of one resource element.
//! 3. [`code_block`], [`receiver`], [`block_error`], [`soft_buffer`]: decoding of a block.
//! 4. [`link_model`]: decoding of a block, or error rates that a study prescribes.
//! 5. [`cqi`], [`adaptation`], [`outer_loop`]: channel reports of the UE, and link adaptation of
//!    the eNB.
//! 6. [`control`], [`pucch`], [`feedback`]: control messages and channels.
//! 7. [`lte`], [`nr`]: the tables and sizes of one generation; other files use them through
//!    [`sizing`] and [`pucch`].
//!
//! Left out: everything below the code block: waveforms, synchronisation, the decoder itself. A
//! block error probability represents them; it follows published link-level curves within 0.7 dB
//! (`tests/radio/phy_published.rs`). MU-MIMO and precoding gains are in the SINR that the caller
//! gives.

pub mod adaptation;
pub mod block_error;
pub mod code_block;
pub mod code_block_buffer;
pub mod code_block_groups;
pub mod control;
pub mod cqi;
pub mod effective_sinr;
pub mod feedback;
pub mod information;
pub mod link_model;
pub mod lte;
pub mod mcs;
pub mod modulation;
pub mod nr;
pub mod outer_loop;
pub mod pucch;
pub mod puncture;
pub mod receiver;
pub mod resource_grid;
pub mod sinr;
pub mod sizing;
pub mod soft_buffer;
pub mod transport_block;

pub use adaptation::{RateControl, TransportFormat};
pub use code_block::{ChannelCode, CodeBlocks, RedundancyVersion};
pub use code_block_buffer::{CodeBlockBuffer, Transmission};
pub use code_block_groups::{CodeBlockGroups, GroupBits};
pub use control::Aggregation;
pub use cqi::Cqi;
pub use link_model::LinkModel;
pub use mcs::Mcs;
pub use modulation::Modulation;
pub use outer_loop::OuterLoop;
pub use pucch::Pucch;
pub use puncture::Punctures;
pub use receiver::Receiver;
pub use resource_grid::ResourceGrid;
pub use sinr::Sinr;
pub use sizing::{Allocation, Scheme, Sizing};
pub use soft_buffer::{Reception, SoftBuffer};
pub use transport_block::{Layers, TransportBlockSize};
