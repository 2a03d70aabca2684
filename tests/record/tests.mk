# Tests of this folder; included by tests/Makefile.am.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# The recorder end to end: each compiles its own guest programs, as their
# flags are part of what is tested, and skips itself without the tool.
# Those that take long come first.
record_slow_tests = \
	record/archive-32.sh \
	record/archive-64.sh \
	record/stacks.sh \
	record/archive-options.sh \
	record/massif-oracle.sh \
	record/sharing-false.sh \
	record/massif-stacks.sh \
	record/lackey.sh \
	record/variables.sh \
	record/heap.sh \
	record/process.sh \
	record/archive-windows.sh \
	record/archive-heap.sh \
	record/output.sh \
	record/invariants.sh \
	record/dg-record.sh \
	record/allocs.sh \
	record/dhat-oracle.sh \
	record/site-lines.sh \
	record/sites.sh \
	record/archive-process.sh \
	record/archive-syscalls.sh \
	record/archive-threads.sh \
	record/assigned.sh \
	record/cache-code.sh \
	record/cache-import.sh \
	record/cache-oracle.sh \
	record/clock.sh \
	record/diff.sh \
	record/counts-oracle.sh \
	record/dg-record-faults.sh \
	record/import-lackey.sh \
	record/map-stacks.sh \
	record/options.sh \
	record/own-code.sh \
	record/pools.sh \
	record/reuse-oracle.sh \
	record/ring.sh \
	record/sharing.sh \
	record/stack-pointer.sh \
	record/syscalls.sh \
	record/thread-locals.sh \
	record/patterns.sh \
	record/windows.sh
record_quick_tests = \
	record/calls-oracle.sh \
	record/exact.sh \
	record/heap-stacks.sh \
	record/ranges-events.sh \
	record/reuse-static.sh \
	record/terminal.sh \
	record/threads.sh

quick_tool_tests += $(record_quick_tests)
slow_tool_tests += $(record_slow_tests)
EXTRA_DIST += $(record_quick_tests) $(record_slow_tests) \
	record/DgLog.pm \
	record/alike.sh \
	record/imported.sh \
	record/calls_compare.py \
	record/counts_compare.py \
	record/dhat_compare.py \
	record/massif_compare.py \
	record/both.sh \
	record/both-guests.sh \
	record/cache_oracle.sh \
	record/record.sh \
	record/reuse_oracle.sh \
	record/guests/aligned.cpp \
	record/guests/allocators.cpp \
	record/guests/allocs.cpp \
	record/guests/arena.c \
	record/guests/assigned.c \
	record/guests/bare-atomic.c \
	record/guests/bare-environment.c \
	record/guests/bare-float.c \
	record/guests/bare-flow.c \
	record/guests/bare-int.c \
	record/guests/bare-recurse.c \
	record/guests/bare-string.c \
	record/guests/bare.h \
	record/guests/call-shapes.c \
	record/guests/blocks.c \
	record/guests/cache-misses.c \
	record/guests/callbacks.c \
	record/guests/chunks.c \
	record/guests/contention.c \
	record/guests/contention-cpp.cpp \
	record/guests/contention-locals.c \
	record/guests/contention-omp.c \
	record/guests/coroutines.c \
	record/guests/counts.c \
	record/guests/dead-loads.c \
	record/guests/deep.c \
	record/guests/exceptions.cpp \
	record/guests/faults.c \
	record/guests/heap-stacks.cpp \
	record/guests/guarded.c \
	record/guests/handoff.c \
	record/guests/heap-align.c \
	record/guests/heap-calls.c \
	record/guests/heap-cpp.cpp \
	record/guests/heap-custom.c \
	record/guests/heap-grow.c \
	record/guests/heap-threads.c \
	record/guests/heap-use.c \
	record/guests/layouts.cpp \
	record/guests/longjmp.c \
	record/guests/manythreads.c \
	record/guests/map-stacks.c \
	record/guests/memory-map.c \
	record/guests/output.c \
	record/guests/own-code.cpp \
	record/guests/phases.c \
	record/guests/plugin.c \
	record/guests/pools.c \
	record/guests/process.c \
	record/guests/realigned.c \
	record/guests/requests.c \
	record/guests/rettricks.c \
	record/guests/rewrites.c \
	record/guests/sharing.c \
	record/guests/sigstack.c \
	record/guests/sleeps.c \
	record/guests/site-lines.c \
	record/guests/site-lines-cpp.cpp \
	record/guests/sites.cpp \
	record/guests/sites.rs \
	record/guests/sites_wrap.c \
	record/guests/stack-pointer.c \
	record/guests/static-libc.c \
	record/guests/system-calls.c \
	record/guests/tailcall.c \
	record/guests/usable.cpp \
	record/guests/textbook.c \
	record/guests/thread-locals.c \
	record/guests/twins.c \
	record/guests/thread-locals-cpp.cpp \
	record/guests/thread-locals-load.c \
	record/guests/variables.c
