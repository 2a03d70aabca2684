# Tests of this folder; included by tests/Makefile.am.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# The fuzz targets without a fuzzer: what was found before, a corpus, the
# texts of tests/logs, and some mutations of each.
TESTS += fuzz/short-index.sh
slow_tests += fuzz/short-archive.sh fuzz/short.sh
check_PROGRAMS += fuzz/fuzz_archive fuzz/fuzz_index fuzz/fuzz_log
noinst_HEADERS += fuzz/fuzz.h

fuzz_fuzz_archive_SOURCES = fuzz/fuzz_archive.c fuzz/fuzz_checks.c \
	fuzz/fuzz_main.c fuzz/fuzz_seal.c

fuzz_fuzz_index_SOURCES = fuzz/fuzz_index.c fuzz/fuzz_main.c \
	fuzz/fuzz_seal.c

fuzz_fuzz_log_SOURCES = fuzz/fuzz_log.c fuzz/fuzz_checks.c fuzz/fuzz_main.c

# Inputs that a fuzzer found to reach more of the reader; pack-corpus makes the
# archive of them.
check_DATA += fuzz/corpus.unpacked
fuzz/corpus.unpacked: $(srcdir)/fuzz/corpus.tar.xz
	$(AM_V_GEN)$(MKDIR_P) fuzz && rm -rf fuzz/corpus && \
	  xz -dc '$(srcdir)/fuzz/corpus.tar.xz' | (cd fuzz && tar -xf -) && \
	  touch $@
clean-local: clean-corpus
clean-corpus:
	rm -rf fuzz/corpus fuzz/corpus.unpacked
.PHONY: clean-corpus

EXTRA_DIST += fuzz/short.sh fuzz/short-archive.sh fuzz/short-index.sh \
	fuzz/run fuzz/corpus.tar.xz fuzz/pack-corpus fuzz/regressions \
	fuzz/regressions-archive fuzz/regressions-index
