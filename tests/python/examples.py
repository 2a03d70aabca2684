"""The examples in Python of a document.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""

import re


def examples(path):
    """Lines and texts of the blocks of code, in their order."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return [(text.count("\n", 0, found.start()) + 2, found.group(1))
            for found in re.finditer(r"^```python\n(.*?)^```$", text,
                                     re.MULTILINE | re.DOTALL)]
