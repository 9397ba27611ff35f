#!/usr/bin/env bash
# Runs a libFuzzer program until it has used an amount of CPU time:
#   run_fuzzer.sh PROGRAM CPU_SECONDS SEED_FOLDER... [-- LIBFUZZER_OPTION...]
# What it learns is kept in PROGRAM.corpus, from which the next run goes on. A finding ends the run
# with an error and lies in PROGRAM.finding-*.
set -euo pipefail

program=$1 budget=$2
shift 2
seeds=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do seeds+=("$1"); shift; done
[ $# -eq 0 ] || shift
mkdir -p "$program.corpus"

# CPU seconds, user and system, of all children that have ended.
used() {
  local stat
  read -ra stat </proc/$$/stat
  echo $(((stat[15] + stat[16]) / $(getconf CLK_TCK)))
}

# libFuzzer counts by the clock on the wall, of which a program of one thread uses no more.
while left=$((budget - $(used))); [ "$left" -gt 0 ]; do
  "$program" "$program.corpus" "${seeds[@]}" -max_total_time="$left" \
    -timeout=10 -rss_limit_mb=4096 -artifact_prefix="$program.finding-" -verbosity=0 "$@"
done
echo "$(basename "$program"): no finding in $(used) CPU seconds, $(ls "$program.corpus" | wc -l) inputs kept"
