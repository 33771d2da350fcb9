//! Cells for the tests of this folder, similar to the profiles.
//!
//! In: a few numbers. Out: complete configurations.

use crate::ran::cell::config::{
    Access, Capacity, Channel, Conditions, Config, Downlink, DownlinkQueueView, Tti, Uplink,
};
use crate::ran::cell::{Carrier, Groups};
use crate::ran::mac::buffer_status::{self, Interval, Levels};
use crate::ran::mac::grant::{self, OnRequest, Repeated};
use crate::ran::mac::harq::Discipline;
use crate::ran::mac::header::SubHeaders;
use crate::ran::mac::scheduler::Metric;
use crate::ran::mac::scheduling_request::{self, Offset};
use crate::ran::mac::sharing::Sharing;
use crate::ran::mac::timing::{Delay, Timing};
use crate::ran::mac::{control_channel, harq};
use crate::ran::phy::feedback::FeedbackErrors;
use crate::ran::phy::lte::numerology::pusch_res_per_prb;
use crate::ran::phy::lte::{self, AntennaPorts, Bandwidth, Cfi, McsTable, pdcch};
use crate::ran::phy::{LinkModel, RateControl, Receiver, Sizing};
use crate::ran::{Phase, bearer, pdcp, rlc};
use crate::unit::{Bitrate, Bytes, Duration, Probability};

/// The variants of the TTI study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TtiStudy {
    /// One outstanding request, unlimited grants, and blocks filled three TTIs before their
    /// transmission.
    Literal,
    /// Small grants, a request at every opportunity, and blocks filled at their transmission.
    SmallGrants {
        /// Size of the grant for a request with a TTI of 1 ms.
        grant_per_ms: Bytes,
    },
}

/// Returns a cell of the TTI study (TR 36.912 annex B.2 timing, scaled with the TTI): a constant
/// downlink rate, no errors, and headers without cost.
pub fn tti_study(tti: Tti, request_period: u64, rate: Bitrate, variant: TtiStudy) -> Config {
    let (access, fill, on_request, repeated) = match variant {
        TtiStudy::Literal => {
            (Access::Standard, Delay::ttis(3), OnRequest::Unlimited, Repeated::Ignore)
        }
        TtiStudy::SmallGrants { grant_per_ms } => (
            Access::EagerRequests,
            Delay::NONE,
            OnRequest::PerMillisecond(grant_per_ms),
            Repeated::GrantEach,
        ),
    };
    let request = scheduling_request::Config {
        period: request_period,
        offset: Offset::Random,
        ..Default::default()
    };
    let report = buffer_status::Config {
        periodic: Some(Interval::EveryBlock),
        levels: Levels::Exact,
        ..Default::default()
    };
    let grants = grant::Policy { on_request, repeated, header_share: 0.0, ..Default::default() };
    Config {
        tti,
        phase: Phase::Random,
        timing: Timing { fill_to_uplink: fill, ..Timing::standard() },
        slots: None,
        downlink: Downlink {
            channel: Channel::ideal(Capacity::Rate(rate), harq::Config::downlink()),
            outer_loop: false,
            queue_view: DownlinkQueueView::Exact,
            sps: None,
            drx: None,
            urgent: None,
        },
        uplink: Uplink {
            channel: Channel::ideal(Capacity::Unlimited, harq::Config::uplink()),
            discipline: Discipline::Synchronous,
            outer_loop: false,
            access,
            request,
            report,
            grants,
            more_requests: Vec::new(),
            request_delay: Duration::ZERO,
            random_access: None,
            pucch: None,
        },
        control_channel: None,
        feedback: FeedbackErrors::NONE,
        sub_headers: SubHeaders::NONE,
        bearers: vec![without_headers(bearer::Config::default_bearer())],
        aggregate_maximum: None,
        uplink_aggregate_maximum: None,
        conditions: Vec::new(),
        spreads: Vec::new(),
        sinrs: Vec::new(),
        handover: None,
        rrc: None,
        ack_filters: Vec::new(),
        secondaries: Vec::new(),
        carries_uplink: false,
        activation: None,
    }
}

/// Returns the bearer with PDCP and UM RLC headers that cost nothing.
pub fn without_headers(mut bearer: bearer::Config) -> bearer::Config {
    for pdcp in bearer.pdcp.iter_mut() {
        pdcp.sn_length = pdcp::SnLength::Uncounted;
    }
    for rlc in bearer.rlc.iter_mut() {
        if let rlc::Config::Um(um) = rlc {
            um.sn_length = rlc::um::SnLength::Uncounted;
        }
    }
    bearer
}

