"""Tables as Parquet and Arrow files.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""

import os
import signal
import subprocess
import sys

import duckdb
import pyarrow
import pyarrow.parquet

import datagrind
from datagrind import export
from tap import DG, assemble, equal, long_text, main, raises

LONG = assemble("long", long_text(60000, 50))
subprocess.run([DG, "pack", LONG, "-o", "long.dgz"], check=True,
               stdout=subprocess.DEVNULL)
LOG = datagrind.open("long.dgz")


def run(*arguments, status=0):
    """What the command prints: bytes of standard output, text of errors."""
    result = subprocess.run(
        [sys.executable, "-m", "datagrind", "export", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    equal(result.returncode, status, result.stderr.decode())
    return result.stdout, result.stderr.decode()


def test_parquet():
    """A Parquet file has the rows of the table"""
    run("--parquet", "made", "long.dgz")
    wanted = LOG.accesses().to_arrow()
    got = pyarrow.parquet.read_table("made/accesses.parquet")
    equal(got.num_rows, wanted.num_rows)
    for name in wanted.schema.names:
        equal(got[name].cast(pyarrow.string()
                             if name == "kind" else got[name].type)
              .to_pylist(), wanted[name].to_pylist(), name)
    equal(sorted(os.listdir("made")),
          sorted(f"{name}.parquet" for name in export.DEFAULT))
    equal(pyarrow.parquet.read_table("made/threads.parquet").num_rows, 2)
    equal(pyarrow.parquet.read_table("made/blocks.parquet").num_rows, 0)


def test_statistics():
    """Row groups have the least and greatest times, which skip most of them"""
    usual, export.GROUP_ROWS = export.GROUP_ROWS, 10000
    export._write_parquet(LOG.accesses(batch_rows=5000), "groups.parquet")
    export.GROUP_ROWS = usual
    data = pyarrow.parquet.ParquetFile("groups.parquet").metadata
    at = data.schema.names.index("icount")
    assert data.num_row_groups > 5, data.num_row_groups
    last = -1
    for i in range(data.num_row_groups):
        column = data.row_group(i).column(at).statistics
        assert column.has_min_max and column.min >= last, i
        last = column.max
    middle = last // 2
    equal(duckdb.sql(
        "select count(*) from 'groups.parquet' where icount >= "
        f"{middle} and address < 100000").fetchall(),
        duckdb.sql("select count(*) from t where icount >= "
                   f"{middle} and address < 100000", connection=_of()
                   ).fetchall())


def _of():
    connection = duckdb.connect()
    connection.register("t", LOG.accesses().to_arrow())
    return connection


def test_arrow():
    """An Arrow file, and a stream to standard output"""
    wanted = LOG.accesses(["thread", "function", "icount"],
                          threads=2, instructions=(0, 5000),
                          signed=True).to_arrow()
    options = ["--columns", "thread,function,icount", "--threads", "2",
               "--instructions", "0..5000", "--signed", "long.dgz"]
    run("--arrow", "made.arrow", *options)
    stream, _ = run("--arrow", "-", *options)
    for got in (pyarrow.ipc.open_file("made.arrow").read_all(),
                pyarrow.ipc.open_stream(stream).read_all()):
        equal(got.to_pylist(), wanted.to_pylist())
        equal(got.schema, wanted.schema)


def test_analysis():
    """The rows of an analysis"""
    run("--parquet", "made", "--table", "counts/values", "long.dgz")
    equal(pyarrow.parquet.read_table("made/counts-values.parquet")
          .to_pylist(), LOG.table("counts/values").to_pylist())


def test_stopped():
    """A file that is not complete is removed, and the old one stays"""
    with open("old", "w", encoding="utf-8") as file:
        file.write("old")
    before = sorted(os.listdir("."))

    def write():
        with export._replacing("old") as name:
            with open(name, "w", encoding="utf-8") as file:
                file.write("new")
            raise KeyboardInterrupt

    raises(KeyboardInterrupt, write)
    equal(sorted(os.listdir(".")), before)
    with open("old", encoding="utf-8") as file:
        equal(file.read(), "old")


def test_signal():
    """A signal ends it: status 130, and no file"""
    # A pipe that nobody reads is full before all is written.
    with subprocess.Popen(
            [sys.executable, "-m", "datagrind", "export", "--arrow", "-",
             "long.dgz"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.read(1)
        process.send_signal(signal.SIGINT)
        err = process.stderr.read().decode()
        equal(process.wait(), 130, err)
        assert "stopped" in err, err


def test_place():
    """Devices and the targets of links are written to, the log is not"""
    assert "are the same file" in run("--arrow", "long.dgz", "long.dgz",
                                      status=1)[1]
    os.mkdir("place")
    os.symlink("target.arrow", "place/link")
    run("--arrow", "place/link", "--table", "threads", "long.dgz")
    assert os.path.islink("place/link")
    equal(sorted(os.listdir("place")), ["link", "target.arrow"])
    equal(pyarrow.ipc.open_file("place/link").read_all().num_rows, 2)
    os.mkfifo("place/pipe")
    with subprocess.Popen(["cat", "place/pipe"],
                          stdout=subprocess.PIPE) as reader:
        run("--arrow", "place/pipe", "--table", "threads", "long.dgz")
        equal(pyarrow.ipc.open_stream(reader.stdout.read()).read_all()
              .num_rows, 2)
    assert not os.path.isfile("place/pipe")
    for path, text in (("place", "directory"), ("place/x/y", "No such file"),
                       ("long.dgz/y", "Not a directory")):
        _, err = run("--arrow", path, "--table", "threads", "long.dgz",
                     status=1)
        equal(err, f"dg export: {path}: " + err.split(": ")[-1])
        assert text in err, err
    equal(sorted(os.listdir("place")), ["link", "pipe", "target.arrow"])


def test_refused():
    """Wrong usage and wrong logs: a message, and nothing is written"""
    before = sorted(os.listdir("."))
    for words, status, text in (
            (["--parquet", "none", "long.dgz", "--columns", "x", "--table",
              "accesses"], 2, "no column 'x'"),
            (["--parquet", "none", "long.dgz", "--table", "acesses"], 2,
             "did you mean 'accesses'"),
            (["--parquet", "none", "long.dgz", "--columns", "icount"], 2,
             "--columns is for one table"),
            (["--arrow", "none", "--table", "threads", "--table", "events",
              "long.dgz"], 2, "--arrow writes one table"),
            (["--arrow", "none", "--threads", "x", "long.dgz"], 2, "x"),
            (["--arrow", "none", "missing"], 1, "missing"),
            (["long.dgz"], 2, "--parquet")):
        _, err = run(*words, status=status)
        assert text in err, err
        assert "Traceback" not in err, err
    for name in ("none",):
        if os.path.isdir(name):
            os.rmdir(name)
    equal(sorted(os.listdir(".")), before)


main(globals())
