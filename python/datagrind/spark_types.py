"""Tables of logs as Spark has them: schemas, batches without dictionaries, and
options.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""
from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Sequence

from .log import tables


def _spark() -> Any:
    from pyspark.sql import types
    return types


# ---- Schemas ----

def _plain_type(format_: str) -> Any:
    types = _spark()
    if format_ == "+l":
        return types.ArrayType(types.LongType(), False)
    return {"I": types.IntegerType, "L": types.LongType,
            "l": types.LongType, "g": types.DoubleType,
            "b": types.BooleanType, "u": types.StringType}[format_]()


def _ordered(fields: Mapping[str, Any], default: Sequence[str],
             columns: Optional[Sequence[str]], log: str, table: str) -> Any:
    types = _spark()
    names = list(default) if columns is None else list(columns)
    result = types.StructType()
    for name in names:
        if name == log and name not in fields:
            result.add(types.StructField(name, types.StringType(), False))
        elif name in fields:
            result.add(fields[name])
        else:
            raise ValueError(f"datagrind: table {table} has no column "
                             f"{name}; there are {', '.join(fields)}")
    return result


def schema_of_table(table: str, columns: Optional[Sequence[str]],
                    log: str) -> Any:
    """The schema of a table that all logs have."""
    types = _spark()
    found = next(t for t in tables() if t.name == table)
    fields = {c.name: types.StructField(c.name, _plain_type(c.format),
                                        c.nullable)
              for c in found.columns}
    default = [c.name for c in found.columns if not c.on_demand]
    return _ordered(fields, default, columns, log, table)


def _arrow_type(type_: Any) -> Any:
    import pyarrow
    types = _spark()
    check = pyarrow.types
    if check.is_dictionary(type_) or check.is_string(type_):
        return types.StringType()
    if check.is_list(type_):
        return types.ArrayType(_arrow_type(type_.value_type), False)
    if check.is_struct(type_):
        return types.StructType([
            types.StructField(field.name, _arrow_type(field.type), False)
            for field in type_])
    if check.is_boolean(type_):
        return types.BooleanType()
    if check.is_floating(type_):
        return types.DoubleType()
    return types.IntegerType() if type_.bit_width == 32 else types.LongType()


def schema_of_frame(frame: Any, columns: Optional[Sequence[str]],
                    log: str) -> Any:
    """The schema of a table whose columns depend on the query."""
    import pyarrow
    types = _spark()
    schema = pyarrow.schema(frame)
    fields = {field.name: types.StructField(
        field.name, _arrow_type(field.type), field.nullable)
        for field in schema}
    return _ordered(fields, list(fields), columns, log, "of the analysis")


# ---- Batches ----

def plain(batch: Any, columns: Optional[Sequence[str]], log: str,
          path: str) -> Any:
    """A batch as Spark takes it: texts instead of dictionaries, in the order
    of the columns, and the log's path."""
    import pyarrow
    arrays: List[Any] = []
    fields: List[Any] = []
    for name in batch.schema.names if columns is None else columns:
        if name == log and name not in batch.schema.names:
            array = pyarrow.repeat(pyarrow.scalar(path), batch.num_rows)
            nullable = False
        else:
            array = batch.column(batch.schema.get_field_index(name))
            nullable = batch.schema.field(name).nullable
        if pyarrow.types.is_dictionary(array.type):
            array = array.dictionary_decode()
        arrays.append(array)
        fields.append(pyarrow.field(name, array.type, nullable))
    return pyarrow.RecordBatch.from_arrays(arrays,
                                           schema=pyarrow.schema(fields))


# ---- Options ----

def _number(text: str) -> int:
    return int(text.strip(), 0)


def _span(text: str) -> Any:
    low, separator, high = text.partition("..")
    if not separator:
        raise ValueError(f"datagrind: '{text}' is not a range I..J")
    return (_number(low) if low.strip() else None,
            _number(high) if high.strip() else None)


def limits_of(options: Mapping[str, str]) -> Dict[str, Any]:
    """The options that leave rows out, as keywords of Log.table."""
    limits: Dict[str, Any] = {}
    if "threads" in options:
        limits["threads"] = [_number(t) for t in
                             options["threads"].split(",")]
    if "instructions" in options:
        limits["instructions"] = _span(options["instructions"])
    if "addresses" in options:
        limits["addresses"] = [_span(t) for t in
                               options["addresses"].split(",")]
    if "kinds" in options:
        limits["kinds"] = [k.strip() for k in options["kinds"].split(",")]
    for name in ("events", "ranges"):
        if name in options:
            limits[name] = options[name]
    if "top" in options:
        limits["top"] = _number(options["top"])
    return limits
