"""Logs in a real Spark cluster: a master and two workers on this machine.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""

import atexit
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

import pyspark
from pyspark.errors import StreamingQueryException
from pyspark.sql import SparkSession
from pyspark.sql import functions as f

import datagrind
import datagrind.spark
from examples import examples
from serving import server
from tap import DG, HEAD, assemble, dg, equal, main, raises

DOCUMENT, *RECORDED = sys.argv[1:]
HOME = os.path.dirname(pyspark.__file__)
# Seconds after which something hangs.
PATIENCE = 2400
STARTED = []


@atexit.register
def stop_all():
    """Ends the cluster, however the test ends."""
    for process in STARTED:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


# As the time limit of a test has it.
signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(143))


def until(condition, what):
    """Waits for an event."""
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"hangs: {what}")
        time.sleep(0.05)


def start(name, *words):
    """A process of the cluster, in a process group of its own, and the file
    of its messages."""
    path = name + ".log"
    with open(path, "wb") as log:
        STARTED.append(subprocess.Popen(
            [HOME + "/bin/spark-class", *words], stdout=log, stderr=log,
            stdin=subprocess.DEVNULL, start_new_session=True))
    return STARTED[-1], path


def read(path):
    """A file as text."""
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def cluster():
    """A master and two workers: its address, and the workers."""
    _, log = start("master", "org.apache.spark.deploy.master.Master",
                   "--host", "127.0.0.1", "--port", "0", "--webui-port", "0")
    url = re.compile(r"Starting Spark master at (spark://\S+)")
    until(lambda: url.search(read(log)), "the master does not start")
    master = url.search(read(log)).group(1)
    workers = [start(f"worker{i}", "org.apache.spark.deploy.worker.Worker",
                     "--host", "127.0.0.1", "--webui-port", "0", "--cores",
                     "1", "--memory", "1g", master)[0] for i in range(2)]
    until(lambda: read(log).count("Registering worker") == 2,
          "workers do not come")
    return master, workers


SETTINGS = {
    "spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1", "spark.executor.memory": "512m",
    "spark.driver.memory": "512m", "spark.sql.shuffle.partitions": "2",
    "spark.executor.cores": "1", "spark.locality.wait": "0",
}


def session(master):
    """A session, which knows the data source."""
    builder = SparkSession.builder.master(master)
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    made = builder.getOrCreate()
    made.sparkContext.setLogLevel("ERROR")
    datagrind.spark.register(made)
    return made


def frame(path, **options):
    """A table of logs."""
    return SPARK.read.format("datagrind").options(**options).load(path)


def test_sharing():
    """Shared variables are those of dg sharing"""
    for path in RECORDED:
        rows = datagrind.spark.sharing(frame(
            path, columns="address,variable,thread,kind,stack_thread")).collect()
        got = sorted([
            r["accesses"], r["writes"], r["threads"], r["is_uniform"],
            r["address"], r["variable"] or "",
            sorted([t["thread"], t["count"]]
                   for t in r["accesses_by_thread"])] for r in rows)
        wanted = sorted([
            r["accesses"], r["writes"], r["threads"], r["is_uniform"],
            int(r["address"], 16), r["variable"] or "",
            sorted(r["accesses_by_thread"])]
            for r in json.loads(dg("sharing", "--json", path))["rows"])
        assert wanted, path
        equal(got, wanted, path)


def test_lines():
    """Where the most shared variable is accessed, as JSON"""
    path = RECORDED[0]
    df = frame(path, columns="variable,thread,kind,file,line,address,stack_thread")
    top = datagrind.spark.sharing(df, uniform=True).first()
    name = top["variable"]
    got = datagrind.spark.sharing_json(
        datagrind.spark.sharing_lines(df, name))
    assert got, name
    equal(set(got[0]), {"threadcount", "totalcount", "threads", "file",
                        "line", "variable"})
    table = datagrind.open(path).accesses(["variable", "thread", "file",
                                           "line"]).to_arrow().to_pylist()
    sums = {}
    for row in table:
        if row["variable"] == name:
            by = sums.setdefault((row["file"], row["line"]), {})
            by[row["thread"]] = by.get(row["thread"], 0) + 1
    equal({(r["file"], r["line"]): dict(r["threads"]) for r in got}, sums)
    for row in got:
        equal(row["threadcount"], len(row["threads"]))
        equal(row["totalcount"], sum(n for _, n in row["threads"]))


def test_running_counts():
    """Counts of variables are those of dg counts"""
    path = RECORDED[0]
    rows = datagrind.spark.running_counts(
        frame(path, columns="variable,kind")).collect()

    def sums(found):
        # dg distinguishes variables of one name by file and line.
        result = {}
        for name, reads, writes in found:
            name = re.sub(r" \([^()]*:[0-9]+\)$", "", name or "<NA>")
            before = result.get(name, (0, 0))
            result[name] = (before[0] + reads, before[1] + writes)
        return {name: sum_ for name, sum_ in result.items() if any(sum_)}

    wanted = json.loads(dg("counts", "--by=variable", "--json", path))["rows"]
    equal(sums((r["variable"], r["reads"], r["writes"]) for r in rows),
          sums((r["name"], r["reads"], r["writes"]) for r in wanted))


def test_filters():
    """Conditions that are pushed down leave the same rows"""
    everything = datagrind.open(RECORDED[0]).accesses().to_arrow()
    import pyarrow.compute as c
    last = everything["icount"][-1].as_py()
    middle = everything["address"][everything.num_rows // 2].as_py()
    for text, keep in (
            (f"icount >= {last // 3} and icount < {last // 2}",
             c.and_(c.greater_equal(everything["icount"], last // 3),
                    c.less(everything["icount"], last // 2))),
            ("thread = 2 and kind = 'write'",
             c.and_(c.equal(everything["thread"], 2),
                    c.equal(everything["kind"].cast("string"), "write"))),
            ("thread in (1, 3)",
             c.is_in(everything["thread"].cast("int64"),
                     c.cast([1, 3], "int64"))),
            (f"address >= {middle} and address <= {middle + 7}",
             c.and_(c.greater_equal(everything["address"], middle),
                    c.less_equal(everything["address"], middle + 7))),
            ("thread = 0", c.equal(everything["thread"], 0)),
            ("icount < 0", c.less(everything["icount"], 0))):
        equal(frame(RECORDED[0]).where(text).count(),
              c.sum(keep).as_py() or 0, text)


def test_high_addresses():
    """Addresses from 2^63 on are negative, also in conditions"""
    os.mkdir("high")
    path = assemble("high/log", HEAD + """
