# Tests of this folder; included by tests/Makefile.am.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# One program per module of lib/, in the folder of its house.  A program is
# its source with libtest.a and the library, unless something else stands
# below.

unit_programs = \
	unit/base/test-containers \
	unit/base/test-intern \
	unit/base/test-lookup \
	unit/base/test-mapped \
	unit/base/test-number \
	unit/base/test-progress \
	unit/base/test-foreign \
	unit/base/test-regular \
	unit/base/test-replace \
	unit/base/test-shadow \
	unit/base/test-sized \
	unit/format/test-decode \
	unit/archive/test-archive \
	unit/archive/test-archive-damage \
	unit/archive/test-bundle \
	unit/archive/test-index-levels \
	unit/archive/test-lines \
	unit/archive/test-pack \
	unit/archive/test-program \
	unit/archive/test-records \
	unit/capture/test-capture \
	unit/capture/test-capture-faults \
	unit/capture/test-capture-schedules \
	unit/log/test-arch \
	unit/log/test-clock \
	unit/log/test-gaps \
	unit/log/test-grow \
	unit/log/test-live \
	unit/log/test-log \
	unit/log/test-reader \
	unit/log/test-replay \
	unit/log/test-sampling \
	unit/log/test-shortened \
	unit/log/test-store \
	unit/log/test-timeline \
	unit/index/test-index \
	unit/index/test-index-sidecar \
	unit/space/test-space \
	unit/symbols/test-allocator-names \
	unit/symbols/test-symbols \
	unit/symbols/test-symbols-debuginfod \
	unit/symbols/test-symbols-elf \
	unit/symbols/test-symbols-package \
	unit/symbols/test-symbols-type-name \
	unit/symbols/test-symbols-private \
	unit/symbols/test-symbols-probe \
	unit/symbols/test-symbols-valgrind \
	unit/symbols/test-symbols-work \
	unit/filter/test-filter \
	unit/convert/test-cut \
	unit/feed/test-columns \
	unit/feed/test-feed \
	unit/variables/test-finder \
	unit/variables/test-frames \
	unit/heap/test-curve \
	unit/heap/test-massif \
	unit/heap/test-allocations \
	unit/heap/test-temporary \
	unit/heap/test-usage \
	unit/heap/test-usage-index \
	unit/analysis/test-analyse \
	unit/analysis/test-breakdown \
	unit/analysis/test-estimate \
	unit/analysis/test-report \
	unit/arrow/test-arrow \
	unit/arrow/test-arrow-text \
	unit/analyses/test-cache-sim \
	unit/analyses/test-invariants \
	unit/analyses/test-patterns \
	unit/analyses/test-reuse \
	unit/analyses/test-sharing \
	unit/test-nomem
unit_slow_programs = \
	unit/convert/test-pack-log \
	unit/symbols/test-symbols-types \
	unit/symbols/test-symbols-types-variables \
	unit/symbols/test-symbols-damage
TESTS += $(unit_programs)
slow_tests += $(unit_slow_programs)
check_PROGRAMS += $(unit_programs) $(unit_slow_programs)

# What several tests use.
libtest_a_SOURCES += \
	unit/core_test.c unit/core_test.h \
	unit/random_log.c unit/random_log.h \
	unit/random_text.c unit/random_text.h \
	unit/archive/random_runs.c unit/archive/random_runs.h \
	unit/capture/capture_test.c unit/capture/capture_test.h \
	unit/capture/delays.c unit/capture/delays.h \
	unit/capture/fake_ring.c unit/capture/fake_ring.h \
	unit/symbols/symbols_test.c unit/symbols/symbols_test.h \
	unit/symbols/typed_programs.c unit/symbols/typed_programs.h

# What the debugger says of typed programs.
typed_gdb = unit/symbols/typed_gdb.c unit/symbols/typed_gdb.h

# A log that is filled by hand, in place of the library's.
fake_log = unit/fake_log.c unit/fake_log.h
unit_analysis_test_breakdown_SOURCES = unit/analysis/test-breakdown.c \
	$(fake_log)
unit_filter_test_filter_SOURCES = unit/filter/test-filter.c $(fake_log) \
	unit/filter/filter_model.c unit/filter/filter_model.h \
	unit/filter/filter_sample.c unit/filter/filter_sample.h
