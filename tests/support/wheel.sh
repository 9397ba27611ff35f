#!/usr/bin/env bash
# Builds the Python wheel from a copy of the sources that is gone when it runs, and uses it as a stranger does:
#   wheel.sh SOURCES [WHEEL]     WHEEL: one that is there is not built
# Status 77: pip brings none of the packages that are needed.
set -euo pipefail

sources=$1 wheel=${2:-}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset PYTHONPATH JUTE_NVRTC

python3 -m venv "$work/venv" || exit 77
pip() { "$work/venv/bin/pip" --disable-pip-version-check --quiet "$@"; }
pip download --no-deps --dest "$work" nvidia-cuda-nvrtc || { echo "SKIPPED: pip brings no packages"; exit 77; }

if [ -z "$wheel" ]; then
  mkdir "$work/sources"
  (cd "$sources" && cp -r CMakeLists.txt LICENSE cmake include kernels_templates python src tools "$work/sources")
  pip wheel --no-deps --wheel-dir "$work/wheel" "$work/sources/python"
  rm -r "$work/sources"
  wheel=$(echo "$work"/wheel/*.whl)
fi
pip install "$wheel[numpy,headers,test]"
cd "$work"
PATH="$work/venv/bin:$PATH" "$work/venv/bin/python" "$here/wheel_checks.py"
