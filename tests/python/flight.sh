#!/bin/bash
# A server of archives, its clients, and those that it refuses.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/recordings.sh"
needs frames
record_programs contention
${CC:-cc} -O1 "$here/wait_lines.c" -o phases || skip_all "no compiler"
run_test check_flight.py contention.dgz
