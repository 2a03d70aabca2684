# heap_picture.py: the heights of the areas of a picture of the heap.
#   heap_picture.py FILE FRACTION...
# For each fraction of the time, a line with the height of each colour there,
# as bytes if the highest column of the picture is PEAK of the environment.
# Colours: those of the light theme, in the order of ranks.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import os
import sys

sys.path.insert(0, os.path.join(os.environ['abs_srcdir'], 'view', 'window'))
import png  # noqa: E402

COLOURS = [(0x44, 0x77, 0xaa), (0xe9, 0xc4, 0x6a), (0x99, 0x44, 0x55)]

width, height, rows = png.read(sys.argv[1])
pitch = max(1, width // 1200)


def close(a, b):
    return all(abs(x - y) <= 3 for x, y in zip(a, b))


# The lowest row of the data: the last with a long stretch of one colour.
bottom = max(y for y in range(height)
             if sum(any(close(p, c) for c in COLOURS)
                    for p in rows[y]) > width // 10)
coloured = [x for x in range(width)
            if any(close(rows[bottom - 2 * pitch][x], c) for c in COLOURS)]
left, right = coloured[0], coloured[-1] + 1


def heights(x):
    """Of each colour, in pixels; lines between areas are of the lower one."""
    counts, y, last = [0] * len(COLOURS), bottom, None
    gap = 0
    while y >= 0 and gap < 3 * pitch:
        here = [i for i, c in enumerate(COLOURS) if close(rows[y][x], c)]
        if here:
            if gap and last is not None:
                counts[last] += gap
            last, gap = here[0], 0
            counts[last] += 1
        else:
            gap += 1
        y -= 1
    return counts


most = max(sum(heights(x)) for x in range(left, right))
for fraction in sys.argv[2:]:
    x = left + int(float(fraction) * (right - left))
    print(' '.join(str(round(h * int(os.environ['PEAK']) / most))
                   for h in heights(x)))
