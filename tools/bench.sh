#!/usr/bin/env bash
# Measures the speed of what users install: the benchmarks, built with a profile of the examples as the wheel is.
#
# In: words for `cargo bench -p uplane`, none for all benchmarks. Out: its tables; it fails when a row takes 3 % more
# instructions than its budget. Without llvm-profdata the build has no profile, and takes more than the budgets say.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/profile.sh

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
if can_profile; then
	RUSTFLAGS=$(learning_flags "$place") cargo bench -p uplane --bench instructions -- --learn >&2
	merge_profile "$place"
	RUSTFLAGS=$(learned_flags "$place")
	export RUSTFLAGS
fi
cargo bench -p uplane "$@"
