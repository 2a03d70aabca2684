# Tests of this folder; included by tests/Makefile.am.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# Every call fails: one of each kind by `make check` (some.sh), more of them for
# each command by `make check-all` (sweep.sh), all by `make faults`.  The
# sanitizers want to be loaded first, so these builds have none of it.
faults_tests = faults/sweep.sh faults/some.sh faults/power-loss.sh
faults_programs =
if !SANITIZED
TESTS += faults/some.sh faults/power-loss.sh
faults_programs += faults/faults_recorder
# What runs the slow tests of a build without sanitizers runs those of the tool.
long_tests += faults/sweep.sh
if BUILD_TOOL
slow_tool_tests += faults/tool.sh
endif
check_LTLIBRARIES += faults/shim.la
check_PROGRAMS += $(faults_programs)
endif
EXTRA_DIST += $(faults_tests) faults/commands faults/found \
	faults/power_states.py faults/tool.sh faults/world.sh

faults_shim_la_SOURCES = faults/faults_calls.c faults/faults_files.c \
	faults/faults_judge.c faults/faults_run.c faults/faults_state.c \
	faults/faults.h
faults_shim_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere
faults_shim_la_LIBADD = -ldl

faults_faults_recorder_SOURCES = faults/faults_recorder.c

faults: faults/shim.la faults/faults_recorder$(EXEEXT) dgasm$(EXEEXT)
	FAULTS_STEP=1 $(MAKE) $(AM_MAKEFLAGS) check \
	  TESTS='$(faults_tests)' check_PROGRAMS= check_SCRIPTS= check_DATA=
	@grep -h '^# .* tried' faults/*.log
.PHONY: faults
