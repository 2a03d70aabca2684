#!/bin/bash
# short-text.sh: a short run of the fuzz target of what users write, without a fuzzer.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

mutations=${DG_TEST_LONG:+60}
exec "$abs_builddir/fuzz/targets" text -n "${DG_FUZZ_MUTATIONS:-${mutations:-30}}" \
  "$abs_srcdir/fuzz/regressions-text" "$abs_builddir/fuzz/corpus/text"
