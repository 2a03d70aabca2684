#!/bin/bash
# short-light-archive.sh: a short run of the fuzz target that reads archives
# once, without a fuzzer.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

mutations=${DG_TEST_LONG:+15}
exec "$abs_builddir/fuzz/targets" light_archive -n "${DG_FUZZ_MUTATIONS:-${mutations:-2}}" \
  "$abs_srcdir/fuzz/regressions-archive" "$abs_builddir/fuzz/corpus/archive" \
  "$abs_srcdir/logs/good" "$abs_srcdir/logs/bad"
