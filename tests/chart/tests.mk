# Tests of this folder; included by tests/Makefile.am.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# What is drawn without a window.
chart_programs = \
	chart/test-heap-chart \
	chart/test-ticks
TESTS += $(chart_programs)
check_PROGRAMS += $(chart_programs)

chart_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/chart $(CAIRO_CFLAGS) \
	$(PANGO_CFLAGS)
chart_LDADD = $(top_builddir)/chart/libdgchart.la $(CAIRO_LIBS) \
	$(PANGO_LIBS) $(GLIB_LIBS) -lm

chart_test_heap_chart_SOURCES = chart/test-heap-chart.c
chart_test_heap_chart_CPPFLAGS = $(chart_CPPFLAGS)
chart_test_heap_chart_LDADD = libtest.a $(top_builddir)/chart/libdgchart.la \
	$(top_builddir)/lib/libdatagrind-core.la $(CAIRO_LIBS) \
	$(PANGO_LIBS) $(GLIB_LIBS) -lm

chart_test_ticks_SOURCES = chart/test-ticks.c
chart_test_ticks_CPPFLAGS = $(chart_CPPFLAGS)
chart_test_ticks_LDADD = $(chart_LDADD)
