#!/bin/bash
# The Python module alone, without any library for data frames.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/run.sh"
run_test check_basics.py
