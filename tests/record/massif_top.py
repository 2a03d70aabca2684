#!/usr/bin/env python3
# massif_top.py FILE: takes the frames at the last address out of a file of
# Massif.  Valgrind's unwinder goes on to there behind the first function of a
# thread where debug information does not say that it is the first one.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import re
import sys

frame = re.compile(r"^( *n)(\d+)(: \d+ 0x([0-9A-F]+):.*)$")
kept = []
with open(sys.argv[1], encoding="utf-8", errors="surrogateescape") as file:
    for line in file.read().splitlines():
        match = frame.match(line)
        if not match or match[4] != "F" * 16:
            kept.append(line)
            continue
        # One child less of the frame that is called from there.
        at = next(i for i in reversed(range(len(kept)))
                  if len(kept[i]) - len(kept[i].lstrip(" "))
                  < len(match[1]) - 1)
        parts = re.match(r"^( *n)(\d+)(:.*)$", kept[at])
        kept[at] = f"{parts[1]}{int(parts[2]) - 1}{parts[3]}"
with open(sys.argv[1], "w", encoding="utf-8",
          errors="surrogateescape") as file:
    file.writelines(line + "\n" for line in kept)
