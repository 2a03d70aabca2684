# Tests of this folder; included by tests/Makefile.am.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# Other users of the machine, and what comes from them: SECURITY.md says which
# test is about what.
neighbours_tests = \
	neighbours/all-names.sh \
	neighbours/names.sh \
	neighbours/network.sh \
	neighbours/shared-folders.sh \
	neighbours/strange-debug.sh \
	neighbours/strange-files.sh
TESTS += $(neighbours_tests)
quick_tool_tests += neighbours/recording.sh
EXTRA_DIST += $(neighbours_tests) \
	neighbours/hostile_names.py \
	neighbours/lib.sh \
	neighbours/names.text \
	neighbours/recording.sh
