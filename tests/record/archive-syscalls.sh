#!/bin/bash
# What syscalls.sh asks, asked of archives that `dg record` made and `dg
# unpack` unpacked.  Signals come at any time, so two recordings could not be
# compared.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

recorded=live
. "$(dirname "$0")/syscalls.sh"
