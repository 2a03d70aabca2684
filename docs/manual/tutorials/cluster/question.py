"""question.py: which variables are written most, over all these logs?"""
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import sys

import datagrind
import duckdb
import pyarrow

tables = []
for name in sys.argv[1:]:
    table = datagrind.open(name).accesses(["variable"],
                                          kinds="write").to_arrow()
    logs = pyarrow.repeat(name, table.num_rows)
    tables.append(table.append_column("log", logs))
writes = pyarrow.concat_tables(tables)
print(duckdb.sql("""
    select log, variable, count(*) as writes from writes
    where variable is not null
    group by all order by writes desc, log limit 3"""))
