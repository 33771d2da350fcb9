//! The scenarios of the speed table, each with the cost in LENA 3.37.
//!
//! LENA's figures were measured separately: ns-3.37, optimised build, callgrind of a run with two
//! durations, and the processor's clock. `docs/speed.md` lists the parts that only one of the
//! models has.

use uplane::scenario::Scenario;

/// A scenario that is simulated for two durations.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) group: Group,
    text: &'static str,
    /// Keys that the case changes.
    set: &'static [(&'static str, &'static str)],
    /// The two durations, in s.
    pub(crate) lengths: [u32; 2],
    pub(crate) lena: Option<Lena>,
}

/// The table that a row belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    /// The table of scenarios.
    Table,
    /// The table of effects: one thing changed in 3 busy cells of 21 with 10 UEs.
    Effect,
    /// The table of slopes: the counted item, and its number.
    Slope(&'static str, u32),
}

/// Cost of a simulated second in LENA 3.37.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lena {
    /// Millions of instructions.
    pub(crate) instructions: f64,
    pub(crate) cpu_seconds: f64,
}

impl Case {
    pub(crate) fn scenario(&self, seconds: u32) -> Scenario {
        let mut set = vec![("duration".to_owned(), format!("{seconds} s"))];
        if self.text.contains("[[voice]]") {
            // A packet each 20 ms, starting at 2 s.
            set.push(("voice.call.count".to_owned(), ((seconds - 2) * 50).to_string()));
        }
        set.extend(self.set.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())));
        Scenario::from_toml(self.text, self.name, &set).unwrap_or_else(|error| panic!("{error}"))
    }
}

const fn lena(instructions: f64, cpu_seconds: f64) -> Lena {
    Lena { instructions, cpu_seconds }
}

const fn row(
    name: &'static str,
    text: &'static str,
    set: &'static [(&'static str, &'static str)],
    lengths: [u32; 2],
    lena: Option<Lena>,
) -> Case {
    Case { name, group: Group::Table, text, set, lengths, lena }
}

const fn effect(name: &'static str, set: &'static [(&'static str, &'static str)]) -> Case {
    Case { name, group: Group::Effect, text: NETWORK, set, lengths: [2, 4], lena: None }
}

