#!/usr/bin/env bash
# newer_compiler.sh SOURCES: the commit of SOURCES is built without a warning by the compiler of Debian 13,
# which is newer than what jute is written with.  Status 77: no such machine can be made here.
set -euo pipefail

status=0
said=$(JUTE_BARE_SUITE=trixie "$1/.ci/bare_machine" .ci/no_warnings 2>&1) || status=$?
printf '%s\n' "$said"
[ "$status" -ne 75 ] || { printf 'SKIPPED: %s\n' "$(tail -n 1 <<<"$said")"; exit 77; }
exit "$status"
