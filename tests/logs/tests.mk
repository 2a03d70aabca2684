# Tests of this folder; included by tests/Makefile.am.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

check_PROGRAMS += dgasm
dgasm_LDADD = libtest.a $(GLIB_LIBS)

# Links to unit/core-tests, which has them.
logs_tests = logs/test-archives logs/test-logs
TESTS += $(logs_tests)

# Whatever is in these folders is a test.
EXTRA_DIST += logs/good logs/bad logs/version-1
