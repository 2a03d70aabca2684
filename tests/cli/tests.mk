# Tests of this folder; included by tests/Makefile.am.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# dg as users call it, in the folder of the house that has the command.
cli_tests = \
	cli/base/dg-follow.sh \
	cli/base/dg-irregular.sh \
	cli/base/dg-killed.sh \
	cli/base/dg-man.sh \
	cli/base/dg-numbers.sh \
	cli/base/dg-output.sh \
	cli/base/dg-progress.sh \
	cli/base/dg-prompt.sh \
	cli/base/dg-schema.sh \
	cli/log/dg-accesses.sh \
	cli/log/dg-check.sh \
	cli/log/dg-cut.sh \
	cli/log/dg-dump.sh \
	cli/log/dg-import.sh \
	cli/log/dg-index.sh \
	cli/log/dg-info.sh \
	cli/log/dg-modes.sh \
	cli/log/dg-names.sh \
	cli/log/dg-pack.sh \
	cli/log/version-1.sh \
	cli/log/later-recorder.sh \
	cli/analyse/calls-view.sh \
	cli/analyse/dg-analysis.sh \
	cli/analyse/dg-calls.sh \
	cli/analyse/dg-counts.sh \
	cli/analyse/dg-invariants.sh \
	cli/analyse/dg-opcodes.sh \
	cli/analyse/dg-pages.sh \
	cli/analyse/dg-patterns.sh \
	cli/analyse/dg-plugin.sh \
	cli/analyse/dg-reuse.sh \
	cli/analyse/dg-schedule.sh \
	cli/analyse/dg-sharing.sh \
	cli/analyse/dg-sampled.sh \
	cli/analyse/dg-tables.sh \
	cli/analyse/dg-time.sh \
	cli/analyse/dg-tlb.sh \
	cli/advise/dg-advise-format.sh \
	cli/calibrate/dg-calibrate.sh \
	cli/complete/dg-complete.sh \
	cli/diff/dg-diff.sh \
	cli/export/dg-export.sh \
	cli/heap/dg-heap-use.sh \
	cli/heap/dg-usage.sh \
	cli/heap/dhat-view.sh \
	cli/allocs/dg-allocs-history.sh \
	cli/allocs/dg-allocs-logs.sh \
	cli/allocs/dg-allocs-names.sh \
	cli/allocs/dg-allocs.sh \
	cli/record/exp-datagrind-man.sh
# More than ten seconds of processor time each.
cli_slow_tests = \
	cli/base/dg-partial.sh \
	cli/analyse/dg-branches.sh \
	cli/analyse/dg-cache.sh \
	cli/analyse/dg-json.sh \
	cli/heap/dg-heap-render.sh \
	cli/heap/dg-heap.sh
TESTS += $(cli_tests)
slow_tests += $(cli_slow_tests)
EXTRA_DIST += $(cli_tests) $(cli_slow_tests) \
	cli/lib.sh \
	cli/holds.py \
	cli/leaks.supp \
	cli/allocs/allocs_log.sh \
	cli/base/follow_log.py \
	cli/analyse/cache_model.py \
	cli/analyse/calls_model.py \
	cli/calibrate/document.json \
	cli/complete/tab.zsh \
	cli/export/export_read.py \
	cli/analyse/report_shapes.c \
	cli/diff/given_rows.c \
	cli/heap/heap_model.py \
	cli/heap/heap_picture.py \
	schema/check_json.py \
	schema/check_mutants.py \
	schema/check_schemas.py \
	schema/keep-json.sh \
	schema/requirements.txt \
	schema/schema.sh \
	schema/schemas.py

# ms_print's text, of profiles that the test makes up in place of the library.
check_PROGRAMS += cli/heap/test-heap-print
TESTS += cli/heap/test-heap-print
cli_heap_test_heap_print_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tools
cli_heap_test_heap_print_LDADD = ../tools/heap/heap_print.$(OBJEXT) \
	../tools/heap/heap_print_graph.$(OBJEXT) ../tools/heap/heap_options.$(OBJEXT) \
	../tools/base/moment.$(OBJEXT) ../tools/base/output.$(OBJEXT) \
	../tools/base/cli_message.$(OBJEXT) ../tools/base/printable.$(OBJEXT) \
	../tools/base/cli_progress.$(OBJEXT) \
	../tools/base/parse.$(OBJEXT) ../tools/base/report_cells.$(OBJEXT) \
	../tools/base/terminal.$(OBJEXT) ../tools/base/cli.$(OBJEXT) \
	../tools/base/cli_places.$(OBJEXT) \
	../chart/libdgchart.la ../lib/libdatagrind-core.la $(GLIB_LIBS)

check_PROGRAMS += cli/base/test-follow
TESTS += cli/base/test-follow
cli_base_test_follow_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tools
cli_base_test_follow_LDADD = ../tools/base/follow.$(OBJEXT) \
	../tools/base/cli.$(OBJEXT) ../tools/base/cli_message.$(OBJEXT) \
	../tools/base/cli_places.$(OBJEXT) ../tools/base/cli_progress.$(OBJEXT) \
	../tools/base/output.$(OBJEXT) ../tools/base/printable.$(OBJEXT) \
	../tools/base/terminal.$(OBJEXT) \
	../chart/libdgchart.la ../lib/libdatagrind-core.la $(GLIB_LIBS)

# With a clock that the test makes up.
check_PROGRAMS += cli/base/test-cli-progress
TESTS += cli/base/test-cli-progress
cli_base_test_cli_progress_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tools
cli_base_test_cli_progress_LDADD = ../tools/base/cli_progress.$(OBJEXT) \
	../tools/base/printable.$(OBJEXT) \
	../chart/libdgchart.la ../lib/libdatagrind-core.la $(GLIB_LIBS)
