"""Tables of many logs in Spark 4: a data source, for batches and streams.

    datagrind.spark.register(spark)
    spark.read.format("datagrind").load("folder/*.dgz")
    spark.readStream.format("datagrind").load("folder")

A partition is a group of chunks of one log, which is decoded where the task
runs.  Options are listed at `Source`.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""
from __future__ import annotations

from typing import (Any, Dict, Iterable, Iterator, List, Mapping, Optional,
                    Sequence, Tuple)

from pyspark.sql.datasource import (DataSource, DataSourceReader,
                                    DataSourceStreamReader, InputPartition)

from . import spark_logs as logs
from . import spark_types as types
from .spark_filters import Limits
from .spark_sharing import (running_counts, sharing, sharing_json,
                            sharing_lines)

__all__ = ["Source", "register", "sharing", "sharing_lines", "sharing_json",
           "running_counts"]

# Of each log: how many chunks, of which recording.
Offset = Dict[str, Tuple[int, Optional[str]]]

# Without it, Spark refuses a source that takes over conditions.
PUSHDOWN = "spark.sql.python.filterPushdown.enabled"

# Tables whose rows belong to chunks, which can be read apart.
BY_CHUNK = ("accesses", "runs", "chunks", "lines")
# Chunks of a partition: some ten million accesses.
CHUNKS = 16
# The column of the log that a row is of, if the option `columns` names it.
LOG = "log"

LIMITS = ("threads", "instructions", "addresses", "kinds", "events", "ranges",
          "top")


class Partition(InputPartition):
    """Some chunks of a log, or all of it."""

    def __init__(self, path: str, chunks: Optional[Tuple[int, int]],
                 is_growing: bool = False, recording: Optional[str] = None):
        super().__init__((path, chunks))
        self.path = path
        self.chunks = chunks
        self.is_growing = is_growing
        self.recording = recording      # that it must be of


class Plan:
    """What the options of a data source ask for.  It is sent to workers."""

    def __init__(self, options: Mapping[str, str]):
        self.path = options.get("path", "")
        if not self.path:
            raise ValueError("datagrind: load(PATH) needs a path, such as "
                             "'folder/*.dgz'")
        self.table = options.get("table", "accesses")
        names = options.get("columns")
        self.columns = None if names is None else \
            [name.strip() for name in names.split(",") if name.strip()]
        self.chunks = int(options.get("chunksPerPartition", CHUNKS))
        if self.chunks < 1:
            raise ValueError("datagrind: chunksPerPartition must be positive")
        self.is_partial = options.get("partial", "false").lower() == "true"
        self.access = logs.Access(token=options.get("token"),
                                  tls_roots=options.get("tlsRoots"))
        self.limits = types.limits_of(options)
        self.settings = {name[len("option."):]: value
                         for name, value in options.items()
                         if name.lower().startswith("option.")}

    @property
    def has_log(self) -> bool:
        """Whether each row says which log it is of."""
        return self.columns is not None and LOG in self.columns

    def query(self, limits: Mapping[str, Any],
              chunks: Optional[Tuple[int, int]]) -> Dict[str, Any]:
        """The keywords of Log.table."""
        columns = self.columns
        if columns is not None:
            columns = [name for name in columns if name != LOG]
        query: Dict[str, Any] = {"columns": columns, "signed": True}
        query.update(limits)
        if chunks is not None:
            query["chunks"] = chunks
        if self.settings:
            query["options"] = self.settings
        return query

    def split(self, path: str, first: int, end: int, is_growing: bool = False,
              recording: Optional[str] = None) -> List[Partition]:
        """The partitions of chunks first .. end - 1 of a log."""
        if self.table not in BY_CHUNK:
            return [Partition(path, None, is_growing)]
        return [Partition(path, (at, min(at + self.chunks, end)), is_growing,
                          recording)
                for at in range(first, end, self.chunks)]

    def read(self, partition: Partition,
             limits: Mapping[str, Any]) -> Iterator[Any]:
        """The batches of a partition, on a worker."""
        with logs.told(partition.path):
            log = logs.borrow(partition.path, self.access, self.is_partial,
                              partition.is_growing, partition.chunks)
            if partition.recording:
                logs.check_recording(partition.path, partition.recording,
                                     log.info["recording"])
            frame = log.table(self.table,
                              **self.query(limits, partition.chunks))
            for batch in frame.to_batches():
                yield types.plain(batch, self.columns, LOG, partition.path)


class Reader(DataSourceReader):
    """Reads logs that are complete."""

    def __init__(self, plan: Plan):
        self.plan = plan
        self.limits = Limits(plan.limits)

    def pushFilters(self, filters: Sequence[Any]) -> Iterable[Any]:
        """Takes over what a query can express; Spark does the rest."""
        if self.plan.table == "accesses":
            yield from self.limits.push(filters)
        else:
            yield from filters

    def partitions(self) -> Sequence[Partition]:
        """Groups of chunks, log by log."""
        if self.limits.is_empty:
            return []
        parts: List[Partition] = []
        for path in logs.find(self.plan.path, self.plan.access):
            n = logs.count_chunks(path, self.plan.access,
                                  self.plan.is_partial)
            parts += self.plan.split(path, 0, n)
        return parts

    def read(self, partition: Any) -> Iterator[Any]:
        """The rows of a partition."""
        if not isinstance(partition, Partition):
            return iter(())     # Spark's own, if there are none
        return self.plan.read(partition, self.limits.keywords)


class StreamReader(DataSourceStreamReader):
    """Reads logs while they are written, and those that appear later.

    An offset has the number of chunks of each log that were read, and which
    recording it is.  A chunk does not change once the next one has begun or
    the log is complete, so the same offsets give the same rows, after a
    restart as well.
    """

    def __init__(self, plan: Plan):
        if plan.table not in BY_CHUNK:
            raise ValueError(f"datagrind: table {plan.table} cannot be a "
                             f"stream; these can: {', '.join(BY_CHUNK)}")
        self.plan = plan

    def initialOffset(self) -> Offset:
        """Nothing was read."""
        return {}

    def latestOffset(self, start: Any = None, limit: Any = None) -> Offset:
        """Chunks that can be read now; what was there stays."""
        offset: Offset = dict(start or {})
        for path in logs.find(self.plan.path, self.plan.access, False):
            n, recording = logs.finished_chunks(path, self.plan.access)
            before, wanted = offset.get(path, (0, None))
            if n > 0:
                logs.check_recording(path, wanted, recording)
                offset[path] = max(n, before), recording
        return offset

    def partitions(self, start: Offset, end: Offset) -> Sequence[Partition]:
        """What came between two offsets."""
        parts: List[Partition] = []
        for path, (n, recording) in sorted(end.items()):
            first = start[path][0] if path in start else 0
            parts += self.plan.split(path, first, n, is_growing=True,
                                     recording=recording)
        return parts

    def read(self, partition: Any) -> Iterator[Any]:
        """The rows of a partition."""
        if not isinstance(partition, Partition):
            return iter(())
        return self.plan.read(partition, self.plan.limits)

    def commit(self, end: Dict[str, int]) -> None:
        """Nothing to be kept: offsets are in the checkpoint."""

    def stop(self) -> None:
        """Closes what is open in this process."""
        logs.drop_all()


class Source(DataSource):
    """The data source "datagrind".

    load(PATH)          a log, a pattern such as "dir/*.dgz", a folder (its
                        *.dgz), or grpc://HOST:PORT/NAME of a server
    table               default: accesses
    columns             names, with commas; `log` is the path of the log.
                        Spark does not tell data sources in Python which
                        columns it needs, so name those that you use
    threads, instructions (I..J), addresses (LOW..HIGH), kinds, events,
    ranges, top         what is left out, as in Log.table
    option.NAME         an option of an analysis
    chunksPerPartition  default: 16
    partial             true: read what is good of damaged logs
    token, tlsRoots     for servers: a token, if it is not a server of this
                        user and machine; a file of certificates
    """

    def __init__(self, options: Any):
        super().__init__(options)
        self.plan = Plan(options)

    @classmethod
    def name(cls) -> str:
        """Its name for spark.read.format."""
        return "datagrind"

    def schema(self) -> Any:
        """That of the first log; of accesses it needs none."""
        if self.plan.table in BY_CHUNK:
            return types.schema_of_table(self.plan.table, self.plan.columns,
                                         LOG)
        path = logs.first(self.plan.path, self.plan.access)
        with logs.told(path):
            log = logs.borrow(path, self.plan.access, self.plan.is_partial,
                              False, None)
            frame = log.table(self.plan.table,
                              **self.plan.query(self.plan.limits, None))
            return types.schema_of_frame(frame, self.plan.columns, LOG)

    def reader(self, schema: Any) -> Reader:
        """For spark.read."""
        return Reader(self.plan)

    def streamReader(self, schema: Any) -> StreamReader:
        """For spark.readStream."""
        return StreamReader(self.plan)


def register(spark: Any) -> None:
    """Makes format("datagrind") known to a session, and lets Spark hand it
    conditions (spark.sql.python.filterPushdown.enabled), which Spark demands
    of a source that can take them."""
    spark.conf.set(PUSHDOWN, "true")
    spark.dataSource.register(Source)
