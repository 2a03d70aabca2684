#!/bin/bash
# s390x-counts-oracle.sh: record/counts-oracle.sh for s390x, emulated.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/cross.sh"
