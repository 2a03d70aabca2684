# Tests of this folder; included by tests/Makefile.am.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# The fuzz target without a fuzzer: what was found before, a corpus, the
# texts of tests/logs, and some mutations of each.
TESTS += fuzz/short.sh
check_PROGRAMS += fuzz/fuzz_log
fuzz_fuzz_log_SOURCES = fuzz/fuzz_log.c asm.c asm.h
fuzz_fuzz_log_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir) -DDG_FUZZ_MAIN
fuzz_fuzz_log_LDADD = ../lib/libdatagrind-core.la $(GLIB_LIBS)

EXTRA_DIST += fuzz/short.sh fuzz/run fuzz/corpus fuzz/regressions
