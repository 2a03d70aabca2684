# Tests of this folder; included by tests/Makefile.am.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# One test per module of lib/, in the folder of its house.  Each is a link to
# one of few programs, which runs the tests of the module after which it is
# called (unit/unit_main.h): linking the library takes longer than most tests.

# With the library as it is, as are those of logs/.
unit_core_tests = \
	unit/base/test-align \
	unit/base/test-containers \
	unit/base/test-intern \
	unit/base/test-lookup \
	unit/base/test-mapped \
	unit/base/test-number \
	unit/base/test-packed-sums \
	unit/base/test-progress \
	unit/base/test-foreign \
	unit/base/test-regular \
	unit/base/test-shadow \
	unit/base/test-shown \
	unit/base/test-sized \
	unit/format/test-decode \
	unit/archive/test-archive \
	unit/archive/test-archive-damage \
	unit/archive/test-archive-values \
	unit/archive/test-bundle \
	unit/archive/test-index-levels \
	unit/archive/test-lines \
	unit/archive/test-lines-packed \
	unit/archive/test-pack \
	unit/archive/test-program \
	unit/archive/test-records \
	unit/archive/test-values \
	unit/capture/test-capture \
	unit/capture/test-capture-faults \
	unit/capture/test-capture-schedules \
	unit/log/test-arch \
	unit/log/test-blocks \
	unit/log/test-clock \
	unit/log/test-gaps \
	unit/log/test-grow \
	unit/log/test-live \
	unit/log/test-log \
	unit/log/test-reader \
	unit/log/test-repeats \
	unit/log/test-replay \
	unit/log/test-sampling \
	unit/log/test-shortened \
	unit/log/test-store \
	unit/log/test-timeline \
	unit/index/test-index \
	unit/index/test-index-sidecar \
	unit/symbols/test-allocator-names \
	unit/symbols/test-symbols-package \
	unit/symbols/test-symbols-type-name \
	unit/symbols/test-symbols-private \
	unit/insn/test-insn \
	unit/time/test-time-accesses \
	unit/time/test-time-branches \
	unit/time/test-time-cache \
	unit/time/test-time-core \
	unit/time/test-time-host \
	unit/time/test-time-machine \
	unit/time/test-time-places \
	unit/time/test-time-skip \
	unit/calibrate/test-calibrate-clock \
	unit/calibrate/test-calibrate-estimate \
	unit/calibrate/test-calibrate-system \
	unit/convert/test-cut \
	unit/feed/test-columns \
	unit/feed/test-feed-kept \
	unit/variables/test-finder \
	unit/variables/test-frames \
	unit/heap/test-curve \
	unit/heap/test-massif \
	unit/heap/test-allocations \
	unit/heap/test-temporary \
	unit/heap/test-usage \
	unit/heap/test-usage-index \
	unit/analysis/test-analyse \
	unit/analysis/test-estimate \
	unit/analysis/test-needs \
	unit/analysis/test-report \
	unit/arrow/test-arrow \
	unit/arrow/test-arrow-text \
	unit/analyses/test-branches \
	unit/analyses/test-cache-known \
	unit/analyses/test-cache-sim \
	unit/analyses/test-invariants \
	unit/analyses/test-patterns \
	unit/analyses/test-reuse \
	unit/analyses/test-sharing \
	unit/analyses/test-whatif \
	unit/convert/test-pack-log

# With a log that is filled by hand, in place of the library's.
unit_fake_log_tests = \
	unit/space/test-space \
	unit/symbols/test-symbols \
	unit/symbols/test-symbols-debuginfod \
	unit/symbols/test-symbols-elf \
	unit/symbols/test-symbols-probe \
	unit/symbols/test-symbols-valgrind \
	unit/symbols/test-symbols-types \
	unit/symbols/test-symbols-types-variables \
	unit/symbols/test-symbols-damage

