//! The scenario file, defined once: every section, key, unit and default.
//!
//! In: TOML, through serde, with unknown keys refused. Out: the same structure as Rust types, as
//! the manifest's effective values, and as the JSON Schema from which editors and the Python
//! builder work.
//!
//! `check` verifies that the values fit together. Enums of words belong to the model if the model
//! uses the words. Enums in this module stand for numbers of the model, such as the MCS table that
//! a modulation selects, or refer to other keys, such as the load of `interference = "load"`.

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
    counted_unit, default_sections, is_choice_of_sections, is_key, is_key_of_sections, is_list,
    member, resolved, root, rule_of_missing, takes_others,
};

/// Scenario: UEs, applications, path and radio, and the tables that a run records.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "uplane scenario")]
pub struct File {
    /// Title of the scenario, one line, for reports.
    #[serde(default)]
    pub title: String,
    /// Seed of all random draws of a run, if the command line sets none. Runs of the same scenario
    /// with the same seed have the same result.
    #[serde(default = "one")]
    #[schemars(transform = within(0, i64::MAX))]
    pub seed: u64,
    /// Maximum simulated time. A run ends earlier when all applications have finished.
    #[serde(default = "minute")]
    #[schemars(transform = within("1 ns", "1000000 s"))]
    pub duration: Duration,
    /// Radio between the UEs and the network.
    pub radio: Radio,
    /// User equipments (UEs). Default: one UE with the name "ue".
    #[serde(default = "one_ue")]
    pub ue: Vec<Ue>,
    /// Wired links, in order from the server to the base station. Without this section, the server
    /// is at the base station, without delay and rate limit between them.
    #[serde(default)]
    pub link: Vec<LinkSection>,
    /// GTP-U tunnel over some of the links, whose headers lengthen packets there. Without this
    /// section, packets cross the links without tunnel headers.
    #[serde(default)]
    pub gtpu: Option<Gtpu>,
    /// TCP parameter sets by name. Applications without a `tcp` key use the set "default".
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
    /// Greedy transfers: the sender always has data.
    #[serde(default)]
    pub bulk: Vec<Bulk>,
    /// Web pages of several objects.
    #[serde(default)]
    pub web: Vec<Web>,
    /// Series of ICMP echo requests.
    #[serde(default)]
    pub ping: Vec<Ping>,
    /// Constant-rate streams of UDP datagrams, such as voice.
    #[serde(default)]
    pub voice: Vec<Voice>,
    /// Replays of messages from a file with their times, as an application wrote them.
    #[serde(default)]
    pub replay: Vec<Replay>,
    /// Applications in Python.
    #[serde(default)]
    pub program: Vec<Program>,
    /// Tables that a run records in addition to those that every run has.
    #[serde(default)]
    pub record: Record,
}

