#!/usr/bin/env bash
# packages.sh SOURCES BUILD: makes the Debian packages in BUILD, holds them to lintian, installs them in a
# bare Debian 12 and uses the command there.  Status 77: no such Debian can be made here.
set -euo pipefail

sources=$(realpath "$1") build=$2
fail() { printf 'packages: %s\n' "$*" >&2; exit 1; }
# As a machine has it: with /proc, in a name space that ends with the program.
in_root() {
  unshare --mount --pid --fork --mount-proc="$root/proc" chroot "$root" \
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "$@"
}
cannot() { printf 'packages: SKIPPED: %s\n' "$*" >&2; exit 77; }
command -v dpkg-deb >/dev/null || cannot 'dpkg-deb is not installed'

# By the lines of docs/c-api.md, quicker and without tests.
lines=$(sed -n 's/^    \(cmake .*\|cd build.*\)/\1/p' "$sources/docs/c-api.md" |
  sed "s|build/shared|$build|; s|^cmake -S \.|& -DCMAKE_UNITY_BUILD=ON -DJUTE_BUILD_TESTS=OFF|")
[ "$(wc -l <<<"$lines")" -eq 3 ] || fail 'docs/c-api.md must have the three lines that make packages'
rm -rf "$build/packages"
(cd "$sources" && bash -e <<<"$lines" >/dev/null)
cd "$build/packages"
for package in libjute0 libjute-dev jute; do
  ls "$package"_*.deb >/dev/null || fail "there is no $package"
done
tar -tzf jute-*.tar.gz >files
grep -q '/bin/jute$' files || fail 'the tarball has no command'
grep -q '/bin/jute-bench$' files || fail 'the tarball has no program that races'

if command -v lintian >/dev/null; then
  told=$(lintian --allow-root ./*.deb 2>&1 | grep '^[EW]:' || true)
  [ -z "$told" ] || fail "lintian says: $told"
fi

[ "$(id -u)" -eq 0 ] || cannot 'a root folder needs root rights'
command -v debootstrap >/dev/null || cannot 'debootstrap is not installed'
unshare --mount --pid --fork true 2>/dev/null || cannot 'name spaces for mounts are not allowed'
scratch=$(mktemp -d "${TMPDIR:-/tmp}/jute-packages.XXXXXX")
trap 'rm -rf --one-file-system "$scratch"' EXIT
root=$scratch/root
debootstrap --variant=minbase --include=libstdc++6,libedit2,gcc,libc6-dev bookworm "$root" \
  >"$scratch/log" 2>&1 || cannot "debootstrap fails: $(tail -n 1 "$scratch/log")"
cp ./*.deb "$root/tmp"
cp -r "$sources/examples" "$sources/tests/stand_in/programs" "$root/tmp"
in_root sh -c 'dpkg -i /tmp/*.deb' >"$scratch/log" 2>&1 || fail "$(cat "$scratch/log")"

# What needs neither a GPU nor NVRTC, and a program of C on the stand-in driver.
in_root sh -euc '
  cd /tmp
  jute --version --json | grep -q "\"name\":\"jute\""
  test "$(jute bench --help)" = "$(jute-bench --help)"
  test "$(jute eval "size((4,8):(8,1))")" = 32
  jute draw "(8,8):(8,1)" -o layout.svg && test -s layout.svg
  jute plan --m 512 --n 512 --k 256 --type bf16 >plan.txt
  jute source --m 512 --n 512 --k 256 --type bf16 | grep -q __global__
  jute emulate examples/emulate/iota.ptx --launch examples/emulate/launch.json | grep -q clean
  cc -std=c99 -o program programs/driver_program.c \
    /usr/lib/*/jute/stand_in/libcuda.so.1 -Wl,-rpath-link,/usr/lib/x86_64-linux-gnu -pthread
  jute run -q -- ./program scale
' >"$scratch/log" 2>&1 || fail "in the bare Debian: $(cat "$scratch/log")"

if "$build/tools/jute/jute" doctor --require nvrtc >/dev/null 2>&1; then
  # With NVRTC named: a product of the command's, and C's example, which compile their kernels there.
  nvrtc=$("$build/tools/jute/jute" doctor | sed -n 's/^nvrtc .* at //p')
  mkdir "$root/tmp/nvrtc"
  cp -L "$nvrtc" "${nvrtc%/*}"/libnvrtc-builtins.so.[0-9]* "$root/tmp/nvrtc"
  in_root JUTE_NVRTC="/tmp/nvrtc/${nvrtc##*/}" JUTE_DEVICE=emulator sh -euc '
    cd /tmp
    jute gemm --m 48 --n 40 --k 32 --type bf16 --random 1 --verify | grep -q "check    ok"
    cc -std=c99 -pedantic -Wall -Wextra -Werror -o c_embed examples/c_embed/main.c -ljute
    ./c_embed | grep -F "d[0] = 32"
  ' >"$scratch/log" 2>&1 || fail "with NVRTC named: $(cat "$scratch/log")"
  # A bundle that was exported here runs there.
  printf 'M=1:64 N=40 K=64 A=f16 B=f16 D=f16\n' >"$scratch/few.problems"
  "$build/tools/jute/jute" export "$scratch/few.problems" -o "$root/tmp/few" --name few >/dev/null
  in_root sh -euc '
    cd /tmp
    jute gemm --from few --m 17 --random 1 --verify --device emulator | grep -q "check    ok"
  ' >"$scratch/log" 2>&1 || fail "the bundle: $(cat "$scratch/log")"
  # Its launcher alone, compiled there, on the stand-in driver: 17 rows of ones by ones.
  mkdir -p "$root/tmp/tests/bundle" "$root/tmp/tests/stand_in" "$root/tmp/case"
  cp -r "$sources/tests/bundle/programs" "$root/tmp/tests/bundle"
  cp -r "$sources/tests/stand_in/programs" "$root/tmp/tests/stand_in"
  halves() { for _ in $(seq "$1"); do printf "$2"; done; }
  halves $((17 * 64)) '\000\074' >"$root/tmp/case/a"
  halves $((64 * 40)) '\000\074' >"$root/tmp/case/b"
  halves $((17 * 40)) '\000\000' >"$root/tmp/case/d"
  halves $((17 * 40)) '\000\124' >"$root/tmp/case/expected"  # 64
  in_root sh -euc '
    cd /tmp
    cc -std=c99 -pedantic -DBUNDLE=few -Ifew -o bundled tests/bundle/programs/run_bundle.c few/few.c \
      /usr/lib/*/jute/stand_in/libcuda.so.1 -Wl,-rpath-link,/usr/lib/x86_64-linux-gnu -ldl -pthread
    ! ldd bundled | grep -q nvrtc
    jute run -q -- ./bundled few 0 17 1 0 case
    cmp case/d case/expected
  ' >"$scratch/log" 2>&1 || fail "the bundle and its launcher: $(cat "$scratch/log")"
fi
printf 'packages: installed and used in a bare Debian\n'
