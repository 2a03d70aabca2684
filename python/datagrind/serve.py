"""python3 -m datagrind serve: a folder of archives by Arrow Flight.

Analyses on other machines read what they need, while it is recorded or later.
A flight is a table of a log; its tickets are groups of chunks, signed by the
server, which gives nothing without one of its own tickets and reads nothing
outside of its folder.  Clients need its token, which those of the same user
find by themselves (tokens.py).

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""
from __future__ import annotations

import argparse
import contextlib
import functools
import hashlib
import hmac
import json
import os
import secrets
import signal
import socket
import sys
import threading
import traceback
from typing import (Any, Callable, Dict, Iterator, List, Optional, Sequence,
                    Tuple)

import pyarrow
from pyarrow import flight

from . import tokens
from .error import Error
from .served import CHUNKS, Folder, Refused, frame_of

# Seconds between two looks at a log that is being written.
PAUSE = 0.2
# Characters of a message, at most: gRPC sends 8 KiB.
MOST_TEXT = 1000


def _refusal(text: str) -> flight.FlightError:
    """Other exceptions would send a stack of this server along.  What a
    client has sent may be neither UTF-8 nor short."""
    shown = text.encode("utf-8", "replace").decode()
    return flight.FlightServerError(shown[:MOST_TEXT])


def _flight_error(problem: Error) -> flight.FlightError:
    """An error of a log with its code and offset, but without its path, which
    is nothing for clients."""
    return _refusal(f"{problem.message} [{problem.code}, offset "
                    f"{problem.offset:#x}]")


def _refusal_of(problem: Exception) -> flight.FlightError:
    """What a client gets for an exception: no paths and no stack."""
    if isinstance(problem, flight.FlightError):
        return problem
    if isinstance(problem, Refused):
        return _refusal(str(problem))
    if isinstance(problem, Error):
        return _flight_error(problem)
    if isinstance(problem, OSError):
        return _refusal(f"the log cannot be read: {problem.strerror}")
    if isinstance(problem, (TypeError, ValueError, ArithmeticError,
                            AttributeError, RecursionError)):
        return _refusal(f"this cannot be asked: {problem}")
    traceback.print_exception(type(problem), problem,
                              problem.__traceback__)
    return _refusal("the server failed; its own messages say why")


def _guarded(call: Callable[..., Any]) -> Callable[..., Any]:
    """A call of clients that only ends with such exceptions."""
    @functools.wraps(call)
    def guarded(*arguments: Any) -> Any:
        try:
            return call(*arguments)
        except Exception as problem:
            refusal = _refusal_of(problem)
        # Without where it was raised, of which pyarrow sends a part.
        raise refusal.with_traceback(None) from None

    bare: Any = guarded
    bare.__code__ = bare.__code__.replace(co_filename="serve")
    return bare


@_guarded
def _next(batches: Iterator[Any]) -> Any:
    """The next batch, or None."""
    return next(batches, None)


class TokenFactory(flight.ServerMiddlewareFactory):
    """Refuses calls without the token."""

    def __init__(self, token: str):
        self._wanted = f"Bearer {token}".encode()

    def start_call(self, info: Any, headers: Any) -> None:
        given = [value for name, values in headers.items()
                 if name.lower() == "authorization" for value in values]
        if len(given) != 1 or not hmac.compare_digest(
                str(given[0]).encode(), self._wanted):
            raise flight.FlightUnauthenticatedError(
                "a token is needed, which only clients of the server's user "
                "find by themselves")


class Server(flight.FlightServerBase):
    """Serves the logs of a folder."""

    def __init__(self, location: Any, folder: Folder, follow: bool,
                 **options: Any):
        super().__init__(location, **options)
        self._folder = folder
        self._follow = follow
        self._key = secrets.token_bytes(32)
        self._stopped = threading.Event()

    # ---- Tickets ----

    def _sign(self, body: bytes) -> bytes:
        return hmac.new(self._key, body, hashlib.sha256).digest()

    def _ticket(self, what: Dict[str, Any]) -> flight.Ticket:
        body = json.dumps(what, sort_keys=True).encode()
        return flight.Ticket(self._sign(body) + body)

    def _opened(self, ticket: flight.Ticket) -> Dict[str, Any]:
        signature, body = ticket.ticket[:32], ticket.ticket[32:]
        if not hmac.compare_digest(signature, self._sign(body)):
            raise flight.FlightUnauthorizedError(
                "this ticket is not of this server, or was changed")
        result: Dict[str, Any] = json.loads(body)
        return result

    # ---- What there is ----

    def _asked(self, descriptor: flight.FlightDescriptor) -> Dict[str, Any]:
        """{"name", "table", keywords of Log.table...}: the command as JSON,
        or a path: NAME or NAME, TABLE."""
        if descriptor.descriptor_type == flight.DescriptorType.PATH:
            words = [part.decode("utf-8", "replace")
                     for part in descriptor.path]
            if not 1 <= len(words) <= 2:
                raise _refusal("the path is NAME or NAME, TABLE")
            asked: Any = dict(zip(("name", "table"), words))
        else:
            try:
                asked = json.loads(descriptor.command)
            except (ValueError, RecursionError):
                raise _refusal("the command is not JSON") from None
        if not isinstance(asked, dict) \
                or not isinstance(asked.get("name"), str):
            raise _refusal("the command has no name")
        return asked

    def _log(self, asked: Dict[str, Any]) -> Any:
        follow = bool(asked.get("follow"))
        if follow and not self._follow:
            raise _refusal("this server does not follow logs")
        return self._folder.open(asked["name"], follow)

    def _info(self, asked: Dict[str, Any],
              descriptor: flight.FlightDescriptor) -> flight.FlightInfo:
        log = self._log(asked)
        asked.setdefault("table", "accesses")
        frame = frame_of(asked, log)
        schema = pyarrow.schema(frame)
        spans = self._folder.spans(asked, frame)
        endpoints = [flight.FlightEndpoint(
            self._ticket({**asked, "chunks": span} if span else asked), [])
            for span in spans]
        is_all = asked["table"] == "accesses" \
            and not set(asked) - {"name", "table", "columns", "signed"}
        rows = log.info["accesses"] if is_all else -1
        return flight.FlightInfo(schema, descriptor, endpoints, rows, -1)

    @_guarded
    def list_flights(self, context: Any, criteria: bytes) \
            -> Iterator[flight.FlightInfo]:
        """A flight for each log that can be read."""
        flights = []
        for name in self._folder.names():
            with contextlib.suppress(Error, Refused, OSError):
                flights.append(self._info(
                    {"name": name, "table": "accesses"},
                    flight.FlightDescriptor.for_path(name)))
        return iter(flights)

    @_guarded
    def get_flight_info(self, context: Any,
                        descriptor: flight.FlightDescriptor) \
            -> flight.FlightInfo:
        """The schema, and tickets of groups of chunks."""
        return self._info(self._asked(descriptor), descriptor)

    @_guarded
    def get_schema(self, context: Any,
                   descriptor: flight.FlightDescriptor) \
            -> flight.SchemaResult:
        """The schema alone."""
        asked = self._asked(descriptor)
        return flight.SchemaResult(
            pyarrow.schema(frame_of(asked, self._log(asked))))

    @_guarded
    def do_action(self, context: Any, action: flight.Action) \
            -> Iterator[bytes]:
        """info: a log's info as JSON."""
        if action.type != "info":
            raise _refusal(f"there is no action {action.type}")
        name = action.body.to_pybytes().decode("utf-8", "replace")
        log = self._log({"name": name})
        info = {**log.info, "n_chunks": log.n_chunks,
                "is_growing": log.is_growing}
        return iter([json.dumps(info).encode()])

    def list_actions(self, context: Any) -> List[Tuple[str, str]]:
        """What do_action takes."""
        return [("info", "process and totals of the log NAME, as JSON")]

    # ---- Rows ----

    @_guarded
    def do_get(self, context: Any, ticket: flight.Ticket) -> Any:
        """The rows of a ticket."""
        asked = self._opened(ticket)
        log = self._log(asked)
        frame = frame_of(asked, log)
        schema = pyarrow.schema(frame)
        batches = self._followed(context, asked, log) \
            if asked.get("follow") else self._batches(context, frame)
        # Not a GeneratorStream, which does not send dictionaries.
        return flight.RecordBatchStream(
            pyarrow.RecordBatchReader.from_batches(
                schema, iter(functools.partial(_next, batches), None)),
            pyarrow.ipc.IpcWriteOptions(emit_dictionary_deltas=True))

    def _batches(self, context: Any, frame: Any) -> Iterator[Any]:
        for batch in frame.to_batches():
            if context.is_cancelled() or self._stopped.is_set():
                return
            yield batch

    def _followed(self, context: Any, asked: Dict[str, Any],
                  log: Any) -> Iterator[Any]:
        """Chunk after chunk, until the recorder has ended."""
        done = 0
        while not (context.is_cancelled() or self._stopped.is_set()):
            is_growing = log.is_growing
            while log.grow():
                pass
            end = log.n_chunks - 1 if is_growing else log.n_chunks
            if end > done:
                yield from self._batches(context, frame_of(
                    {**asked, "chunks": [done, end]}, log))
                done = end
            if not is_growing:
                if log.problem:
                    raise log.problem
                return
            self._stopped.wait(PAUSE)

    def stop(self) -> None:
        """Ends what is being sent, then the server."""
        self._stopped.set()
        self.shutdown()


