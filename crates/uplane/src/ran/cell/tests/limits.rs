//! The limits that a downlink scheduler counts, against counts by hand.

use super::*;
use crate::ran::cell::limits::SlotLimits;
use crate::ran::mac::control_channel;
use crate::ran::phy::lte::Bandwidth;

const UES: u32 = 3;
const MS: u64 = 100;

fn config() -> Config {
    let mut config = preset::system_level(Bandwidth::Mhz10, vec![Conditions::default()]);
    config.downlink.channel.link = LinkModel::Ideal;
    config
}

/// Sends each UE a packet of `bytes` in each of the first 100 TTIs. Returns the limits of the
/// downlink.
fn limits(config: &Config, bytes: u64) -> SlotLimits {
    let mut bench = Bench::new(config, UES, 1);
    for ms in 0..MS {
        let at = Instant::ZERO + Duration::from_millis(ms);
        (0..UES).for_each(|ue| bench.send(at, Direction::Down, ue, bytes));
    }
    bench.run_until(Instant::ZERO + Duration::from_secs(60));
    assert_eq!(bench.delivered.len() as u64, MS * u64::from(UES));
    bench.cell.statistics().down_limits
}

/// One UE per TTI of three with data: after the last packets, two more TTIs serve the other two,
/// and only the last leaves nobody waiting. Two UEs per TTI leave one. Three leave none.
#[test]
fn ttis_with_too_few_ues_are_counted() {
    for (ues_per_slot, scheduled, limited) in [(1, MS + 2, MS + 1), (2, MS + 1, MS), (3, MS, 0)] {
        let mut config = config();
        config.downlink.channel.ues_per_slot = ues_per_slot;
        let ues = SlotLimits { scheduled, limited, ues: limited, ..SlotLimits::default() };
        assert_eq!(limits(&config, 100), ues, "{ues_per_slot} UEs per slot");
    }
}

/// One control channel element, which one assignment takes: as with one UE per TTI.
#[test]
fn ttis_with_too_few_control_channel_elements_are_counted() {
    let mut config = config();
    config.control_channel = Some(control_channel::Config::of(1));
    let counted = limits(&config, 100);
    let (scheduled, limited) = (MS + 2, MS + 1);
    let cces = SlotLimits { scheduled, limited, cces: limited, ..SlotLimits::default() };
    assert_eq!(counted, cces);
}

/// Three UEs that want more than a TTI carries: all TTIs but the last are full.
#[test]
fn ttis_with_too_few_resource_blocks_are_counted() {
    let counted = limits(&config(), 8_000);
    let SlotLimits { scheduled, limited, .. } = counted;
    assert!(scheduled > 2 * MS && limited == scheduled - 1, "{counted:?}");
    let units = SlotLimits { scheduled, limited, units: limited, ..SlotLimits::default() };
    assert_eq!(counted, units);
}
