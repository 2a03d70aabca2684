"""Libraries that read a stream: Ctrl-C, errors, types; installing by pip.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""

import glob
import os
import shutil
import signal
import subprocess
import sys

import duckdb
import pandas
import polars
import pyarrow

import datagrind
from tap import DG, HEAD, Skip, assemble, equal, long_text, main, raises

LONG = assemble("long", long_text(60000, 1000))
subprocess.run([DG, "pack", LONG, "-o", "long.dgz"], check=True,
               stdout=subprocess.DEVNULL)
LOG = datagrind.open("long.dgz")
ALL = LOG.info["accesses"]
SANITIZED = "asan" in os.environ.get("LD_PRELOAD", "")


class After:
    """Progress that interrupts the process at its n-th call."""

    def __init__(self, n):
        self.left = n

    def __call__(self, done, total):
        self.left -= 1
        if self.left == 0:
            signal.raise_signal(signal.SIGINT)


def interrupted(call, n=1):
    """A call during which Ctrl-C is pressed ends with KeyboardInterrupt."""
    for _ in range(5):
        progress = After(n)
        datagrind.set_progress(progress)
        try:
            call()
        except KeyboardInterrupt:
            equal(progress.left, 0)
            return
        finally:
            datagrind.set_progress(None)
        # Fewer calls on a faster machine.
        assert progress.left > 0, "no KeyboardInterrupt"
        n = 1
    raise Skip("progress was never shown")


COLUMNS = ["icount", "kind", "address", "variable", "function"]


def test_interrupt_arrow():
    """Ctrl-C while pyarrow reads all batches."""
    interrupted(lambda: pyarrow.table(LOG.accesses(COLUMNS)))
    interrupted(lambda: pyarrow.table(LOG.accesses(COLUMNS)), 3)
    interrupted(lambda: LOG.accesses(COLUMNS).to_arrow(), 2)


def test_interrupt_loop():
    """Ctrl-C while a loop goes over batches; nothing is read as the end."""
    seen = []

    def loop():
        reader = pyarrow.RecordBatchReader.from_stream(LOG.accesses(COLUMNS))
        del seen[:]
        for batch in reader:
            seen.append(batch.num_rows)
    interrupted(loop, 2)
    assert sum(seen) < ALL, sum(seen)


def test_interrupt_goes_on():
    """Who catches it can read on: no row is lost."""
    reader = pyarrow.RecordBatchReader.from_stream(LOG.accesses(["icount"]))
    datagrind.set_progress(After(1))
    total = interruptions = 0
    reader = pyarrow.RecordBatchReader.from_stream(LOG.accesses(["icount"]))
    datagrind.set_progress(None)
    while True:
        try:
            for batch in reader:
                total += batch.num_rows
            break
        except KeyboardInterrupt:
            interruptions += 1
    equal(total, ALL)
    assert interruptions <= 1


def test_interrupt_others():
    """Ctrl-C in pandas and Polars."""
    interrupted(lambda: LOG.accesses(COLUMNS).to_pandas())
    interrupted(lambda: LOG.accesses(COLUMNS).to_polars())


def test_types():
    """Types as documented, unsigned and signed."""
    schema = pyarrow.schema(LOG.accesses())
    equal({field.name: str(field.type) for field in schema},
          {"icount": "uint64", "thread": "uint32",
           "kind": "dictionary<values=string, indices=int32, ordered=0>",
           "size": "uint32", "address": "uint64", "instruction": "uint64",
           "context": "uint32", "run": "uint64"})
    schema = pyarrow.schema(LOG.accesses(["thread", "address", "variable",
                                          "block"], signed=True))
    equal([str(field.type) for field in schema][:2], ["int32", "int64"])
    assert schema.field("variable").nullable
    assert schema.field("block").nullable
    assert not schema.field("address").nullable
    equal(dict(polars.Schema(LOG.accesses(["icount", "thread"]))),
          {"icount": polars.UInt64, "thread": polars.UInt32})


def test_valid():
    """pyarrow finds all batches of all tables valid, to the last byte."""
    for table in datagrind.tables():
        names = [column.name for column in table.columns] or None
        limits = {"chunks": (0, 1)} if "chunks" in table.limits else {}
        if table.name == "accesses":
            limits["instructions"] = (0, 200000)
        for signed in (False, True):
            frame = getattr(LOG, table.name)(columns=names, signed=signed,
                                             batch_rows=5000, **limits)
            for batch in frame.to_batches():
                batch.validate(full=True)
                assert batch.num_rows <= 5000
            data = pyarrow.table(frame)
            equal(data.num_columns, len(frame.columns), table.name)


def test_grows():
    """An index of a dictionary has one meaning in all batches."""
    names = None
    for batch in LOG.accesses(["kind", "variable"],
                              batch_rows=1000, chunks=(0, 1)).to_batches():
        values = batch.column("variable").dictionary.to_pylist()
        if names:
            equal(values[:len(names)], names)
        names = values
    assert names is not None


def test_no_columns():
    """A query without columns has only numbers of rows."""
    frame = LOG.accesses([])
    equal(sum(batch.num_rows for batch in frame.to_batches()), ALL)


def test_libraries():
    """The constructors of the libraries take a frame as it is."""
    frame = LOG.accesses(["icount", "kind"], threads=2)
    expected = pyarrow.table(frame).num_rows
    equal(len(polars.DataFrame(frame)), expected)
    equal(len(polars.from_arrow(frame)), expected)
    equal(len(pandas.DataFrame.from_arrow(frame)), expected)
    equal(duckdb.sql("SELECT count(*) FROM frame").fetchall()[0][0], expected)
    equal(len(pyarrow.RecordBatchReader.from_stream(frame).read_all()),
          expected)
    equal(len(frame.to_pandas()), expected)


def test_error_in_stream():
    """Damage that is found late is an error of the library, and the status
    has its code and offset."""
    subprocess.run([DG, "pack", LONG, "-o", "x.dgz"],
                   check=True, stdout=subprocess.DEVNULL)
    log = datagrind.open("x.dgz")
    size = os.path.getsize("x.dgz")
    with open("x.dgz", "r+b") as file:
        file.seek(size // 3)
        data = file.read(size // 3)
        file.seek(size // 3)
        file.write(bytes(b ^ 0x5a for b in data))
    frame = log.accesses(["icount"])
    problem = raises((OSError, pyarrow.ArrowException), pyarrow.table, frame)
    code, offset, message = frame.status["error"]
    assert code in ("damaged", "input"), code
    assert offset > 0 and message in str(problem), (offset, problem)
    problem = raises(datagrind.Error, lambda: [0 for _ in frame])
    equal((problem.code, problem.offset), (code, offset))


def pip(*arguments, **environment):
    """Run pip without any network."""
    return subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check",
         "--no-cache-dir", *arguments], stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, check=False,
        env={**os.environ, "PIP_NO_INDEX": "1", **environment})


def write_pc(folder):
    """What pkg-config says of the library just built."""
    os.makedirs(folder)
    with open(folder + "/datagrind.pc", "w") as file:
        file.write("exec_prefix=/nowhere\n"
                   f"libdir={os.environ['abs_top_builddir']}/lib/.libs\n"
                   "Name: Datagrind\nDescription: x\nVersion: 1.0\n"
                   "Libs: -L${libdir} -ldatagrind\n"
                   f"Cflags: -I{os.environ['abs_top_srcdir']}/include\n")


def test_pip():
    """pip makes a wheel for all Python 3.9 and later, which works."""
    if SANITIZED:
        raise Skip("pip is not run with a sanitizer")
    shutil.copytree(os.environ["abs_top_srcdir"] + "/python", "source",
                    ignore=shutil.ignore_patterns("build", "*.egg-info"))
    for folder, _, _ in os.walk("source"):
        os.chmod(folder, 0o755)
    done = pip("wheel", "--no-build-isolation", "--no-deps", "-w", "wheels",
               "./source", PKG_CONFIG_LIBDIR="/nowhere", PKG_CONFIG_PATH="")
    assert done.returncode != 0
    assert b"libdatagrind is not installed" in done.stdout, done.stdout
    write_pc("pc")
    done = pip("wheel", "--no-build-isolation", "--no-deps", "-w", "wheels",
               "./source", PKG_CONFIG_PATH=os.path.abspath("pc"))
    equal(done.returncode, 0, done.stdout.decode())
    wheel, = glob.glob("wheels/*.whl")
    assert "cp39-abi3" in wheel, wheel
    done = pip("install", "--no-deps", "--target", "site", wheel)
    equal(done.returncode, 0, done.stdout.decode())
    assert os.path.exists("site/datagrind/py.typed")
    done = subprocess.run(
        [sys.executable, "-c",
         "import datagrind, sys; print(datagrind.__file__);"
         "print(datagrind.open(sys.argv[1]).threads().to_pylist())", LONG],
        stdout=subprocess.PIPE, check=True,
        env={**os.environ, "PYTHONPATH": os.path.abspath("site")})
    where, rows = done.stdout.decode().splitlines()
    assert "/site/datagrind/" in where, where
    equal(rows, str(LOG.threads().to_pylist()))


def test_small():
    """A log without accesses has empty frames, with their columns."""
    assemble("small", HEAD + "end\n")
    subprocess.run([DG, "pack", "small", "-o", "small.dgz"], check=True,
                   stdout=subprocess.DEVNULL)
    log = datagrind.open("small.dgz")
    for table in datagrind.tables():
        frame = getattr(log, table.name)()
        data = pyarrow.table(frame)
        equal(data.column_names, frame.columns, table.name)
        equal(polars.DataFrame(frame).columns, frame.columns, table.name)
    equal(log.accesses().lazy().collect().shape, (0, 8))


main(globals())
