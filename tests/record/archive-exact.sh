#!/bin/bash
# What exact.sh asks, asked of archives that `dg record` made and `dg unpack`
# unpacked.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

recorded=live
. "$(dirname "$0")/exact.sh"
