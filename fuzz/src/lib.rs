//! The core against inputs that no user would write.
//!
//! In: bytes, whatever they are. Out: nothing; a target panics when something does not hold that
//! must hold for every input. Each target reads its bytes as decisions (see [`Input`]), so that a
//! small change of the bytes is a small change of what happens, as a coverage-guided engine needs
//! it.
//!
//! | target | what it does | what must hold |
//! |---|---|---|
//! | `scenario_text` | any text, with overrides | a scenario, or an error with a key and a text of bounded length |
//! | `tcp_input` | forged segments at one connection end, in any state, with any profile | bytes once, in order; one input has a bounded answer |
//! | `tcp_pair` | two ends, and a network that drops, repeats and reorders | every byte once, in order; nothing waits without a timer |
//! | `rlc` | a bearer, its grants and what becomes of its PDUs | once, in order; nothing is lost in acknowledged mode |
//! | `fragments` | IP packets cut, tunnelled, cut again, shuffled | the same packets once; conservation at each place |
//! | `whole_run` | a scenario drawn over all keys of the schema, played twice | no bug, same tables, conservation |

// The adversarial connections and networks of the core's own tests.
#[allow(
    dead_code,
    unreachable_pub,
    reason = "the tests of the core draw their cases with more of it"
)]
#[path = "../../crates/uplane/tests/tcp/adversarial/case.rs"]
mod case;
#[allow(dead_code, reason = "the tests of the core look at more of it")]
#[path = "../../crates/uplane/tests/tcp/adversarial/world.rs"]
mod world;

mod draw;
pub mod fragments;
mod input;
mod profile;
pub mod rlc;
pub mod scenario_text;
pub mod tcp_input;
pub mod tcp_pair;
pub mod whole_run;

pub use input::Input;

/// A target: its name, and what it does with its input.
pub type Target = (&'static str, fn(&[u8]));

/// All fuzz targets by name.
pub const TARGETS: [Target; 6] = [
    ("scenario_text", scenario_text::run),
    ("tcp_input", tcp_input::run),
    ("tcp_pair", tcp_pair::run),
    ("rlc", rlc::run),
    ("fragments", fragments::run),
    ("whole_run", whole_run::run),
];

/// Returns the target of this name.
pub fn target(name: &str) -> Option<fn(&[u8])> {
    TARGETS.iter().find(|(known, _)| *known == name).map(|&(_, run)| run)
}
