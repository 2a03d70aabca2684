#!/bin/bash
# A filter of a query equals the unfiltered result filtered afterwards.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/run.sh"
needs frames
run_test check_filters.py
