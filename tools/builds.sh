#!/usr/bin/env bash
# Does every build give the same results? Digests of what the core makes of examples/ and of drawn scenarios, of a
# build without optimisation, of one for this very processor, and of one for WebAssembly (32 bits, another
# floating-point unit) under node. A build that this machine cannot make is named and passed over.
#
# In: nothing. Out: the digests; exits with 1 when two builds differ.
set -euo pipefail
cd "$(dirname "$0")/.."

export CARGO_TARGET_DIR=target/builds CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_OPT_LEVEL=2
unset RUSTFLAGS
WASM=wasm32-unknown-unknown
DRAWN=40
compared=0

# A name, and a command that prints a line a scenario.
compare() {
	local name=$1 file=$CARGO_TARGET_DIR/$1.txt
	shift
	"$@" >"$file"
	if [[ $compared -eq 0 ]]; then
		first=$file
		cat "$file"
		[[ $(wc -l <"$file") -eq ${#scenarios[@]} ]] || { echo "$name: not every scenario has a digest" >&2; exit 1; }
	fi
	diff "$first" "$file" || { echo "$name: other results than the first build" >&2; exit 1; }
	echo "$name: the same results"
	compared=$((compared + 1))
}

passed_over() { echo "$1: passed over, no $2"; }

example() { cargo "$1" --quiet -p uplane --example digests "${@:2}"; }

drawn=$CARGO_TARGET_DIR/drawn
rm -rf "$drawn"
PYTHONPATH=tests .venv/bin/python -m drawing --write --count "$DRAWN" --out "$drawn"
# The short ones: without optimisation the others take minutes.
mapfile -t short < <(grep -lE '^duration = "[0-9]+ ms"' "$drawn"/*.toml)
scenarios=(examples/*.toml "${short[@]}")

CARGO_PROFILE_DEV_DEBUG=false CARGO_PROFILE_DEV_OPT_LEVEL=0 compare unoptimised example run -- "${scenarios[@]}"
RUSTFLAGS="-C target-cpu=native" compare native example run --release -- "${scenarios[@]}"
if ! command -v node >/dev/null; then
	passed_over wasm "node"
elif ! [[ -d $(rustc --print sysroot)/lib/rustlib/$WASM ]]; then
	passed_over wasm "standard library: run 'rustup target add $WASM'"
else
	# Without cargo's examples: they bring what tests need, and that does not build here.
	cargo build --quiet --release -p uplane --lib --target "$WASM"
	built=$CARGO_TARGET_DIR/$WASM/release
	rustc --edition 2024 -C opt-level=2 --target "$WASM" --extern uplane="$built/libuplane.rlib" \
		-L dependency="$built/deps" -L dependency="$CARGO_TARGET_DIR/release/deps" -o "$CARGO_TARGET_DIR/digests.wasm" crates/uplane/examples/digests.rs
	compare wasm node tools/digests.mjs "$CARGO_TARGET_DIR/digests.wasm" "${scenarios[@]}"
fi