unit_space_test_space_SOURCES = unit/space/test-space.c $(fake_log)
unit_symbols_test_symbols_SOURCES = unit/symbols/test-symbols.c $(fake_log)
unit_symbols_test_symbols_LDADD = $(LDADD) $(IBERTY_LIBS)
unit_symbols_test_symbols_damage_SOURCES = \
	unit/symbols/test-symbols-damage.c $(fake_log)
unit_symbols_test_symbols_debuginfod_SOURCES = \
	unit/symbols/test-symbols-debuginfod.c $(fake_log)
unit_symbols_test_symbols_package_LDADD = $(LDADD) $(DW_LIBS)
unit_symbols_test_symbols_elf_SOURCES = \
	unit/symbols/test-symbols-elf.c $(fake_log)
unit_symbols_test_symbols_probe_SOURCES = \
	unit/symbols/test-symbols-probe.c $(fake_log)
unit_symbols_test_symbols_types_SOURCES = \
	unit/symbols/test-symbols-types.c $(fake_log) $(typed_gdb)
unit_symbols_test_symbols_types_variables_SOURCES = \
	unit/symbols/test-symbols-types-variables.c $(fake_log) $(typed_gdb)
unit_symbols_test_symbols_valgrind_SOURCES = \
	unit/symbols/test-symbols-valgrind.c $(fake_log)
unit_symbols_test_symbols_work_SOURCES = \
	unit/symbols/test-symbols-work.c $(fake_log)
unit_symbols_test_symbols_work_LDADD = $(LDADD) -ldl

# Archives, logs and what they should give, which two of them use.
archive_test = unit/archive/archive_test.c unit/archive/archive_test.h
unit_archive_test_bundle_SOURCES = unit/archive/test-bundle.c \
	$(archive_test)
unit_archive_test_archive_SOURCES = unit/archive/test-archive.c \
	$(archive_test)
unit_archive_test_archive_damage_SOURCES = \
	unit/archive/test-archive-damage.c $(archive_test)
index_sample = unit/index/index_sample.c unit/index/index_sample.h
unit_index_test_index_SOURCES = unit/index/test-index.c $(index_sample)
unit_index_test_index_sidecar_SOURCES = unit/index/test-index-sidecar.c \
	$(index_sample)

# What streams of Arrow hand out, as text.
unit_arrow_test_arrow_SOURCES = unit/arrow/test-arrow.c \
	unit/arrow/arrow_test.c unit/arrow/arrow_test.h

# The same by other means, which only one of them needs.
unit_analysis_test_analyse_SOURCES = unit/analysis/test-analyse.c \
	unit/analysis/mock_analysis.c unit/analysis/mock_analysis.h \
	unit/analysis/mock_expected.c unit/analysis/mock_expected.h
unit_archive_test_pack_SOURCES = unit/archive/test-pack.c \
	unit/archive/pack_model.c unit/archive/pack_model.h
unit_heap_test_curve_SOURCES = unit/heap/test-curve.c \
	unit/heap/curve_model.c unit/heap/curve_model.h
unit_heap_test_massif_SOURCES = unit/heap/test-massif.c \
	unit/heap/massif_model.c unit/heap/massif_model.h
unit_heap_test_allocations_SOURCES = unit/heap/test-allocations.c \
	unit/heap/use_log.c unit/heap/use_log.h
unit_heap_test_temporary_SOURCES = unit/heap/test-temporary.c \
	unit/heap/use_log.c unit/heap/use_log.h
unit_heap_test_usage_SOURCES = unit/heap/test-usage.c \
	unit/heap/use_log.c unit/heap/use_log.h \
	unit/heap/use_model.c unit/heap/use_model.h

# What the system refuses, and memory that runs out.
unit_base_test_replace_SOURCES = unit/base/test-replace.c \
	unit/base/refusing_system.c unit/base/refusing_system.h
unit_base_test_replace_LDADD = $(LDADD) -ldl
nomem = unit/nomem.c unit/nomem.h
unit_test_nomem_SOURCES = unit/test-nomem.c $(nomem) \
	unit/nomem_scenarios.c unit/nomem_scenarios.h \
	unit/nomem_world.c unit/nomem_world.h
