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
	view/window/drive_real.py \
	view/window/drive_tree.py \
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
# One program per module of dg_view, in the folder of its house.
view_programs = \
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
	view/tally/test-tally-nomem \
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
TESTS += $(view_programs)
slow_tests += $(view_slow_programs)
check_PROGRAMS += $(view_programs) $(view_slow_programs) view/window/drag_source

view_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/dg_view -I$(top_srcdir)/chart \
	$(GTK_CFLAGS)
view_LDADD = libtest.a $(top_builddir)/dg_view/libdgview.la $(GTK_LIBS)
libtest_a_SOURCES += view/tally_log.c view/tally_log.h

scene_walk = view/scene_walk.c view/scene_walk.h
view_log_test_seek_SOURCES = view/log/test-seek.c $(scene_walk)
view_access_test_history_SOURCES = view/access/test-history.c $(scene_walk)
raster_check = view/picture/raster_check.c view/picture/raster_check.h
view_picture_test_filter_brute_SOURCES = view/picture/test-filter-brute.c \
	view/picture/filter_world.c \
	view/picture/filter_world.h
view_picture_test_raster_SOURCES = view/picture/test-raster.c \
	$(raster_check)
view_picture_test_raster_index_SOURCES = view/picture/test-raster-index.c \
	$(raster_check)
view_picture_test_raster_layers_SOURCES = view/picture/test-raster-layers.c \
	$(raster_check)
view_tally_test_tally_SOURCES = view/tally/test-tally.c \
	view/tally/tally_model.c view/tally/tally_model.h
view_tally_test_tally_nomem_SOURCES = view/tally/test-tally-nomem.c \
	$(nomem)

view_log_test_completion_CPPFLAGS = $(view_CPPFLAGS)
view_log_test_completion_LDADD = $(view_LDADD)
view_access_test_history_CPPFLAGS = $(view_CPPFLAGS)
view_access_test_history_LDADD = $(view_LDADD)
view_log_test_axis_CPPFLAGS = $(view_CPPFLAGS)
view_log_test_axis_LDADD = $(view_LDADD)
view_log_test_layout_CPPFLAGS = $(view_CPPFLAGS)
view_log_test_layout_LDADD = $(view_LDADD)
view_log_test_query_CPPFLAGS = $(view_CPPFLAGS)
view_log_test_query_LDADD = $(view_LDADD)
view_log_test_seek_CPPFLAGS = $(view_CPPFLAGS)
view_log_test_seek_LDADD = $(view_LDADD)
view_log_test_viewport_CPPFLAGS = $(view_CPPFLAGS)
view_log_test_viewport_LDADD = $(view_LDADD)
view_picture_test_filter_brute_CPPFLAGS = $(view_CPPFLAGS)
view_picture_test_filter_brute_LDADD = $(view_LDADD)
view_picture_test_overlay_CPPFLAGS = $(view_CPPFLAGS)
view_picture_test_overlay_LDADD = $(view_LDADD)
view_picture_test_palette_CPPFLAGS = $(view_CPPFLAGS)
view_picture_test_palette_LDADD = $(view_LDADD) -lm
view_picture_test_raster_CPPFLAGS = $(view_CPPFLAGS)
view_picture_test_raster_LDADD = $(view_LDADD)
view_picture_test_raster_index_CPPFLAGS = $(view_CPPFLAGS)
view_picture_test_raster_index_LDADD = $(view_LDADD)
view_picture_test_raster_layers_CPPFLAGS = $(view_CPPFLAGS)
view_picture_test_raster_layers_LDADD = $(view_LDADD)
view_picture_test_render_progress_CPPFLAGS = $(view_CPPFLAGS)
view_picture_test_render_progress_LDADD = $(view_LDADD)
view_access_test_pick_CPPFLAGS = $(view_CPPFLAGS)
view_access_test_pick_LDADD = $(view_LDADD)
view_tally_test_count_rows_CPPFLAGS = $(view_CPPFLAGS)
view_tally_test_count_rows_LDADD = $(view_LDADD)
view_tally_test_tally_CPPFLAGS = $(view_CPPFLAGS)
view_tally_test_tally_LDADD = $(view_LDADD)
view_tally_test_tally_nomem_CPPFLAGS = $(view_CPPFLAGS)
view_tally_test_tally_nomem_LDADD = $(view_LDADD)
view_calls_test_calltree_CPPFLAGS = $(view_CPPFLAGS)
view_calls_test_calltree_LDADD = $(view_LDADD)
view_calls_test_flame_CPPFLAGS = $(view_CPPFLAGS)
view_calls_test_flame_LDADD = $(view_LDADD)
view_calls_test_sourcefile_CPPFLAGS = $(view_CPPFLAGS)
view_calls_test_sourcefile_LDADD = $(view_LDADD)
view_calls_test_sourcemap_CPPFLAGS = $(view_CPPFLAGS)
view_calls_test_sourcemap_LDADD = $(view_LDADD)
view_heap_test_heap_rows_CPPFLAGS = $(view_CPPFLAGS)
view_heap_test_heap_rows_LDADD = $(view_LDADD)
view_user_test_bookmarks_CPPFLAGS = $(view_CPPFLAGS)
view_user_test_bookmarks_LDADD = $(view_LDADD)
view_user_test_options_CPPFLAGS = $(view_CPPFLAGS)
view_user_test_options_LDADD = $(view_LDADD)
view_user_test_settings_CPPFLAGS = $(view_CPPFLAGS)
view_user_test_settings_LDADD = $(view_LDADD)
view_window_test_editor_CPPFLAGS = $(view_CPPFLAGS)
view_window_test_editor_LDADD = $(view_LDADD)
view_window_test_shortcuts_CPPFLAGS = $(view_CPPFLAGS)
view_window_test_shortcuts_LDADD = $(view_LDADD)
view_window_drag_source_CPPFLAGS = $(view_CPPFLAGS)
view_window_drag_source_LDADD = $(GTK_LIBS)
endif
