"""The examples of docs/python.md, in their order: check_docs.py FILE

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""

import io
import sys
import traceback
from contextlib import redirect_stdout

from examples import examples

BLOCKS = examples(sys.argv[1])
print(f"1..{len(BLOCKS)}")
names = {"__name__": "__main__"}
failed = False
for number, (line, code) in enumerate(BLOCKS, 1):
    output = io.StringIO()
    try:
        with redirect_stdout(output):
            exec(compile("\n" * (line - 1) + code, sys.argv[1], "exec"), names)
        print(f"ok {number} - line {line}", flush=True)
    except BaseException:
        failed = True
        print(f"not ok {number} - line {line}")
        for text in (output.getvalue()
                     + traceback.format_exc()).splitlines():
            print("#", text)
if not BLOCKS:
    print("Bail out! no examples")
sys.exit(failed or not BLOCKS)
