# Tests of this folder; included by tests/Makefile.am.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# The recorder for other architectures, where build-aux/cross-tool has made it.
cross_tests = \
	cross/arm64-archive-threads.sh \
	cross/arm64-assigned.sh \
	cross/arm64-cache-oracle.sh \
	cross/arm64-calls-plt.sh \
	cross/arm64-code.sh \
	cross/arm64-counts-oracle.sh \
	cross/arm64-export.sh \
	cross/arm64-heap.sh \
	cross/arm64-invariants.sh \
	cross/arm64-lackey.sh \
	cross/arm64-massif-oracle.sh \
	cross/arm64-sharing.sh \
	cross/arm64-stacks.sh \
	cross/arm64-syscalls.sh \
	cross/arm64-thread-locals.sh \
	cross/arm64-threads.sh \
	cross/arm64-variables.sh \
	cross/s390x-archive-threads.sh \
	cross/s390x-cache-oracle.sh \
	cross/s390x-counts-oracle.sh \
	cross/s390x-heap.sh \
	cross/s390x-invariants.sh \
	cross/s390x-lackey.sh \
	cross/s390x-massif-oracle.sh \
	cross/s390x-stacks.sh \
	cross/s390x-syscalls.sh \
	cross/s390x-thread-locals.sh \
	cross/s390x-threads.sh \
	cross/s390x-variables.sh
long_tool_tests += $(cross_tests)
# By hand: minutes of emulation, most of it starting and ending.
cross_long_tests = cross/arm64-massif-stacks.sh cross/arm64-process.sh \
	cross/s390x-massif-stacks.sh cross/s390x-process.sh
EXTRA_DIST += $(cross_tests) $(cross_long_tests) cross/champsim_arm64.py cross/cross.sh

# In a build for another architecture, which `make check-arm64` and
# check-s390x of the top folder make and emulate: what runs our own code.
# EMULATED_ONLY: patterns, for some of it.
EMULATED_ONLY = unit/% logs/% chart/% cli/%
check-emulated:
	DG_TEST_SKIP="`sed -n 's/^$(EMULATED) \([^ ]*\) .*/\1/p' \
	    $(srcdir)/cross/emulated-skips`" \
	  $(MAKE) $(AM_MAKEFLAGS) check TESTS='$(filter $(EMULATED_ONLY),$(TESTS))' \
	    check_PROGRAMS='dgasm $(filter $(EMULATED_ONLY),$(check_PROGRAMS))'
.PHONY: check-emulated
EXTRA_DIST += cross/emulated-skips
