//! Checks of a network of cells of any generation.

use super::super::schema::{
    CqiKind, DeploymentCase, InterferenceKind, Network as Section, UplinkInterference,
};
use super::{Checked, Checker};
use crate::ran::cell::air::{Config, Fading, Interference, Reports};
use crate::ran::channel::budget::STREET_MINIMUM_DISTANCE;
use crate::ran::channel::fading::Antennas;
use crate::ran::channel::{
    Balance, Dbm, Edge, Layout, Metres, Network, PowerControl, Profile, Speed,
};
use crate::ran::phy::ResourceGrid;
use crate::unit::{Decibel, Probability};

/// Parameters of the cell that a network repeats.
pub(super) struct RepeatedCell {
    /// Section of the cell: `radio.lte` or `radio.nr`.
    pub(super) radio: &'static str,
    /// Resource blocks of the cell.
    pub(super) grid: ResourceGrid,
    /// Subcarrier spacing, in multiples of 15 kHz.
    pub(super) spacing: u32,
    /// Number of downlink layers.
    pub(super) layers: u32,
    /// The rule that a carrier with too few resource blocks for CQI subbands breaks.
    pub(super) no_subbands: Option<&'static str>,
    /// `Ok` if MCS or block errors depend on the SINR, otherwise the rule about the cell.
    pub(super) depends: Result<(), &'static str>,
    /// Keys of its section for SINRs of all UEs, with their values.
    pub(super) sinrs: [(&'static str, Option<f64>); 2],
    /// Valid carrier frequencies.
    pub(super) band: CarrierBand,
    /// Reports of the downlink, and measurements of the uplink.
    pub(super) reports: [Reports; 2],
    /// `P_0` of uplink power control: transmit power per resource block before any compensation of
    /// path loss.
    pub(super) target: Dbm,
}

/// Valid carrier frequencies of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CarrierBand {
    /// No restriction.
    Any,
    /// Frequencies of FR1 (TS 38.104 §5.1).
    Fr1 {
        /// Bandwidth of the carrier, in MHz.
        mhz: u32,
    },
    /// Frequencies of FR2 (TS 38.104 §5.1).
    Fr2,
}

impl RepeatedCell {
    /// Returns the path of a key of the network section.
    pub(super) fn key(&self, name: &str) -> String {
        format!("{}.network.{name}", self.radio)
    }
}

impl Checker<'_> {
    /// Checks the network of `section` around a cell.
    pub(super) fn network(&self, section: &Section, cell: &RepeatedCell) -> Checked<Config> {
        self.network_cell(cell)?;
        let diverse = section.antennas == Antennas::TwoByTwo;
        let expected = format!("1, or 2 with `antennas = \"2x2\"` in {}.network", cell.radio);
        let fits = cell.layers == 1 || cell.layers == 2 && diverse;
        self.demand(fits, &format!("{}.layers", cell.radio), cell.layers, &expected)?;
        let [reports, sounding] = cell.reports;
        Ok(Config {
            geometry: self.geometry(section, cell)?,
            interference: self.interference(section, cell)?,
            fading: self.fading(section, cell)?,
            antennas: section.antennas,
            subbands: self.subbands(section, cell)?,
            reports,
            sounding,
            power: PowerControl {
                target: cell.target,
                interference_over_thermal: Decibel(section.interference_over_thermal_db),
                ..PowerControl::default()
            },
            uplink_coupled: section.uplink_interference == UplinkInterference::Coupled,
            surroundings: self.surroundings(section, cell)?,
        })
    }

    /// Refuses cells without SINRs, and SINRs as keys: the network determines them.
    fn network_cell(&self, cell: &RepeatedCell) -> Checked<()> {
        let network = format!("{}.network", cell.radio);
        if let Err(rule) = cell.depends {
            return self.wrong(&network, "", rule);
        }
        for (key, value) in cell.sinrs {
            let rule = format!(
                "has no effect with {network}: positions and interference determine SINRs; remove it"
            );
            self.require(value.is_none(), &format!("{}.{key}", cell.radio), &rule)?;
        }
        let rule = format!(
            "has no effect with {network}: the position of a UE determines its SINR; remove it"
        );
        self.no_sinrs(&rule)?;
        for (position, ue) in self.file.ue.iter().enumerate() {
            for (key, value) in [
                ("downlink_sinr_db", ue.downlink_sinr_db),
                ("uplink_sinr_db", ue.uplink_sinr_db),
                ("sinr_spread_db", ue.sinr_spread_db),
            ] {
                self.require(value.is_none(), &format!("ue.{position}.{key}"), &rule)?;
            }
        }
        Ok(())
    }

    fn geometry(&self, section: &Section, cell: &RepeatedCell) -> Checked<Network> {
        let rings = section.rings;
        let edge = section.edge;
        let wrappable = edge == Edge::Open || rings > 0;
        let expected = "\"open\", or at least one ring: a single site cannot wrap around";
        self.demand(wrappable, &cell.key("edge"), "\"wrapped\"", expected)?;
        let (mut budget, usual) = self.budget(section, cell)?;
        budget.spacing = cell.spacing;
        if !section.shadowing {
            budget.shadowing.deviation = Decibel(0.0);
        }
        let between = section.inter_site_distance_m.map_or(usual, Metres);
        let key = &cell.key("inter_site_distance_m");
        let mut network = Network::new(Layout::new(between, rings, edge), budget);
        if section.equal_per_cell {
            network.balance = Balance::EqualPerCell;
        }
        if section.case == DeploymentCase::UmiStreetCanyon {
            network.minimum_distance = STREET_MINIMUM_DISTANCE;
        }
        let expected = "a larger distance, or `shadowing = true`: at this distance no position around a site receives its own antennas best";
        self.demand(network.has_places(), key, between.0, expected)?;
        Ok(network)
    }

    fn interference(&self, section: &Section, cell: &RepeatedCell) -> Checked<Interference> {
        let key = &cell.key("neighbour_load");
        match (section.interference, section.neighbour_load) {
            (InterferenceKind::Full, None) => Ok(Interference::Full),
            (InterferenceKind::Full, Some(_)) => {
                self.wrong(key, "", "has no effect: with `interference = \"full\"` the load is 1")
            }
            (InterferenceKind::Load, Some(load)) => Ok(Interference::Load(load)),
            (InterferenceKind::Load, None) => {
                self.missing(key, "required with `interference = \"load\"`: a share from 0 to 1")
            }
            (InterferenceKind::Coupled, load) => {
                let idle = load.unwrap_or(Probability::ZERO);
                Ok(Interference::Coupled { idle })
            }
        }
    }

    fn fading(&self, section: &Section, cell: &RepeatedCell) -> Checked<Fading> {
        let speed = section.speed_kmh.unwrap_or(3.0);
        let used = section.speed_kmh.is_none() || section.depends_on_speed();
        let rule = "has no effect with `fading = \"none\"` in this `case`; remove it";
        self.require(used, &cell.key("speed_kmh"), rule)?;
        Ok(Fading { profile: section.fading, speed: Speed(speed) })
    }

    fn subbands(&self, section: &Section, cell: &RepeatedCell) -> Checked<bool> {
        if section.cqi == CqiKind::Wideband {
            return Ok(false);
        }
        let key = &cell.key("cqi");
        if let Some(expected) = cell.no_subbands {
            return self.wrong(key, "\"subband\"", expected);
        }
        let selective = !matches!(section.fading, Profile::None | Profile::Flat);
        let expected = "\"wideband\", or a frequency-selective `fading`";
        self.demand(selective, key, "\"subband\"", expected)?;
        Ok(true)
    }
}
