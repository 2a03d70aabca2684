"""The logs of a server (python3 -m datagrind serve), as if they were here.

    log = datagrind.flight.open("grpc://host:8815/prog.dgz")
    log.accesses(["thread", "kind"]).to_arrow()

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""
from __future__ import annotations

import functools
import json
import operator
import pathlib
from typing import Any, Dict, FrozenSet, Iterator, List, Optional, Tuple
from urllib.parse import unquote, urlsplit

from . import tokens
from .frame import Rows, needed
from .log import tables
from .methods import Analyses
from .query import ends


def _flight() -> Any:
    return needed("pyarrow.flight", "pyarrow")


@functools.lru_cache(maxsize=None)
def tables_of_logs() -> FrozenSet[str]:
    """The tables that each log has; others are of analyses."""
    return frozenset(table.name for table in tables() if table.columns)


def _parts(url: str) -> Tuple[str, str]:
    """The location of the server, and the name of the log."""
    parts = urlsplit(url)
    if parts.scheme not in ("grpc", "grpc+tls") or not parts.netloc:
        raise ValueError(f"'{url}' is not grpc://HOST:PORT/NAME")
    return f"{parts.scheme}://{parts.netloc}", unquote(parts.path.lstrip("/"))


def _plain(value: Any) -> Any:
    """A limit as JSON has it, which is what json.dumps cannot write."""
    if isinstance(value, (slice, range)):
        return ends(value)
    try:
        return operator.index(value)
    except TypeError:
        return list(value)


class Remote:
    """A connection to a server."""

    def __init__(self, location: str, token: Optional[str] = None,
                 tls_roots: Optional[str] = None):
        flight = _flight()
        options: Dict[str, Any] = {}
        if tls_roots:
            options["tls_root_certs"] = pathlib.Path(tls_roots).read_bytes()
        self.location = location
        where = location
        if token is None:
            token, where = tokens.find(location)
        self.client = flight.FlightClient(where, **options)
        self.options = flight.FlightCallOptions(headers=[
            (b"authorization", b"Bearer " + token.encode())]) \
            if token else flight.FlightCallOptions()

    def info(self, asked: Dict[str, Any]) -> Any:
        """Schema and tickets of a table."""
        flight = _flight()
        return self.client.get_flight_info(
            flight.FlightDescriptor.for_command(json.dumps(asked, default=_plain)),
            self.options)

    def read(self, ticket: Any) -> Any:
        """The rows of a ticket: a pyarrow.RecordBatchReader."""
        return self.client.do_get(ticket, self.options).to_reader()

    def action(self, name: str, body: str) -> Any:
        """The answer of an action, which is JSON."""
        flight = _flight()
        results = list(self.client.do_action(
            flight.Action(name, body.encode()), self.options))
        return json.loads(results[0].body.to_pybytes())

    def names(self) -> List[str]:
        """The logs that it has."""
        return [b"/".join(info.descriptor.path).decode()
                for info in self.client.list_flights(b"", self.options)]


class RemoteFrame(Rows):
    """A table of a log of a server: as datagrind.Frame, but for `lazy`."""

    def __init__(self, remote: Remote, asked: Dict[str, Any]):
        self._remote = remote
        self._asked = asked

    def partitions(self) -> List[Any]:
        """Tickets, each of which can be read apart."""
        return [endpoint.ticket
                for endpoint in self._remote.info(self._asked).endpoints]

    def reader(self) -> Any:
        """All rows: a pyarrow.RecordBatchReader."""
        info = self._remote.info(self._asked)

        def batches() -> Iterator[Any]:
            for endpoint in info.endpoints:
                yield from self._remote.read(endpoint.ticket)

        return needed("pyarrow").RecordBatchReader.from_batches(
            info.schema, batches())

    @property
    def _table(self) -> str:
        return str(self._asked["table"])

    @property
    def _path(self) -> str:
        return f"{self._remote.location}/{self._asked['name']}"

    @property
    def columns(self) -> List[str]:
        """The names of the columns."""
        return list(self._remote.info(self._asked).schema.names)

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        """Each row as a dict."""
        for batch in self.reader():
            yield from batch.to_pylist()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.reader().__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> Any:
        return self._remote.info(self._asked).schema.__arrow_c_schema__()


class RemoteLog(Analyses):
    """A log of a server.  Tables and analyses are as those of datagrind.Log."""

    def __init__(self, remote: Remote, name: str):
        self._remote = remote
        self.name = name
        self.path = f"{remote.location}/{name}"
        self._info: Optional[Dict[str, Any]] = None

    @property
    def info(self) -> Dict[str, Any]:
        """The process, and totals."""
        if self._info is None:
            self._info = self._remote.action("info", self.name)
        return self._info

    @property
    def n_chunks(self) -> int:
        """How many chunks it has."""
        return int(self.info["n_chunks"])

    def table(self, name: str, columns: Any = None,
              follow: bool = False, **limits: Any) -> RemoteFrame:
        """A table by its name; keywords as in datagrind.Log.table.

        follow: of a log that is being written, rows come until it ends.
        """
        asked = {"name": self.name, "table": name,
                 "columns": [columns] if isinstance(columns, str)
                 else columns, "follow": follow or None, **limits}
        return RemoteFrame(self._remote, {
            key: value for key, value in asked.items()
            if value is not None and value is not False})

    def __getattr__(self, name: str) -> Any:
        """The methods of datagrind.Log that return a table."""
        if name in tables_of_logs():
            return functools.partial(self.table, name)
        raise AttributeError(f"a log of a server has no {name}")


def connect(location: str, token: Optional[str] = None,
            tls_roots: Optional[str] = None) -> Remote:
    """A connection to grpc://HOST:PORT or grpc+tls://HOST:PORT.

    token: of the server; without, that of a server of the same user on this
        machine is found
    tls_roots: file of certificates to trust
    """
    return Remote(_parts(location)[0], token, tls_roots)


def open(url: str, token: Optional[str] = None,
         tls_roots: Optional[str] = None) -> RemoteLog:
    """The log grpc://HOST:PORT/NAME; other arguments as for connect."""
    location, name = _parts(url)
    if not name:
        raise ValueError(f"'{url}' has no name of a log")
    return RemoteLog(Remote(location, token, tls_roots), name)
