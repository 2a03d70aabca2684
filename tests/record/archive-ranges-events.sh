#!/bin/bash
# What ranges-events.sh asks, of archives that `dg record` made and `dg unpack`
# unpacked: threads and signals come as they like, so two recordings cannot
# be compared.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

recorded=live
. "$(dirname "$0")/ranges-events.sh"
