# Tests of this folder; included by tests/Makefile.am.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# Names, owners and filters, on logs that are filled by hand (fake_log.c).
check_PROGRAMS += unit/test-filter unit/test-space unit/test-symbols
TESTS += unit/test-filter unit/test-space unit/test-symbols
noinst_HEADERS += unit/fake_log.h all_blocks.h

unit_test_filter_SOURCES = unit/test-filter.c unit/fake_log.c
unit_test_filter_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/unit
unit_test_filter_LDADD = ../lib/libdatagrind-core.la $(GLIB_LIBS)

unit_test_space_SOURCES = unit/test-space.c unit/fake_log.c
unit_test_space_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/unit
unit_test_space_LDADD = ../lib/libdatagrind-core.la $(GLIB_LIBS)

unit_test_symbols_SOURCES = unit/test-symbols.c unit/symbols_test.c \
	unit/symbols_test.h unit/fake_log.c
unit_test_symbols_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/unit
unit_test_symbols_LDADD = ../lib/libdatagrind-core.la $(GLIB_LIBS) \
	$(IBERTY_LIBS)

SYMBOLS_TESTS = unit/test-symbols-damage unit/test-symbols-debuginfod \
	unit/test-symbols-type-name unit/test-symbols-types \
	unit/test-symbols-valgrind unit/test-symbols-work
check_PROGRAMS += $(SYMBOLS_TESTS)
TESTS += $(SYMBOLS_TESTS)
noinst_HEADERS += unit/symbols_test.h unit/typed_programs.h

unit_test_symbols_damage_SOURCES = unit/test-symbols-damage.c \
	unit/typed_programs.c unit/symbols_test.c unit/fake_log.c
unit_test_symbols_damage_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/unit
unit_test_symbols_damage_LDADD = ../lib/libdatagrind-core.la $(GLIB_LIBS)

unit_test_symbols_type_name_SOURCES = unit/test-symbols-type-name.c
unit_test_symbols_type_name_LDADD = ../lib/libdatagrind-core.la $(GLIB_LIBS)

unit_test_symbols_debuginfod_SOURCES = unit/test-symbols-debuginfod.c \
	unit/symbols_test.c unit/fake_log.c
unit_test_symbols_debuginfod_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/unit
unit_test_symbols_debuginfod_LDADD = ../lib/libdatagrind-core.la $(GLIB_LIBS)

unit_test_symbols_valgrind_SOURCES = unit/test-symbols-valgrind.c \
	unit/symbols_test.c unit/fake_log.c
unit_test_symbols_valgrind_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/unit \
	-I$(top_srcdir)/lib
unit_test_symbols_valgrind_LDADD = ../lib/libdatagrind-core.la $(GLIB_LIBS)

unit_test_symbols_work_SOURCES = unit/test-symbols-work.c \
	unit/symbols_test.c unit/fake_log.c
unit_test_symbols_work_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/unit
unit_test_symbols_work_LDADD = ../lib/libdatagrind-core.la $(GLIB_LIBS) -ldl

unit_test_symbols_types_SOURCES = unit/test-symbols-types.c \
	unit/typed_programs.c unit/symbols_test.c unit/fake_log.c
unit_test_symbols_types_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/unit
unit_test_symbols_types_LDADD = ../lib/libdatagrind-core.la $(GLIB_LIBS)

# Caches against plain lists.
check_PROGRAMS += unit/test-cache-sim
TESTS += unit/test-cache-sim
unit_test_cache_sim_SOURCES = unit/test-cache-sim.c
unit_test_cache_sim_LDADD = ../lib/libdatagrind-core.la $(GLIB_LIBS)

# Sums by name, with names that the test makes up.
check_PROGRAMS += unit/test-breakdown
TESTS += unit/test-breakdown
unit_test_breakdown_SOURCES = unit/test-breakdown.c unit/fake_log.c
unit_test_breakdown_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/unit
unit_test_breakdown_LDADD = ../lib/libdatagrind-core.la $(GLIB_LIBS)

# The index of random logs, which the viewer's tests have, too.
check_PROGRAMS += unit/test-index
TESTS += unit/test-index
unit_test_index_SOURCES = unit/test-index.c view/random_log.c \
	view/random_log.h asm.c asm.h
unit_test_index_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)
unit_test_index_LDADD = ../lib/libdatagrind-core.la $(GLIB_LIBS)

