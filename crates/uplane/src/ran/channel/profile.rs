//! Power-delay profiles: the echoes at a location (TS 36.101 §B.2.1, TS 38.104 §G.2.1.1, TS 25.101
//! §B.2).
//!
//! In: the name of a profile. Out: its taps.
//!
//! Left out: the correlation of antennas. Branches of a receiver fade independently here (the "low"
//! correlation of TS 36.101 §B.2.3). This matters for rank 2 in a terminal with close antennas.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::unit::{Duration, math};

/// Power-delay profile of fast fading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "FadingProfile")]
pub enum Profile {
    /// No fast fading.
    None,
    /// Fading without frequency selectivity: the same over the whole band.
    Flat,
    /// Extended pedestrian A (TS 36.101 Table B.2.1-2).
    #[default]
    Epa,
    /// Extended vehicular A (TS 36.101 Table B.2.1-3).
    Eva,
    /// Extended typical urban (TS 36.101 Table B.2.1-4).
    Etu,
    /// Pedestrian A of ITU-R M.1225.
    PedA,
    /// Pedestrian B of ITU-R M.1225.
    PedB,
    /// Vehicular A of ITU-R M.1225.
    VehA,
    /// Tapped delay line A of NR, delay spread 30 ns (TS 38.104 §G.2.1.1).
    TdlA30,
    /// Tapped delay line B of NR, delay spread 100 ns (TS 38.104 §G.2.1.1).
    TdlB100,
    /// Tapped delay line C of NR, delay spread 300 ns (TS 38.104 §G.2.1.1).
    TdlC300,
}

/// One echo of a profile: its delay and power.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tap {
    /// Delay after the first echo.
    pub delay: Duration,
    /// Share of the power. The shares of a profile sum to 1.
    pub share: f64,
}

impl Profile {
    /// Returns the echoes of the profile, by delay: one path for a profile without frequency
    /// selectivity.
    pub fn taps(self) -> Vec<Tap> {
        let Some(name) = self.name() else {
            return vec![Tap { delay: Duration::ZERO, share: 1.0 }];
        };
        let rows = TAPS.iter().filter(|row| row.0 == name);
        let power = |row: &Row| math::db_to_linear(row.2);
        let total: f64 = rows.clone().map(power).sum();
        let delay = |row: &Row| Duration::from_nanos(u64::from(row.1));
        rows.map(|row| Tap { delay: delay(row), share: power(row) / total }).collect()
    }

    /// Returns the name of the profile in the table.
    const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::None | Self::Flat => return None,
            Self::Epa => "EPA",
            Self::Eva => "EVA",
            Self::Etu => "ETU",
            Self::TdlA30 => "TDLA30",
            Self::TdlB100 => "TDLB100",
            Self::TdlC300 => "TDLC300",
            Self::PedA => "PedA",
            Self::PedB => "PedB",
            Self::VehA => "VehA",
        })
    }
}

/// A row of the table, for one tap: the profile, the delay in nanoseconds, the power in dB.
type Row = (&'static str, u32, f64);

static TAPS: [Row; 77] = include!("../../../data/fading_pdp.rs");

#[cfg(test)]
mod tests {
    use super::*;

    const SPREADS: [(Profile, f64); 10] = [
        (Profile::Flat, 0.0),
        (Profile::Epa, 43.0),
        (Profile::Eva, 357.0),
        (Profile::Etu, 991.0),
        (Profile::TdlA30, 30.0),
        (Profile::TdlB100, 100.0),
        (Profile::TdlC300, 300.0),
        (Profile::PedA, 46.0),
        (Profile::PedB, 633.0),
        (Profile::VehA, 370.0),
    ];

    /// TS 36.101 Table B.2.1-1, TS 38.104 §G.2.1.1: the delay spreads stated there.
    #[test]
    fn profiles_have_the_delay_spread_of_their_name() {
        for (profile, spread) in SPREADS {
            let taps = profile.taps();
            let nanos = |tap: &Tap| tap.delay.as_nanos() as f64;
            let total: f64 = taps.iter().map(|tap| tap.share).sum();
            let mean: f64 = taps.iter().map(|tap| tap.share * nanos(tap)).sum();
            let square: f64 = taps.iter().map(|tap| tap.share * nanos(tap) * nanos(tap)).sum();
            let found = (square - mean * mean).max(0.0).sqrt();
            assert!((total - 1.0).abs() < 1e-12);
            assert!((found - spread).abs() < 1.0, "{profile:?}: {found} ns");
        }
    }

    /// TS 36.101 Tables B.2.1-2 to B.2.1-4: seven, nine and nine taps.
    #[test]
    fn profiles_have_all_their_taps() {
        let taps = |profile: Profile| profile.taps().len();
        assert_eq!([Profile::Epa, Profile::Eva, Profile::Etu].map(taps), [7, 9, 9]);
        let all = SPREADS.iter().map(|&(profile, _)| taps(profile));
        assert_eq!(all.sum::<usize>(), TAPS.len() + 1);
    }
}
