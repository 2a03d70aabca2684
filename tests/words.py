"""words.py BANNED: the phrases of the list BANNED in what people read.

That is all of the manuals and documents, and the comments and strings of the
sources.  Prints FILE:LINE: what is there -> what to write instead.
Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""

import os
import re
import sys

# What is not text for people, or not ours: the list itself, logs, pictures.
SKIPPED = re.compile(r"(^|/)(\.git|build|autom4te\.cache|fuzz|logs|m4)(/|$)")
TEXTS = re.compile(r"\.(md|[1-9]|txt)$|(^|/)(README|houses)$")
C_SOURCE = re.compile(r"\.[ch]$")
SCRIPT = re.compile(r"(?<!ltmain)\.(sh|py|pl|pm|mk|am|ac)$|(^|/)(bootstrap|build-tool)$")
C_TEXT = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"", re.S)
COMMENT = re.compile(r"(?m)(?:^|\s)#[^\n]*|\"\"\".*?\"\"\"", re.S)
MSGID = re.compile(r"(?m)^msgid(?:_plural)? (?:\"[^\n]*\"\n)+")
FOLDERS = ["include", "lib", "chart", "tools", "dg_view", "datagrind", "docs",
           "tests", "bench", "demo", "po", "build-aux"]


def read_list(path):
    """A pattern, what to write instead, and whether comments may have it."""
    phrases, only_texts = [], False
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("["):
                only_texts = line.strip() == "[texts]"
            elif line.strip() and not line.startswith("#"):
                pattern, advice = re.split(r"\t+", line.rstrip("\n"), 1)
                phrases.append((re.compile(pattern), advice, only_texts))
    return phrases


def texts(path, source):
    """Pairs of an offset and a text for people."""
    if path.endswith(".po"):
        found = MSGID.finditer(source)
    elif C_SOURCE.search(path):
        found = C_TEXT.finditer(source)
    elif SCRIPT.search(path):
        found = COMMENT.finditer(source)
    elif TEXTS.search(path):
        return [(0, source)]
    else:
        return []
    # Comments, or strings, that touch are one text.
    joined = []
    for match in found:
        text = match.group(0)
        if (joined and not source[joined[-1][1]:match.start()].strip()
                and (text[0] == '"') == (source[joined[-1][0]] == '"')):
            joined[-1][1] = match.end()
        else:
            joined.append([match.start(), match.start() + len(text)])
    return [(start, source[start:end]) for start, end in joined]


def flatten(text):
    """The text in one line, and where in it each of its characters was."""
    flat, where, end = [], [], 0
    for gap in re.finditer(r"[\s\"#]+", text):
        flat.append(text[end:gap.start()] + " ")
        where += list(range(end, gap.start())) + [gap.start()]
        end = gap.end()
    return "".join(flat) + text[end:], where + list(range(end, len(text)))


def files():
    """All that may have texts."""
    yield "README.md"
    yield "bootstrap"
    for top in FOLDERS:
        for folder, _, names in os.walk(top):
            if not SKIPPED.search(folder):
                for name in sorted(names):
                    yield os.path.join(folder, name)


def main():
    """One line for each phrase that is found."""
    banned = read_list(sys.argv[1])
    for path in files():
        if path in (sys.argv[1], "tests/words.py") or not os.path.exists(path):
            continue
        if not (TEXTS.search(path) or C_SOURCE.search(path)
                or SCRIPT.search(path) or path.endswith(".po")):
            continue
        with open(path, encoding="utf-8", errors="replace") as file:
            source = file.read()
        for start, text in texts(path, source):
            # Comments of public headers are their manual.
            is_comment = (not path.startswith("include/")
                          and not TEXTS.search(path)
                          and not text.startswith(('"', "msgid")))
            text, where = flatten(text)
            for pattern, advice, only_texts in banned:
                if only_texts and is_comment:
                    continue
                for match in pattern.finditer(text):
                    at = start + where[match.start()]
                    print("%s:%d: %s -> %s" % (
                        path, source.count("\n", 0, at) + 1, match.group(0),
                        advice))


main()
