//! Instruction budget of each row: `budgets.txt`.
//!
//! In: millions of instructions by row. Out: whether each row is within its budget, or the file of
//! new budgets (`tools/bench.sh --bench instructions -- --write-budgets`).
//!
//! Budgets hold for one build: a build with another compiler, or without a profile, takes other
//! numbers of instructions, and is not compared.

use std::fmt::Write;

/// Compiler of this program, and whether it had a profile, if `tools/bench.sh` built it.
const BUILD: Option<&str> = option_env!("UPLANE_BUILD");
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/budgets.txt");
/// Excess that fails, as a fraction of the budget.
const TOLERANCE: f64 = 0.03;

/// Prints the rows that exceed their budgets. Returns `true` if none does, or if the budgets belong
/// to another build.
pub(crate) fn are_kept(rows: &[(&str, f64)]) -> bool {
    let text = std::fs::read_to_string(FILE).expect("budgets are beside the benchmark");
    let value =
        |key: &str| text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
    let theirs = value("build");
    if BUILD.is_none() || theirs != BUILD {
        let name = |build: Option<&str>| build.unwrap_or("an unknown build").to_owned();
        println!("budgets are not compared: this is {}, they are of {}", name(BUILD), name(theirs));
        return true;
    }
    let mut are_kept = true;
    for &(row, counted) in rows {
        let Some(budget) = value(row).and_then(|number| number.parse::<f64>().ok()) else {
            println!("{row}: no budget; take {counted:.2} as one with --write-budgets");
            are_kept = false;
            continue;
        };
        let share = counted / budget;
        if share > 1.0 + TOLERANCE {
            println!("{row}: {counted:.2} M, the budget is {budget:.2} M");
            are_kept = false;
        } else if share < 1.0 - TOLERANCE {
            println!("{row}: {counted:.2} M; lower its budget of {budget:.2} M");
        }
    }
    are_kept
}

/// Writes the counted instructions as the new budgets.
pub(crate) fn write(rows: &[(&str, f64)]) {
    let mut text = String::from(
        "# Millions of instructions a simulated second: `tools/bench.sh --bench instructions\n\
         # -- --write-budgets` writes them. A row that takes 3 % more fails `make bench`.\n",
    );
    let _ = writeln!(text, "build: {}", BUILD.unwrap_or("an unknown build"));
    for &(row, counted) in rows {
        let _ = writeln!(text, "{row}: {}", digits(counted));
    }
    std::fs::write(FILE, text).expect("budgets are beside the benchmark");
}

/// Formats a number of millions with about five digits.
pub(crate) fn digits(millions: f64) -> String {
    if millions < 10.0 { format!("{millions:.3}") } else { format!("{millions:.2}") }
}
