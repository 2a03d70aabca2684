#!/bin/bash
# The library exports what its headers declare, each with its version.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later
python3 "${abs_srcdir:?}/check_exports.py"
