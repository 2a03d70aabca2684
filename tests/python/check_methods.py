"""Methods that run commands of dg: their keywords are the options of the
command, with types and a description each; what is unknown is named.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""

import inspect
import os
import pydoc
import re
import subprocess
import sys
import typing
import warnings

import datagrind
from datagrind import methods
from tap import DG, HEAD, assemble, dg, equal, main, raises

SMALL = assemble("small", HEAD + """
start_event "<b>"
bbrun 0 3 [0x1000 0x1008 0x1010]
end_event "<b>"
end why=0 exit_code=0
""")

# What a log has from datagrind.open, or does not need.
ELSEWHERE = {"help", "json", "wide", "output", "sort", "plugin", "interval",
             "allocators", "source_map", "jobs"}


def options_of(*words):
    """The keywords of a command, from its --help."""
    return {name.replace("-", "_") for name in
            re.findall(r"^  (?:-\w, |    )--([\w-]+)",
                       dg(*words, "--help").decode(), re.M)}


def keywords_of(method):
    """The keywords of a method."""
    return set(inspect.signature(method).parameters)


def names_of(kind):
    """The public methods of a class, without those of its parents."""
    return sorted(name for name in vars(kind) if not name.startswith("_"))


def test_analyses():
    """Each analysis has all options of its command, and no others."""
    equal(names_of(methods.Analyses),
          sorted(table.name for table in datagrind.tables()
                 if not table.columns))
    log = datagrind.open(SMALL)
    for name in names_of(methods.Analyses):
        equal(keywords_of(getattr(log, name))
              - {"part", "columns", "batch_rows", "signed"},
              options_of(name) - ELSEWHERE, name)


def test_commands():
    """So has each other command, apart from what is printed."""
    log = datagrind.open(SMALL)
    equal(names_of(methods.Commands), ["advise", "allocs", "diff", "heap"])
    equal(keywords_of(log.advise), options_of("advise")
          - {"help", "json", "wide", "output", "plugin", "format", "root",
             "rules"})
    equal(keywords_of(log.allocs) - {"what"},
          set().union(*(options_of("allocs", what) for what in (
              "stats", "dump", "history", "leaks")))
          - {"help", "json", "wide", "format", "architecture"})
    assert options_of("diff", "counts") - ELSEWHERE <= keywords_of(log.diff)
    assert keywords_of(log.heap) - {"what"} <= options_of("heap")


def test_described():
    """Each keyword has a type and a description, in help() too."""
    log = datagrind.open(SMALL)
    for kind in (methods.Analyses, methods.Commands):
        for name in names_of(kind):
            method = getattr(log, name)
            hints = typing.get_type_hints(method)
            assert hints["return"] in (datagrind.Frame, datagrind.Answer)
            text = pydoc.render_doc(method, renderer=pydoc.plaintext)
            for keyword in keywords_of(method) - {
                    "columns", "threads", "instructions", "events", "ranges",
                    "top", "batch_rows", "signed"}:
                assert hints[keyword] is not typing.Any or keyword == "after"
                assert re.search(rf"^ +{keyword}: ", text, re.M), \
                    (name, keyword)


def test_choices():
    """Choices are types, so that a checker finds a wrong one."""
    hints = typing.get_type_hints(methods.Analyses.counts)
    choices = typing.get_args(typing.get_args(hints["by"])[0])
    assert {"function", "line", "thread"} <= set(choices), choices
    equal(inspect.signature(methods.Analyses.counts).parameters["by"].default,
          "function")


def test_unknown():
    """The error about an unknown keyword names the nearest."""
    log = datagrind.open(SMALL)
    for method, wrong, right in ((log.cache, "replacment", "replacement"),
                                 (log.counts, "treads", "threads"),
                                 (log.advise, "hots", "host"),
                                 (log.diff, "fail_fi", "fail_if")):
        problem = raises(TypeError, method, **{wrong: "x"})
        assert f"{wrong!r}; did you mean {right!r}?" in str(problem), problem
    problem = raises(TypeError, log.counts, quite_another=1)
    assert str(problem) == "counts() has no keyword 'quite_another'", problem
    problem = raises(datagrind.Error,
                     log.analysis("cache", replacment="lru").to_pylist)
    assert "did you mean 'replacement'?" in str(problem), problem


def warnings_of(make):
    """The texts of the warnings that a call gives, all from this file."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        make().to_pylist()
    for warning in caught:
        equal(warning.filename, __file__)
    return [str(warning.message) for warning in caught]


def test_warnings():
    """Threads and functions that the log does not have are warned of."""
    log = datagrind.open(SMALL)
    equal(warnings_of(lambda: log.counts(threads=[1, 9])),
          ["threads: there is no thread 9; there are 1 to 2"])
    equal(warnings_of(lambda: log.counts(threads=1)), [])
    said = subprocess.run(
        [DG, "counts", "--events=fn:nowhere,user:none", SMALL],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        check=True).stderr
    expected = [line.replace("dg: warning: ", "")
                for line in said.splitlines() if "matches nothing" in line]
    equal(len(expected), 2)
    for frame in (lambda: log.counts(events="fn:nowhere,user:none"),
                  lambda: log.accesses(events="fn:nowhere,user:none")):
        equal(warnings_of(frame), expected)
    frame = log.accesses(events="fn:nowhere")
    equal(warnings_of(lambda: frame), ["--events: fn:nowhere matches nothing"])
    equal(frame.status["problems"], ["--events: fn:nowhere matches nothing"])
    equal(warnings_of(lambda: log.accesses(events="user:<b>")), [])


def test_reason():
    """Why nothing was recorded is in the exception."""
    kept, sys.stderr = sys.stderr, open(os.devnull, "w", encoding="ascii")
    try:
        problem = raises(datagrind.Error, datagrind.record,
                         ["/nowhere/program"], "none.dgz")
    finally:
        sys.stderr.close()
        sys.stderr = kept
    assert "/nowhere/program" in problem.message, problem
    assert "ended with status" not in problem.message, problem


main(globals())
