"""The same questions, asked with each library for data frames.

Each class answers from frames of a log, by operations of its library alone:

  counts (log, by)    reads, writes and their bytes of each function or thread
  sharing (log)       how often each thread accesses each address of a variable
  peak (log)          the most bytes of heap blocks at one time
  rows (frame)        the rows of any table, as dicts

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""

KEYS = ["address", "variable", "thread"]


class Arrow:
    """pyarrow."""

    name = "pyarrow"

    def __init__(self):
        import pyarrow
        import pyarrow.compute
        self.pa, self.pc = pyarrow, pyarrow.compute

    def rows(self, frame):
        return self.pa.table(frame).to_pylist()

    def counts(self, log, by):
        # A chunk's dictionary grows from batch to batch; group_by wants one.
        table = self.pa.table(log.accesses([by, "kind", "size"]))
        table = table.unify_dictionaries()
        sums = table.group_by([by, "kind"]).aggregate(
            [("size", "count"), ("size", "sum")])
        return [(row[by], row["kind"], row["size_count"], row["size_sum"])
                for row in sums.to_pylist()]

    def sharing(self, log):
        table = self.pa.table(log.accesses(KEYS)).unify_dictionaries()
        sums = table.group_by(KEYS).aggregate([("address", "count")])
        return [(*(row[key] for key in KEYS), row["address_count"])
                for row in sums.to_pylist()]

    def peak(self, log):
        pa, pc = self.pa, self.pc
        table = pa.table(log.blocks(["born", "freed", "size"]))
        size = table["size"].cast("int64")
        freed = pc.is_valid(table["freed"])
        moments = pa.concat_tables([
            pa.table({"at": table["born"], "bytes": size}),
            pa.table({"at": table["freed"].filter(freed),
                      "bytes": pc.negate(size.filter(freed))})])
        moments = moments.sort_by([("at", "ascending"),
                                   ("bytes", "ascending")])
        return pc.max(pc.cumulative_sum(moments["bytes"])).as_py()


class Pandas:
    """pandas, by its own constructor from Arrow."""

    name = "pandas"

    def __init__(self):
        import pandas
        self.pd = pandas

    def rows(self, frame):
        data = self.pd.DataFrame.from_arrow(frame)
        return data.astype(object).where(data.notna(), None).to_dict("records")

    def counts(self, log, by):
        data = log.accesses([by, "kind", "size"]).to_pandas()
        sums = data.groupby([by, "kind"], dropna=False,
                            observed=True)["size"].agg(["count", "sum"])
        return [(None if self.pd.isna(key) else key, kind, row["count"],
                 row["sum"]) for (key, kind), row in sums.iterrows()]

    def sharing(self, log):
        data = log.accesses(KEYS).to_pandas()
        sums = data.groupby(KEYS, dropna=False, observed=True).size()
        return [(address, None if self.pd.isna(variable) else variable,
                 thread, n) for (address, variable, thread), n in sums.items()]

    def peak(self, log):
        data = log.blocks(["born", "freed", "size"]).to_pandas()
        size = data["size"].astype("int64")
        freed = data["freed"].notna()
        moments = self.pd.concat([
            self.pd.DataFrame({"at": data["born"], "bytes": size}),
            self.pd.DataFrame({"at": data["freed"][freed],
                               "bytes": -size[freed]})])
        moments = moments.sort_values(["at", "bytes"])
        return int(moments["bytes"].cumsum().max())


class Polars:
    """Polars, lazily where it matters."""

    name = "Polars"

    def __init__(self):
        import polars
        self.pl = polars

    def rows(self, frame):
        return self.pl.DataFrame(frame).to_dicts()

    def counts(self, log, by):
        pl = self.pl
        sums = (log.accesses([by, "kind", "size"]).lazy()
                .with_columns(pl.col(by, "kind").cast(pl.String))
                .group_by(by, "kind")
                .agg(pl.len().alias("n"), pl.col("size").sum().alias("sum"))
                .collect())
        return [(int(row[by]) if by == "thread" else row[by], row["kind"],
                 row["n"], row["sum"]) for row in sums.to_dicts()]

    def sharing(self, log):
        pl = self.pl
        return (log.accesses(KEYS).lazy()
                .with_columns(pl.col("variable").cast(pl.String))
                .group_by(KEYS).len().collect().rows())

    def peak(self, log):
        pl = self.pl
        data = log.blocks(["born", "freed", "size"]).to_polars()
        size = pl.col("size").cast(pl.Int64)
        moments = pl.concat([
            data.select(pl.col("born").alias("at"), size.alias("bytes")),
            data.drop_nulls("freed").select(pl.col("freed").alias("at"),
                                            (-size).alias("bytes"))])
        return (moments.sort("at", "bytes")
                .select(pl.col("bytes").cum_sum().max()).item())


class Duck:
    """DuckDB."""

    name = "DuckDB"

    def __init__(self):
        import duckdb
        self.db = duckdb.connect()

    def ask(self, question, **frames):
        """The rows of an SQL question about frames."""
        for name, frame in frames.items():
            self.db.register(name, frame)
        return self.db.execute(question).fetchall()

    def rows(self, frame):
        names = frame.columns
        return [dict(zip(names, row))
                for row in self.ask("SELECT * FROM t", t=frame)]

    def counts(self, log, by):
        return self.ask(
            f'SELECT "{by}", kind, count(*), sum(size) FROM t GROUP BY ALL',
            t=log.accesses([by, "kind", "size"]))

    def sharing(self, log):
        return self.ask("SELECT address, variable, thread, count(*) FROM t "
                        "GROUP BY ALL", t=log.accesses(KEYS))

    def peak(self, log):
        return self.ask(
            """SELECT max(held) FROM (
                 SELECT sum(bytes) OVER (ORDER BY moment, bytes
                                         ROWS UNBOUNDED PRECEDING) AS held
                 FROM (SELECT born AS moment, size::BIGINT AS bytes FROM t
                       UNION ALL
                       SELECT freed, -size::BIGINT FROM t
                       WHERE freed IS NOT NULL))""",
            t=log.blocks(["born", "freed", "size"]))[0][0]
