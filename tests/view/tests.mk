# Tests of this folder; included by tests/Makefile.am.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# The window, driven; view/window.sh gives each a display.  Those that take
# long come first.
view_drives = \
	view/drive_app.py \
	view/drive_tables.py \
	view/drive_follow.py \
	view/drive_nav.py \
	view/drive_bad.py \
	view/drive_heap.py \
	view/drive_save.py \
	view/drive_language.py \
	view/drive_plot.py \
	view/drive_window.py \
	view/drive_intent.py \
	view/drive_cancel.py \
	view/drive_answers.py
TESTS += $(view_drives)
# On what they record.
view_tool_drives = \
	view/drive_real.py \
	view/drive_tree.py \
	view/drive_real_more.py \
	view/drive_sites.py \
	view/drive_tables_real.py \
	view/drive_record.py
tool_tests += $(view_tool_drives)
EXTRA_DIST += $(view_drives) $(view_tool_drives) view/drive.py view/real.py view/shelf.c \
	view/window.sh

view_scripts = view/render.sh
TESTS += $(view_scripts)
EXTRA_DIST += $(view_scripts) view/png.py

if BUILD_VIEW
view_programs = \
	view/test-axis \
	view/test-editor \
	view/test-sourcefile \
	view/test-sourcemap \
	view/test-flame \
	view/test-bookmarks \
	view/test-calltree \
	view/test-count-rows \
	view/test-filter-brute \
	view/test-heap-rows \
	view/test-layout \
	view/test-options \
	view/test-overlay \
	view/test-pick \
	view/test-palette \
	view/test-query \
	view/test-raster \
	view/test-raster-index \
	view/test-raster-layers \
	view/test-seek \
	view/test-settings \
	view/test-shortcuts \
	view/test-tally view/test-tally-nomem \
	view/test-viewport
TESTS += $(view_programs)
check_PROGRAMS += $(view_programs) view/drag_source

view_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/dg_view -I$(top_srcdir)/chart $(GTK_CFLAGS)
view_LDADD = $(top_builddir)/dg_view/libdgview.la $(GTK_LIBS)

view_drag_source_SOURCES = view/drag_source.c
view_drag_source_CPPFLAGS = $(view_CPPFLAGS)
view_drag_source_LDADD = $(GTK_LIBS)

view_test_axis_SOURCES = view/test-axis.c
view_test_axis_CPPFLAGS = $(view_CPPFLAGS)
view_test_axis_LDADD = $(view_LDADD)

view_test_bookmarks_SOURCES = view/test-bookmarks.c
view_test_bookmarks_CPPFLAGS = $(view_CPPFLAGS)
view_test_bookmarks_LDADD = $(view_LDADD)

view_test_calltree_SOURCES = view/test-calltree.c asm.c asm.h
view_test_calltree_CPPFLAGS = $(view_CPPFLAGS) -I$(srcdir)
view_test_calltree_LDADD = $(view_LDADD)

view_test_count_rows_SOURCES = view/test-count-rows.c view/tally_log.c \
	view/tally_log.h asm.c asm.h
view_test_count_rows_CPPFLAGS = $(view_CPPFLAGS) -I$(srcdir)
view_test_count_rows_LDADD = $(view_LDADD)

view_test_flame_SOURCES = view/test-flame.c
view_test_flame_CPPFLAGS = $(view_CPPFLAGS) -I$(srcdir)
view_test_flame_LDADD = $(view_LDADD)

view_test_sourcemap_SOURCES = view/test-sourcemap.c
view_test_sourcemap_CPPFLAGS = $(view_CPPFLAGS) -I$(srcdir)
view_test_sourcemap_LDADD = $(view_LDADD)

view_test_sourcefile_SOURCES = view/test-sourcefile.c
view_test_sourcefile_CPPFLAGS = $(view_CPPFLAGS) -I$(srcdir)
view_test_sourcefile_LDADD = $(view_LDADD)

view_test_editor_SOURCES = view/test-editor.c
view_test_editor_CPPFLAGS = $(view_CPPFLAGS) -I$(srcdir)
view_test_editor_LDADD = $(view_LDADD)

view_test_filter_brute_SOURCES = view/test-filter-brute.c \
	view/filter_world.c view/filter_world.h unit/symbols_test.c \
	asm.c asm.h
