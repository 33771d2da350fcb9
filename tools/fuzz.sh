#!/usr/bin/env bash
# Fuzzes the core with libFuzzer, guided by coverage: tools/fuzz.sh SECONDS [TARGET…]
#
# Needs, besides what every build needs, a C++ compiler for libFuzzer; nothing of LLVM, no nightly Rust. The code is instrumented by
# rustc's own LLVM. What is found goes to out/fuzz/TARGET/: new inputs to corpus/, failures to crash-…, timeout-….
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:?seconds for each target}
shift
targets=("$@")
if ((${#targets[@]} == 0)); then
  targets=(scenario_text tcp_input tcp_pair rlc fragments whole_run)
fi
if ! command -v c++ >/dev/null; then
  echo "no C++ compiler (c++), which libFuzzer is built with; install your system's package for it, such as g++" >&2
  exit 2
fi

# Counters for each edge, comparisons as hints, and all checks that a release build leaves out.
export RUSTFLAGS="-C passes=sancov-module -C llvm-args=-sanitizer-coverage-level=4 \
-C llvm-args=-sanitizer-coverage-inline-8bit-counters -C llvm-args=-sanitizer-coverage-pc-table \
-C llvm-args=-sanitizer-coverage-trace-compares -C overflow-checks=on -C debug-assertions=on"
export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_OPT_LEVEL=2
# With --target the flags do not reach build scripts.
host=$(rustc -vV | sed -n 's/^host: //p')
cargo build --quiet --release --locked --target "$host" --target-dir target/fuzz -p uplane-fuzz --features libfuzzer

failed=()
for target in "${targets[@]}"; do
  folder=out/fuzz/$target
  seeds=(fuzz/corpus/"$target" fuzz/cases/"$target")
  options=(-max_total_time="$seconds" -timeout=25 -rss_limit_mb=2048 -print_final_stats=1)
  case $target in
    scenario_text) options+=(-dict=fuzz/scenario.dict -max_len=4096) && seeds+=(examples) ;;
    *) options+=(-max_len=2048 -len_control=20) ;;
  esac
  mkdir -p "$folder/corpus"
  echo "== $target: $seconds s, log in $folder/log"
  UPLANE_FUZZ=$target nice -n 19 "target/fuzz/$host/release/uplane-fuzz" "${options[@]}" \
    -artifact_prefix="$folder/" "$folder/corpus" $(for each in "${seeds[@]}"; do [[ -d $each ]] && echo "$each"; done) \
    >"$folder/log" 2>&1 || failed+=("$target")
  grep -E 'cov: ' "$folder/log" | tail -n 1
  grep -E 'stat::number_of_executed_units' "$folder/log" || true
done
if ((${#failed[@]})); then
  for target in "${failed[@]}"; do
    echo "== $target failed" && grep -vE '^#[0-9]+\s' "out/fuzz/$target/log" | cut -c -2000 | tail -n 40
  done
  echo "FAILED: ${failed[*]}" >&2
  exit 1
fi