# Archives as files, and what stands between runs.
check_PROGRAMS += unit/test-archive unit/test-records
TESTS += unit/test-archive unit/test-records

unit_test_archive_SOURCES = unit/test-archive.c
unit_test_archive_LDADD = ../lib/libdatagrind-core.la $(GLIB_LIBS)

unit_test_records_SOURCES = unit/test-records.c
unit_test_records_LDADD = ../lib/libdatagrind-core.la $(GLIB_LIBS)

check_PROGRAMS += unit/test-clock
TESTS += unit/test-clock
unit_test_clock_SOURCES = unit/test-clock.c
unit_test_clock_LDADD = ../lib/libdatagrind-core.la $(GLIB_LIBS)

# The core: logs of texts that core_test.c assembles.
CORE_TESTS = unit/test-containers unit/test-decode unit/test-gaps \
	unit/test-log unit/test-reader unit/test-regular unit/test-replay \
	unit/test-timeline
check_PROGRAMS += $(CORE_TESTS)
TESTS += $(CORE_TESTS)
core_test_sources = unit/core_test.c unit/core_test.h asm.c asm.h
core_test_cppflags = $(AM_CPPFLAGS) -I$(srcdir)
core_test_libs = ../lib/libdatagrind-core.la $(GLIB_LIBS)

unit_test_containers_SOURCES = unit/test-containers.c
unit_test_containers_LDADD = $(core_test_libs)

unit_test_gaps_SOURCES = unit/test-gaps.c $(core_test_sources)
unit_test_gaps_CPPFLAGS = $(core_test_cppflags)
unit_test_gaps_LDADD = $(core_test_libs)

unit_test_decode_SOURCES = unit/test-decode.c $(core_test_sources)
unit_test_decode_CPPFLAGS = $(core_test_cppflags)
unit_test_decode_LDADD = $(core_test_libs)

unit_test_log_SOURCES = unit/test-log.c describe.c describe.h \
	$(core_test_sources)
unit_test_log_CPPFLAGS = $(core_test_cppflags)
unit_test_log_LDADD = $(core_test_libs)

unit_test_reader_SOURCES = unit/test-reader.c $(core_test_sources)
unit_test_reader_CPPFLAGS = $(core_test_cppflags)
unit_test_reader_LDADD = $(core_test_libs)

unit_test_regular_SOURCES = unit/test-regular.c
unit_test_regular_LDADD = $(core_test_libs)

unit_test_replay_SOURCES = unit/test-replay.c $(core_test_sources)
unit_test_replay_CPPFLAGS = $(core_test_cppflags)
unit_test_replay_LDADD = $(core_test_libs)

unit_test_timeline_SOURCES = unit/test-timeline.c $(core_test_sources)
unit_test_timeline_CPPFLAGS = $(core_test_cppflags)
unit_test_timeline_LDADD = $(core_test_libs)

# Massif's algorithm beside another one.
check_PROGRAMS += unit/test-massif
TESTS += unit/test-massif
unit_test_massif_SOURCES = unit/test-massif.c unit/massif_model.c \
	unit/massif_model.h $(core_test_sources)
unit_test_massif_CPPFLAGS = $(core_test_cppflags)
unit_test_massif_LDADD = $(core_test_libs)

# Round trips, with random logs.
check_PROGRAMS += unit/test-pack-log
TESTS += unit/test-pack-log
unit_test_pack_log_SOURCES = unit/test-pack-log.c unit/random_text.c \
	unit/random_text.h describe.c describe.h $(core_test_sources)
unit_test_pack_log_CPPFLAGS = $(core_test_cppflags)
unit_test_pack_log_LDADD = $(core_test_libs)

# Logs that grow, likewise.
check_PROGRAMS += unit/test-grow
TESTS += unit/test-grow
unit_test_grow_SOURCES = unit/test-grow.c unit/random_text.c \
	unit/random_text.h describe.c describe.h $(core_test_sources)
unit_test_grow_CPPFLAGS = $(core_test_cppflags)
unit_test_grow_LDADD = $(core_test_libs)

# Rings become archives.
check_PROGRAMS += unit/test-capture unit/test-capture-faults
TESTS += unit/test-capture unit/test-capture-faults
noinst_HEADERS += unit/capture_test.h unit/fake_ring.h
capture_test_sources = unit/capture_test.c unit/fake_ring.c \
	$(core_test_sources)
