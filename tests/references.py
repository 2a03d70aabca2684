"""references.py: the files and names in documents that do not exist.

Looks at the documents of docs/ and at each README, but not at the manual
pages.  Prints FILE:LINE: what is missing.
  lib/log/open.c, log.h, drive_*.py    a file: from the root, from the folder
                                       of the document, or anywhere
  dg_log_open, struct dv_host, DG_API  a word of a source, a script or a
                                       Makefile, or a file without its suffix
Words with a lower and an upper part, as in dg_NAME, are patterns.
Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""

import fnmatch
import os
import re
import sys

TOPS = ["bench", "build-aux", "chart", "data", "datagrind", "demo", "dg_view",
        "docs", "include", "lib", "m4", "po", "python", "tests", "tools"]
# json.md is compared with the output of the commands.
DOCUMENT = re.compile(r"(^|/)README(\.md)?$"
                      r"|^docs/(?!json)[^/]*(\.md|houses|prefixes)$")
# Files with words that documents may use.
SOURCE = re.compile(r"\.([chly]|sh|py|pl|pm|mk|am|ac|in|map|m4)$"
                    r"|/(build-tool|tap-count|bootstrap)$|^bootstrap$")
FILE = re.compile(r"[\w./*-]*[\w*]\.(?:c|h|py|sh|mk|md|am|ac|map|po|pl|pm|png)"
                  r"\b(?![\w.*-])")
WORD = re.compile(r"(?<![\w./*-])[A-Za-z]\w*_\w*[A-Za-z0-9](?![\w*-]|\.[a-z])")
CODE = re.compile(r"(?ms)^```.*?^```$")
# What documents name that belongs to others, or is made by a build.
OTHERS = re.compile(
    r"^mine\.c$|^prog\.c$|^hash\.c$|^flamegraph\.pl$|^valgrind/datagrind\.h$"
    r"|^_thread_db_|^__tls_get_addr$|^dg_x$|^DG_X_Y$"
    r"|^manylinux_|^DEB_B|^DW_TAG_|^dwfl_|^malloc_usable_size$|^io_uring$"
    r"|^C(ARGO|MAKE)_|^clock_ratio$|^num_(expected_insts|reads_done)$"
    r"|^max_addr$")


def tree():
    """The files of the project, and all words of its sources."""
    files, words = set(), set()
    for top in TOPS:
        for folder, _, names in os.walk(top):
            files.update(os.path.join(folder, name) for name in names)
    files.update(name for name in os.listdir(".") if os.path.isfile(name))
    for path in files:
        if SOURCE.search(path) and path != "tests/references.py":
            with open(path, encoding="utf-8", errors="replace") as file:
                text = file.read()
            # What a comment names may be gone as well.
            if path.endswith((".c", ".h")):
                text = re.sub(r"(?s)/\*.*?\*/", " ", text)
            words.update(re.findall(r"\w+", text))
    words.update(os.path.basename(path).split(".")[0] for path in files)
    return files, words


def missing(path, text, files, words):
    """Offsets and names in a document of what does not exist."""
    here = os.path.dirname(path)
    # Code keeps its lines.
    text = CODE.sub(lambda code: "\n" * code.group(0).count("\n"), text)
    for match in FILE.finditer(text):
        name = match.group(0)
        places = [os.path.normpath(os.path.join(root, name))
                  for root in ("", "tests", here)]
        if "/" not in name:
            places.append("*/" + name)
        if not (OTHERS.search(name) or re.search("[A-Z]{2}", name)
                or any(place in files or fnmatch.filter(files, place)
                       for place in places)):
            yield match.start(), name
    for match in WORD.finditer(text):
        name = match.group(0)
        if not (name in words or OTHERS.search(name)
                or re.sub("(?<=[A-Z])s$", "", name) in words
                or re.search("[a-z]_?[A-Z]", name)):
            yield match.start(), name


def main():
    """One line for each name that is found nowhere."""
    files, words = tree()
    wrong = "lib/log/no_such_file.c and dg_no_such_name"
    if len(list(missing("README.md", wrong, files, words))) != 2:
        print("names that do not exist are not noticed")
    documents = sorted(filter(DOCUMENT.search, files))
    if len(documents) < 20:
        print("too few documents are found")
    for path in documents:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for start, name in missing(path, text, files, words):
            print("%s:%d: %s" % (path, text.count("\n", 0, start) + 1, name))


sys.exit(main())
