# periodic_compare.py: whether estimates of samples are as good as they say.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later
#
#   periodic_compare.py TRUE.json SAMPLE.json...
#
# Of `dg counts --by=function --json`: for each figure of the functions whose
# accesses are known, and of the whole, in how many samples the true one is
# within the error.  The exit status is 1 if that is less than 95 % of them for
# any figure, or if instructions of the whole are not exact.
import json
import sys

FUNCTIONS = ('fill', 'scan', 'copy', 'think')
KEYS = ('instructions', 'reads', 'writes')


def load(name):
    with open(name, encoding='utf-8') as file:
        document = json.load(file)
    rows = {row['function']: row for row in document['rows']}
    return document, rows


def is_within(true, row, key):
    if row is None or row[key + '_error'] is None:
        return False
    # Figures are whole numbers.
    return abs(row[key] - true[key]) <= row[key + '_error'] * row[key] + 0.5


def main():
    true, true_rows = load(sys.argv[1])
    samples = [load(name) for name in sys.argv[2:]]
    is_good = all(document['instructions'] == true['instructions']
                  and document['instructions_error'] == 0
                  for document, rows in samples)
    print('instructions are exact: %s' % is_good)
    for name in (None,) + FUNCTIONS:
        for key in KEYS:
            of = true if name is None else true_rows.get(name)
            if of is None or of[key] == 0:
                continue
            rows = [document if name is None else rows.get(name)
                    for document, rows in samples]
            n = sum(is_within(of, row, key) for row in rows)
            errors = [row[key + '_error'] or 0 for row in rows if row]
            print('%s %s: within in %d of %d, error %.1f %%'
                  % (name or 'all', key, n, len(rows),
                     100 * sum(errors) / len(errors)))
            is_good = is_good and n >= 0.95 * len(rows)
    sys.exit(not is_good)


main()
