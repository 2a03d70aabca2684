#!/bin/bash
# dg reuse of recorded programs beside cachegrind with one set that holds any
# line: programs that are laid out alike under both, as they are linked
# statically and allocate nothing, have the same misses.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"
. "$record_dir/alike.sh"
. "$record_dir/reuse_oracle.sh"
find_oracle cachegrind
cachegrind ()
{
  theirs --cache-sim=yes "$@" 2> /dev/null
}
as=environment guest bare-environment "${bare[@]}" ||
  skip_all "the compiler makes no static programs"
fill "$T/environment" --cachegrind-out-file=/dev/null ||
  skip_all "environments cannot be made alike"

for source in cache-misses bare-float bare-string; do
  # Names of one length: programs find them on their stack.
  if as=program guest $source "${bare[@]}"; then
    ours --datagrind-out-file=$source.dg "$T/program" > /dev/null 2>&1
    compare_sizes $source $source.dg "$T/program"
  else
    skip "$source" "the compiler cannot make it"
  fi
done
done_testing