view_test_filter_brute_CPPFLAGS = $(view_CPPFLAGS) -I$(srcdir) \
	-I$(srcdir)/unit
view_test_filter_brute_LDADD = $(view_LDADD)

view_test_heap_rows_SOURCES = view/test-heap-rows.c view/tally_log.c \
	view/tally_log.h asm.c asm.h
view_test_heap_rows_CPPFLAGS = $(view_CPPFLAGS) -I$(srcdir)
view_test_heap_rows_LDADD = $(view_LDADD)

view_test_layout_SOURCES = view/test-layout.c
view_test_layout_CPPFLAGS = $(view_CPPFLAGS)
view_test_layout_LDADD = $(view_LDADD)

view_test_options_SOURCES = view/test-options.c
view_test_options_CPPFLAGS = $(view_CPPFLAGS)
view_test_options_LDADD = $(view_LDADD)

view_test_query_SOURCES = view/test-query.c
view_test_query_CPPFLAGS = $(view_CPPFLAGS)
view_test_query_LDADD = $(view_LDADD)

view_raster_check = view/raster_check.c view/raster_check.h \
	view/random_log.c view/random_log.h asm.c asm.h

view_test_overlay_SOURCES = view/test-overlay.c view/tally_log.c \
	view/tally_log.h asm.c asm.h
view_test_overlay_CPPFLAGS = $(view_CPPFLAGS) -I$(srcdir)
view_test_overlay_LDADD = $(view_LDADD)

view_test_palette_SOURCES = view/test-palette.c
view_test_palette_CPPFLAGS = $(view_CPPFLAGS)
view_test_palette_LDADD = $(view_LDADD) -lm

view_test_pick_SOURCES = view/test-pick.c view/random_log.c \
	view/random_log.h asm.c asm.h
view_test_pick_CPPFLAGS = $(view_CPPFLAGS) -I$(srcdir)
view_test_pick_LDADD = $(view_LDADD)

view_test_raster_SOURCES = view/test-raster.c $(view_raster_check)
view_test_raster_CPPFLAGS = $(view_CPPFLAGS) -I$(srcdir)
view_test_raster_LDADD = $(view_LDADD)

view_test_seek_SOURCES = view/test-seek.c view/random_log.c \
	view/random_log.h asm.c asm.h
view_test_seek_CPPFLAGS = $(view_CPPFLAGS) -I$(srcdir)
view_test_seek_LDADD = $(view_LDADD)

view_test_raster_index_SOURCES = view/test-raster-index.c \
	$(view_raster_check)
view_test_raster_index_CPPFLAGS = $(view_CPPFLAGS) -I$(srcdir)
view_test_raster_index_LDADD = $(view_LDADD)

view_test_raster_layers_SOURCES = view/test-raster-layers.c \
	$(view_raster_check)
view_test_raster_layers_CPPFLAGS = $(view_CPPFLAGS) -I$(srcdir)
view_test_raster_layers_LDADD = $(view_LDADD)

view_test_settings_SOURCES = view/test-settings.c
view_test_settings_CPPFLAGS = $(view_CPPFLAGS)
view_test_settings_LDADD = $(view_LDADD)

view_test_shortcuts_SOURCES = view/test-shortcuts.c
view_test_shortcuts_CPPFLAGS = $(view_CPPFLAGS)
view_test_shortcuts_LDADD = $(view_LDADD)

view_test_tally_SOURCES = view/test-tally.c view/tally_log.c \
	view/tally_log.h asm.c asm.h
view_test_tally_CPPFLAGS = $(view_CPPFLAGS) -I$(srcdir)
view_test_tally_LDADD = $(view_LDADD)

view_test_tally_nomem_SOURCES = view/test-tally-nomem.c view/tally_log.c \
	view/tally_log.h unit/nomem.c unit/nomem.h asm.c asm.h
view_test_tally_nomem_CPPFLAGS = $(view_CPPFLAGS) -I$(srcdir)
view_test_tally_nomem_LDADD = $(view_LDADD)

view_test_viewport_SOURCES = view/test-viewport.c
view_test_viewport_CPPFLAGS = $(view_CPPFLAGS)
view_test_viewport_LDADD = $(view_LDADD)
endif