# Programs of their own, whose functions are in place of those of libraries.
unit_own_tests = \
	unit/analysis/test-breakdown \
	unit/feed/test-feed \
	unit/filter/test-filter \
	unit/base/test-replace \
	unit/capture/test-recording \
	unit/symbols/test-symbols-work \
	unit/test-nomem

unit_programs = $(unit_core_tests) $(unit_fake_log_tests) $(unit_own_tests)
TESTS += $(unit_programs)
check_PROGRAMS += unit/core-tests unit/fake-log-tests $(unit_own_tests)

unit_links = $(unit_core_tests) $(logs_tests) $(unit_fake_log_tests)
CLEANFILES += $(unit_links)
$(unit_core_tests) $(logs_tests): unit/core-tests$(EXEEXT)
$(unit_fake_log_tests): unit/fake-log-tests$(EXEEXT)
$(unit_links):
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	  ln -sf "`echo $(@D) | sed 's,[^/]*,..,g'`/$<" $@

# What several tests use.
libtest_a_SOURCES += \
	unit/core_test.c unit/core_test.h \
	unit/long_test.c unit/long_test.h \
	unit/unit_main.c unit/unit_main.h \
	unit/random_log.c unit/random_log.h \
	unit/random_text.c unit/random_text.h \
	unit/archive/random_runs.c unit/archive/random_runs.h \
	unit/capture/capture_test.c unit/capture/capture_test.h \
	unit/capture/delays.c unit/capture/delays.h \
	unit/capture/fake_ring.c unit/capture/fake_ring.h \
	unit/symbols/symbols_test.c unit/symbols/symbols_test.h \
	unit/symbols/typed_programs.c unit/symbols/typed_programs.h

unit_core_tests_SOURCES = $(unit_core_tests:=.c) $(logs_tests:=.c) \
	unit/analysis/mock_analysis.c unit/analysis/mock_analysis.h \
	unit/analysis/mock_expected.c unit/analysis/mock_expected.h \
	unit/archive/archive_test.c unit/archive/archive_test.h \
	unit/archive/pack_model.c unit/archive/pack_model.h \
	unit/arrow/arrow_test.c unit/arrow/arrow_test.h \
	unit/time/time_world.h \
	unit/heap/curve_model.c unit/heap/curve_model.h \
	unit/heap/massif_model.c unit/heap/massif_model.h \
	unit/heap/use_log.c unit/heap/use_log.h \
	unit/heap/use_model.c unit/heap/use_model.h \
	unit/index/index_sample.c unit/index/index_sample.h
unit_core_tests_LDADD = $(LDADD) $(DW_LIBS)

fake_log = unit/fake_log.c unit/fake_log.h
unit_fake_log_tests_SOURCES = $(unit_fake_log_tests:=.c) $(fake_log) \
	unit/symbols/typed_gdb.c unit/symbols/typed_gdb.h
unit_fake_log_tests_LDADD = $(LDADD) $(IBERTY_LIBS)

# Names that are made up, what the system refuses, memory that runs out, and
# calls that are counted.
unit_analysis_test_breakdown_SOURCES = unit/analysis/test-breakdown.c \
	$(fake_log)
unit_filter_test_filter_SOURCES = unit/filter/test-filter.c $(fake_log) \
	unit/filter/filter_model.c unit/filter/filter_model.h \
	unit/filter/filter_sample.c unit/filter/filter_sample.h
unit_base_test_replace_SOURCES = unit/base/test-replace.c \
	unit/base/refusing_system.c unit/base/refusing_system.h
unit_base_test_replace_LDADD = $(LDADD) -ldl
nomem = unit/nomem.c unit/nomem.h
unit_test_nomem_SOURCES = unit/test-nomem.c $(nomem) \
	unit/nomem_scenarios.c unit/nomem_scenarios.h \
	unit/nomem_world.c unit/nomem_world.h
unit_symbols_test_symbols_work_SOURCES = \
	unit/symbols/test-symbols-work.c $(fake_log)
unit_symbols_test_symbols_work_LDADD = $(LDADD) -ldl
