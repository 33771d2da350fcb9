#!/usr/bin/env bash
# Runs all tests. For more than a minute the compiler has work for one processor alone (the tests within the core are one
# unit), so the tests of the command and of the studies, which use the build of `make setup`, run meanwhile.
#
# In: a build in .venv. Out: what the tests print, and in target/tests.log what the compiler did; exits with 1 when one fails.
set -uo pipefail
cd "$(dirname "$0")/.."

mkdir -p target
log=target/tests.log
cargo test --workspace --no-run >"$log" 2>&1 &
compiler=$!
trap 'kill $compiler 2>/dev/null' EXIT
trap 'exit 130' INT TERM

failed=()
echo "1 of 2: running the tests of the command and of the studies, while those of the core are compiled"
# Files go in the order of tests/conftest.py: those that take long first.
.venv/bin/pytest -q -n auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder || failed+=("of the command and of the studies")
kill -0 $compiler 2>/dev/null && echo "waiting for the compiler ($log)"
if wait $compiler; then
	echo "2 of 2: running the tests of the core"
	cargo test --workspace --no-fail-fast || failed+=("of the core")
else
	cat "$log"
	failed+=("of the core, which do not compile")
fi
for tests in "${failed[@]}"; do echo "failed: tests $tests" >&2; done
((${#failed[@]} == 0))
