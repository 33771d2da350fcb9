//! From text to a wired simulation.
//!
//! In: a scenario file, overrides, a seed. Out: the tables of one run, or an error that says what
//! to correct.
//!
//! ```
//! use uplane::scenario::{Scenario, simulate};
//!
//! let text = r#"
//!     [radio.geran]
//!     profile = "edge"
//!     rlc_rtt = "50 ms"
//!
//!     [[link]]
//!     name = "server"
//!     delay = "10 ms"
//!
//!     [[ping]]
//!     name = "echo"
//!     packet = "64 B"
//!     count = 10
//! "#;
//! let scenario = Scenario::from_toml(text, "example", &[]).expect("a valid scenario");
//! let outcome = simulate(&scenario, 1);
//! let pings = outcome.tables.iter().find(|table| table.name == "pings").expect("every run has
//! it"); assert_eq!(pings.rows(), 10);
//! ```

mod apps;
mod check;
mod error;
mod footprint;
mod in_effect;
mod plan;
pub mod quantity;
pub mod schema;
mod synonyms;
mod text;
mod world;

pub use error::ScenarioError;
pub use footprint::Footprint;
pub use text::{Beside, Reader};

use crate::ran::cell::Workers;
use crate::ran::{geran, lte, nr};
use crate::record::Table;
use crate::tcp::PROFILES;
use crate::unit::Instant;
use crate::unit::base::BaseFiles;
use plan::Plan;
use schema::File;
use world::{Facts, Play};

/// A scenario that can be run.
#[derive(Clone, Debug)]
pub struct Scenario {
    file: File,
    plan: Plan,
}

/// The result of one run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// All tables; optional ones are empty unless asked for.
    pub tables: Vec<Table>,
    /// Number of events processed.
    pub events: u64,
}

impl Scenario {
    /// Reads and checks a scenario. `source` names the text in errors; `set` holds overrides as
    /// (path, value), such as `("link.s1.delay", "5 ms")`. It has no base but built-in ones.
    pub fn from_toml(
        text: &str,
        source: &str,
        set: &[(String, String)],
    ) -> Result<Self, ScenarioError> {
        let no_file = |name: &str| -> Result<String, String> {
            Err(format!("\"{name}\" beside a text that is no file"))
        };
        Self::with_bases(text, source, set, &no_file)
    }

    /// Reads a scenario with the files that it names: base files, traces, programs.
    pub fn with_bases(
        text: &str,
        source: &str,
        set: &[(String, String)],
        reader: Reader<'_>,
    ) -> Result<Self, ScenarioError> {
        let (mut file, source) = text::read(text, source, set, reader)?;
        let plan = check::check(&file, &source)?;
        in_effect::say_values(&mut file, &plan);
        Ok(Self { file, plan })
    }

    /// Every value of the scenario, with the defaults filled in.
    pub fn effective(&self) -> serde_json::Value {
        serde_json::to_value(&self.file).expect("the schema has only JSON types")
    }

    /// Returns the seed of the scenario.
    pub fn seed(&self) -> u64 {
        self.file.seed
    }

    /// The longest simulated time of a run; one whose applications are all finished ends earlier.
    pub fn end(&self) -> Instant {
        self.plan.end
    }

    /// Estimated memory of a run before its first event: what wiring the network takes.
    pub fn wired_bytes(&self) -> u64 {
        footprint::wired(&self.plan)
    }

    /// The most rows and memory that a run takes, as far as files, rates and durations say.
    pub fn foretold(&self) -> Footprint {
        footprint::foretold(&self.plan, &world::declare())
    }

    /// The JSON Schema of scenario files.
    pub fn json_schema() -> serde_json::Value {
        schema::root().clone()
    }
}

/// The names of the built-in TCP profiles, usable as `base` and as `tcp`.
pub fn tcp_profiles() -> Vec<&'static str> {
    PROFILES.names().collect()
}

/// The built-in base files: the section that names each, its name and its text.
pub fn profiles() -> Vec<(&'static str, &'static str, &'static str)> {
    let of = |section, all: BaseFiles| {
        all.files.iter().map(move |&(name, text)| (section, name, text)).collect::<Vec<_>>()
    };
    let radios = [
        ("radio.lte", lte::PROFILES),
        ("radio.nr", nr::PROFILES),
        ("radio.geran", geran::PROFILES),
    ];
    let radios = radios.into_iter().flat_map(|(section, all)| of(section, all));
    of("tcp", PROFILES).into_iter().chain(radios).collect()
}

/// Runs the scenario once with this seed. The same scenario and seed give the same bytes.
pub fn simulate(scenario: &Scenario, seed: u64) -> Outcome {
    let mut simulation = Simulation::new(scenario, seed);
    while !simulation.advance(u64::MAX) {}
    simulation.finish()
}

/// A run that is made in parts, for callers that show progress or may stop it.
///
/// The parts have no influence on the result.
pub struct Simulation<'a> {
    play: Play<'a>,
}

impl<'a> Simulation<'a> {
    /// A run before its first event.
    pub fn new(scenario: &'a Scenario, seed: u64) -> Self {
        Self { play: Play::begin(&scenario.plan, seed) }
    }

    /// The cells of a network, if there is one, are worked on at the same time by these threads.
    /// The result has the same bytes with any number of them.
    pub fn employ(&mut self, workers: Box<dyn Workers>) {
        self.play.employ(workers);
    }

    /// Processes up to `events` further events. Returns `true` if the run is over.
    pub fn advance(&mut self, events: u64) -> bool {
        self.play.advance(events)
    }

    /// Returns the simulated time.
    pub fn now(&self) -> Instant {
        self.play.now()
    }

    /// Rows and estimated memory so far.
    pub fn footprint(&self) -> Footprint {
        self.play.footprint()
    }

    /// Ends the run here and returns its result.
    pub fn finish(self) -> Outcome {
        let Facts { tables, events } = self.play.finish();
        Outcome { tables, events }
    }
}
