# Tests of this folder; included by tests/Makefile.am.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# The fuzz targets without a fuzzer: what was found before, a corpus, the
# texts of tests/logs, and some mutations of each.  fuzz.mk has them for clang.
TESTS += fuzz/short.sh fuzz/short-amounts.sh fuzz/short-analyses.sh \
	fuzz/short-archive.sh \
	fuzz/short-code.sh fuzz/short-index.sh fuzz/short-light.sh \
	fuzz/short-light-archive.sh fuzz/short-questions.sh fuzz/short-ring.sh \
	fuzz/short-symbols.sh fuzz/short-text.sh
noinst_HEADERS += fuzz/fuzz.h fuzz/fuzz_random.h fuzz/fuzz_target.h \
	fuzz/kept_blocks.h fuzz/mutate.h fuzz/questions.h

# All targets in one program; what the tests themselves need is in libtest.a.
check_PROGRAMS += fuzz/targets
fuzz_targets_SOURCES = fuzz/fuzz_amounts.c fuzz/fuzz_analyses.c fuzz/fuzz_archive.c \
	fuzz/fuzz_checks.c fuzz/fuzz_code.c fuzz/fuzz_index.c \
	fuzz/fuzz_light.c fuzz/fuzz_light_archive.c fuzz/fuzz_light_log.c \
	fuzz/fuzz_log.c fuzz/fuzz_main.c fuzz/fuzz_questions.c \
	fuzz/fuzz_random.c fuzz/fuzz_ring.c fuzz/fuzz_seal.c fuzz/fuzz_seed.c \
	fuzz/fuzz_symbols.c fuzz/fuzz_text.c fuzz/mutate_archive.c \
	fuzz/mutate_elf.c fuzz/mutate_log.c fuzz/questions_files.c \
	fuzz/questions_heap.c fuzz/questions_names.c fuzz/questions_reports.c
fuzz_targets_CPPFLAGS = $(AM_CPPFLAGS) -DDG_FUZZ_ALL
fuzz_targets_LDADD = $(LDADD) $(ZSTD_LIBS)

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

# By a fuzzer, with sanitizers: each target for so long, one after the other.
FUZZ_SECONDS = 600
FUZZ_TARGETS = light_log light_archive log archive analyses questions index \
	ring text symbols code
fuzz:
	for target in $(FUZZ_TARGETS); do \
	  $(srcdir)/fuzz/run $$target $(FUZZ_SECONDS) || exit 1; \
	done
fuzz-coverage:
	$(srcdir)/fuzz/coverage
.PHONY: fuzz fuzz-coverage

EXTRA_DIST += fuzz/short.sh fuzz/short-amounts.sh fuzz/short-analyses.sh \
	fuzz/short-archive.sh fuzz/short-code.sh fuzz/short-index.sh \
	fuzz/short-light.sh fuzz/short-light-archive.sh \
	fuzz/short-questions.sh fuzz/short-ring.sh fuzz/short-symbols.sh \
	fuzz/short-text.sh fuzz/asan_blocks.c fuzz/kept_blocks.c \
	fuzz/corpora.sh fuzz/coverage \
	fuzz/coverage_table.py fuzz/fuzz.mk fuzz/msan_boundary.c fuzz/run \
	fuzz/seed_program.cc \
	fuzz/corpus.tar.xz fuzz/many fuzz/pack-corpus fuzz/regressions-archive \
	fuzz/regressions-code \
	fuzz/regressions-index fuzz/regressions-log fuzz/regressions-ring \
	fuzz/regressions-symbols fuzz/regressions-text
