#!/bin/bash
# Long calls, Ctrl-C, notebooks, pictures and installing, in Python.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/run.sh"
run_test check_behaviour.py
