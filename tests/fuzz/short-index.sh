#!/bin/bash
# short-index.sh: a short run of the fuzz target of sidecars, without a fuzzer.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

mutations=${DG_TEST_LONG:+150}
exec "$abs_builddir/fuzz/targets" index -n "${DG_FUZZ_MUTATIONS:-${mutations:-100}}" \
  "$abs_srcdir/fuzz/regressions-index" "$abs_srcdir/logs/good/chunks.dgt"
