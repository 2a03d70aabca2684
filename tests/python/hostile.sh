#!/bin/bash
# Logs that are cut, damaged or no logs at all, in Python.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/run.sh"
run_test check_hostile.py "${abs_srcdir:?}/logs"
