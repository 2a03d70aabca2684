#!/bin/bash
# short-analyses.sh: a short run of the fuzz target of analyses, without a
# fuzzer.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

mutations=${DG_TEST_LONG:+10}
exec "$abs_builddir/fuzz/targets" analyses -n "${DG_FUZZ_MUTATIONS:-${mutations:-2}}" \
  "$abs_srcdir/fuzz/regressions-log" "$abs_builddir/fuzz/corpus/log" \
  "$abs_srcdir/logs/good"
