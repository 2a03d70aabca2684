#!/bin/bash
# dg opcodes and dg schedule beside objdump and the records of the log.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

[ "$guest_arch" = amd64 ] || skip_all "the names of opcodes are those of amd64"
command -v objdump > /dev/null || skip_all "no objdump"

compare () # GUEST [FLAGS...]
{
  guest "$@" || {
    skip "$1: opcodes and time slices" "the compiler cannot make it"
    return
  }
  "$DG" record --valgrind="${VALGRIND_DG%% --tool=*}" -q -o "$1.dgz" "./$1" \
    > printed 2> log.err || skip_all "cannot record: $(cat log.err)"
  check "$1: opcodes and time slices" \
    python3 "$record_dir/opcodes_model.py" "$1.dgz"
}
compare export
compare heap-threads -pthread
is "heap-threads: threads take turns" \
  "$(($("$DG" schedule --json heap-threads.dgz |
    sed -n 's/^ *"switches": \([0-9]*\),*$/\1/p' | head -n 1) > 2))" 1

done_testing
