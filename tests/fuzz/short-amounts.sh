#!/bin/bash
# short-amounts.sh: a short run of the fuzz target of memory and output: one
# command for each log, in a process.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# The program itself, which libtool's script would start after a while.
if [ -x "${DG%/*}/.libs/${DG##*/}" ]; then
  LD_LIBRARY_PATH=${DG%/*}/../lib/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  DG=${DG%/*}/.libs/${DG##*/}
  export DG LD_LIBRARY_PATH
fi
corpus=()
[ -z "$DG_TEST_LONG" ] || corpus=("$abs_builddir/fuzz/corpus/log")
mutations=${DG_TEST_LONG:+20}
exec "$abs_builddir/fuzz/targets" amounts -n "${DG_FUZZ_MUTATIONS:-${mutations:-3}}" \
  -s "${DG_FUZZ_SEED:-1}" "${corpus[@]}" \
  "$abs_srcdir/fuzz/regressions-log" "$abs_srcdir/fuzz/regressions-archive" \
  "$abs_srcdir/logs/good"
