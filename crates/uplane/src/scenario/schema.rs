//! The scenario file, defined once: every section, key, unit and default.
//!
//! In: TOML, through serde, with unknown keys refused. Out: the same structure as Rust types, as
//! the manifest's effective values, and as the JSON Schema from which editors and the Python
//! builder work.
//!
//! Whether the values make sense together is not said here but in `check`. A word of the model is
//! the model's own enum. Those that stand here are words for what the model has as numbers, or
//! whose numbers stand in other keys: the table that a bandwidth and a modulation choose, the load
//! that
//! `interference = "load"` is about.

mod ack_filter;
mod bearer;
mod configured_grant;
mod downlink_sps;
mod drx;
mod en_dc;
mod handover;
mod lookup;
mod lte;
mod lte_words;
mod mini_slots;
mod network;
mod nr;
mod nr_bearer;
mod nr_carrier;
mod nr_urgent;
mod nr_words;
mod path;
mod pucch;
mod rach;
mod radio;
mod rrc;
mod scheduling_request;
mod search_space;
mod steps;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use ack_filter::{AckFilter, AckFilterRule};
pub use bearer::{Bearer, BothWays, PacketFilter, RlcMode, Rohc};
pub use configured_grant::{ConfiguredGrant, RvSequence as NrRvSequence};
pub use downlink_sps::DownlinkSps;
pub use drx::Drx;
pub use en_dc::{
    BearerType, Duplication, EnDc, EnDcCells, PrimaryPath, SplitThreshold, Termination,
};
pub use handover::{Forwarding, Handover};
pub use lte::{Feedback, Lte, LteProfile, Modulation, ProactiveGrants, Sps};
pub use lte_words::{
    Allocation, Bler, ControlSymbols, McsChoice, SrPeriod, TimingRule, UplinkModulation,
    UplinkPrbs, UplinkTransmissions,
};
pub use mini_slots::{Mapping as NrMapping, MiniSlots};
pub use network::{
    BeamSection, BlockageSection, CqiKind, DeploymentCase, InterferenceKind, LineOfSightKind,
    Network, UplinkInterference,
};
pub use nr::{Nr, NrProfile};
pub use nr_bearer::{NrBearer, SdapHeader};
pub use nr_carrier::{CarrierUplink, SecondaryCarrier};
pub use nr_urgent::{Preemption, UrgentBlocks};
pub use nr_words::{GnbTime, GrantPeriod, Modulation as NrModulation, Reordering as NrReordering};
pub use path::{Gtpu, LinkSection, OneWay};
pub use pucch::Pucch;
pub use rach::Rach;
pub use radio::{Fixed, Radio};
pub use rrc::{AlignedFor, IdleAfter, Rrc, RrcInactive, SmallData, SmallDataGrant};
pub use scheduling_request::SchedulingRequest;
pub use search_space::SearchSpace;
use steps::SinrSteps;

use super::apps::for_each_application;
pub use super::apps::{Bulk, Common, Download, Ping, Program, Replay, Upload, Voice, Web};
use super::quantity::Address;
use crate::quic;
use crate::ran::cell::air::SinrStep;
use crate::tcp;
use crate::unit::Duration;
use crate::unit::range::{at_least, within};
pub(super) use lookup::{
    default_sections, expected_at, is_choice_of_sections, is_key, is_key_of_sections, is_list,
    member, resolved, root, takes_others,
};

/// A scenario: who talks to whom, over which path and radio, and what is written down.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "uplane scenario")]
pub struct File {
    /// One line for reports.
    #[serde(default)]
    pub title: String,
    /// The seed when none is given at the command line.
    #[serde(default = "one")]
    #[schemars(transform = within(0, i64::MAX))]
    pub seed: u64,
    /// The longest simulated time; a run whose applications are all finished ends earlier.
    #[serde(default = "minute")]
    #[schemars(transform = within("1 ns", "1000000 s"))]
    pub duration: Duration,
    /// The radio between the UEs and the network.
    pub radio: Radio,
    /// The user equipments; one called "ue" when there is no such section.
    #[serde(default = "one_ue")]
    pub ue: Vec<Ue>,
    /// The wired links, in order from the server to the base station.
    #[serde(default)]
    pub link: Vec<LinkSection>,
    /// A GTP-U tunnel over some of the links.
    #[serde(default)]
    pub gtpu: Option<Gtpu>,
    /// TCP parameter sets by name; applications without a `tcp` key use the one called "default".
    #[serde(default)]
    pub tcp: BTreeMap<String, tcp::Profile>,
    /// QUIC parameter sets by name, for applications with a `quic` key.
    #[serde(default)]
    pub quic: BTreeMap<String, quic::Profile>,
    /// Downloads of one file.
    #[serde(default)]
    pub download: Vec<Download>,
    /// Uploads of one file.
    #[serde(default)]
    pub upload: Vec<Upload>,
    /// Greedy transfers without end.
    #[serde(default)]
    pub bulk: Vec<Bulk>,
    /// Web pages.
    #[serde(default)]
    pub web: Vec<Web>,
    /// Pings.
    #[serde(default)]
    pub ping: Vec<Ping>,
    /// Constant-rate streams of datagrams, such as voice.
    #[serde(default)]
    pub voice: Vec<Voice>,
    /// Messages of a file at their times: what an application wrote.
    #[serde(default)]
    pub replay: Vec<Replay>,
    /// Applications in Python.
    #[serde(default)]
    pub program: Vec<Program>,
    /// Tables that are recorded besides those that every run has.
    #[serde(default)]
    pub record: Record,
}

