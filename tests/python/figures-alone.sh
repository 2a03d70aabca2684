#!/bin/bash
# Libraries for data frames do not need each other: Polars and DuckDB without pyarrow.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/recordings.sh"
needs frames
# Threads are in figures.sh, with these and other libraries.
record_programs heap-threads
run_test check_figures.py without-pyarrow heap-threads.dgz
