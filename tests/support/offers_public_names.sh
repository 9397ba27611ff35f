#!/usr/bin/env bash
# Names that a shared library exports and no public header has:  offers_public_names.sh LIBRARY HEADERS
set -euo pipefail

library=$1 headers=$2
exported=$(nm --dynamic --defined-only --demangle "$library")
# The last part of each qualified name of a function or of data: "jute::Layout::rank() const" -> rank.
names=$(printf '%s\n' "$exported" | sed -n 's/^[0-9a-f]* [TDBR] //p' |
  sed -E 's/\(.*//; s/\[abi:[^]]*\]//; s/<.*//; s/.*:://; s/^operator.*//; s/^~//' | sort -u)
declared=$(cat $(find "$headers" -name '*.hpp') | grep -oE '[A-Za-z_][A-Za-z_0-9]*' | sort -u)
private=$(comm -23 <(printf '%s\n' "$names" | sed '/^$/d') <(printf '%s\n' "$declared"))
if [ -n "$private" ]; then
  printf 'exported, and in no public header:\n%s\n' "$private"
  exit 1
fi
count=$(printf '%s\n' "$names" | wc -l)
[ "$count" -gt 100 ] || { printf 'only %s names are exported\n' "$count"; exit 1; }
foreign=$(printf '%s\n' "$exported" | sed -n 's/^[0-9a-f]* [TDBRVW] //p' |
  grep -vE '(^| )jute::|(^| )(typeinfo|vtable|VTT)' || true)
[ -z "$foreign" ] || { printf 'exported, and not of jute:\n%s\n' "$foreign"; exit 1; }
