#!/usr/bin/env bash
# Says what is missing on this machine, and how to get it. Fetches nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

missing=0
lacks() {
  echo "missing: $1" >&2
  echo "         $2" >&2
  missing=1
}

command -v cc >/dev/null || lacks "a C compiler (cc)" "Debian, Ubuntu: apt install gcc; macOS: xcode-select --install"

needed=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
if ! command -v cargo >/dev/null; then
  lacks "Rust $needed or later (cargo)" "https://rustup.rs; Debian 12: apt install rustc-web cargo-web"
else
  found=$(cargo --version | awk '{ print $2 }')
  if [[ $(printf '%s\n%s\n' "$needed" "$found" | sort -V | head -n 1) != "$needed" ]]; then
    lacks "Rust $needed or later; cargo is $found" "rustup update, or a newer package of your system"
  fi
fi

new_enough='import sys; sys.exit(sys.version_info < (3, 11))'
python=
for candidate in python3 python3.14 python3.13 python3.12 python3.11; do
  if "$candidate" -c "$new_enough" 2>/dev/null; then
    python=$candidate
    break
  fi
done
if [[ -z $python ]]; then
  lacks "Python 3.11 or later" "Debian 12 and later, Ubuntu 24.04 and later: apt install python3 python3-venv"
elif ! command -v uv >/dev/null && [[ ! -x .boot/bin/uv ]] && ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
  lacks "the venv module of $python" "Debian, Ubuntu: apt install python3-venv; or install uv"
fi
exit $missing
