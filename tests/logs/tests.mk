# Tests of this folder; included by tests/Makefile.am.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

check_PROGRAMS += dgasm
dgasm_SOURCES = dgasm.c asm.c asm.h
dgasm_LDADD = $(GLIB_LIBS)

TESTS += logs/test-archives
check_PROGRAMS += logs/test-archives
logs_test_archives_SOURCES = logs/test-archives.c asm.c asm.h describe.c \
	describe.h
logs_test_archives_LDADD = $(top_builddir)/lib/libdatagrind-core.la \
	$(GLIB_LIBS)

TESTS += logs/test-logs
check_PROGRAMS += logs/test-logs
logs_test_logs_SOURCES = logs/test-logs.c asm.c asm.h describe.c describe.h
logs_test_logs_LDADD = $(top_builddir)/lib/libdatagrind-core.la $(GLIB_LIBS)

# Whatever is in these folders is a test.
EXTRA_DIST += logs/good logs/bad
