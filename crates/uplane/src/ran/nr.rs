//! NR: the cells of [`super::cell`] with the numbers of the TS 38 series.
//!
//! In: a carrier, a TDD pattern, a profile. Out: the parameters of a cell.
//!
//! | file | content |
//! |---|---|
//! | [`bearer_settings`] | RLC and PDCP of a bearer by its 5QI, as a public base station sets them |
//! | [`slot_format`] | downlink and uplink symbols of each slot |
//! | [`timeline`] | feedback and grant times of each slot |
//! | [`mini_slots`] | feedback and grant times of each symbol, for transmissions that begin within a slot |

pub mod bearer_settings;
pub mod mini_slots;
pub mod slot_format;
pub mod timeline;

use crate::unit::base::BaseFiles;

pub use slot_format::SlotFormat;

/// The built-in profiles of a cell.
pub const PROFILES: BaseFiles = BaseFiles {
    key: "profile",
    usual: "reference",
    files: &[
        ("reference", include_str!("nr/profile/reference.toml")),
        ("commercial", include_str!("nr/profile/commercial.toml")),
        ("lena_nr", include_str!("nr/profile/lena_nr.toml")),
        ("tr37910", include_str!("nr/profile/tr37910.toml")),
        ("us_low_band_2020", include_str!("nr/profile/us_low_band_2020.toml")),
    ],
};
