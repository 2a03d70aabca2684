# Tests of this folder; included by tests/Makefile.am.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# The thread sanitizer's: `make check-threads` of the top runs them, in a build
# of its own.  What uses threads: the loader, analyses, packing, the capture
# that packs while a program runs, followers, caches that threads share, and
# the viewer's workers.
thread_programs = \
	unit/analysis/test-analyse \
	unit/archive/test-archive \
	unit/capture/test-capture \
	unit/capture/test-capture-faults \
	unit/capture/test-capture-schedules \
	unit/capture/test-recording \
	unit/heap/test-curve \
	unit/convert/test-cut \
	unit/variables/test-frames \
	unit/log/test-grow \
	unit/index/test-index \
	unit/log/test-log \
	unit/convert/test-pack-log \
	unit/symbols/test-symbols \
	unit/symbols/test-symbols-damage \
	unit/symbols/test-symbols-debuginfod \
	unit/symbols/test-symbols-probe \
	unit/heap/test-usage
if BUILD_VIEW
thread_programs += \
	view/access/test-pick \
	view/picture/test-raster \
	view/picture/test-raster-index \
	view/picture/test-raster-layers \
	view/log/test-seek \
	view/tally/test-tally
endif
thread_scripts = threads/found.sh threads/analyses.sh
EXTRA_DIST += $(thread_scripts) threads/race.c threads/glib.supp

if TSAN
check_PROGRAMS += threads/race
endif
threads_race_SOURCES = threads/race.c
threads_race_LDADD = $(GLIB_LIBS)

# That races are found at all is known in every build.
TESTS += threads/found.sh

# One thread only, and long.
threads_skip = /log/cut /log/flip

# Where the kernel places things too freely for the sanitizer it begins only
# without that.  GLib's slices would hide what becomes of memory that is freed.
check-threads: threads/race dgasm $(thread_programs) fuzz/corpus.unpacked
	@without=; \
	threads/race join >/dev/null 2>&1 || without='setarch -R'; \
	if ! $$without threads/race join; then \
	  echo 'SKIP: the thread sanitizer does not start here'; exit 0; \
	fi; \
	G_SLICE=always-malloc DG_TEST_SKIP='$(threads_skip)' \
	TSAN_OPTIONS='suppressions=$(abs_srcdir)/threads/glib.supp' \
	$$without $(MAKE) $(AM_MAKEFLAGS) check-TESTS \
	  check_PROGRAMS= check_LTLIBRARIES= check_SCRIPTS= check_DATA= \
	  TESTS='$(thread_scripts) $(thread_programs)'

# Under helgrind and drd, some tests of these: they take fifty times as long.
under_programs = \
	unit/archive/test-archive \
	unit/capture/test-capture \
	unit/convert/test-pack-log \
	unit/index/test-index \
	unit/log/test-grow \
	unit/symbols/test-symbols
if BUILD_VIEW
under_programs += \
	view/access/test-pick \
	view/log/test-seek \
	view/picture/test-raster \
	view/tally/test-tally
endif
check-helgrind: threads/race dgasm $(under_programs)
	G_SLICE=always-malloc \
	$(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS=threads/under.sh \
	  check_PROGRAMS= check_LTLIBRARIES= check_SCRIPTS= check_DATA=

.PHONY: check-threads check-helgrind
EXTRA_DIST += threads/lib.sh threads/under threads/under.sh \
	threads/valgrind.supp
