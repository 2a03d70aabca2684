#!/bin/bash
# short-archive.sh: a short run of the fuzz target of archives, without a
# fuzzer.  Each archive takes 20 ms with sanitizers; logs/test-archives damages
# every byte of one.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

mutations=${DG_TEST_LONG:+8}
exec "$abs_builddir/fuzz/targets" archive -n "${DG_FUZZ_MUTATIONS:-${mutations:-1}}" \
  "$abs_srcdir/fuzz/regressions-archive" "$abs_srcdir/logs/good" \
  "$abs_srcdir/logs/bad"