unit_test_capture_SOURCES = unit/test-capture.c $(capture_test_sources) \
	describe.c describe.h
unit_test_capture_CPPFLAGS = $(core_test_cppflags)
unit_test_capture_LDADD = $(core_test_libs)
unit_test_capture_faults_SOURCES = unit/test-capture-faults.c \
	$(capture_test_sources)
unit_test_capture_faults_CPPFLAGS = $(core_test_cppflags)
unit_test_capture_faults_LDADD = $(core_test_libs)

check_PROGRAMS += unit/test-cut
TESTS += unit/test-cut
unit_test_cut_SOURCES = unit/test-cut.c unit/random_text.c \
	unit/random_text.h describe.c describe.h $(core_test_sources)
unit_test_cut_CPPFLAGS = $(core_test_cppflags)
unit_test_cut_LDADD = $(core_test_libs)

# Workers, shards, order, snapshots, errors: what a mock is given.
check_PROGRAMS += unit/test-analyse
TESTS += unit/test-analyse
noinst_HEADERS += unit/mock_analysis.h unit/mock_expected.h
unit_test_analyse_SOURCES = unit/test-analyse.c unit/mock_analysis.c \
	unit/mock_expected.c unit/random_text.c unit/random_text.h \
	$(core_test_sources)
unit_test_analyse_CPPFLAGS = $(core_test_cppflags) -I$(top_srcdir)/lib
unit_test_analyse_LDADD = $(core_test_libs)

# Batches of runs for analyses.
check_PROGRAMS += unit/test-feed
TESTS += unit/test-feed
unit_test_feed_SOURCES = unit/test-feed.c unit/random_text.c \
	unit/random_text.h $(core_test_sources)
unit_test_feed_CPPFLAGS = $(core_test_cppflags)
unit_test_feed_LDADD = $(core_test_libs)

# Sums that texts of logs cannot have wrong.
check_PROGRAMS += unit/test-invariants
TESTS += unit/test-invariants
unit_test_invariants_SOURCES = unit/test-invariants.c $(core_test_sources)
unit_test_invariants_CPPFLAGS = $(core_test_cppflags)
unit_test_invariants_LDADD = $(core_test_libs)

# The codec of runs, on programs that are made up (random_runs.c).
CODEC_TESTS = unit/test-lines unit/test-pack unit/test-program
check_PROGRAMS += $(CODEC_TESTS)
TESTS += $(CODEC_TESTS)
noinst_HEADERS += unit/random_runs.h
codec_test_cppflags = $(AM_CPPFLAGS) -I$(srcdir)/unit
codec_test_libs = ../lib/libdatagrind-core.la $(GLIB_LIBS)

unit_test_lines_SOURCES = unit/test-lines.c
unit_test_lines_LDADD = $(codec_test_libs)

unit_test_pack_SOURCES = unit/test-pack.c unit/random_runs.c
unit_test_pack_CPPFLAGS = $(codec_test_cppflags)
unit_test_pack_LDADD = $(codec_test_libs)

unit_test_program_SOURCES = unit/test-program.c unit/random_runs.c
unit_test_program_CPPFLAGS = $(codec_test_cppflags)
unit_test_program_LDADD = $(codec_test_libs)

# Distances in the LRU stack, against a list that is searched.
check_PROGRAMS += unit/test-reuse
TESTS += unit/test-reuse
unit_test_reuse_SOURCES = unit/test-reuse.c
unit_test_reuse_LDADD = ../lib/libdatagrind-core.la $(GLIB_LIBS)

# What analyses tell.
check_PROGRAMS += unit/test-report
TESTS += unit/test-report
unit_test_report_SOURCES = unit/test-report.c
unit_test_report_LDADD = ../lib/libdatagrind-core.la $(GLIB_LIBS)

# Steps and visits of dg patterns.
check_PROGRAMS += unit/test-patterns
TESTS += unit/test-patterns
unit_test_patterns_SOURCES = unit/test-patterns.c
unit_test_patterns_LDADD = ../lib/libdatagrind-core.la $(GLIB_LIBS)

# What became of heap blocks beside one byte at a time.
check_PROGRAMS += unit/test-usage
TESTS += unit/test-usage
unit_test_usage_SOURCES = unit/test-usage.c unit/use_model.c \
	unit/use_model.h $(core_test_sources)
