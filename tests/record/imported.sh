# What the comparisons of imported traces with cachegrind share.  Nothing is
# recorded, so that they run wherever there is a Valgrind.  To be sourced
# instead of record.sh; the caller has a function `compare`.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# shellcheck shell=bash

if ! command -v valgrind > /dev/null; then
  echo "1..0 # SKIP no valgrind"
  exit 0
fi
unset VALGRIND_LIB
VALGRIND_DG=valgrind
. "$(dirname "$0")/record.sh"
for tool in lackey cachegrind; do
  valgrind --tool=$tool --version > /dev/null 2>&1 || skip_all "no $tool"
done

# The same environment and places for both.
fixed=
if setarch -R true 2> /dev/null; then
  fixed="setarch -R"
fi
run () # TOOL OPTIONS... PROGRAM
{
  # shellcheck disable=SC2086
  env -i PATH="$PATH" HOME="$T" $fixed valgrind --vex-guest-chase=no \
    --vex-iropt-unroll-thresh=0 --tool="$@" 2> /dev/null
}

# Calls compare NAME PROGRAM for each of three programs.
compare_programs ()
{
  local bare name
  bare=(-static -nostdlib -fno-pie -no-pie -ffreestanding -fno-stack-protector
        -fcf-protection=none -fno-tree-loop-distribute-patterns)
  # Each is run once by lackey and once for each cache, so only programs will do
  # of which every run is the same to the last access: a dynamic linker is not.
  for name in cache-misses bare-recurse bare-string; do
    if guest $name "${bare[@]}"; then
      compare $name ./$name
    else
      not_ok "$name: compiles"
    fi
  done
}
