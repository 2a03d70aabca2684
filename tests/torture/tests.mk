# Tests of this folder; included by tests/Makefile.am.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# Valgrind's own test programs, recorded: a third of the short ones by `make
# check-all`; all of them by `make torture`, which takes longer.
torture_tests = torture/torture-64.sh torture/torture-32.sh
long_tool_tests += $(torture_tests)
EXTRA_DIST += $(torture_tests) \
	torture/expected \
	torture/torture_run.py \
	torture/torture.sh \
	torture/torture_cases.py

torture:
	TORTURE=all $(MAKE) $(AM_MAKEFLAGS) check TESTS='$(torture_tests)' \
	  check_PROGRAMS='dgasm$(EXEEXT)'

.PHONY: torture
