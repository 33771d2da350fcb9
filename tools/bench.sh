#!/usr/bin/env bash
# Measures the speed of what users install: the benchmarks, built with a profile of the examples as the wheel is.
#
# In: words for `cargo bench -p uplane`, none for all benchmarks. Out: its tables; it fails when a row takes 3 % more
# instructions than its budget, of a build by the same compiler and with a profile.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/profile.sh

export UPLANE_BUILD
UPLANE_BUILD=$(rustc --version)
if can_profile; then
	UPLANE_BUILD+=" with a profile of the examples"
	learn cargo bench -p uplane --bench instructions -- --learn "$events_to_learn" >&2
	use_learned
fi
cargo bench -p uplane "$@"
