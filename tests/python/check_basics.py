"""The Python module alone: open, tables, streams, pickling, errors, leaks.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""

import ctypes
import gc
import itertools
import json
import os
import pickle
import subprocess
import sys
import threading

import datagrind
from datagrind import _native
from tap import HEAD, assemble, dg, equal, long_text, main, raises

SMALL = assemble("small", HEAD + """
start_event "one"
bbrun 0 3 [0x1000 0x1008 0x1010]
malloc_block 0x2000 64 [0x400000 0x400100]
heap_alloc 1 1 1 64 0 0
end_event "one"
thread_switch 2
bbrun 1 1 [0x2000]
track_range 0x3000 16 "int" "a & <b>"
bbrun 0 3 [0x3000 0x3008 0]
untrack_range 0x3000 16
end why=0 exit_code=3
""")
# Some chunks, of which an archive's index knows what they touched.
LONG = assemble("long", long_text(60000, 1000))
subprocess.run([os.environ["DATAGRIND_DG"], "pack", LONG, "-o", "long.dgz"],
               check=True, stdout=subprocess.DEVNULL)

FULL = [(0, 1, "read", 4, 0x1000), (1, 1, "write", 8, 0x1008),
        (1, 1, "read", 16, 0x1010), (3, 2, "write", 8, 0x2000),
        (4, 2, "read", 4, 0x3000), (5, 2, "write", 8, 0x3008)]
NAMES = ["icount", "thread", "kind", "size", "address"]


def rows(frame):
    """The rows without names."""
    return [tuple(row.values()) for row in frame]


def test_open():
    """A log is opened: info is that of dg info."""
    with datagrind.open(SMALL) as log:
        told = json.loads(dg("info", "--json", SMALL))
        for key in ("accesses", "reads", "writes", "threads", "instructions",
                    "pid", "argv", "arch", "end", "exit_status", "signal",
                    "is_complete",
                    "recording", "file_size", "chunks"):
            equal(log.info[key], told[key], key)
        equal(log.problem, None)
        equal(log.is_growing, False)
        equal(log.n_chunks, 1)
        equal(log.path, SMALL)
        assert "accesses" in repr(log)
    raises(ValueError, lambda: log.info)
    assert "closed" in repr(log)


def test_path():
    """Paths are text, bytes or path-like."""
    import pathlib
    for path in (SMALL, os.fsencode(SMALL), pathlib.Path(SMALL)):
        equal(datagrind.open(path).info["accesses"], 6)
    raises(ValueError, datagrind.open, "a\0b")
    raises(TypeError, datagrind.open, 3)


def test_tables():
    """The tables and their columns are known without a log."""
    tables = {table.name: table for table in datagrind.tables()}
    for name in ("accesses", "runs", "contexts", "functions", "blocks",
                 "ranges", "events", "threads", "modules", "mappings",
                 "chunks", "lines", "counts", "sharing"):
        assert name in tables, name
    columns = {c.name: c for c in tables["accesses"].columns}
    equal(columns["address"].format, "L")
    assert columns["address"].is_address and columns["variable"].on_demand
    assert columns["variable"].nullable and columns["variable"].is_name
    assert "threads" in tables["accesses"].limits
    equal(tables["counts"].columns, ())


def test_methods():
    """Each table has a method of its name."""
    log = datagrind.open(SMALL)
    for table in datagrind.tables():
        frame = getattr(log, table.name)()
        assert isinstance(frame, datagrind.Frame), table.name
        assert frame.query["table"] == table.name


def test_all_tables():
    """Each table and analysis of a log can be read."""
    log = datagrind.open("long.dgz")
    for table in datagrind.tables():
        columns = [column.name for column in table.columns] or None
        frame = getattr(log, table.name)(columns=columns)
        first = frame.head(3)
        if first and columns:
            equal(list(first[0]), columns)
        assert isinstance(frame.columns, list)


def test_accesses():
    """The rows of accesses, with columns in the order of the query."""
    log = datagrind.open(SMALL)
    equal(rows(log.accesses(NAMES)), FULL)
    equal(rows(log.accesses(NAMES[::-1])), [row[::-1] for row in FULL])
    equal(log.accesses("size").head(1), [{"size": 4}])
    equal(log.accesses(["size"]).columns, ["size"])
    equal(log.accesses().columns[:2], ["icount", "thread"])
    equal(log.accesses(NAMES).head(2), log.accesses(NAMES).to_pylist()[:2])
    equal(log.accesses(NAMES).head(0), [])


def test_limits():
    """What a query leaves out."""
    log = datagrind.open(SMALL)

    def some(**limits):
        return [FULL.index(row) for row in rows(log.accesses(NAMES, **limits))]
    equal(some(threads=2), [3, 4, 5])
    equal(some(threads=[1, 2]), [0, 1, 2, 3, 4, 5])
    equal(some(kinds="read"), [0, 2, 4])
    equal(some(kinds=["read", "write"]), [0, 1, 2, 3, 4, 5])
    equal(some(instructions=(1, 4)), [1, 2, 3])
    equal(some(instructions=slice(3, None)), [3, 4, 5])
    equal(some(instructions=(None, 1)), [0])
    equal(some(addresses=(0x1004, 0x1009)), [1])
    equal(some(addresses=[(0x1000, 0x1001), (0x3008, None)]), [0, 5])
    equal(some(addresses=(0x100f, 0x1010)), [1])
    equal(some(ranges="malloc"), [3])
    equal(some(events="user:one"), [0, 1, 2])
    equal(some(chunks=(0, 1)), [0, 1, 2, 3, 4, 5])
    equal(some(threads=2, kinds="write"), [3, 5])


class Integer:
    """An integer of a library, such as NumPy: no int."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