bbrun 1 1 [0xfffffffffffff000]
bbrun 1 1 [0x1000]
end
""")
    for text, rows in (("address = -4096", 1), ("address <=> -4096", 1),
                       ("address = -4097", 0), ("address = 4096", 1),
                       ("address >= -4096", 2), ("address > -4096", 1),
                       ("address in (-4096, 4096)", 2),
                       ("address = -4096 and address = 4096", 0)):
        equal(frame(path).where(text).count(), rows, text)


def finished(start, wait):
    """What wait(start()) gives, of a query that is started by start(): once
    more, where Spark could not wait: it gives the worker of a stream's source
    ten seconds to come up, and a busy machine may need longer."""
    for left in range(40, -1, -1):
        query = start()
        try:
            return wait(query)
        except StreamingQueryException as error:
            if left == 0 or "failed to connect back" not in str(error):
                raise
        finally:
            query.stop()


def test_server():
    """Logs of a server, as a batch and as a stream"""
    here = datagrind.open(RECORDED[0])
    with server("--follow") as location:
        url = f"{location}/{RECORDED[0]}"
        for where in ("thread = 2", "true"):
            there, local = [
                frame(path, columns="thread,kind,size", chunksPerPartition="1")
                .where(where).groupBy("thread", "kind").agg(f.sum("size"))
                .orderBy("thread", "kind").collect()
                for path in (url, RECORDED[0])]
            equal(there, local, where)
        equal(frame(url, table="threads").count(), here.info["threads"])
        assert "'nothing.dgz'" in str(raises(
            Exception, frame(f"{location}/nothing.dgz").count))
        finished(SPARK.readStream.format("datagrind")
                 .option("columns", "thread").load(url).groupBy().count()
                 .writeStream.outputMode("complete").format("memory")
                 .queryName("remote").start,
                 lambda query: query.processAllAvailable())
    equal(SPARK.sql("select * from remote").first()[0], here.info["accesses"])


def test_document():
    """The examples of docs/cluster.md"""
    blocks = examples(DOCUMENT)
    equal(len(blocks), 3)
    names = {"datagrind": datagrind, "spark": SPARK}
    with server() as location:
        for line, code in blocks:
            text = code.replace(
                "grpc://host:8815/prog.dgz", f"{location}/{RECORDED[0]}")
            text = text.replace("/logs", os.getcwd())
            code = compile("\n" * (line - 1) + text, DOCUMENT, "exec")

            def start(code=code):
                exec(code, names)
                return names["query"]

            if "query =" in text:
                finished(start, lambda query: query.processAllAvailable())
            else:
                exec(code, names)
    assert names["df"].count() > 0


def test_damaged():
    """A damaged log: an exception with code and offset"""
    with open(RECORDED[0], "rb") as file:
        data = file.read()
    with open("cut.dgz", "wb") as file:
        file.write(data[:len(data) // 2])
    problem = raises(Exception, lambda: frame("cut.dgz").count())
    assert "offset" in str(problem), problem


def executor():
    """The process group of the worker that runs this task: that of its
    executor, the parent of Spark's daemon, the parent of this process."""
    with open(f"/proc/{os.getppid()}/stat", encoding="ascii") as file:
        parent = int(file.read().rpartition(")")[2].split()[1])
    return os.getpgid(parent)


