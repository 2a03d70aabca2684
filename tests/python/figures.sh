#!/bin/bash
# Libraries for data frames give the figures of dg, on real recordings.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/recordings.sh"
needs frames
# One with threads, one with a heap; one with both with DG_TEST_LONG.
logs='contention heap-use'
[ -z "$DG_TEST_LONG" ] || logs="$logs heap-threads"
# shellcheck disable=SC2086
record_programs $logs
# shellcheck disable=SC2086
run_test check_figures.py $(printf '%s.dgz ' $logs)
