#!/bin/bash
# short-questions.sh: a short run of the fuzz target that asks anything of a log
# and of the files in it, without a fuzzer.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# A process for each file of each input is another test's.
export DATAGRIND_PROBE=no
mutations=${DG_TEST_LONG:+60}
exec "$abs_builddir/fuzz/targets" questions -n "${DG_FUZZ_MUTATIONS:-${mutations:-10}}" \
  "$abs_builddir/fuzz/corpus/questions" "$abs_srcdir/logs/good"
