#!/usr/bin/env bash
# Runs the Python tests that need torch, on the emulator, with the torch that pip brings (3 GB):
#   torch_on_cpu.sh PYTHON BUILD SOURCES     PYTHON: what BUILD/python was built for
# Status 77: pip brings no torch.
set -euo pipefail

python=$1 build=$2 sources=$3
venv=$build/torch_venv
if ! "$venv/bin/python" -c 'import torch, numpy, ml_dtypes, pytest' 2>/dev/null; then
  rm -rf "$venv"
  "$python" -m venv "$venv" || exit 77
  "$venv/bin/pip" --disable-pip-version-check --quiet install torch numpy ml_dtypes pytest ||
    { echo 'SKIPPED: pip brings no torch'; exit 77; }
fi
PYTHONPATH=$build/python:$sources/tests/python \
  "$venv/bin/python" -m pytest -q -p no:cacheprovider -m torch "$sources/tests/python"