unit_test_usage_CPPFLAGS = $(core_test_cppflags) -I$(top_srcdir)/lib
unit_test_usage_LDADD = $(core_test_libs)

# Names of variables, and which of them threads share.
check_PROGRAMS += unit/test-finder unit/test-frames unit/test-sharing
TESTS += unit/test-finder unit/test-frames unit/test-sharing
unit_test_finder_SOURCES = unit/test-finder.c $(core_test_sources)
unit_test_finder_CPPFLAGS = $(core_test_cppflags) -I$(top_srcdir)/lib
unit_test_finder_LDADD = $(core_test_libs)
unit_test_frames_SOURCES = unit/test-frames.c $(core_test_sources)
unit_test_frames_CPPFLAGS = $(core_test_cppflags) -I$(top_srcdir)/lib
unit_test_frames_LDADD = $(core_test_libs)
unit_test_sharing_SOURCES = unit/test-sharing.c
unit_test_sharing_LDADD = ../lib/libdatagrind-core.la $(GLIB_LIBS)

# The heap over time, against the list of blocks.
check_PROGRAMS += unit/test-curve
TESTS += unit/test-curve
unit_test_curve_SOURCES = unit/test-curve.c unit/random_text.c \
	unit/random_text.h $(core_test_sources)
unit_test_curve_CPPFLAGS = $(core_test_cppflags)
unit_test_curve_LDADD = $(core_test_libs)

# ms_print's text, of profiles that the test makes up in place of the library.
check_PROGRAMS += unit/test-heap-print
TESTS += unit/test-heap-print
unit_test_heap_print_SOURCES = unit/test-heap-print.c
unit_test_heap_print_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tools
unit_test_heap_print_LDADD = ../tools/heap/heap_print.$(OBJEXT) \
	../tools/heap/heap_print_graph.$(OBJEXT) ../tools/heap/heap_options.$(OBJEXT) \
	../tools/base/moment.$(OBJEXT) ../tools/base/output.$(OBJEXT) \
	../tools/base/parse.$(OBJEXT) ../tools/base/report_cells.$(OBJEXT) \
	../tools/base/terminal.$(OBJEXT) \
	../tools/base/cli.$(OBJEXT) ../lib/libdatagrind-core.la $(GLIB_LIBS)

# Blocks in few bytes, what is kept once, and blocks that are alive.
check_PROGRAMS += unit/test-store unit/test-intern unit/test-live
TESTS += unit/test-store unit/test-intern unit/test-live
unit_test_live_SOURCES = unit/test-live.c
unit_test_live_LDADD = ../lib/libdatagrind-core.la $(GLIB_LIBS)
unit_test_store_SOURCES = unit/test-store.c
unit_test_store_LDADD = ../lib/libdatagrind-core.la $(GLIB_LIBS)
unit_test_intern_SOURCES = unit/test-intern.c
unit_test_intern_LDADD = ../lib/libdatagrind-core.la $(GLIB_LIBS)

# Numbers as people type and read them.
check_PROGRAMS += unit/test-number
TESTS += unit/test-number
unit_test_number_SOURCES = unit/test-number.c
unit_test_number_LDADD = ../lib/libdatagrind-core.la $(GLIB_LIBS)

# Which functions are allocators.
check_PROGRAMS += unit/test-allocator-names
TESTS += unit/test-allocator-names
unit_test_allocator_names_SOURCES = unit/test-allocator-names.c
unit_test_allocator_names_LDADD = ../lib/libdatagrind-core.la $(GLIB_LIBS)

# Memory that runs out, at every place.
check_PROGRAMS += unit/test-nomem
TESTS += unit/test-nomem
unit_test_nomem_SOURCES = unit/test-nomem.c unit/nomem.c unit/nomem.h \
	unit/nomem_world.c unit/nomem_world.h \
	$(core_test_sources)
unit_test_nomem_CPPFLAGS = $(core_test_cppflags) -I$(top_srcdir)/lib
unit_test_nomem_LDADD = $(core_test_libs)

# Files that are put in their place, where the system refuses this and that.
check_PROGRAMS += unit/test-replace
TESTS += unit/test-replace
unit_test_replace_SOURCES = unit/test-replace.c
unit_test_replace_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/lib
unit_test_replace_LDADD = ../lib/libdatagrind-core.la $(GLIB_LIBS) -ldl
