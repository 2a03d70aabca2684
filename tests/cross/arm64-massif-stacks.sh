#!/bin/bash
# arm64-massif-stacks.sh: record/massif-stacks.sh for arm64, emulated.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/cross.sh"
