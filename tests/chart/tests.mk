# Tests of this folder; included by tests/Makefile.am.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# What is drawn without a window.
chart_programs = \
	chart/test-heap-chart \
	chart/test-ticks
TESTS += $(chart_programs)
check_PROGRAMS += chart/chart-tests
# Links to it (unit/tests.mk).
CLEANFILES += $(chart_programs)
$(chart_programs): chart/chart-tests$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && ln -sf chart-tests$(EXEEXT) $@

chart_chart_tests_SOURCES = $(chart_programs:=.c)
chart_chart_tests_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/chart \
	$(CAIRO_CFLAGS) $(PANGO_CFLAGS)
# Without a script that libtool would put in its place: it would not know as
# what it is called.
chart_chart_tests_LDFLAGS = -no-install
chart_chart_tests_LDADD = libtest.a $(top_builddir)/chart/libdgchart.la \
	$(top_builddir)/lib/libdatagrind-core.la $(CAIRO_LIBS) \
	$(PANGO_LIBS) $(GLIB_LIBS) -lm
