//! Power-delay profiles: the echoes of a place (TS 36.101 §B.2.1, TS 38.104 §G.2.1.1, TS 25.101
//! §B.2, TS 45.005 §C.3).
//!
//! In: the name of a profile. Out: its taps.
//!
//! Left out: the correlation of antennas: branches of a receiver fade independently here (the "low"
//! correlation of TS 36.101 §B.2.3). Who uses rank 2 in a terminal with close antennas can tell.

use crate::unit::{Duration, math};

/// A profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Profile {
    /// One path: all frequencies fade together.
    Flat,
    /// Extended pedestrian A, 43 ns.
    Epa,
    /// Extended vehicular A, 357 ns.
    Eva,
    /// Extended typical urban, 991 ns.
    Etu,
    /// Tapped delay line A of NR, 30 ns.
    TdlA30,
    /// Tapped delay line B of NR, 100 ns.
    TdlB100,
    /// Tapped delay line C of NR, 300 ns.
    TdlC300,
    /// Pedestrian A of ITU-R M.1225, 46 ns.
    PedA,
    /// Pedestrian B of ITU-R M.1225, 633 ns.
    PedB,
    /// Vehicular A of ITU-R M.1225, 370 ns.
    VehA,
    /// Six taps of a typical town, 1062 ns.
    Tu6,
}

/// One echo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tap {
    /// After the first one.
    pub delay: Duration,
    /// Its share of the power; the shares of a profile sum to 1.
    pub share: f64,
}

impl Profile {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Flat,
        Self::Epa,
        Self::Eva,
        Self::Etu,
        Self::TdlA30,
        Self::TdlB100,
        Self::TdlC300,
        Self::PedA,
        Self::PedB,
        Self::VehA,
        Self::Tu6,
    ];

    /// Its echoes, by delay.
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

    /// Its name in the table.
    const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::Flat => return None,
            Self::Epa => "EPA",
            Self::Eva => "EVA",
            Self::Etu => "ETU",
            Self::TdlA30 => "TDLA30",
            Self::TdlB100 => "TDLB100",
            Self::TdlC300 => "TDLC300",
            Self::PedA => "PedA",
            Self::PedB => "PedB",
            Self::VehA => "VehA",
            Self::Tu6 => "TU6",
        })
    }
}

/// Of one tap: the profile, its delay in nanoseconds, its power in decibels.
type Row = (&'static str, u32, f64);

static TAPS: [Row; 83] = include!("../../../data/fading_pdp.rs");

#[cfg(test)]
mod tests {
    use super::*;

    /// TS 36.101 Table B.2.1-1, TS 38.104 §G.2.1.1, TS 45.005 §C.3: the delay spreads they state.
    #[test]
    fn profiles_have_the_delay_spread_of_their_name() {
        let spreads = [0.0, 43.0, 357.0, 991.0, 30.0, 100.0, 300.0, 46.0, 633.0, 370.0, 1062.0];
        for (profile, spread) in Profile::ALL.into_iter().zip(spreads) {
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
        assert_eq!(Profile::ALL.into_iter().map(taps).sum::<usize>(), TAPS.len() + 1);
    }
}
