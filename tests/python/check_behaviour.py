"""Long calls: progress, Ctrl-C and other threads; notebooks; pictures.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""

import io
import os
import pty
import signal
import subprocess
import sys
import threading
import time

import datagrind
from datagrind import _native, progress
from tap import DG, HEAD, Skip, assemble, equal, long_text, main, raises

LONG = assemble("long", long_text(30000, 2000))
SMALL = assemble("small", HEAD + """
start_event "<b>"
bbrun 0 3 [0x1000 0x1008 0x1010]
end_event "<b>"
end why=0 exit_code=0
""")


ROWS = assemble("rows", HEAD + """
start_event "e"
end_event "e"
""" * 3000 + """
bbrun 0 3 [0x1000 0x1008 0x1010]
end why=0 exit_code=0
""")


class Raised(Exception):
    """What a callback raises."""


def test_progress():
    """A function is called with what is done of all."""
    calls = []
    datagrind.set_progress(lambda done, total: calls.append((done, total)))
    try:
        log = datagrind.open(LONG)
        assert calls and all(done <= total for done, total in calls), calls
        n = len(calls)
        log.counts(by="function").to_pylist()
        assert len(calls) > n
    finally:
        datagrind.set_progress(None)


def test_progress_raises():
    """What it raises ends the call, and the log can be used afterwards."""
    def stop(done, total):
        raise Raised
    log = datagrind.open(LONG)
    frame = log.counts(by="line")
    datagrind.set_progress(stop)
    try:
        raises(Raised, datagrind.open, LONG)
        raises(Raised, frame.head)
        stream = log.accesses(["icount"])
        raises(Raised, lambda: [0 for _ in stream])
    finally:
        datagrind.set_progress(None)
    assert frame.head(1)


def test_progress_raises_within():
    """Also if there are rows of the batch already."""
    calls = []

    def stop(done, total):
        calls.append(done)
        # Longer than from one call to the next.
        time.sleep(0.06)
        if len(calls) == 2:
            raise Raised
    frame = datagrind.open(ROWS).events()
    datagrind.set_progress(stop)
    try:
        # It is first called when this time has passed.
        stream = iter(frame)
        stream_is_open = frame.columns
        time.sleep(0.06)
        raises(Raised, lambda: list(stream))
    finally:
        datagrind.set_progress(None)
    assert stream_is_open and calls[0] == 0 and calls[1] > 0, calls
    equal(len(frame.to_pylist()), 3000)


def shown(how, done=(1, 30, 60, 100)):
    """What a line shows, in a second for each step."""
    datagrind.set_progress(how)
    clock = [0.0]
    real, out = progress.time.monotonic, sys.stderr
    progress.time.monotonic = lambda: clock[0]
    sys.stderr = io.StringIO()
    try:
        show = progress.for_call("counts")
        for part in done if show else ():
            clock[0] += 1
            show(part, 100)
        return sys.stderr.getvalue()
    finally:
        progress.time.monotonic, sys.stderr = real, out
        datagrind.set_progress(None)


def test_line():
    """The line on a terminal has the time left, and goes away."""
    equal(shown(None), "", "where no terminal is")
    equal(shown(False), "")
    text = shown(True)
    assert "counts  30 %" in text and "0:05 left" in text, text
    equal(text.split("\r")[-2].strip(), "")
    equal(shown(True, (100,)), "", "soon done")


def test_terminal():
    """Without a terminal nothing is written; on one, only to it."""
    script = ("import datagrind, sys; from datagrind import progress\n"
              "progress.PATIENCE = 0\n"
              "datagrind.open(sys.argv[1]).counts().to_pylist()\n")
    command = [sys.executable, "-c", script, LONG]
    done = subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=True)
    equal((done.stdout, done.stderr), (b"", b""))
    primary, secondary = pty.openpty()
    process = subprocess.Popen(command, stdout=subprocess.PIPE,
                               stderr=secondary)
    os.close(secondary)
    text = b""
    while True:
        try:
            part = os.read(primary, 4096)
        except OSError:
            break
        if not part:
            break
        text += part
    equal((process.wait(), process.stdout.read()), (0, b""))
    assert b" %" in text, text
    os.close(primary)


def test_notebook():
    """In a notebook, an output of the cell is updated."""
    import types
    shown_there = []

    class Handle:
        """Of an output."""

        def update(self, data, raw):
            shown_there.append(data["text/plain"])

    def display(data, raw, display_id):
        shown_there.append(data["text/plain"])
        return Handle()
    shell = types.SimpleNamespace(kernel=1)
    ipython = types.ModuleType("IPython")
    ipython.get_ipython = lambda: shell
    ipython.display = types.ModuleType("IPython.display")
    ipython.display.display = display
    sys.modules["IPython"] = ipython
    sys.modules["IPython.display"] = ipython.display
    try:
        equal(shown(None), "")
        assert "counts  30 %" in shown_there[1], shown_there
        equal(shown_there[-1], "")
    finally:
        del sys.modules["IPython"], sys.modules["IPython.display"]


def test_html():
    """_repr_html_ is a table, whose texts are escaped."""
    log = datagrind.open(SMALL)
    page = log.accesses()._repr_html_()
    assert page.startswith("<table>") and "<td>0x1000</td>" in page, page
    equal(page.count("<tr>"), 4)
    page = log.contexts()._repr_html_()
    assert "<td>[0x400000]</td>" in page, page
    page = log.events()._repr_html_()
    assert "&lt;b&gt;" in page and "<b>" not in page, page
    page = datagrind.open(LONG).accesses()._repr_html_()
    equal(page.count("<tr>"), 11)
    assert "first 10 rows" in page
    os.rename("small", "<i>&")
    try:
        page = datagrind.open("<i>&").accesses()._repr_html_()
        assert "<i>" not in page and "&lt;i&gt;&amp;" in page, page
    finally:
        os.rename("<i>&", "small")


def test_interrupt():
    """Ctrl-C ends a call with KeyboardInterrupt, and the log can be used."""
    log = datagrind.open(LONG)

    def now(done, total):
        signal.raise_signal(signal.SIGINT)
    for call in (lambda: datagrind.open(LONG),
                 lambda: log.counts(by="line").head(),
                 lambda: [0 for _ in log.accesses(["icount"])]):
        datagrind.set_progress(now)
        try:
            raises(KeyboardInterrupt, call)
        finally:
            datagrind.set_progress(None)
    equal(len(log.threads().to_pylist()), 2)


def test_interrupted_process():
    """A process that is interrupted in a long call ends by it."""
    script = """
