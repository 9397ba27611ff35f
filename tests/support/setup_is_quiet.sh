#!/usr/bin/env bash
# tools/setup must call no package manager where nothing is missing:  setup_is_quiet.sh SETUP
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for name in apt-get apt sudo pip pip3 python3; do
  printf '#!/bin/sh\necho "%s $*" >>"%s/called"\nexit 1\n' "$name" "$scratch" >"$scratch/$name"
  chmod +x "$scratch/$name"
done

PATH=$scratch:$PATH "$1"
[ ! -e "$scratch/called" ] || { cat "$scratch/called"; exit 1; }
