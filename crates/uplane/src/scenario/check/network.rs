//! Checks of an LTE network.

use super::super::schema::{
    CqiKind, DeploymentCase, InterferenceKind, Lte, Network as Section, UplinkInterference,
};
use super::lte::times_15_khz;
use super::{Checked, Checker};
use crate::net::Direction;
use crate::ran::channel::budget::STREET_MINIMUM_DISTANCE;
use crate::ran::channel::fading::Antennas;
use crate::ran::channel::{Balance, Edge, Layout, Metres, Network, PowerControl, Profile, Speed};
use crate::ran::lte::air::{Config, Fading, Interference, Reports};
use crate::ran::phy::lte::Bandwidth;
use crate::unit::{Decibel, Probability};

impl Checker<'_> {
    /// The network around the cell of `section`, if it has one.
    pub(super) fn network(&self, section: &Lte) -> Checked<Option<Config>> {
        let two = section.layers == 2;
        let Some(network) = section.network else { return Ok(None) };
        self.network_cell(section)?;
        let diverse = network.antennas == Antennas::TwoByTwo;
        let expected = "1, or antennas = \"2x2\" in radio.lte.network";
        self.demand(!two || diverse, "radio.lte.layers", section.layers, expected)?;
        let geometry = self.geometry(section, &network)?;
        Ok(Some(Config {
            geometry,
            interference: self.interference(&network)?,
            fading: self.fading(&network)?,
            antennas: network.antennas,
            subbands: self.subbands(section, &network)?,
            reports: Reports { period: network.cqi_period, delay: network.cqi_delay },
            sounding: Reports { period: 10, delay: 8 },
            power: PowerControl {
                interference_over_thermal: Decibel(network.interference_over_thermal_db),
                ..PowerControl::default()
            },
            uplink_coupled: network.uplink_interference == UplinkInterference::Coupled,
            surroundings: self.surroundings(&network)?,
        }))
    }

    /// What a cell of a network cannot have.
    fn network_cell(&self, section: &Lte) -> Checked<()> {
        let depends = Direction::BOTH.iter().any(|&way| section.depends_on_sinr(way));
        let expected = "a cell whose schemes or errors depend on the SINR, without `rate` and `block`: mcs = \"adaptive\", uplink_mcs = \"adaptive\" or bler = \"sinr\"";
        let blocks = section.rate.is_none() && section.block.is_none();
        self.demand(blocks && depends, "radio.lte.network", "a cell without SINRs", expected)?;
        for (key, value) in [
            ("downlink_sinr_db", section.downlink_sinr_db),
            ("uplink_sinr_db", section.uplink_sinr_db),
        ] {
            let expected = "no such key beside radio.lte.network: places and interference give it";
            let key = format!("radio.lte.{key}");
            self.demand(value.is_none(), &key, value.unwrap_or_default(), expected)?;
        }
        self.no_sinrs("no such list with radio.lte.network: the place of the UE gives its SINR")?;
        for (position, ue) in self.file.ue.iter().enumerate() {
            for (key, value) in [
                ("downlink_sinr_db", ue.downlink_sinr_db),
                ("uplink_sinr_db", ue.uplink_sinr_db),
                ("sinr_spread_db", ue.sinr_spread_db),
            ] {
                let expected = "no such key with radio.lte.network: the place of the UE gives it";
                let key = format!("ue.{position}.{key}");
                self.demand(value.is_none(), &key, value.unwrap_or_default(), expected)?;
            }
        }
        Ok(())
    }

    fn geometry(&self, cell: &Lte, section: &Section) -> Checked<Network> {
        let rings = section.rings;
        let edge = section.edge;
        let wrappable = edge == Edge::Open || rings > 0;
        let expected =
            "\"open\": a single site has nobody to wrap around to; or rings = 1 and more";
        self.demand(wrappable, "radio.lte.network.edge", "\"wrapped\"", expected)?;
        let (mut budget, usual) = self.budget(section, cell.bandwidth)?;
        budget.spacing = times_15_khz(cell);
        if !section.shadowing {
            budget.shadowing.deviation = Decibel(0.0);
        }
        let between = section.inter_site_distance_m.map_or(usual, Metres);
        let key = "radio.lte.network.inter_site_distance_m";
        let mut network = Network::new(Layout::new(between, rings, edge), budget);
        if section.equal_per_cell {
            network.balance = Balance::EqualPerCell;
        }
        if section.case == DeploymentCase::UmiStreetCanyon {
            network.minimum_distance = STREET_MINIMUM_DISTANCE;
        }
        let expected = "a distance at which places around a site hear its own antennas best: here another site's beams reach them from above; more metres, or shadowing";
        self.demand(network.has_places(), key, between.0, expected)?;
        Ok(network)
    }

    fn interference(&self, section: &Section) -> Checked<Interference> {
        let key = "radio.lte.network.neighbour_load";
        match (section.interference, section.neighbour_load) {
            (InterferenceKind::Full, None) => Ok(Interference::Full),
            (InterferenceKind::Full, Some(load)) => {
                let expected = "no load: with interference = \"full\" it is 1";
                self.wrong(key, &load.value().to_string(), expected)
            }
            (InterferenceKind::Load, Some(load)) => Ok(Interference::Load(load)),
            (InterferenceKind::Load, None) => {
                self.wrong(key, "nothing", "the load that interference = \"load\" is about")
            }
            (InterferenceKind::Coupled, load) => {
                let idle = load.unwrap_or(Probability::ZERO);
                Ok(Interference::Coupled { idle })
            }
        }
    }

    fn fading(&self, section: &Section) -> Checked<Fading> {
        let speed = section.speed_kmh.unwrap_or(3.0);
        let key = "radio.lte.network.speed_kmh";
        let used = section.speed_kmh.is_none() || section.depends_on_speed();
        self.demand(
            used,
            key,
            speed,
            "no speed with fading = \"none\": nothing else depends on it",
        )?;
        Ok(Fading { profile: section.fading, speed: Speed(speed) })
    }

    fn subbands(&self, section: &Lte, network: &Section) -> Checked<bool> {
        if network.cqi == CqiKind::Wideband {
            return Ok(false);
        }
        let key = "radio.lte.network.cqi";
        let bandwidth = section.bandwidth;
        let expected = "\"wideband\": 1.4 MHz have no subbands (TS 36.213 Table 7.2.1-3)";
        self.demand(bandwidth > Bandwidth::Mhz1_4, key, "\"subband\"", expected)?;
        let selective = !matches!(network.fading, Profile::None | Profile::Flat);
        let expected = "\"wideband\", or a fading that differs over the band";
        self.demand(selective, key, "\"subband\"", expected)?;
        Ok(true)
    }
}
