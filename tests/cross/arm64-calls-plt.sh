#!/bin/bash
# arm64-calls-plt.sh: record/calls-plt.sh for arm64, emulated.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/cross.sh"
