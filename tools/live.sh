#!/usr/bin/env bash
# Puts into docs/live/ what the pages need to run uplane themselves: the core as WebAssembly, the scenarios that they
# run, the colours of causes. A machine without that target of the compiler is told how to get it; pages say then that
# they cannot run anything.
#
# In: nothing. Out: docs/live/{uplane.wasm,scenarios/,colours.json}, of which git knows nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

WASM=wasm32-unknown-unknown
live=docs/live
rm -rf "$live/uplane.wasm" "$live/scenarios" "$live/colours.json"
if ! [[ -d $(rustc --print sysroot)/lib/rustlib/$WASM ]]; then
	echo "pages that run uplane: passed over, no standard library for $WASM: run 'rustup target add $WASM'"
	exit
fi
echo "building uplane for the pages ($WASM; about two minutes the first time)"
unset RUSTFLAGS
cargo build --quiet --profile live -p uplane-wasm --target "$WASM"
cp "${CARGO_TARGET_DIR:-target}/$WASM/live/uplane_wasm.wasm" "$live/uplane.wasm"
mkdir -p "$live/scenarios"
cp examples/*.toml "$live/scenarios/"
cp python/uplane/studies/001-loss-latency/liar.toml "$live/scenarios/001-liar.toml"
.venv/bin/python - >"$live/colours.json" <<-'PYTHON'
	import json
	from uplane.report import colours

	print(json.dumps({name: [colour, colours.inside(name)] for name, colour in colours.CAUSES.items()}))
PYTHON
echo "pages run uplane: $(wc -c <"$live/uplane.wasm") bytes, $(gzip -9c "$live/uplane.wasm" | wc -c) as servers send it"
