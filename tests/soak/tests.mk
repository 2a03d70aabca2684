# Tests of this folder; included by tests/Makefile.am.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# Much of everything, and long: five minutes of it by check-all, hours by
# `make soak`.
soak_tests = soak/limits.sh soak/redis.sh
if BUILD_VIEW
soak_tests += soak/drive_soak.py
endif
long_tool_tests += $(soak_tests)
EXTRA_DIST += soak/limits.sh soak/redis.sh soak/drive_soak.py soak/samples.py soak/steady.c

# As many rounds as fit in eight hours, on the machines of today; and loads of a
# server as fit in one.
soak:
	SOAK_ROUNDS=$${SOAK_ROUNDS:-120000} SOAK_LOADS=$${SOAK_LOADS:-1000} \
	  $(MAKE) $(AM_MAKEFLAGS) check \
	  TESTS='$(soak_tests)' check_PROGRAMS='dgasm$(EXEEXT)'
.PHONY: soak