def test_integers():
    """Integers of libraries are integers; other numbers and texts are not."""
    log = datagrind.open(SMALL)
    for limits, same in (
            ({"threads": Integer(2)}, {"threads": 2}),
            ({"threads": [Integer(2)]}, {"threads": 2}),
            ({"instructions": (Integer(1), Integer(4))},
             {"instructions": (1, 4)}),
            ({"addresses": (Integer(0x1000), Integer(0x1009))},
             {"addresses": (0x1000, 0x1009)}),
            ({"addresses": [(Integer(0x1000), None)]},
             {"addresses": (0x1000, None)})):
        equal(log.accesses(**limits).query, log.accesses(**same).query)
        equal(rows(log.accesses(NAMES, **limits)),
              rows(log.accesses(NAMES, **same)))
    for limits in ({"threads": "12"}, {"threads": 1.0}, {"threads": [1.9]},
                   {"instructions": (0.5, 4)}, {"instructions": ("1", "4")},
                   {"addresses": (0.0, 1.0)}):
        raises(TypeError, log.accesses, **limits)
    problem = raises(ValueError, log.accesses, instructions=(-5, 100))
    assert "negative" in str(problem), problem
    raises(ValueError, log.accesses, instructions=(-5, None))


def test_signed():
    """Signed types have the same bits."""
    high = assemble("high", HEAD
                    + "bbrun 1 1 [0xfffffffffffff000]\nend\n")
    log = datagrind.open(high)
    equal(rows(log.accesses("address")), [(0xfffffffffffff000,)])
    equal(rows(log.accesses("address", signed=True)), [(-4096,)])


def test_wrong_queries():
    """A wrong query is an error that says why."""
    log = datagrind.open(SMALL)
    problem = raises(datagrind.Error, log.table("acesses").head)
    equal(problem.code, "invalid")
    assert "accesses" in str(problem), problem
    problem = raises(datagrind.Error, log.accesses(["adress"]).head)
    assert "address" in str(problem), problem
    equal(problem.path, SMALL)
    problem = raises(datagrind.Error, log.accesses(events="nonsense:x").head)
    equal(problem.code, "filter")
    raises(datagrind.Error, log.counts(by="nothing").head)
    raises(TypeError, log.counts, no_such_option=3)
    raises(datagrind.Error, log.analysis("counts", no_such_option=3).head)
    raises(ValueError, log.accesses, kinds="execute")
    raises(ValueError, log.accesses, threads=[])
    raises(ValueError, log.accesses, addresses=[])
    raises(ValueError, log.accesses, instructions=(5, 5))
    raises(TypeError, log.accesses, instructions=7)
    raises(TypeError, log.accesses, no_such_limit=7)
    raises(OverflowError, log.accesses(threads=1 << 40).head)
    raises(OverflowError, log.accesses(threads=-1).head)
    raises(TypeError, log.accesses([3]).head)
    raises(TypeError, log._native.stream, {"tabel": "accesses"}, None)


