"""What tests say of JSON, for `holds` of lib.sh: one process for all of them,
as Python takes longer to start than most commands of dg.

Standard input has questions: a folder, words, the number of expressions, and
these, each with a NUL behind it.  Each is asked of the JSON in that
folder's `stdout`, as `r`; what is not so is written to its `difference`, then a
line to standard output.
Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""

import json
import os
import sys
import traceback


def words():
    """What stands between the NULs."""
    rest = b""
    while True:
        more = os.read(0, 65536)
        if not more:
            return
        *parts, rest = (rest + more).split(b"\0")
        for part in parts:
            yield part.decode(errors="surrogateescape")


def ask(names, questions, out):
    """Writes what is not so."""
    def sums(rows):
        return {n: sum(row[n] for row in rows) for n in names}

    with open("stdout", encoding="utf-8") as file:
        r = json.load(file)
    known = {"json": json, "r": r, "names": names, "sums": sums}
    for what in questions:
        if not eval("(" + what + ")", known):  # pylint: disable=eval-used
            print("not so:", what, file=out)
            print(json.dumps(r, indent=1)[:3000], file=out)


given = words()
for folder in given:
    os.chdir(folder)
    wanted = next(given).split()
    asked = [next(given) for _ in range(int(next(given)))]
    with open("difference", "w", encoding="utf-8",
              errors="surrogateescape") as difference:
        try:
            ask(wanted, asked, difference)
        except Exception:  # pylint: disable=broad-except
            traceback.print_exc(file=difference)
    print(flush=True)
sys.exit(0)