def test_killed_worker():
    """A worker that is killed in the middle of a job changes nothing"""
    folder = os.path.abspath("tasks")
    os.mkdir(folder)
    os.remove("cut.dgz")
    df = frame(os.path.abspath("*.dgz"), columns="log,thread",
               chunksPerPartition="1")

    def slowly(batches):
        mark = f"{folder}/{executor()}"
        with open(mark, "w", encoding="ascii"):
            pass
        end = time.monotonic() + PATIENCE
        while not os.path.exists(folder + "/go"):
            if time.monotonic() > end:
                raise AssertionError("hangs: nobody lets it go on")
            time.sleep(0.05)
        yield from batches

    counted = []
    job = threading.Thread(target=lambda: counted.append(
        df.mapInArrow(slowly, df.schema).count()))
    job.start()
    until(lambda: len(os.listdir(folder)) >= 2, "both workers get tasks")
    marks = {int(name) for name in os.listdir(folder)}
    equal(marks, {worker.pid for worker in WORKERS})
    os.killpg(WORKERS[1].pid, signal.SIGKILL)
    with open(folder + "/go", "w", encoding="ascii"):
        pass
    job.join(PATIENCE)
    logs = [n for n in os.listdir(".") if n.endswith(".dgz")]
    equal(counted, [sum(datagrind.open(n).info["accesses"] for n in logs)])


def stream(spark):
    """The stream of a folder, to files."""
    df = spark.readStream.format("datagrind").option(
        "columns", "thread,icount,log").load(os.path.abspath("growing"))
    return df.writeStream.format("parquet").option(
        "path", os.path.abspath("rows")).option(
        "checkpointLocation", os.path.abspath("checkpoint")).start()


def test_stream():
    """A stream that is killed and resumed, while logs are recorded, has each
    access once"""
    os.mkdir("growing")
    first = record("growing/first.dgz")
    first.stdin.write(b"\n")
    first.stdin.flush()
    # Another process reads the first rows and is killed.
    child = os.fork()
    if child == 0:
        os.execv(sys.executable, [sys.executable, __file__, "--stream"])
    until(lambda: rows_written() > 0, "the stream gives no rows")
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    second = record("growing/second.dgz")
    second.stdin.write(b"\n")
    second.stdin.flush()
    ended = []

    def end_recordings(query):
        for process in (first, second)[len(ended):]:
            process.stdin.write(b"\n")
            process.stdin.close()
            ended.append(process.wait(PATIENCE))
        query.processAllAvailable()

    finished(lambda: stream(SPARK), end_recordings)
    equal(ended, [0, 0])
    got = SPARK.read.parquet(os.path.abspath("rows")).groupBy("log").agg(
        f.count("*").alias("n"), f.sum("icount").alias("s")).collect()
    for name in ("first", "second"):
        path = os.path.abspath(f"growing/{name}.dgz")
        table = datagrind.open(path).accesses(["icount"]).to_arrow()
        equal([(r["n"], r["s"]) for r in got if r["log"] == path],
              [(table.num_rows, sum(table["icount"].to_pylist()))])


def test_replaced():
    """A stream does not go on with another recording of the same name"""
    os.mkdir("replaced")

    def put(path):
        shutil.copy(path, "replaced/new")
        os.replace("replaced/new", "replaced/log.dgz")

    def run():
        return (SPARK.readStream.format("datagrind").option(
            "columns", "thread").load(os.path.abspath("replaced"))
            .writeStream.format("parquet").option(
                "path", os.path.abspath("replaced/rows")).option(
                "checkpointLocation", os.path.abspath("replaced/checkpoint"))
            .trigger(availableNow=True).start())

    put(RECORDED[0])
    finished(run, lambda query: query.awaitTermination())
    rows = SPARK.read.parquet(os.path.abspath("replaced/rows")).count()
    equal(rows, datagrind.open(RECORDED[0]).info["accesses"])
    put(RECORDED[1])
    assert "name of its own" in str(raises(
        Exception, lambda: finished(
            run, lambda query: query.awaitTermination())))


def record(path):
    """dg record of a program that goes on when it gets a line."""
    return subprocess.Popen([DG, "record", "-q", "-o", path, "--",
                             "./wait_lines"], stdin=subprocess.PIPE,
                            stdout=subprocess.DEVNULL)


def rows_written():
    """Files that the sink of the stream has committed."""
    try:
        return len([n for n in os.listdir("rows/_spark_metadata")
                    if n.isdigit() and "part-" in
                    read(f"rows/_spark_metadata/{n}")])
    except FileNotFoundError:
        return 0


def only_stream():
    """The process that is killed."""
    stream(session("local[1]")).awaitTermination()


if DOCUMENT == "--stream":
    only_stream()
MASTER, WORKERS = cluster()
SPARK = session(MASTER)
main(globals())
