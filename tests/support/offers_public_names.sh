#!/usr/bin/env bash
# Names that a shared library exports and no public header has, and C functions that are not exported
# as the list of their versions says:  offers_public_names.sh LIBRARY HEADERS EXPORTS
set -euo pipefail
export LC_ALL=C  # one order for sort and for what it is compared with

library=$1 headers=$2 exports=$3
exported=$(nm --dynamic --defined-only --demangle "$library")
# The last part of each qualified name of a function or of data: "jute::Layout::rank() const" -> rank.
names=$(printf '%s\n' "$exported" | sed -n 's/^[0-9a-f]* [TDBR] //p' |
  sed -E 's/@.*//; s/\(.*//; s/\[abi:[^]]*\]//; s/<.*//; s/.*:://; s/^operator.*//; s/^~//' | sort -u)
declared=$(cat $(find "$headers" -name '*.hpp' -o -name '*.h') | grep -oE '[A-Za-z_][A-Za-z_0-9]*' | sort -u)
private=$(comm -23 <(printf '%s\n' "$names" | sed '/^$/d') <(printf '%s\n' "$declared"))
if [ -n "$private" ]; then
  printf 'exported, and in no public header:\n%s\n' "$private"
  exit 1
fi
count=$(printf '%s\n' "$names" | wc -l)
[ "$count" -gt 100 ] || { printf 'only %s names are exported\n' "$count"; exit 1; }
foreign=$(printf '%s\n' "$exported" | sed -n 's/^[0-9a-f]* [TDBRVWAui] //p' |
  grep -vE '(^| )jute::|(^| )(typeinfo|vtable|VTT)|^jute_[a-z_]+@@JUTE_C_|^JUTE_C' || true)
[ -z "$foreign" ] || { printf 'exported, and not of jute:\n%s\n' "$foreign"; exit 1; }

# C: "jute_eval@@JUTE_C_1", by the header, the list and the library alike.
offered=$(printf '%s\n' "$exported" | sed -nE 's/^[0-9a-f]* T (jute_[a-z_]+@@JUTE_C_[0-9]+)$/\1/p' | sort)
listed=$(awk '/^JUTE_C_[0-9]+ \{/ { version = $1 }
  /^JUTE_CXX/ { version = "" }
  version { while (match($0, /jute_[a-z_]+;/)) {
    print substr($0, RSTART, RLENGTH - 1) "@@" version; $0 = substr($0, RSTART + RLENGTH) } }' "$exports" | sort)
if [ "$offered" != "$listed" ]; then
  printf 'C functions of the library (<) and of %s (>):\n' "$exports"
  diff <(printf '%s\n' "$offered") <(printf '%s\n' "$listed")
fi
in_header=$(sed 's|/\*.*\*/||' "$headers/jute.h" | grep -oE '^(int32_t|size_t|const char\*) jute_[a-z_]+\(' |
  grep -oE 'jute_[a-z_]+' | sort)
if [ "$in_header" != "$(printf '%s\n' "$listed" | sed 's/@.*//')" ]; then
  printf 'C functions of jute.h (<) and of %s (>):\n' "$exports"
  diff <(printf '%s\n' "$in_header") <(printf '%s\n' "$listed" | sed 's/@.*//')
fi
