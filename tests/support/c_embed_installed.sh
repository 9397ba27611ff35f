#!/usr/bin/env bash
# Builds jute as a shared library, installs it, and builds and runs examples/c_embed against that as
# docs/c-api.md says:  c_embed_installed.sh REPOSITORY WORK COMPILER
set -euo pipefail

repository=$1 work=$2 compiler=$3
rm -rf "$work"
cmake -S "$repository" -B "$work/build" -DCMAKE_CXX_COMPILER="$compiler" -DBUILD_SHARED_LIBS=ON \
  -DCMAKE_UNITY_BUILD=ON -DJUTE_BUILD_TESTS=OFF -DJUTE_BUILD_COMMAND=OFF >"$work.log"
cmake --build "$work/build" --parallel "$(nproc)" >>"$work.log"
cmake --install "$work/build" --prefix "$work/installed" >>"$work.log"
pc=$(find "$work/installed" -name jute.pc)
library=$(dirname "$(dirname "$pc")")
[ "$(readlink "$library/libjute.so" | cut -d. -f1-3)" = "libjute.so.0" ]
export PKG_CONFIG_PATH=${pc%/*} LD_LIBRARY_PATH=$library JUTE_DEVICE=emulator
for c in gcc clang; do
  command -v "$c" >/dev/null || continue
  # shellcheck disable=SC2046
  "$c" -std=c99 -pedantic -Wall -Wextra -Werror "$repository/examples/c_embed/main.c" -o "$work/$c" \
    $(pkg-config --cflags --libs jute)
  "$work/$c" | grep -F 'd[0] = 32'
done
"$repository/tests/support/offers_public_names.sh" "$(readlink -f "$library/libjute.so")" \
  "$work/installed/include/jute" "$repository/cmake/exports.map"
