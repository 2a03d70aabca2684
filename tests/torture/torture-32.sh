#!/bin/bash
# Valgrind's own test programs of 32 bits behave under the tool as under none.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

width=32
. "$(dirname "$0")/torture.sh"
