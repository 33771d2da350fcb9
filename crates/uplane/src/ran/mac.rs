//! Medium access control (TS 36.321, TS 38.321): the UEs that may send, their times, and the sizes
//! of their blocks.
//!
//! In: data waiting in each bearer, reports, occasions, results of transmissions. Out: requests,
//! grants, shares of transport blocks, an order of UEs.
//!
//! Each file has one entity. None keeps time or draws random numbers, and all count time in slots
//! of one [`timing::Clock`]. [`super::cell`] makes a cell of them.
//!
//! | at the UE | at the eNB | both |
//! |---|---|---|
//! | [`scheduling_request`], [`sr_configurations`]: scheduling requests, of one SR configuration and of all | [`estimate`]: estimate of the UE's buffers | [`timing`], [`timeline`]: the clock and all delays |
//! | [`random_access`]: preambles and their results | | |
//! | [`buffer_status`]: buffer status reports | [`grant`]: sizes of grants | [`header`]: lengths of sub-headers |
//! | [`prioritisation`]: sharing a grant | [`sharing`]: sharing a downlink block | [`harq`]: retransmission of blocks |
//! | | [`scheduler`]: the order of UEs | [`configured_grant`]: occasions and activation of configured grants |
//! | | [`downlink_sps`]: downlink blocks without control messages | |
//! | | [`queue_report`]: a scheduler's view of a downlink queue | |
//! | | [`control_channel`], [`search_space`]: control channel elements for grants, by number or by place | |
//! | | [`group_rates`]: rates of the uplink | |
//! | | [`served_groups`]: groups that a carrier carries | [`serving_cells`]: a set of a UE's carriers |
//! | | | [`status_pdus`]: data after a STATUS PDU |
//! | | [`bit_rates`]: guaranteed and maximum rates | |
//! | | [`drx`]: slots in which a UE reads the control channel | |
//!
//! Left out: multiplexing of signalling bearers, power headroom reports, timing advance. A UE stays
//! connected and synchronised; this matters for studies of battery life, or of the first packet
//! after minutes.

pub mod bit_rates;
pub mod buffer_status;
pub mod configured_grant;
pub mod control_channel;
pub mod downlink_sps;
pub mod drx;
pub mod estimate;
pub mod grant;
pub mod group_rates;
pub mod harq;
pub mod header;
pub mod prioritisation;
pub mod queue_report;
pub mod random_access;
pub mod scheduler;
pub mod scheduling_request;
pub mod search_space;
pub mod served_groups;
pub mod serving_cells;
pub mod sharing;
pub mod sr_configurations;
pub mod status_pdus;
pub mod timeline;
pub mod timing;
