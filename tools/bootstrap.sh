#!/usr/bin/env bash
# Puts uv into .boot/, for machines that have none: the version and the files of tools/uv.txt.
set -euo pipefail
cd "$(dirname "$0")/.."

for python in python3 python3.14 python3.13 python3.12 python3.11; do
  if "$python" -c 'import sys, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo "Fetching uv into .boot/."
    "$python" -m venv --clear .boot
    .boot/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r tools/uv.txt
    exit
  fi
done
exit 1
