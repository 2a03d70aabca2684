"""coverage_table.py: branches of lib/ and those that were taken, as a table.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import json
import sys


def row(name, branches, taken):
    share = 100 * taken / branches if branches else 100
    print(f"{name:44} {branches:7} {taken:7} {share:6.1f} %")


def main():
    summary, top = sys.argv[1:]
    with open(summary, encoding="utf-8") as file:
        files = json.load(file)["data"][0]["files"]
    houses = collections.defaultdict(lambda: [0, 0])
    rows = []
    for entry in files:
        name = entry["filename"]
        if not name.startswith(top):
            continue
        name = name[len(top):]
        count = entry["summary"]["branches"]
        rows.append((name, count["count"], count["covered"]))
        for house in (name.rsplit("/", 1)[0], "all"):
            houses[house][0] += count["count"]
            houses[house][1] += count["covered"]
    print(f"{'':44} {'branches':>7} {'taken':>6}")
    for name, branches, taken in sorted(rows):
        row(name, branches, taken)
    print()
    for house, (branches, taken) in sorted(houses.items()):
        row(house, branches, taken)


main()