import sys, datagrind
log = datagrind.open(sys.argv[1])
print("ready", flush=True)
while True:
    log.counts(by="function").to_pylist()
"""
    process = subprocess.Popen([sys.executable, "-c", script, LONG],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    equal(process.stdout.readline(), b"ready\n")
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    assert b"KeyboardInterrupt" in errors, errors
    assert process.returncode in (1, 130, -signal.SIGINT), process.returncode


def test_other_threads():
    """While a call runs, other threads of Python run."""
    log = datagrind.open(LONG)
    # It waits for another thread, so it ends only if that one can run: the
    # call has no GIL between two calls of this function, which has it.
    turn, seen = threading.Event(), threading.Event()

    def other():
        turn.wait()
        seen.set()
    thread = threading.Thread(target=other)
    thread.start()
    calls = []

    def show(done, total):
        calls.append(seen.is_set())
        turn.set()
    datagrind.set_progress(show)
    try:
        while not seen.is_set():
            log.counts(by="function").to_pylist()
    finally:
        datagrind.set_progress(None)
    thread.join()
    assert calls

    # And a plain loop in Python goes on while another thread is in a call.
    steps, results = [0], []
    done = threading.Event()

    def call():
        results.append(len(log.counts(by="function").to_pylist()))
        done.set()
    thread = threading.Thread(target=call)
    thread.start()
    while not done.is_set():
        steps[0] += 1
    thread.join()
    assert steps[0] > 100 and results, steps


def test_plot():
    """A picture of dg_view, as a notebook shows it."""
    if "DATAGRIND_DG_VIEW" not in os.environ:
        raise Skip("dg_view is not built")
    log = datagrind.open(SMALL)
    picture = log.plot(size=(300, 200))
    equal(picture._repr_png_()[:8], b"\x89PNG\r\n\x1a\n")
    equal(picture._repr_svg_(), None)
    picture = log.plot(format="svg", title="a <title>", addresses=(0x0, 0x9000),
                       instructions=slice(0, 3))
    assert "<svg" in picture._repr_svg_()
    equal(picture._repr_png_(), None)
    picture.save("picture.svg")
    assert os.path.getsize("picture.svg") == len(picture.data)
    raises(ValueError, log.plot, format="gif")
    problem = raises(datagrind.Error, log.plot, events="nonsense:x")
    assert "nonsense" in str(problem), problem


def test_commands():
    """Commands besides the analyses, as dg itself answers."""
    log = datagrind.open(SMALL)
    found = log.advise(machine="zen4")
    equal(found["instructions"], log.info["instructions"])
    equal(list(found), found.document["findings"])
    equal(len(log.heap()), 0)
    equal(log.heap("untouched").to_pylist(), [])
    equal(log.allocs("leaks")["blocks"], 0)
    equal(log.allocs().head()[0]["log"], os.path.abspath(log.path))
    equal(log.advise(threads=[1])["instructions"], 3)
    equal(log.allocs("dump").columns, [])
    answer = log.diff(datagrind.open(ROWS), "counts")
    row, = [row for row in answer if row["figure"] == "instructions"]
    equal((row["before"], row["after"]), (3, 3))
    assert not answer.is_broken
    assert log.diff(LONG, "counts", fail_if=["reads>0", "reads>+2%"]).is_broken
    equal(log.diff(SMALL, "advise").to_pylist(), [])
    equal(len(log.diff([LONG, SMALL], "counts")["after_logs"]), 2)
    raises(ValueError, log.heap, "nothing")
    raises(ValueError, log.allocs, "diff")
    problem = raises(TypeError, log.advise, no_such_option=True)
    assert "no_such_option" in str(problem), problem
    problem = raises(datagrind.Error, log.diff, "missing", "counts")
    assert "missing" in str(problem), problem


def test_record_fails():
    """What cannot be recorded is an Error."""
    raises(ValueError, datagrind.record, [])
    os.environ["DATAGRIND_DG"] = "/bin/false"
    try:
        problem = raises(datagrind.Error, datagrind.record, ["true"],
                         "none.dgz")
        assert "nothing was recorded" in str(problem)
        assert not os.path.exists("none.dgz")
        with open("old.dgz", "w") as file:
            file.write("old")
        raises(datagrind.Error, datagrind.record, ["true"], "old.dgz")
    finally:
        os.environ["DATAGRIND_DG"] = DG


def test_record_forked():
    """A temporary archive outlives a child that ends, but not its log."""
    with open("copies", "w", encoding="ascii") as file:
        file.write(f'#!/bin/sh\ncp "{os.path.abspath(SMALL)}" "$3"\n')
    os.chmod("copies", 0o755)
    code = """if True:
        import datagrind, os, sys
        log = datagrind.record(["true"])
        path = log.path
        if os.fork() == 0:
            sys.exit(0)
        os.wait()
        assert os.path.exists(path)
        del log
        assert not os.path.exists(os.path.dirname(path))
    """
    subprocess.run([sys.executable, "-c", code], check=True, env={
        **os.environ, "DATAGRIND_DG": os.path.abspath("copies")})


def test_subclasses():
    """What Python keeps of a log ends with it."""
    import gc
    gc.collect()
    equal(_native.count_handles(), 0)


main(globals())
