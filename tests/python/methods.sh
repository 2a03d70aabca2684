#!/bin/bash
# Methods of a log that run commands of dg: keywords, their types, warnings.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/run.sh"
run_test check_methods.py