# ---- The command ----

def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="datagrind serve", allow_abbrev=False,
        description="Serves the archives of a folder by Arrow Flight.")
    parser.add_argument("folder", metavar="DIR")
    parser.add_argument("--listen", default="127.0.0.1:8815",
                        metavar="HOST:PORT",
                        help="where to listen; port 0: any (127.0.0.1:8815)")
    parser.add_argument("--follow", action="store_true",
                        help="also serve archives that are being written")
    parser.add_argument("--token-file", metavar="FILE",
                        help="the token of clients: the first line of this "
                        "file, instead of one that clients of the same user "
                        "find by themselves")
    parser.add_argument("--tls-cert", metavar="FILE",
                        help="certificate, PEM")
    parser.add_argument("--tls-key", metavar="FILE",
                        help="its private key, PEM")
    parser.add_argument("--insecure", action="store_true",
                        help="serve everybody who can connect: all users "
                        "of this machine, and those that reach the address")
    return parser


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _address(text: str) -> Tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host or not port.isdigit() or int(port) > 65535:
        raise ValueError(f"'{text}' is not HOST:PORT")
    return host, int(port)


def _token(given: argparse.Namespace, host: str) -> Optional[str]:
    """What clients have to know; None: nothing."""
    if given.token_file:
        token = _read(given.token_file).decode().partition("\n")[0].strip()
        if not token:
            raise ValueError(f"{given.token_file}: the token is empty")
        return token
    if given.insecure:
        return None
    if not tokens.address(host):
        raise ValueError(f"{host} can be reached by others: use --token-file "
                         "(and --tls-cert), or --insecure")
    return tokens.make()


