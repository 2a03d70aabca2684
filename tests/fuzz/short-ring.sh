#!/bin/bash
# short-ring.sh: a short run of the fuzz target of rings, without a fuzzer.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

mutations=${DG_TEST_LONG:+20}
exec "$abs_builddir/fuzz/targets" ring -n "${DG_FUZZ_MUTATIONS:-${mutations:-4}}" \
  "$abs_srcdir/fuzz/regressions-ring" "$abs_builddir/fuzz/corpus/ring" \
  "$abs_srcdir/logs/good"
