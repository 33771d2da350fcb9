#!/usr/bin/env bash
# Runs all tests but those of pages in a browser (`make pages`). Those of the core have to be compiled first; those of the
# command and of the studies use the build of `make setup` and run meanwhile, with what the compiler leaves of the processors.
#
# In: a build in .venv. Out: what the tests print, those of the core after the others (and at once in target/tests.log);
# exits with 1 when one fails.
set -uo pipefail
cd "$(dirname "$0")/.."

mkdir -p target
log=target/tests.log
cargo test --workspace --no-fail-fast >"$log" 2>&1 &
core=$!
trap 'kill $core 2>/dev/null' EXIT
trap 'exit 130' INT TERM

failed=()
echo "1 of 2: running the tests of the command and of the studies; those of the core are compiled and run beside them"
in_browser=(--ignore=tests/test_browser.py --ignore=tests/test_explore_page.py --ignore=tests/test_live.py)
# Files go in the order of tests/conftest.py: those that take long first.
nice -n 5 .venv/bin/pytest -q -n auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder "${in_browser[@]}" ||
	failed+=("of the command and of the studies")
kill -0 $core 2>/dev/null && echo "2 of 2: waiting for the tests of the core ($log)" || echo "2 of 2: the tests of the core"
wait $core || failed+=("of the core")
cat "$log"
for tests in "${failed[@]}"; do echo "failed: tests $tests" >&2; done
((${#failed[@]} == 0))