def test_analyses():
    """Figures of an analysis are those of dg."""
    log = datagrind.open("long.dgz")
    told = json.loads(dg("counts", "--by=thread", "--json",
                         "long.dgz"))
    got = {row["thread"]: row for row in log.counts(by="thread")}
    for row in told["rows"]:
        for key in ("instructions", "reads", "writes", "read_bytes"):
            equal(got[row["thread"]][key], row[key], key)
    values = log.counts(by="thread", part="values").to_pylist()
    equal(len(values), 1)
    equal(values[0]["reads"], told["reads"])
    for name, method, part, key in (
            ("opcodes", log.opcodes, "opcodes", "opcodes"),
            ("opcodes", log.opcodes, None, "categories"),
            ("schedule", log.schedule, None, "rows")):
        told = json.loads(dg(name, "--json", "long.dgz"))
        lines = list(method(part=part))
        equal(len(lines), len(told[key]))
        for row, expected in zip(lines, told[key]):
            equal({k: row[k] for k in expected}, expected)
    equal(len(log.counts(by="instruction", top=1).to_pylist()), 1)
    equal(sum(row["reads"] for row in log.counts(by="thread", threads=1)),
          got[1]["reads"])


def test_twice():
    """A frame is read any number of times."""
    frame = datagrind.open(SMALL).accesses(NAMES)
    for _ in range(3):
        equal(rows(frame), FULL)
    first, second = frame.__arrow_c_stream__(), frame.__arrow_c_stream__()
    equal(_native.read_rows(first, 99), _native.read_rows(second, 99))
    equal(_native.read_rows(first, 99), None)


def test_closed():
    """A stream outlives its log and frame."""
    gc.collect()
    equal(_native.count_handles(), 0)
    log = datagrind.open(SMALL)
    frame = log.accesses(NAMES)
    stream = frame.__arrow_c_stream__()
    equal(_native.count_handles(), 1)
    log.close()
    raises(ValueError, frame.__arrow_c_stream__)
    del log, frame
    equal(_native.count_handles(), 1)
    equal(_native.read_rows(stream, 99)[0], 6)
    del stream
    equal(_native.count_handles(), 0)


def count(frame):
    """Reads all rows, and makes no values of them."""
    stream, n = frame.__arrow_c_stream__(), 0
    while True:
        batch = _native.read_rows(stream, 0)
        if batch is None:
            return n
        n += frame.status["rows"] - n


def test_status():
    """The status of a stream shows chunks that were not read."""
    log = datagrind.open("long.dgz")
    n = log.n_chunks
    assert n >= 2, n
    frame = log.accesses(["icount"])
    equal(frame.status["rows"], 0)
    total = count(frame)
    equal(total, log.info["accesses"])
    equal(frame.status["chunks_read"], n)
    frame = log.accesses(["icount"], instructions=(0, 100))
    equal(count(frame), 100)
    equal(frame.status["chunks_excluded"], n - 1)
    equal(frame.status["chunks_read"], 1)
    frame = log.accesses(["icount"], addresses=(0x10000, 0x10001))
    equal(count(frame), 1000)
    equal(frame.status["chunks_read"], 1)
    equal(frame.status["chunks_excluded"], n - 1)
    frame = log.accesses(["icount"], addresses=(1, 2))
    equal(count(frame), 0)
    equal(frame.status["chunks_excluded"], n)


def test_chunks_add_up():
    """Chunk by chunk gives the same as all at once."""
    log = datagrind.open("long.dgz")
    total = 0
    for i in range(log.n_chunks):
        part = log.accesses(["icount", "address"], chunks=(i, i + 1))
        start, end = log.chunk_starts[i:i + 2]
        equal(part.head(1)[0]["icount"], start[0])
        total += count(part)
        equal(part.status["chunks_read"], 1)
    equal(total, log.info["accesses"])
    equal(len(log.chunk_starts), log.n_chunks + 1)


def test_pickle():
    """Logs, frames and errors can be pickled."""
    log = datagrind.open(SMALL)
    frame = log.accesses(NAMES, threads=2)
    one, other = pickle.loads(pickle.dumps([frame, log.accesses(NAMES)]))
    equal(rows(one), FULL[3:])
    equal(rows(other), FULL)
    assert one.log is other.log
    equal(pickle.loads(pickle.dumps(log)).info["accesses"], 6)
    problem = raises(datagrind.Error, log.table("x").head)
    again = pickle.loads(pickle.dumps(problem))
    equal((again.code, again.offset, str(again)),
          (problem.code, problem.offset, str(problem)))


