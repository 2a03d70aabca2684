# Tests of this folder; included by tests/Makefile.am.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# Names, owners and filters, on logs that are filled by hand (fake_log.c).
check_PROGRAMS += unit/test-filter unit/test-space unit/test-symbols
TESTS += unit/test-filter unit/test-space unit/test-symbols
noinst_HEADERS += unit/fake_log.h

unit_test_filter_SOURCES = unit/test-filter.c unit/fake_log.c
unit_test_filter_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/unit
unit_test_filter_LDADD = ../lib/libdatagrind-core.la $(GLIB_LIBS)

unit_test_space_SOURCES = unit/test-space.c unit/fake_log.c
unit_test_space_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/unit
unit_test_space_LDADD = ../lib/libdatagrind-core.la $(GLIB_LIBS)

unit_test_symbols_SOURCES = unit/test-symbols.c unit/fake_log.c
unit_test_symbols_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/unit
unit_test_symbols_LDADD = ../lib/libdatagrind-core.la $(GLIB_LIBS) \
	$(IBERTY_LIBS)
