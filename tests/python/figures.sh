#!/bin/bash
# Libraries for data frames give the figures of dg, on real recordings.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/recordings.sh"
needs frames
record_programs contention heap-use heap-threads
run_test check_figures.py contention.dgz heap-use.dgz heap-threads.dgz
