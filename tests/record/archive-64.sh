#!/bin/bash
# Archives made by `dg record` hold what raw logs of the same programs do: here
# programs of 64 bits.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

bits=64
. "$(dirname "$0")/both-guests.sh"
