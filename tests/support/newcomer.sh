#!/usr/bin/env bash
# What a new user does with the README and docs/ alone, from the first run to a program of their own:
#   newcomer.sh JUTE REPOSITORY BUILD COMPILER
# tools/demo has built JUTE in BUILD. Everything is written to a folder of its own.
set -euo pipefail

jute=$1 repository=$2 build=$3 compiler=$4
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
step() { printf '== %s\n' "$*"; }
# expect STATUS WHAT COMMAND...: the command ends so, and says that.
expect() {
  local status=0 said
  said=$("${@:3}" 2>&1) || status=$?
  if [ "$status" -ne "$1" ] || ! grep -qF -- "$2" <<<"$said"; then
    printf '%s\nstatus %s, expected %s and: %s\n%s\n' "${*:3}" "$status" "$1" "$2" "$said"
    exit 1
  fi
}

step 'the first run'
expect 0 'check    ok' "$jute" gemm --a "$repository/examples/data/signals.npy" \
  --b "$repository/examples/data/cosines.npy" -o D.npy --verify --device emulator
[ -s D.npy ]

step "the README's short tour, line by line"
ln -s "$repository/examples" examples
jute() { "$jute" "$@"; }
export -f jute
export jute JUTE_DEVICE=emulator
tour=$(sed -n '/^## A short tour/,/^## /s/^    //p' "$repository/README.md")
[ "$(grep -c '^jute ' <<<"$tour")" -ge 8 ]
while IFS= read -r line; do
  bash -c "$line" >tour.log 2>&1 || { printf '%s\n' "$line"; cat tour.log; exit 1; }
done <<<"$tour"

step 'a picture of a layout of their own'
expect 0 '' "$jute" draw '((4,2),(8,2)):((16,128),(1,8))' --banks f32 -o mine.svg
grep -q 'conflict' mine.svg
expect 0 '' "$jute" draw '((4,2),(8,2)):((16,128),(1,8))' --color-by '((4,2),(8,2)):((0,1),(0,2))' -o mine.html
grep -q 'colours: ((4,2),(8,2)):((0,1),(0,2))' mine.html

step 'a mistake, mended as jute says'
mistake=(plan --m 64 --n 64 --k 64 --type half --tile 100x64x64)
fixed=$("$jute" "${mistake[@]}" 2>&1 | sed -n 's/^try: jute //p') || true
for _ in 1 2 3; do
  next=$(bash -c "'$jute' $fixed" 2>&1 | sed -n 's/^try: jute //p') || true
  [ -n "$next" ] || break
  fixed=$next
done
expect 0 'tile' bash -c "'$jute' $fixed"

step 'a kernel of an atom of their own'
cat >atoms.json <<'ROWS'
[{"name": "NEW_16x8x16", "arch": "sm80", "shape_mnk": "(16,8,16)", "thr_id": "32:1",
  "a_layout": "((4,8),(2,2,2)):((32,1),(16,8,128))", "b_layout": "((4,8),(2,2)):((16,1),(8,64))",
  "c_layout": "((4,8),(2,2)):((32,1),(16,8))",
  "d_type": "f32", "a_type": "f16", "b_type": "f16", "form": "mma",
  "ptx": "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"}]
ROWS
expect 0 '1 proved' "$jute" atom verify NEW_16x8x16 --atoms atoms.json --device emulator
expect 0 'check    ok' "$jute" gemm --atoms atoms.json --mma NEW_16x8x16 --type f16 --m 100 --n 60 --k 48 \
  --random 1 --verify --device emulator

step 'a kernel that fails, explained'
cat >neighbour.cu <<'KERNEL'
extern "C" __global__ void neighbour(const int* in, int* out) {
  __shared__ int tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = tile[(threadIdx.x + 1) % 128];
}
KERNEL
run=(emulate neighbour.cu --kernel neighbour --grid 1 --block 128 --arg i32[128]=iota --arg i32[128] --check full)
expect 1 'neighbour.cu:4' "$jute" "${run[@]}"
sed -i 's/\(tile.threadIdx.x. = .*;\)/\1\n  __syncthreads();/' neighbour.cu
expect 0 'clean' "$jute" "${run[@]}"

