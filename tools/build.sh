# shellcheck shell=bash
# Sourced by the other tools, in the repository's root.

# build_preset PRESET [cmake option]... [--target NAME...]: configures and builds build/PRESET.
build_preset() {
  local preset=$1 options=() targets=()
  shift
  while [ $# -gt 0 ] && [ "$1" != --target ]; do
    options+=("$1")
    shift
  done
  targets=("$@")
  # A folder keeps what it was begun with: here sixteen files compiled as one, which takes a third of
  # the time, and ninja where it is.
  if [ ! -e "build/$preset/CMakeCache.txt" ]; then
    options+=(-DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=16)
    if command -v ninja >/dev/null; then options+=(-G Ninja); fi
  fi
  printf 'Looking for compiler and libraries.\n'
  cmake --preset "$preset" "${options[@]}" >"$(log_of "$preset")" ||
    { cat "$(log_of "$preset")" >&2; return 1; }
  printf 'Compiling in build/%s, which takes minutes the first time; each step says how far it is.\n' \
    "$preset"
  cmake --build "build/$preset" --parallel "$(nproc)" "${targets[@]}"
}

# What else configures a build of the Python package: nothing where tools/setup --python has not been.
python_options() {
  local python=$PWD/.venv/bin/python
  if [ -x "$python" ] && "$python" -c 'import nanobind' 2>/dev/null; then
    printf '%s\n' -DJUTE_BUILD_PYTHON=ON "-DPython_EXECUTABLE=$python"
  fi
}

log_of() {
  mkdir -p "build/$1"
  printf '%s' "build/$1/configure.log"
}
