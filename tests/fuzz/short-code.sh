#!/bin/bash
# short-code.sh: a short run of the fuzz target of code, without a fuzzer.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

mutations=${DG_TEST_LONG:+200}
exec "$abs_builddir/fuzz/targets" code -n "${DG_FUZZ_MUTATIONS:-${mutations:-100}}" \
  "$abs_srcdir/fuzz/regressions-code" \
  "$abs_builddir/fuzz/corpus/code"
