#!/usr/bin/env bash
# Builds the wheel that users install, with a profile of the examples (tools/profile.sh), and the source distribution.
# Tries the wheel in an environment without the project's packages and in a folder without its sources.
#
# In: uv, and the Python of .venv. Out: dist/*.whl, one for all Pythons from 3.11 on, and dist/*.tar.gz. On Linux the wheel
# is linked by zig against glibc 2.17; maturin refuses newer symbols. Exits with 1 if the wheel is of another kind, lacks
# a file, or gives other tables than the build that the tests use.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD uv=$1
. tools/profile.sh

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

maturin=("$uv" tool run --quiet --from 'maturin[zig]>=1.16,<2' maturin)
host=$(rustc -vV | sed -n 's/^host: //p')
portable=()
[[ $host != *-linux-gnu ]] || portable=(--zig --compatibility manylinux_2_17)

build() { # a wheel into the folder $1, by the options that follow; all for one target, so that they share a profile
	rm -rf "$1"
	"${maturin[@]}" build --quiet --release --target "$host" --out "$1" "${@:2}"
}

install() { # the wheel $2 into a new environment $1
	"$uv" venv --quiet --no-project --python "$root/.venv/bin/python" "$1"
	"$uv" pip install --quiet --python "$1/bin/python" "$2"
}

if can_profile; then
	learn build "$place/learning"
	install "$place/learner" "$place"/learning/*.whl
	"$place/learner/bin/python" tools/learn.py examples "$events_to_learn"
	use_learned
fi
build dist "${portable[@]}"
"${maturin[@]}" sdist --out dist
wheel=$(echo "$root"/dist/*.whl)
[[ $wheel == *-cp311-abi3-* ]] || { echo "found $wheel, expected a wheel of the stable ABI (cp311-abi3)" >&2; exit 1; }
[[ $host != *-linux-gnu || $wheel == *manylinux* ]] || { echo "found $wheel, expected a tag of manylinux" >&2; exit 1; }

install "$place/bare" "$wheel"
cp -rL examples "$place/examples"
cd "$place"

bare/bin/python - "$root" <<'CHECK'
import sys
from importlib.metadata import distributions, files
from importlib.util import find_spec
from pathlib import Path

import uplane

root = Path(sys.argv[1])
assert not Path(uplane.__file__).is_relative_to(root), f"{uplane.__file__} is not of the wheel"
extra = {"pytest", "numpy", "distributed", "starlette"} & {it.name for it in distributions()}
assert not extra, f"{extra} is in an environment that shall be bare"
had = {str(file) for file in files("uplane")}
sources = [it.relative_to(root / "python") for it in (root / "python").rglob("*")]
lacks = [
    str(it) for it in sources
    if (root / "python" / it).is_file() and it.suffix not in {".pyc", ".so"} and str(it) not in had
]
assert not lacks, f"the wheel lacks {lacks}"
for name in ("LICENSE-MIT", "LICENSE-APACHE"):
    assert any(it.endswith(name) for it in had), f"the wheel lacks {name}"
CHECK

compared=0
for scenario in examples/*.toml; do
	name=$(basename "$scenario" .toml)
	bare/bin/uplane run "$scenario" --trust --out "wheel/$name" >/dev/null
	"$root/.venv/bin/uplane" run "$scenario" --trust --out "tested/$name" >/dev/null
	for table in "tested/$name"/*.parquet; do
		cmp "$table" "wheel/$name/$(basename "$table")"
		compared=$((compared + 1))
	done
done
[[ $compared -gt 0 ]] || { echo "no table was compared" >&2; exit 1; }
bare/bin/uplane new lte-download >/dev/null
bare/bin/uplane run lte-download.toml --report page.html >/dev/null 2>&1
grep -q '<svg' page.html || { echo "the report has no figure" >&2; exit 1; }
size=$(du -h "$wheel" | cut -f 1)
echo "$(basename "$wheel"): $size; $compared tables of $(ls wheel | wc -l) examples are those of the build that is tested"
