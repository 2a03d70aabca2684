# words.py: how often each length of a word occurs.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import random

random.seed (1)
WORDS = ["x" * random.randrange (1, 30) for i in range (1000)]


def lengths (words):
    seen = []
    for word in words:
        if len (word) not in [length for length, count in seen]:
            seen.append ((len (word), 0))
        seen = [(length, count + (length == len (word)))
                for length, count in seen]
    return dict (seen)


print (sum (lengths (WORDS).values ()))
