#!/usr/bin/env bash
# Builds examples/c_embed as C99 with every compiler that there is, against a shared jute as it would be
# installed, and runs it on the emulator:  c_embed.sh LIBRARY REPOSITORY SONAME
set -euo pipefail

library=$1 repository=$2 soname=$3
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir -p "$place/include/jute" "$place/lib"
cp "$repository/include/jute/jute.h" "$place/include/jute/"
cp "$library" "$place/lib/$soname"
ln -s "$soname" "$place/lib/libjute.so"
said=$(readelf -d "$place/lib/$soname" | sed -n 's/.*soname: \[\(.*\)\]/\1/p')
[ "$said" = "$soname" ] || { printf 'its soname is %s, not %s\n' "$said" "$soname"; exit 1; }

export LD_LIBRARY_PATH=$place/lib JUTE_DEVICE=emulator
built=0
for compiler in gcc clang; do
  command -v "$compiler" >/dev/null || continue
  "$compiler" -std=c99 -pedantic -Wall -Wextra -Werror -I"$place/include" \
    "$repository/examples/c_embed/main.c" -o "$place/$compiler" -L"$place/lib" -ljute
  # The header alone, as C++ has it too.
  printf '#include <jute/jute.h>\n#include <jute/jute.h>\n' >"$place/twice.cpp"
  "$compiler" -x c++ -std=c++98 -pedantic-errors -Wall -Wextra -Werror -Wno-long-long -fsyntax-only \
    -I"$place/include" "$place/twice.cpp"
  built=$((built + 1))
done
[ "$built" -gt 0 ] || { printf 'no C compiler was found: gcc or clang\n'; exit 1; }
for program in "$place/gcc" "$place/clang"; do
  [ -x "$program" ] || continue
  said=$("$program")
  grep -qF 'd[0] = 32' <<<"$said" || { printf '%s says: %s\n' "$program" "$said"; exit 1; }
done
printf '%s compilers\n' "$built"