/// Returns the cell of the LTE module of ns-3 (2018) with UEs near the eNB. Radio: the highest
/// scheme, no errors, slots that begin with the run. Scheduling: ideal reports, equal shares for
/// the bearers of a UE; the downlink scheduler knows queues by reports and allocates whole resource
/// block groups. No MAC headers. Buffers of 10 240 bytes, unless a bearer sets another size.
pub fn lena(bandwidth: Bandwidth, mut bearers: Vec<bearer::Config>) -> Config {
    bearers.iter_mut().for_each(set_lena_buffers);
    let highest = RateControl::FixedMcs(McsTable::Pdsch64Qam.highest());
    let carrier = |prbs, table, res_per_prb| Carrier {
        prbs,
        by_slot: None,
        allocation: Groups::All,
        sizing: Sizing::Lte(lte::Sizing::subframe(table, res_per_prb)),
        rate_control: highest,
        receiver: Receiver::Ideal,
    };
    let channel = |capacity, harq| Channel {
        metric: Metric::ProportionalFair,
        averaging_slots: 99,
        sharing: Sharing::Equal,
        ..Channel::ideal(capacity, harq)
    };
    let down = carrier(
        bandwidth.prbs_of_whole_rbgs(),
        McsTable::Pdsch64Qam,
        bandwidth.pdsch_res_per_prb(Cfi::One, AntennaPorts::One),
    );
    // The module uses the downlink's table in both directions.
    let up = carrier(bandwidth.prbs(), McsTable::Pdsch64Qam, pusch_res_per_prb(false));
    Config {
        tti: Tti::SUBFRAME,
        phase: Phase::Fixed(Duration::ZERO),
        timing: Timing::lena(),
        slots: None,
        downlink: Downlink {
            channel: channel(Capacity::Carrier(down), harq::Config::downlink()),
            outer_loop: false,
            queue_view: DownlinkQueueView::Reports,
            sps: None,
            drx: None,
            urgent: None,
        },
        uplink: Uplink {
            channel: channel(Capacity::Carrier(up), harq::Config::downlink()),
            discipline: Discipline::Synchronous,
            outer_loop: false,
            access: Access::IdealReports,
            request: scheduling_request::Config::default(),
            report: buffer_status::Config::default(),
            grants: grant::Policy { header_share: 0.0, ..Default::default() },
            more_requests: Vec::new(),
            request_delay: Duration::ZERO,
            random_access: None,
            pucch: None,
        },
        control_channel: None,
        feedback: FeedbackErrors::NONE,
        sub_headers: SubHeaders::NONE,
        bearers,
        aggregate_maximum: None,
        uplink_aggregate_maximum: None,
        conditions: vec![Conditions::default()],
        spreads: Vec::new(),
        sinrs: Vec::new(),
        handover: None,
        rrc: None,
        ack_filters: Vec::new(),
        secondaries: Vec::new(),
        carries_uplink: false,
        activation: None,
    }
}

/// Sets the RLC parameters of ns-3 for unacknowledged mode. A buffer that is set stays.
fn set_lena_buffers(bearer: &mut bearer::Config) {
    for rlc in bearer.rlc.iter_mut() {
        if let rlc::Config::Um(um) = rlc {
            um.buffer = um.buffer.or(Some(Bytes(10_240)));
            um.t_reordering = Duration::from_millis(100);
        }
    }
}

/// Returns a carrier with link adaptation for 10 % first errors.
fn carrier(prbs: u32, allocation: Groups, res_per_prb: u32, table: McsTable) -> Carrier {
    Carrier {
        prbs,
        by_slot: None,
        allocation,
        sizing: Sizing::Lte(lte::Sizing::subframe(table, res_per_prb)),
        rate_control: RateControl::Adaptive(Probability::new(0.1).expect("a probability")),
        receiver: Receiver::Ideal,
    }
}

/// Returns a cell as in system-level studies: link adaptation with 10 % first errors, HARQ,
/// requests every 10 TTIs, a control channel of three symbols, proportional fair scheduling.
pub fn system_level(bandwidth: Bandwidth, conditions: Vec<Conditions>) -> Config {
    let ports = AntennaPorts::One;
    let down = carrier(
        bandwidth.prbs(),
        Groups::Of(bandwidth.rbg_size()),
        bandwidth.pdsch_res_per_prb(Cfi::Three, ports),
        McsTable::Pdsch64Qam,
    );
    let up = carrier(
        bandwidth.prbs() - bandwidth.pucch_prbs(),
        Groups::Products,
        pusch_res_per_prb(false),
        McsTable::Pusch16Qam,
    );
    let elements = pdcch::cces(bandwidth, Cfi::Three, ports);
    let channel = |capacity, harq, metric| Channel {
        link: LinkModel::Sinr(Receiver::Ideal),
        metric,
        ..Channel::ideal(capacity, harq)
    };
    Config {
        tti: Tti::SUBFRAME,
        phase: Phase::Random,
        timing: Timing::standard(),
        slots: None,
        downlink: Downlink {
            channel: channel(
                Capacity::Carrier(down),
                harq::Config::downlink(),
                Metric::ProportionalFair,
            ),
            outer_loop: true,
            queue_view: DownlinkQueueView::Exact,
            sps: None,
            drx: None,
            urgent: None,
        },
        uplink: Uplink {
            channel: channel(Capacity::Carrier(up), harq::Config::uplink(), Metric::RoundRobin),
            discipline: Discipline::Synchronous,
            outer_loop: true,
            access: Access::Standard,
            request: scheduling_request::Config::default(),
            report: buffer_status::Config::default(),
            grants: grant::Policy::default(),
            more_requests: Vec::new(),
            request_delay: Duration::ZERO,
            random_access: None,
            pucch: None,
        },
        control_channel: Some(control_channel::Config::of(elements)),
        feedback: FeedbackErrors::default(),
        sub_headers: SubHeaders::LTE,
        bearers: vec![bearer::Config::default_bearer()],
        aggregate_maximum: None,
        uplink_aggregate_maximum: None,
        conditions,
        spreads: Vec::new(),
        sinrs: Vec::new(),
        handover: None,
        rrc: None,
        ack_filters: Vec::new(),
        secondaries: Vec::new(),
        carries_uplink: false,
        activation: None,
    }
}
