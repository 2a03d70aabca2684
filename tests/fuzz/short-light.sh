#!/bin/bash
# short-light.sh: a short run of the fuzz target that reads logs once, without
# a fuzzer.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

mutations=${DG_TEST_LONG:+150}
exec "$abs_builddir/fuzz/targets" light_log -n "${DG_FUZZ_MUTATIONS:-${mutations:-30}}" \
  "$abs_srcdir/fuzz/regressions-log" "$abs_builddir/fuzz/corpus/log" \
  "$abs_srcdir/logs/good" "$abs_srcdir/logs/bad"