step 'what is installed finds NVRTC and headers by itself'
cmake --install "$build" --prefix "$place/installed" >install.log
unset JUTE_NVRTC
expect 0 'check    ok' "$place/installed/bin/jute" gemm --m 64 --n 64 --k 64 --random 1 --verify --device emulator
expect 0 'headers ' "$place/installed/bin/jute" doctor --require nvrtc,headers
expect 0 'exchanges alone' "$place/installed/bin/jute" bench --ranks 2 --m 64 --n 64 --k 64 --device emulator --rounds 1
cat >halves.cu <<'KERNEL'
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cub/block/block_reduce.cuh>
#include <cuda/std/cstdint>
#include <cuda_fp16.h>
#include <mma.h>
__global__ void halves(const __half* in, cuda::std::int32_t* out) {
  namespace groups = cooperative_groups;
  const auto warp = groups::tiled_partition<32>(groups::this_thread_block());
  const float value = __half2float(in[warp.thread_rank()]);
  const int sum = groups::reduce(warp, static_cast<int>(value), groups::plus<int>());
  if (warp.thread_rank() == 0) *out = sum;
}
KERNEL
expect 0 'clean' "$place/installed/bin/jute" emulate halves.cu --kernel halves --grid 1 --block 32 \
  --arg 'f16[32]=iota' --arg 'i32[1]' -o halves.npy --check full
[ "$(tail -c 4 halves.1.npy | od -An -tu4 | tr -d ' ')" = 496 ]

step 'a program in C++'
mkdir program
sed -n '/^```cpp$/,/^```$/p' "$repository/README.md" | sed '/^```/d' >program/main.cpp
cat >program/CMakeLists.txt <<'LISTS'
cmake_minimum_required(VERSION 3.25)
project(program LANGUAGES CXX)
find_package(jute REQUIRED)
add_executable(program main.cpp)
target_link_libraries(program PRIVATE jute::jute)
LISTS
cmake -S program -B program/build -DCMAKE_PREFIX_PATH="$place/installed" -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_BUILD_TYPE=Release >configure.log
cmake --build program/build >build.log
expect 0 'd[0] = 32' program/build/program

# As its first lines say: every line that begins with a program's name, where jute is installed put in.
example() {
  step "examples/$1, as its CMakeLists.txt says"
  cp -r "$repository/examples/$1" "$1"
  sed -n 's/^#   \(c[a-z]* .*\)/\1/p' "$1/CMakeLists.txt" |
    sed "s|<where jute was installed>|$place/installed|" >"$1/lines"
  [ -s "$1/lines" ]
  (cd "$1" && CXX=$compiler bash -e lines >example.log 2>&1) ||
    { cat "$1/example.log"; exit 1; }
}
example embed
expect 0 'd[0] = 32' embed/build/embed
example unit_test
without_pkg_config=
if ! command -v pkg-config >/dev/null; then
  without_pkg_config='SKIPPED: pkg-config is not installed, and all else went well'
else
  PKG_CONFIG_PATH=$(dirname "$(find "$place/installed" -name jute.pc)")
  export PKG_CONFIG_PATH
  # shellcheck disable=SC2046
  "$compiler" -std=c++20 program/main.cpp -o by_pkg_config $(pkg-config --cflags --libs jute)
  expect 0 'd[0] = 32' ./by_pkg_config
  step "a program in C, by the line of docs/c-api.md"
  line=$(sed -n 's/^    \(cc -std=c99 .*\)/\1/p' "$repository/docs/c-api.md")
  [ "$(wc -l <<<"$line")" -eq 1 ]
  (cd "$repository/examples/c_embed" && bash -ec "$line -o '$place/c_embed'")
  expect 0 'd[0] = 32' ./c_embed
fi
MANPATH=$place/installed/share/man
[ -s "$MANPATH/man1/jute-gemm.1" ]
printf '%s\n' "${without_pkg_config:-all steps went well}"
