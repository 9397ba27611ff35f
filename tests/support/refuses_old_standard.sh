#!/usr/bin/env bash
# One error, which names the standard, and no more:  refuses_old_standard.sh COMPILER INCLUDE
set -euo pipefail

text=$("$1" -std=c++17 -I "$2" -fsyntax-only -x c++ - <<<'#include <jute/jute.hpp>' 2>&1) &&
  { echo 'C++17 was accepted'; exit 1; }
[ "$(grep -c 'error:' <<<"$text")" -le 2 ] && grep -q 'C++20' <<<"$text" || { echo "$text"; exit 1; }