const fn slope(
    name: &'static str,
    of: (&'static str, u32),
    text: &'static str,
    set: &'static [(&'static str, &'static str)],
) -> Case {
    Case { name, group: Group::Slope(of.0, of.1), text, set, lengths: [2, 4], lena: None }
}

/// All rows, in the order of the tables.
pub(crate) const CASES: &[Case] = &[
    row("study 001: call and download", STUDY_001, &[], [10, 30], Some(lena(456.0, 0.048))),
    row("download, 21 Mbit/s, 50 PRB", DOWNLOAD, &[], [4, 12], Some(lena(1_195.0, 0.121))),
    row("3 busy cells of 21, 10 UEs", NETWORK, &[], [2, 6], Some(lena(7_714.0, 0.76))),
    row("3 busy cells of 21, 20 UEs", NETWORK, &[UES_20], [1, 3], Some(lena(11_500.0, 1.15))),
    row("3 busy cells of 21, 40 UEs", NETWORK, &[UES_40], [1, 3], Some(lena(21_000.0, 2.14))),
    row("3 busy cells of 21, 60 UEs", NETWORK, &[UES_60], [1, 3], Some(lena(38_000.0, 3.9))),
    row("3 busy cells of 21, 10 UEs, EPA", NETWORK, &[EPA], [2, 4], None),
    row(
        "3 busy cells of 21, 60 UEs, EPA",
        NETWORK,
        &[UES_60, EPA],
        [1, 2],
        Some(lena(100_000.0, 10.0)),
    ),
    row("3 busy cells of 21, 60 UEs, NR TDD", NR_NETWORK, &[], [1, 3], None),
    row("3 busy cells of 21, 60 UEs, NR TDD, 20 MHz", NR_NETWORK, &[MHZ_20], [1, 3], None),
    row("21 busy cells, 60 UEs", NETWORK, &[UES_60, EVERYWHERE], [1, 2], None),
    row("21 busy cells, 60 UEs, EPA", NETWORK, &[UES_60, EVERYWHERE, EPA], [1, 2], None),
    row("21 busy cells, 210 UEs, EPA", NETWORK, &[UES_210, EVERYWHERE, EPA, EVEN], [1, 2], None),
    row("1000 UEs in a cell", CROWD, &[], [1, 2], None),
    row("NR, 1.6 Gbit/s down", NR, &[], [2, 3], None),
    row("GERAN, a page of 8 objects", GERAN_PAGE, &[], [30, 50], None),
    row("TCP over a link, 21 Mbit/s", LINK_ALONE, &[], [4, 12], None),
    effect(
        "uplink interference constant",
        &[("radio.lte.network.uplink_interference", "constant")],
    ),
    effect("RLC in unacknowledged mode", &[("radio.lte.bearer.default.rlc", "um")]),
    effect("shadowing", &[("radio.lte.network.shadowing", "true")]),
    effect("EPA fading, CQI of the band", &[EPA]),
    effect("EPA fading, CQI of subbands", &[EPA, SUBBAND]),
    effect("EPA fading, two receivers", &[EPA, ("radio.lte.network.antennas", "1x2")]),
    effect("a row for each packet", &[("record.packets", "true")]),
    effect("TCP as Linux sends it", &[("tcp.default.base", "linux")]),
    effect("CoDel on the link", &[("link.sgi.aqm", "{ codel = {} }")]),
    slope("1 flow", ("flow", 1), DOWNLOAD, &[]),
    slope("4 flows", ("flow", 4), FOUR_DOWNLOADS, &[]),
    slope("25 PRB", ("PRB", 25), DOWNLOAD, &[("radio.lte.bandwidth", "5 MHz")]),
    slope("100 PRB", ("PRB", 100), DOWNLOAD, &[("radio.lte.bandwidth", "20 MHz")]),
    slope("1 busy UE in a cell", ("UE", 1), CROWD, &[("ue.ue.count", "1")]),
    slope("100 busy UEs in a cell", ("UE", 100), CROWD, &[("ue.ue.count", "100")]),
];

const UES_20: (&str, &str) = ("ue.ue.count", "20");
const UES_40: (&str, &str) = ("ue.ue.count", "40");
const UES_60: (&str, &str) = ("ue.ue.count", "60");
const UES_210: (&str, &str) = ("ue.ue.count", "210");
const EPA: (&str, &str) = ("radio.lte.network.fading", "epa");
const SUBBAND: (&str, &str) = ("radio.lte.network.cqi", "subband");
const MHZ_20: (&str, &str) = ("radio.nr.bandwidth_mhz", "20");
/// UEs in all cells, not only in those of the first site.
const EVERYWHERE: (&str, &str) = ("radio.lte.network.edge", "wrapped");
const EVEN: (&str, &str) = ("radio.lte.network.equal_per_cell", "true");

const STUDY_001: &str =
    include_str!("../../../../python/uplane/studies/001-loss-latency/honest.toml");
const DOWNLOAD: &str = include_str!("../scenarios/download-50-prb.toml");
const FOUR_DOWNLOADS: &str = concat!(
    include_str!("../scenarios/download-50-prb.toml"),
    "[[bulk]]\nname = 'second'\nopens = 'server'\n",
    "[[bulk]]\nname = 'third'\nopens = 'server'\n",
    "[[bulk]]\nname = 'fourth'\nopens = 'server'\n",
);
const NETWORK: &str = include_str!("../scenarios/21-cells.toml");
const CROWD: &str = include_str!("../scenarios/crowd.toml");
const NR_NETWORK: &str = include_str!("../scenarios/21-cells-nr.toml");
const NR: &str = include_str!("../scenarios/nr-1600-mbps.toml");
const GERAN_PAGE: &str = include_str!("../scenarios/geran-page.toml");
const LINK_ALONE: &str = include_str!("../scenarios/link-alone.toml");
