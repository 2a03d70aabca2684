#!/bin/bash
# short-symbols.sh: a short run of the fuzz target of ELF and DWARF, without a fuzzer.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

mutations=${DG_TEST_LONG:+5}
exec "$abs_builddir/fuzz/targets" symbols -n "${DG_FUZZ_MUTATIONS:-${mutations:-0}}" \
  "$abs_srcdir/fuzz/regressions-symbols" \
  "$abs_builddir/fuzz/corpus/symbols"