impl File {
    /// Returns the common keys of all applications, kind by kind.
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
    /// Name of the UE. With `count` above one, the UEs are called name-1, name-2, …
    pub name: String,
    /// Number of equal UEs that this section describes.
    #[serde(default = "one_u32")]
    #[schemars(transform = within(1, 100_000).unit("UEs"))]
    pub count: u32,
    /// IP address of the UE, or of the first of `count` UEs, for packet filters and captures.
    /// Default: 10.45.0.1 for the first UE of the scenario, 10.45.0.2 for the second, and so on.
    #[serde(default)]
    pub address: Option<Address>,
    /// Downlink SINR of the UE in an LTE or NR cell, in dB. Default: `downlink_sinr_db` of the
    /// cell. An LTE cell requires one of: `mcs = "adaptive"`, `bler = "sinr"`, or 1 to 3
    /// `control_symbols`. Refused beside `downlink_sinrs`, in a network, and in an LTE cell with
    /// `rate` or `block`.
    #[serde(default)]
    #[schemars(transform = within(-30, 60).unit("dB"))]
    pub downlink_sinr_db: Option<f64>,
    /// Uplink SINR of the UE at the base station of an LTE or NR cell, in dB. Default:
    /// `uplink_sinr_db` of the cell. Requires one of: `uplink_mcs = "adaptive"`, `bler = "sinr"`;
    /// otherwise an LTE cell refuses the key, and an NR cell gives a warning. Refused beside
    /// `uplink_sinrs` and in a network.
    #[serde(default)]
    #[schemars(transform = within(-30, 60).unit("dB"))]
    pub uplink_sinr_db: Option<f64>,
    /// Downlink SINRs of the UE over time, in a cell without a network: a list, or the name of a
    /// CSV file with the columns `time` and `sinr_db`. Each SINR holds from its time until the next
    /// one; the first time is 0 s. The UE measures every 5 slots, and the base station uses the
    /// report 8 slots later. If not set, the SINR is constant.
    #[serde(default)]
    #[schemars(with = "SinrSteps")]
    pub downlink_sinrs: Vec<SinrStep>,
    /// Uplink SINRs of the UE over time, in a cell without a network: a list, or the name of a CSV
    /// file with the columns `time` and `sinr_db`. Each SINR holds from its time until the next
    /// one; the first time is 0 s. The base station measures every 10 slots and uses the result 8
    /// slots later. If not set, the SINR is constant.
    #[serde(default)]
    #[schemars(with = "SinrSteps")]
    pub uplink_sinrs: Vec<SinrStep>,
    /// Maximum random increase of the UE's SINR, in dB, added to `downlink_sinr_db` and
    /// `uplink_sinr_db` of the UE or the cell. In each run, each UE draws one increase for both
    /// directions, uniformly from 0. Default 0, no increase. Refused in a network and beside
    /// `downlink_sinrs` or `uplink_sinrs`.
    #[serde(default)]
    #[schemars(transform = within(0, 60).unit("dB"))]
    pub sinr_spread_db: Option<f64>,
    /// Number of TCP ACKs that may be queued in the UE before its ACK filter drops the older ones.
    /// Requires an `ack_filter` section with the rule `active` or `hybrid`. Default: `threshold` of
    /// that section.
    #[serde(default)]
    #[schemars(transform = within(1, u32::MAX).unit("acknowledgements"))]
    pub ack_threshold: Option<u32>,
}

/// Optional tables.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Records the table `packets`: one row for each delivered packet, with its delay by cause.
    #[serde(default)]
    pub packets: bool,
    /// Records the table `deliveries`: one row for each in-order delivery of data to a receiving
    /// application.
    #[serde(default)]
    pub deliveries: bool,
    /// Records the table `qlog`: every QUIC packet at UE and server, with its frames.
    #[serde(default)]
    pub qlog: bool,
    /// Records the table `headers`: IP, TCP, UDP and ICMP headers of every packet that UE or server
    /// sends or receives.
    #[serde(default)]
    pub headers: bool,
    /// Records the tables `transport_blocks`, `transmissions`, `rlc_pdus`, `rlc_sdus` and
    /// `radio_channels`: every block, PDU and SDU on the air of an LTE or NR cell, field by field.
    #[serde(default)]
    pub radio: bool,
    /// Records the table `critical_path`: causes that make up the duration of each transfer.
    #[serde(default)]
    pub critical_path: bool,
    /// Time between two rows of the tables `series`, `link_series`, `bearer_series` and
    /// `radio_series`: states of TCP and QUIC senders, link queues, radio bearers and radio links.
    /// If not set, these tables are not recorded.
    #[serde(default)]
    #[schemars(transform = at_least("10 us"))]
    pub series: Option<Duration>,
}

impl Ue {
    /// Returns the UE's own downlink SINR at the start of the run, in dB, if it has one.
    pub fn first_downlink_sinr_db(&self) -> Option<f64> {
        self.downlink_sinrs.first().map(|step| step.sinr_db).or(self.downlink_sinr_db)
    }

    /// Returns the UE's own uplink SINR at the start of the run, in dB, if it has one.
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
