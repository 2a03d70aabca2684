# Tests of this folder; included by tests/Makefile.am.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

check_PROGRAMS += dgasm
dgasm_LDADD = libtest.a $(GLIB_LIBS)

slow_tests += logs/test-archives
check_PROGRAMS += logs/test-archives

TESTS += logs/test-logs
check_PROGRAMS += logs/test-logs

# Whatever is in these folders is a test.
EXTRA_DIST += logs/good logs/bad logs/version-1
