//! Plays inputs: `uplane-fuzz TARGET FILE…`. With the feature `libfuzzer` it is the engine itself,
//! and the environment variable `UPLANE_FUZZ` names the target (see `tools/fuzz.sh`).

#![cfg_attr(feature = "libfuzzer", no_main)]

#[cfg(feature = "libfuzzer")]
mod engine {
    use std::sync::LazyLock;

    static TARGET: LazyLock<fn(&[u8])> = LazyLock::new(|| {
        let name = std::env::var("UPLANE_FUZZ").unwrap_or_default();
        uplane_fuzz::target(&name).expect("UPLANE_FUZZ names a target")
    });

    libfuzzer_sys::fuzz_target!(|data: &[u8]| TARGET(data));
}

#[cfg(not(feature = "libfuzzer"))]
#[allow(clippy::print_stdout, reason = "it is there to show a scenario")]
fn main() -> std::process::ExitCode {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_default();
    let Some(run) = uplane_fuzz::target(&name) else {
        let names = uplane_fuzz::TARGETS.map(|(name, _)| name).join(", ");
        eprintln!("usage: uplane-fuzz TARGET FILE…, where TARGET is one of {names}");
        return std::process::ExitCode::FAILURE;
    };
    for path in arguments {
        let data = match std::fs::read(&path) {
            Ok(data) => data,
            Err(error) => {
                eprintln!("{path}: {error}");
                return std::process::ExitCode::FAILURE;
            }
        };
        if name == "whole_run" {
            println!("# {path}\n{}", uplane_fuzz::whole_run::scenario(&data));
        }
        run(&data);
    }
    std::process::ExitCode::SUCCESS
}
