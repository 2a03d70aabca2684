# fuzz.mk: the fuzz targets, built by clang for a fuzzer, a sanitizer, or
# coverage; run and coverage use it.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Usage: make -f fuzz.mk KIND=asan|msan|coverage OUT=FOLDER FOLDER/KIND/PROGRAM
#   PROGRAM is a target (fuzz_log) for libFuzzer, or seeds-TARGET, the same
#   with the main program of the tests.

KIND = asan
OUT = fuzz.out
CLANG = clang
top := $(patsubst %/tests/fuzz/,%,$(dir $(abspath $(lastword $(MAKEFILE_LIST)))))
dir := $(OUT)/$(KIND)

# Loads of memory that a program shares with its packer are calls, which
# fuzz_ring.c takes.
ring = capture/% archive/pack%
loads_asan = -mllvm -asan-instrumentation-with-call-threshold=0
comma := ,
wrapped_asan = $(addprefix -Wl$(comma)--wrap=__asan_,load1 load2 load4 load8 load16 \
  loadN memcpy)
sanitizers_asan = address,undefined
sanitizers_msan = memory
# Nothing added to a null pointer is nothing: later C allows it.
flags_asan = -O1 -fno-sanitize-recover=undefined -fno-sanitize=pointer-overflow
flags_msan = -O1
# Our own calls of what is not compiled for it (msan_boundary.c).
wrapped_by_msan = g_malloc g_try_malloc g_malloc_n g_try_malloc_n g_malloc0 \
  g_try_malloc0 g_malloc0_n g_try_malloc0_n g_try_realloc_n g_try_realloc \
  g_realloc_n g_realloc g_free g_strdup g_hash_table_iter_next \
  g_hash_table_lookup_extended g_snprintf \
  ZSTD_createDCtx ZSTD_freeDCtx ZSTD_decompress ZSTD_decompressDCtx \
  ZSTD_compress ZSTD_compressCCtx
libs_msan = $(addprefix -Wl$(comma)--wrap=,$(wrapped_by_msan))
flags_coverage = -O1 -fprofile-instr-generate -fcoverage-mapping \
  -mllvm -runtime-counter-relocation -Wno-unused-command-line-argument
ifneq ($(sanitizers_$(KIND)),)
  flags_$(KIND) := -fsanitize=$(sanitizers_$(KIND)) $(flags_$(KIND)) $(MORE)
  compiled = $(if $(MANY),,-fsanitize=fuzzer-no-link)
  linked = -fsanitize=fuzzer
endif
# Of `many`, large blocks are kept.
ifneq ($(MANY),)
kept_asan = fuzz/asan_blocks fuzz/kept_blocks
libs_asan = $(addprefix -Wl$(comma)--wrap=,g_malloc g_malloc0 g_try_malloc \
  g_try_malloc0 g_try_malloc_n g_free ZSTD_createDCtx ZSTD_freeDCtx ZSTD_decompress)
endif
packages = glib-2.0 gio-2.0 libdw libelf libzstd libxxhash
FLAGS = -g -std=gnu11 -fno-strict-aliasing -D_GNU_SOURCE \
  -I$(dir) -I$(top)/include -I$(top)/lib -I$(top)/tests -I$(top)/tests/unit \
  -DDG_PLUGIN_DIR='"/nowhere"' -DDG_PROBE='"no"' -DDG_FUZZ_TOP='"$(top)"' $(flags_$(KIND)) \
  $(shell pkg-config --cflags $(packages))
LIBS = $(libs_$(KIND)) $(shell pkg-config --libs $(packages)) -liberty -lm

# Of the light targets, no more than they need is built for it.
ifeq ($(KIND),msan)
houses = $(addprefix lib/,base format archive log)
else
houses = lib
endif
# The program has a main of its own.
sources := $(filter-out lib/symbols/dg_probe.c, \
  $(shell cd $(top) && find $(houses) -name '*.c'))
analyses := $(shell sed -n '/^ANALYSES/,/[^\\]$$/s,.*/\(.*\)\.c.*,\1,p' \
  $(top)/lib/Makefile.am)
# What targets share; a target is a file of its own.
shared := asm unit/core_test unit/random_text unit/capture/fake_ring fuzz/fuzz_checks fuzz/fuzz_light fuzz/fuzz_random \
  fuzz/fuzz_seal fuzz/fuzz_seed fuzz/mutate_archive fuzz/mutate_elf fuzz/mutate_log \
  fuzz/questions_files fuzz/questions_heap fuzz/questions_names fuzz/questions_reports \
  $(kept_$(KIND))

ifeq ($(KIND),msan)
shared := asm fuzz/fuzz_light fuzz/fuzz_random fuzz/fuzz_seal \
  fuzz/mutate_archive fuzz/mutate_log fuzz/msan_boundary \
  fuzz/kept_blocks
endif
objects = $(sources:%.c=$(dir)/%.o) $(shared:%=$(dir)/tests/%.o) \
  $(dir)/analysis_table.o

.PRECIOUS: $(dir)/%.o
.DELETE_ON_ERROR:

$(dir)/fuzz_%: $(dir)/tests/fuzz/fuzz_%.o $(dir)/all.a
	$(CLANG) $(FLAGS) $(linked) $(if $(filter ring,$*),$(wrapped_$(KIND))) $^ $(LIBS) -o $@
$(OUT)/asan/tests/fuzz/fuzz_ring.o: FLAGS += -DDG_FUZZ_LOADS
$(dir)/seeds-%: $(dir)/tests/fuzz/fuzz_main.o $(dir)/tests/fuzz/%.o $(dir)/all.a
	$(CLANG) $(FLAGS) $(compiled) $(if $(filter fuzz_ring,$*),$(wrapped_$(KIND))) $^ $(LIBS) -o $@

$(dir)/all.a: $(objects)
	rm -f $@
	ar rcT $@ $^

$(dir)/config.h:
	@mkdir -p $(@D)
	echo '#define PACKAGE_VERSION "fuzz"' > $@
$(dir)/lib/base/version.o: $(dir)/config.h

$(dir)/%.o: $(top)/%.c
	@mkdir -p $(@D)
	$(CLANG) $(FLAGS) $(compiled) $(if $(filter $(ring:%=lib/%),$*),$(loads_$(KIND))) \
	  -MMD -c $< -o $@

$(dir)/analysis_table.c: $(top)/lib/Makefile.am
	@mkdir -p $(@D)
	{ echo '#include "analysis/analysis.h"'; \
	  for n in $(analyses); do \
	    echo "extern const struct dg_analysis dg_analysis_$$n;"; \
	  done; \
	  echo 'const struct dg_analysis *const *dg_analysis_table (void) {'; \
	  echo '  static const struct dg_analysis *const table[] = {'; \
	  for n in $(analyses); do echo "    &dg_analysis_$$n,"; done; \
	  echo '    NULL }; return table; }'; } > $@
$(dir)/analysis_table.o: $(dir)/analysis_table.c
	$(CLANG) $(FLAGS) $(compiled) -c $< -o $@

-include $(objects:.o=.d) $(wildcard $(dir)/tests/fuzz/*.d)
