#!/bin/bash
# Which folder uses which: docs/houses against includes and objects.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later
python3 "${abs_srcdir:?}/check_houses.py"
