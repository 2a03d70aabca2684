# Tests of this folder; included by tests/Makefile.am.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# The window, driven; view/window/window.sh gives each a display.  Those that
# take long come first.
view_drives = \
	view/window/drive_names.py \
	view/window/drive_tables.py
view_slow_drives = \
	view/window/drive_strange.py \
	view/window/drive_plot.py \
	view/window/drive_compare.py \
	view/window/drive_streams.py \
	view/window/drive_chips.py \
	view/window/drive_select.py \
	view/window/drive_app.py \
	view/window/drive_bad.py \
	view/window/drive_nav.py \
	view/window/drive_window.py \
	view/window/drive_intent.py \
	view/window/drive_heap.py \
	view/window/drive_allocations.py \
	view/window/drive_narrow.py \
	view/window/drive_task.py \
	view/window/drive_save.py \
	view/window/drive_answers.py
TESTS += $(view_drives)
slow_tests += $(view_slow_drives)
# On what they record; one that preloads a library, which sanitizers do not let;
# and those that open very many windows, which takes three times as long under
# sanitizers.
view_tool_drives = \
	view/window/drive_cancel.py \
	view/window/drive_language.py \
	view/window/drive_follow.py \
	view/window/drive_real_more.py \
	view/window/drive_tables_real.py \
	view/window/drive_tour.py \
	view/window/drive_real.py \
	view/window/drive_tree.py \
	view/window/drive_paired.py \
	view/window/drive_sites.py \
	view/window/drive_record.py
slow_tool_tests += $(view_tool_drives)
EXTRA_DIST += $(view_drives) $(view_slow_drives) $(view_tool_drives) \
	view/window/drive.py view/window/hands.py view/window/ping.py \
	view/window/real.py view/window/shelf.c view/window/tree.py \
	view/window/window.sh

view_scripts = view/window/render.sh
view_quick_scripts = view/window/render-compare.sh view/window/render-heat.sh
TESTS += $(view_quick_scripts)
slow_tests += $(view_scripts)
EXTRA_DIST += $(view_scripts) $(view_quick_scripts) view/window/png.py

if BUILD_VIEW
# One test per module of dg_view, in the folder of its house.  Each is a link to
# view/view-tests, see unit/tests.mk.
view_quick_programs = \
	view/log/test-axis \
	view/log/test-completion \
	view/log/test-layout \
	view/log/test-query \
	view/log/test-seek \
	view/log/test-viewport \
	view/picture/test-overlay \
	view/picture/test-palette \
	view/picture/test-raster \
	view/picture/test-raster-index \
	view/picture/test-raster-layers \
	view/picture/test-render-progress \
	view/access/test-history \
	view/access/test-pick \
	view/tally/test-count-rows \
	view/calls/test-calltree \
	view/calls/test-flame \
	view/calls/test-sourcefile \
	view/calls/test-sourcemap \
	view/heap/test-heap-rows \
	view/user/test-bookmarks \
	view/user/test-options \
	view/user/test-settings \
	view/window/test-editor \
	view/window/test-shortcuts
view_slow_programs = \
	view/tally/test-tally \
	view/picture/test-filter-brute
# Whose functions are in place of those of libraries.
view_own_tests = view/tally/test-tally-nomem
TESTS += $(view_quick_programs) $(view_own_tests)
slow_tests += $(view_slow_programs)
check_PROGRAMS += view/view-tests $(view_own_tests) view/window/drag_source

view_links = $(view_quick_programs) $(view_slow_programs)
CLEANFILES += $(view_links)
$(view_links): view/view-tests$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && ln -sf ../view-tests$(EXEEXT) $@

# That driver asks for the table of shortcuts.
view/window/drive_app.log: view/window/test-shortcuts

view_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/dg_view -I$(top_srcdir)/chart \
	$(GTK_CFLAGS)
view_LDADD = libtest.a $(top_builddir)/dg_view/libdgview.la $(GTK_LIBS) -lm
libtest_a_SOURCES += view/tally_log.c view/tally_log.h

view_view_tests_SOURCES = $(view_links:=.c) \
	view/scene_walk.c view/scene_walk.h \
	view/picture/filter_world.c view/picture/filter_world.h \
	view/picture/raster_check.c view/picture/raster_check.h \
	view/tally/tally_model.c view/tally/tally_model.h
view_view_tests_CPPFLAGS = $(view_CPPFLAGS)
view_view_tests_LDADD = $(view_LDADD)
# What it is called says which tests to run: no script of libtool in its place.
view_view_tests_LDFLAGS = -no-install
view_tally_test_tally_nomem_SOURCES = view/tally/test-tally-nomem.c $(nomem)
view_tally_test_tally_nomem_CPPFLAGS = $(view_CPPFLAGS)
view_tally_test_tally_nomem_LDADD = $(view_LDADD)
view_window_drag_source_CPPFLAGS = $(view_CPPFLAGS)
view_window_drag_source_LDADD = $(GTK_LIBS)
endif
