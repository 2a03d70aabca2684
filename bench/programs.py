"""programs.py: what bench/record measures with: programs of the Valgrind
tree's perf/ folder, mix, and real ones that are on the machine.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""

import os
import shutil
import subprocess

PERF = ["bz2", "fbench", "ffbench", "heap", "sarp", "tinycc"]
REAL = ["sqlite3", "python3"]
# Our own.
LOCAL = ["mix", "churn"]
ALL = PERF + REAL + ["mix"]

# As perf/Makefile.am builds them.
FLAGS = {
    "fbench": (["-O2"], []),
    "ffbench": (["-O"], ["-lm"]),
}
ARGS = {"tinycc": ["-c", "test_input_for_tinycc.c"]}

# A table, an index on it, a join, groups, an order, and changes.
SQL = """
CREATE TABLE item (id INTEGER PRIMARY KEY, kind INTEGER, name TEXT);
CREATE TABLE sale (id INTEGER PRIMARY KEY, item INTEGER, n INTEGER);
BEGIN;
WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 6000)
INSERT INTO item SELECT i, i * 7919 % 101, 'item ' || (i * 7919 % 10007) FROM c;
WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 40000)
INSERT INTO sale SELECT i, i * 6007 % 6000 + 1, i * 31 % 17 FROM c;
COMMIT;
CREATE INDEX sale_item ON sale (item);
CREATE INDEX item_name ON item (name);
SELECT kind, count (*), sum (n), min (name), max (name)
  FROM item JOIN sale ON sale.item = item.id
  GROUP BY kind ORDER BY sum (n) DESC, kind LIMIT 5;
SELECT count (DISTINCT substr (name, 1, 7)), sum (length (name)) FROM item;
UPDATE sale SET n = n + 1 WHERE item IN
  (SELECT id FROM item WHERE name LIKE '%77%');
DELETE FROM sale WHERE n > 15;
SELECT avg (n), total (n), group_concat (DISTINCT n) FROM sale;
PRAGMA integrity_check;
"""

# Objects, dictionaries, strings, a sort, regular expressions, JSON.
PYTHON = """
import json, re
class Node:
    def __init__(self, key):
        self.key, self.left, self.right = key, None, None
def insert(root, key):
    while True:
        side = "left" if key < root.key else "right"
        child = getattr(root, side)
        if child is None:
            setattr(root, side, Node(key))
            return
        root = child
def walk(node, out):
    if node:
        walk(node.left, out)
        out.append(node.key)
        walk(node.right, out)
state, keys = 20, []
for i in range(9000):
    state = (state * 1103515245 + 12345) & 0x7fffffff
    keys.append(state >> 8)
root = Node(keys[0])
for key in keys[1:]:
    insert(root, key)
out = []
walk(root, out)
assert out == sorted(keys)
words = {}
for key in keys:
    for digit in str(key):
        words[digit] = words.get(digit, 0) + 1
text = json.dumps([{"key": k, "name": "n%d" % k} for k in keys])
back = json.loads(text)
odd = [m.group(1) for m in re.finditer(r'"n(\\d*[13579])"', text)]
print(len(out), len(text), len(odd), sum(b["key"] for b in back), words["7"])
"""


def find_python():
    """The distribution's, which is not wrapped by anything."""
    for place in ("/usr/bin/python3", shutil.which("python3")):
        if place and os.path.exists(place):
            return os.path.realpath(place)
    return None


def build(program, perf, work, cc):
    """Makes a program in `work`; returns the command that runs it there, or
    None when this machine does not have it."""
    if program == "sqlite3":
        found = shutil.which("sqlite3")
        script = os.path.join(work, "script.sql")
        with open(script, "w", encoding="ascii") as f:
            f.write(SQL)
        return found and [found, "-batch", "-init", script, ":memory:", ""]
    if program == "python3":
        found = find_python()
        script = os.path.join(work, "script.py")
        with open(script, "w", encoding="ascii") as f:
            f.write(PYTHON)
        return found and [found, "-I", "-S", "-B", script]
    here = os.path.dirname(os.path.abspath(__file__))
    source = os.path.join(here if program in LOCAL else perf, program + ".c")
    cflags, libs = FLAGS.get(program, (["-O"], []))
    out = os.path.join(work, program)
    tree = os.path.dirname(os.path.abspath(perf))
    headers = ["-I" + tree, "-I" + os.path.join(tree, "include"),
               "-DVGA_amd64=1", "-DVGO_linux=1", "-DVGP_amd64_linux=1"]
    subprocess.run(cc + ["-g", "-w"] + headers + cflags
                   + [source, "-o", out] + libs, check=True)
    for arg in ARGS.get(program, []):
        given = os.path.join(perf, arg)
        if os.path.exists(given):
            shutil.copy(given, work)
    return [out] + ARGS.get(program, [])
