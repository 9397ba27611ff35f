# Sourced by the other tools, in the repository's root.

# build_preset PRESET [cmake option]... [--target NAME]: configures and builds build/PRESET.
build_preset() {
  local preset=$1 options=() targets=()
  shift
  while [ $# -gt 0 ]; do
    if [ "$1" = --target ]; then targets+=(--target "$2"); shift; else options+=("$1"); fi
    shift
  done
  # A folder keeps the generator that it was begun with.
  if command -v ninja >/dev/null && [ ! -e "build/$preset/CMakeCache.txt" ]; then
    options+=(-G Ninja)
  fi
  cmake --preset "$preset" "${options[@]}" >"$(log_of "$preset")" ||
    { cat "$(log_of "$preset")" >&2; return 1; }
  cmake --build "build/$preset" --parallel "$(nproc)" "${targets[@]}"
}

log_of() {
  mkdir -p "build/$1"
  printf '%s' "build/$1/configure.log"
}