def test_partial():
    """A log that is cut short is an error, or what is good of it."""
    data = open(SMALL, "rb").read()
    with open("cut", "wb") as file:
        file.write(data[:-5])
    problem = raises(datagrind.Error, datagrind.open, "cut")
    equal(problem.code, "truncated")
    assert problem.offset > 0 and str(problem).startswith("cut: "), problem
    log = datagrind.open("cut", partial=True)
    equal(log.problem.code, "truncated")
    equal(log.problem.offset, problem.offset)
    equal(rows(log.accesses(NAMES)), FULL)
    equal(datagrind.open("cut", follow=True).problem.code, "truncated")
    problem = raises(datagrind.Error, datagrind.open, "/no/such/file")
    equal(problem.code, "input")


def test_grow():
    """A log that is being written grows."""
    data = open(SMALL, "rb").read()
    half = data.index(b"one") + 20
    with open("growing", "wb") as file:
        file.write(data[:half])
    log = datagrind.open("growing", follow=True)
    early = len(list(log.accesses()))
    assert early < 6
    old = log.accesses(NAMES)
    stream = old.__arrow_c_stream__()
    equal(log.grow(), False)
    with open("growing", "ab") as file:
        file.write(data[half:])
    equal(log.grow(), True)
    equal(log.problem, None)
    equal(log.is_growing, False)
    equal(rows(log.accesses(NAMES)), FULL)
    batch = _native.read_rows(stream, 99)
    equal(batch[0] if batch else 0, early)
    equal(log.grow(), False)

    # When it cannot, it says why each time.
    with open("growing", "wb") as file:
        file.write(data[:half])
    log = datagrind.open("growing", follow=True)
    with open("growing", "wb") as file:
        file.write(data[:half // 2])
    for _ in range(2):
        problem = raises(datagrind.Error, log.grow)
        assert "truncated" in str(problem), problem


def memory():
    """Resident bytes of this process."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_leaks():
    """10,000 streams leave nothing: neither memory nor references."""
    log = datagrind.open(SMALL)
    frame = log.accesses(NAMES)
    counted = [None, frame, log, log._native, _native, frame._query]

    def some(n):
        for i in range(n):
            stream = frame.__arrow_c_stream__()
            if i % 3:
                _native.read_rows(stream, 2)
            if i % 5 == 0:
                frame.__arrow_c_schema__()
            if i % 7 == 0:
                frame.columns
            del stream
    some(1000)
    gc.collect()
    before = memory(), [sys.getrefcount(x) for x in counted[1:]]
    objects = len(gc.get_objects())
    some(10000)
    gc.collect()
    after = memory(), [sys.getrefcount(x) for x in counted[1:]]
    equal(after[1], before[1], "references")
    grown = len(gc.get_objects()) - objects
    assert abs(grown) < 20, f"{grown} objects"
    # A sanitizer keeps what is freed for a while.
    if "asan" not in os.environ.get("LD_PRELOAD", ""):
        assert after[0] - before[0] < 2 << 20, (before[0], after[0])
    for _ in range(200):
        raises(datagrind.Error, log.table("nothing").head)
    del frame, log, counted
    gc.collect()
    equal(_native.count_handles(), 0)


class ArrayStruct(ctypes.Structure):
    """struct ArrowArray."""


ArrayStruct._fields_ = [
    ("length", ctypes.c_int64), ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64), ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(ArrayStruct))),
    ("dictionary", ctypes.POINTER(ArrayStruct)),
    ("release", ctypes.c_void_p), ("private_data", ctypes.c_void_p)]


class SchemaStruct(ctypes.Structure):
    """struct ArrowSchema."""


SchemaStruct._fields_ = [
    ("format", ctypes.c_char_p), ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_char_p), ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(SchemaStruct))),
    ("dictionary", ctypes.POINTER(SchemaStruct)),
    ("release", ctypes.c_void_p), ("private_data", ctypes.c_void_p)]


class StreamStruct(ctypes.Structure):
    """struct ArrowArrayStream."""

    _fields_ = [("get_schema", ctypes.c_void_p), ("get_next", ctypes.c_void_p),
                ("get_last_error", ctypes.c_void_p),
                ("release", ctypes.c_void_p),
                ("private_data", ctypes.c_void_p)]


def pointer(capsule, name):
    """What is in a capsule."""
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype = ctypes.c_void_p
    get.argtypes = [ctypes.py_object, ctypes.c_char_p]
    return get(capsule, name)


def release(struct):
    """Call a release callback."""
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(struct.release)(
        ctypes.addressof(struct))
    assert not struct.release


def moved(path):
    """A stream moved out of its capsule, its schema, two batches and a child
    moved out of the first; the Python objects are gone."""
    log = datagrind.open(path)
    capsule = log.accesses(NAMES, batch_rows=4).__arrow_c_stream__()
    there = StreamStruct.from_address(pointer(capsule, b"arrow_array_stream"))
    stream, schema = StreamStruct(), SchemaStruct()
    ctypes.pointer(stream)[0] = there
    there.release = None
    del capsule, log
    gc.collect()
    call = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
    where = ctypes.addressof(stream)
    equal(call(stream.get_schema)(where, ctypes.addressof(schema)), 0)
    batches = ArrayStruct(), ArrayStruct()
    for batch in batches:
        equal(call(stream.get_next)(where, ctypes.addressof(batch)), 0)
    child, there = ArrayStruct(), batches[0].children[4].contents
    ctypes.pointer(child)[0] = there
    there.release = None
    return {"stream": stream, "schema": schema, "first": batches[0],
            "second": batches[1], "child": child}


def test_any_order():
    """What a stream gives is released in any order, the stream moved out."""
    for order in itertools.permutations(["stream", "schema", "first",
                                         "second", "child"]):
        structs = moved(SMALL)
        equal(_native.count_handles(), 1)
        for name in order:
            if name == "child":
                values = ctypes.cast(structs["child"].buffers[1],
                                     ctypes.POINTER(ctypes.c_uint64))
                equal(values[:4], [row[4] for row in FULL[:4]])
            release(structs[name])
        equal(_native.count_handles(), 0)


def test_schema_capsule():
    """A schema outlives its frame, and may be moved out of its capsule."""
    frame = datagrind.open(SMALL).accesses(NAMES)
    capsules = [frame.__arrow_c_schema__() for _ in range(2)]
    del frame
    there = SchemaStruct.from_address(pointer(capsules[0], b"arrow_schema"))
    equal(there.format, b"+s")
    equal([there.children[i].contents.name.decode() for i in range(5)], NAMES)
    equal(there.children[2].contents.dictionary.contents.format, b"u")
    mine = SchemaStruct()
    ctypes.pointer(mine)[0] = there
    there.release = None
    del capsules[0]
    equal(mine.children[4].contents.format, b"L")
    release(mine)


def test_threads():
    """Eight threads read one log, and close it, at the same time."""
    log = datagrind.open("long.dgz")
    expected = rows(log.accesses(["icount", "address"], chunks=(0, 1),
                                 instructions=(0, 3000)))
    failures = []

    def work(number):
        try:
            for _ in range(5):
                limits = {"instructions": (0, 3000), "chunks": (0, 1)}
                columns = ["icount", "address"]
                if number % 2:
                    columns += ["function", "variable"]
                got = rows(log.accesses(columns, **limits))
                equal([row[:2] for row in got] == expected, True)
                log.counts(by="thread", instructions=(0, 1000)).to_pylist()
                log.info, log.n_chunks, log.problem
        except BaseException as problem:
            failures.append(problem)
    workers = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    equal(failures, [])

    def use():
        try:
            for _ in range(100):
                log.accesses(NAMES, instructions=(0, 50)).to_pylist()
        except ValueError:
            pass
        except BaseException as problem:
            failures.append(problem)
    workers = [threading.Thread(target=use) for _ in range(8)]
    for worker in workers:
        worker.start()
    log.close()
    for worker in workers:
        worker.join()
    equal(failures, [])
    equal(_native.count_handles(), 0)


def test_native_is_careful():
    """Wrong arguments of the extension are exceptions."""
    raises(ValueError, _native.Status().get)
    raises(ValueError, _native.Log().info)
    raises(ValueError, _native.read_rows, object(), 3)
    raises(ValueError, _native.copy_schema, 7)
    log = datagrind.open(SMALL)
    capsule = log.accesses().__arrow_c_schema__()
    raises(ValueError, _native.read_rows, capsule, 3)
    raises(TypeError, log._native.stream, 3, None)


def test_command():
    """python3 -m datagrind: help, version, wrong use."""
    def run(*arguments):
        return subprocess.run([sys.executable, "-m", "datagrind", *arguments],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              check=False)
    equal(run("--help").returncode, 0)
    assert b"export" in run("--help").stdout
    equal(run("--version").stdout.split()[0], b"datagrind")
    equal(run().returncode, 2)
    equal(run("nothing").returncode, 2)


main(globals())
