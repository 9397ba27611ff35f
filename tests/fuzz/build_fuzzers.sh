#!/usr/bin/env bash
# Builds the libFuzzer programs with clang, which is installed where it is missing:
#   build_fuzzers.sh BUILD_FOLDER [cmake option]...
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$1
shift
mkdir -p "$folder"
builds_fuzzers() {
  echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' |
    clang++ -x c++ -fsanitize=fuzzer,address - -o "$folder/probe" 2>/dev/null
}
builds_fuzzers || "$root/tools/setup" clang libclang-rt-dev
builds_fuzzers || { echo "clang++ with libFuzzer is needed: packages clang, libclang-rt-dev" >&2; exit 1; }

cmake -S "$root" -B "$folder" -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=RelWithDebInfo \
  "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1" -DJUTE_BUILD_FUZZERS=ON -DJUTE_BUILD_TESTS=OFF \
  -DJUTE_BUILD_COMMAND=OFF "$@"
cmake --build "$folder" --parallel "$(nproc)" --target fuzzers
