#!/bin/bash
# dg reuse of imported traces of lackey beside cachegrind with one set that
# holds any line: the misses of such caches of six sizes, from one look at the
# distances, are equal.  Nothing is recorded, so that this runs wherever there
# is a Valgrind.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/imported.sh"
. "$record_dir/reuse_oracle.sh"

cachegrind ()
{
  run cachegrind --cache-sim=yes "$@"
}

compare () # NAME PROGRAM
{
  run lackey --trace-mem=yes --basic-counts=no --log-file="$1.lk" "$2" \
    > /dev/null
  check "$1: dg import" "$DG" import --lackey "$1.lk" -o "$1.dg"
  compare_sizes "$1" "$1.dg" "$2"
}

compare_programs
done_testing
