# Tests of this folder; included by tests/Makefile.am.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

cli_tests = \
	cli/dg-accesses.sh \
	cli/dg-allocs.sh \
	cli/dg-allocs-history.sh \
	cli/dg-allocs-logs.sh \
	cli/dg-allocs-names.sh \
	cli/dg-cache.sh \
	cli/dg-calls.sh \
	cli/dg-analysis.sh \
	cli/dg-check.sh \
	cli/dg-counts.sh \
	cli/dg-cut.sh \
	cli/dg-dump.sh \
	cli/dg-heap.sh \
	cli/dg-heap-render.sh \
	cli/dg-heap-use.sh \
	cli/dg-import.sh \
	cli/dg-index.sh \
	cli/dg-info.sh \
	cli/dg-invariants.sh \
	cli/dg-irregular.sh \
	cli/dg-json.sh \
	cli/dg-killed.sh \
	cli/dg-man.sh \
	cli/dg-names.sh \
	cli/dg-numbers.sh \
	cli/dg-output.sh \
	cli/dg-pack.sh \
	cli/dg-pages.sh \
	cli/dg-partial.sh cli/dg-patterns.sh \
	cli/dg-reuse.sh \
	cli/dg-plugin.sh \
	cli/dg-tlb.sh \
	cli/dg-sharing.sh \
	cli/dg-tables.sh \
	cli/dg-usage.sh \
	cli/calls-view.sh \
	cli/dhat-view.sh \
	cli/exp-datagrind-man.sh \
	cli/later-recorder.sh
TESTS += $(cli_tests)
EXTRA_DIST += $(cli_tests) cli/lib.sh cli/leaks.supp cli/allocs_log.sh cli/report_shapes.c cli/cache_model.py cli/calls_model.py cli/heap_model.py cli/heap_picture.py cli/json_keys.py
