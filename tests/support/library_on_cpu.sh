#!/usr/bin/env bash
# Runs the Python tests that need a library, on the emulator, with the one that pip brings (torch: 3 GB):
#   library_on_cpu.sh PYTHON BUILD SOURCES LIBRARY     PYTHON: what BUILD/python was built for; LIBRARY: torch, jax
# Status 77: pip brings none.
set -euo pipefail

python=$1 build=$2 sources=$3 library=$4
venv=$build/${library}_venv
if ! "$venv/bin/python" -c "import $library, numpy, ml_dtypes, pytest" 2>/dev/null; then
  rm -rf "$venv"
  "$python" -m venv "$venv" || exit 77
  "$venv/bin/pip" --disable-pip-version-check --quiet install "$library" numpy ml_dtypes pytest ||
    { echo "SKIPPED: pip brings no $library"; exit 77; }
fi
PYTHONPATH=$build/python:$sources/tests/python \
  "$venv/bin/python" -m pytest -q -p no:cacheprovider -m "$library" "$sources/tests/python"