impl File {
    /// What the sections of all applications have in common, kind by kind.
    pub fn applications(&self) -> Vec<Common<'_>> {
        let mut all = Vec::new();
        for_each_application!(self, |position, section, kind| all
            .push(section.common(kind, position)));
        all
    }
}

/// One UE, or several equal ones.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ue {
    /// Its name; with a count above one, the UEs are called name-1, name-2, ….
    pub name: String,
    /// How many.
    #[serde(default = "one_u32")]
    #[schemars(transform = within(1, 100_000).unit("UEs"))]
    pub count: u32,
    /// Its address, or that of the first of several, for packet filters; without, 10.45.0.1 for the
    /// first UE of the scenario, 10.45.0.2 for the second, and so on.
    #[serde(default)]
    pub address: Option<Address>,
    /// Its SINR in the downlink of an LTE or NR cell, in dB; that of the cell without.
    #[serde(default)]
    #[schemars(transform = within(-30, 60).unit("dB"))]
    pub downlink_sinr_db: Option<f64>,
    /// Its SINR at the eNB, in dB; that of the cell without.
    #[serde(default)]
    #[schemars(transform = within(-30, 60).unit("dB"))]
    pub uplink_sinr_db: Option<f64>,
    /// Its SINR in the downlink over time instead, in a cell without a network; the first from 0 s
    /// on. The base station knows of a change by the next report, which is made each 5 slots and
    /// known 8 slots later. The name of a CSV file with the columns time and `sinr_db` does the
    /// same.
    #[serde(default)]
    #[schemars(with = "SinrSteps")]
    pub downlink_sinrs: Vec<SinrStep>,
    /// SINR in the uplink over time, or the name of such a file. The base station measures it each
    /// 10 slots and knows it 8 slots later.
    #[serde(default)]
    #[schemars(with = "SinrSteps")]
    pub uplink_sinrs: Vec<SinrStep>,
    /// By how much it may be better off than that, both ways alike: drawn for each run, from zero
    /// to this, in dB.
    #[serde(default)]
    #[schemars(transform = within(0, 60).unit("dB"))]
    pub sinr_spread_db: Option<f64>,
    /// The threshold of its ACK filter; that of the cell's filter without.
    #[serde(default)]
    #[schemars(transform = within(1, u32::MAX).unit("acknowledgements"))]
    pub ack_threshold: Option<u32>,
}

/// Optional tables.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The table `packets`: the ledger of every delivered packet.
    #[serde(default)]
    pub packets: bool,
    /// The table `deliveries`: every in-order delivery of application data.
    #[serde(default)]
    pub deliveries: bool,
    /// The table `qlog`: every packet of QUIC at both ends, with its frames.
    #[serde(default)]
    pub qlog: bool,
    /// The table `headers`: the IP, TCP, UDP and ICMP headers of every packet at both hosts.
    #[serde(default)]
    pub headers: bool,
    /// The tables `transport_blocks`, `transmissions`, `rlc_pdus`, `rlc_sdus` and `radio_channels`:
    /// all that is on the air of an LTE or NR cell, field by field.
    #[serde(default)]
    pub radio: bool,
    /// The table `critical_path`: what the time of each transfer is made of.
    #[serde(default)]
    pub critical_path: bool,
    /// The tables `series`, `link_series`, `bearer_series` and `radio_series`: the state of each
    /// sender of TCP or QUIC, of the queues of links and of radio bearers, and of the radio links
    /// at this interval.
    #[serde(default)]
    #[schemars(transform = at_least("10 us"))]
    pub series: Option<Duration>,
}

impl Ue {
    /// Its SINR in the downlink at the start, where it has one of its own, in dB.
    pub fn first_downlink_sinr_db(&self) -> Option<f64> {
        self.downlink_sinrs.first().map(|step| step.sinr_db).or(self.downlink_sinr_db)
    }

    /// The same of the uplink.
    pub fn first_uplink_sinr_db(&self) -> Option<f64> {
        self.uplink_sinrs.first().map(|step| step.sinr_db).or(self.uplink_sinr_db)
    }
}

fn one() -> u64 {
    1
}

fn one_u32() -> u32 {
    1
}

fn minute() -> Duration {
    Duration::from_secs(60)
}

fn one_ue() -> Vec<Ue> {
    vec![Ue {
        name: "ue".to_owned(),
        count: 1,
        address: None,
        downlink_sinr_db: None,
        uplink_sinr_db: None,
        downlink_sinrs: Vec::new(),
        uplink_sinrs: Vec::new(),
        sinr_spread_db: None,
        ack_threshold: None,
    }]
}