def _settings(given: argparse.Namespace, token: Optional[str]) \
        -> Dict[str, Any]:
    """What the server is made with."""
    settings: Dict[str, Any] = {}
    host, port = _address(given.listen)
    if bool(given.tls_cert) != bool(given.tls_key):
        raise ValueError("--tls-cert and --tls-key belong together")
    if given.tls_cert:
        settings["tls_certificates"] = [(_read(given.tls_cert),
                                         _read(given.tls_key))]
    else:
        host = tokens.address(host) or host
    scheme = "grpc+tls" if given.tls_cert else "grpc"
    settings["location"] = f"{scheme}://{host}:{port}"
    if token:
        settings["middleware"] = {"token": TokenFactory(token)}
    return settings


def _try_port(text: str) -> None:
    """OSError, if nobody can listen there: gRPC would print lines of its own
    instead of saying why."""
    host, port = _address(text)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host.strip("[]"), port), family=family).close()
    except OSError as problem:
        raise OSError(f"{text}: {os.strerror(problem.errno)}"
                      if problem.errno else f"{text}: {problem}") from None


def _start(given: argparse.Namespace, stack: contextlib.ExitStack) -> Server:
    """A server that is listening.  Its own token can be found until the stack
    is left, which is before another process can have the port."""
    host, _ = _address(given.listen)
    token = _token(given, host)
    settings = _settings(given, token)
    folder = Folder(given.folder, CHUNKS, given.follow)
    location = settings.pop("location")
    _try_port(given.listen)
    server = Server(location, folder, given.follow, **settings)
    path = None
    if token and not given.token_file:
        path = stack.enter_context(tokens.offered(
            token, tokens.address(host) or host, server.port))
    print(f"listening on {location.rpartition(':')[0]}:{server.port}",
          flush=True)
    if path:
        print(f"the token is in {path}", flush=True)
    return server


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Serves until it is told to stop: SIGINT, SIGTERM, or SIGHUP, unless that
    is ignored, as under nohup."""
    given = _options().parse_args(arguments)
    done = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda *unused: done.set())
    with contextlib.ExitStack() as stack:
        try:
            server = _start(given, stack)
        except (OSError, ValueError, pyarrow.ArrowException) as problem:
            print(f"datagrind serve: {problem}", file=sys.stderr)
            return 2 if isinstance(problem, ValueError) else 1
        # A signal that another thread gets does not wake this one.
        while not done.wait(PAUSE):
            pass
    # A client that does not read must not keep it from ending.
    stopper = threading.Thread(target=server.stop, daemon=True)
    stopper.start()
    stopper.join(5)
    sys.stdout.flush()
    os._exit(0)
