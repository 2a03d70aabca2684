"""A server of archives, its clients, and those that it refuses.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import urllib.parse

import pyarrow
import pyarrow.flight

import datagrind
import datagrind.flight
from serving import server
from tap import DG, Skip, assemble, equal, long_text, main, raises

RECORDED = sys.argv[1]
PACKAGE = os.path.dirname(datagrind.__file__)

os.mkdir("served")
shutil.copy(RECORDED, "served/contention.dgz")
assemble("long", long_text(60000, 20))
subprocess.run([DG, "pack", "long", "-o", "served/long.dgz"], check=True,
               stdout=subprocess.DEVNULL)
shutil.copy(RECORDED, "outside.dgz")
os.symlink(os.path.abspath("outside.dgz"), "served/leaves.dgz")
os.mkfifo("served/pipe.dgz")


def refused(call, *words):
    """A call has to be refused, in these words and without the server's
    paths."""
    problem = raises(Exception, call)
    for word in words:
        assert word in str(problem), str(problem)
    assert os.getcwd() not in str(problem), str(problem)
    assert PACKAGE not in str(problem), str(problem)
    return problem


def test_rows():
    """Tables are the same as here"""
    with server(folder="served") as location:
        remote = datagrind.flight.connect(location)
        equal(sorted(remote.names()), ["contention.dgz", "long.dgz"])
        for name in ("contention.dgz", "long.dgz"):
            here = datagrind.open("served/" + name)
            there = datagrind.flight.open(f"{location}/{name}")
            equal(there.info["accesses"], here.info["accesses"])
            columns = ["icount", "thread", "kind", "address", "function",
                       "variable"]
            equal(there.accesses(columns, threads=[1, 2]).to_arrow()
                  .to_pydict(),
                  here.accesses(columns, threads=[1, 2]).to_arrow()
                  .to_pydict())
            equal(there.counts(by="thread").to_arrow().to_pylist(),
                  here.counts(by="thread").to_arrow().to_pylist())
            equal(pyarrow.table(there.blocks()).num_rows,
                  here.info["heap_allocs"])
            tickets = there.accesses().partitions()
            equal(sum(remote.read(ticket).read_all().num_rows
                      for ticket in tickets), here.info["accesses"])


def test_paths():
    """No path leaves the folder"""
    with server(folder="served") as location:
        for name in ("../outside.dgz", "leaves.dgz", "/etc/passwd", "",
                     "x/../../outside.dgz", "pipe.dgz", ".", "a\0b",
                     "long.dgz/.."):
            asked = {"name": name, "table": "accesses"}
            refused(lambda asked=asked:
                    datagrind.flight.connect(location).info(asked),
                    "there is no log")


def test_tables():
    """Each table of a log here is one of a log of a server"""
    with server(folder="served") as location:
        here = datagrind.open("served/contention.dgz")
        there = datagrind.flight.open(location + "/contention.dgz")
        for table in datagrind.tables():
            if table.columns and table.name != "accesses":
                equal(getattr(there, table.name)().to_arrow().to_pydict(),
                      getattr(here, table.name)().to_arrow().to_pydict(),
                      table.name)
        raises(AttributeError, lambda: there.nothing)


def test_remote_tables():
    """A table of a server is used as one that is here"""
    with server(folder="served") as location:
        here = datagrind.open("served/contention.dgz")
        there = datagrind.flight.open(location + "/contention.dgz")
        limits = {"threads": {1, 2}, "instructions": slice(100, 9000)}
        columns = ["icount", "address", "kind", "function"]
        equal(there.accesses(columns, **limits).to_pylist(),
              here.accesses(columns, **limits).to_pylist())
        for name in ("accesses", "threads", "contexts", "counts"):
            equal(there.table(name).columns, here.table(name).columns)
            equal(there.table(name).head(3), here.table(name).head(3))
            equal(there.table(name)._repr_html_().count("<tr>"),
                  here.table(name)._repr_html_().count("<tr>"))
        equal(list(there.threads()), list(here.threads()))


def test_names():
    """Names of all kinds; one that is not UTF-8 does not hide the others"""
    os.mkdir("names")
    for name in (b"\xff.dgz", "größe 日本.dgz".encode(), b"a b%2f.dgz"):
        shutil.copy("served/long.dgz", b"names/" + name)
    with server(folder="names") as location:
        names = datagrind.flight.connect(location).names()
        equal(names, ["a b%2f.dgz", "größe 日本.dgz"])
        for name in names:
            url = f"{location}/{urllib.parse.quote(name)}"
            equal(datagrind.flight.open(url).info["threads"], 2)


def test_tickets():
    """A ticket that was forged or changed is refused"""
    with server(folder="served") as location:
        remote = datagrind.flight.connect(location)
        log = datagrind.flight.open(location + "/long.dgz")
        good = log.accesses().partitions()[0].ticket
        for bad in (b"", b"x" * 100, good[:-1], good + b" ",
                    good[:32] + good[32:].replace(b"long", b"wrong"),
                    bytes([good[0] ^ 1]) + good[1:]):
            refused(lambda bad=bad:
                    remote.read(pyarrow.flight.Ticket(bad)).read_all(),
                    "ticket")
    with server(folder="served") as location:
        refused(lambda: datagrind.flight.connect(location).read(
            pyarrow.flight.Ticket(good)).read_all(), "ticket")


def test_queries():
    """What a client may not ask for"""
    with server(folder="served") as location:
        log = datagrind.flight.open(location + "/long.dgz")
        refused(lambda: log.accesses(["x"]).to_arrow(), "no column 'x'")
        refused(lambda: log.table("nothing").to_arrow(), "no table")
        refused(lambda: log.calls(folded="written").to_arrow(),
                "files cannot be written")
        refused(lambda: log.table("accesses", bad=1).to_arrow(), "bad")
        refused(lambda: log.accesses(follow=True).to_arrow(), "follow")
        refused(lambda: log.accesses(columns=5).to_arrow())
        refused(lambda: log.accesses(instructions=slice(0, 90, 2)).to_arrow(),
                "a step is not possible")
        remote = datagrind.flight.connect(location)
        for command in (b"", b"[]", b"{", b'{"name": 5}', b"\xff"):
            refused(lambda command=command: remote.client.get_flight_info(
                pyarrow.flight.FlightDescriptor.for_command(command),
                remote.options))
        assert not os.path.exists("written")
        equal(log.info["threads"], 2)


def test_values():
    """Values that have no sense are refused, without a stack of the server"""
    huge = 10 ** 30
    wrong = [{"chunks": "abc"}, {"chunks": 5}, {"chunks": [0, huge]},
             {"chunks": [-huge, 0]}, {"chunks": [-huge, None]},
             {"threads": [huge]},
             {"threads": {"a": 1}}, {"addresses": [[0, huge]]},
             {"addresses": [-5, 3]}, {"top": "x"}, {"top": -1},
             {"batch_rows": -1}, {"batch_rows": 1 << 40},
             {"columns": [1]}, {"columns": ["a\0b"]},
             {"columns": ["\ud800"]}, {"columns": ["icount"] * 10000},
             {"events": 5}, {"events": "\ud800"}, {"events": "fn:"},
             {"options": "x"}, {"table": ["x"]}, {"name": "\ud800"},
             {"name": "x" * 100000}, {"instructions": [1, 2, 3]},
             {"kinds": 5}, {"kinds": ["x"]}]
    commands = [json.dumps({"name": "long.dgz", **what}) for what in wrong]
    commands += ["[" * 100000, '{"a":' * 50000,
                 '{"name": "long.dgz", "top": NaN}']
    with server(folder="served") as location:
        remote = datagrind.flight.connect(location)
        for command in commands:
            asked = pyarrow.flight.FlightDescriptor.for_command(command)
            problem = refused(lambda asked=asked:
                              remote.client.get_flight_info(
                                  asked, remote.options))
            assert "token" not in str(problem), str(problem)
            assert "Traceback" not in str(problem), str(problem)
            refused(lambda asked=asked: remote.client.get_schema(
                asked, remote.options))


def test_damaged():
    """A damaged archive ends the stream with its code and offset"""
    with open("served/long.dgz", "rb") as file:
        data = bytearray(file.read())
    middle = len(data) // 2
    data[middle:middle + 64] = bytes(64)
    with open("served/damaged.dgz", "wb") as file:
        file.write(data)
    try:
        with server(folder="served") as location:
            refused(lambda: datagrind.flight.open(location + "/damaged.dgz")
                    .accesses().to_arrow(), "damaged", "offset")
    finally:
        os.unlink("served/damaged.dgz")


def test_token():
    """Without the token, nothing is shown"""
    with open("token", "w", encoding="utf-8") as file:
        file.write("secret\na remark\n")
    with server("--token-file", "token", folder="served") as location:
        for token in (None, "", "wrong", "secret2"):
            refused(datagrind.flight.connect(location, token).names,
                    "token")
        equal(len(datagrind.flight.connect(location, "secret").names()), 2)
        log = datagrind.flight.open(location + "/long.dgz", token="secret")
        assert log.accesses(["thread"]).to_arrow().num_rows > 0


@contextlib.contextmanager
def environment(**settings):
    """Environment variables, None: unset, for a while."""
    before = {name: os.environ.get(name) for name in settings}

    def put(values):
        for name, value in values.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value

    put(settings)
    try:
        yield
    finally:
        put(before)


def token_files(folder):
    """The files of a folder for tokens, which only the user may enter."""
    equal(os.stat(folder).st_mode & 0o777, 0o700)
    return [os.path.join(folder, name) for name in os.listdir(folder)]


def test_own_token():
    """Without options, only clients of the same user find the token"""
    mask = os.umask(0)
    for name in ("XDG_RUNTIME_DIR", "XDG_CACHE_HOME"):
        other = "XDG_CACHE_HOME" if name == "XDG_RUNTIME_DIR" \
            else "XDG_RUNTIME_DIR"
        os.mkdir(name)
        with environment(**{name: os.path.abspath(name), other: None}), \
                server(folder="served") as location:
            path, = token_files(name + "/datagrind")
            equal(os.stat(path).st_mode & 0o777, 0o600)
            for host in ("127.0.0.1", "localhost"):
                where = location.replace("127.0.0.1", host)
                equal(len(datagrind.flight.connect(where).names()), 2)
            url = location + "/long.dgz"
            rows = datagrind.flight.open(url).accesses().to_arrow().num_rows
            equal(rows, datagrind.open("served/long.dgz").info["accesses"])
            with open(path, encoding="ascii") as file:
                token = file.readline().strip()
            with environment(XDG_RUNTIME_DIR=None, XDG_CACHE_HOME=None):
                refused(datagrind.flight.connect(location).names, "token")
                equal(len(datagrind.flight.connect(location, token).names()),
                      2)
            refused(datagrind.flight.connect(location, "").names, "token")
            # One that others may read is not believed.
            os.chmod(path, 0o644)
            refused(datagrind.flight.connect(location).names, "token")
        equal(token_files(name + "/datagrind"), [])
    os.umask(mask)


def test_no_place():
    """Without a folder for the token, there is no server"""
    os.mkdir("open")
    os.mkdir("open/datagrind")
    os.chmod("open/datagrind", 0o777)
    where = os.path.abspath("open")
    with environment(XDG_RUNTIME_DIR=where, XDG_CACHE_HOME=where):
        result = subprocess.run(
            [sys.executable, "-m", "datagrind", "serve", "served", "--listen",
             "127.0.0.1:0"], capture_output=True, text=True, check=False,
            timeout=120)
    equal(result.returncode, 1)
    assert "no folder for the token" in result.stderr, result.stderr
    assert "Traceback" not in result.stderr, result.stderr


def test_other_user():
    """Another user of the machine is refused, unless that is wanted"""
    if os.getuid() != 0:
        raise Skip("only root can be two users")
    program = ("import sys, pyarrow.flight as f\n"
               "print(len(list(f.connect(sys.argv[1]).list_flights())))\n")

    def asked(location):
        return subprocess.run(
            [sys.executable, "-c", program, location], user=64502, group=64502,
            extra_groups=[], cwd="/", capture_output=True, text=True,
            check=False, timeout=600)

    with server("--insecure", folder="served") as location:
        result = asked(location)
        if "ImportError" in result.stderr \
                or "ModuleNotFoundError" in result.stderr:
            raise Skip("another user cannot read the libraries")
        equal(result.stdout, "2\n", result.stderr)
    with server(folder="served") as location:
        result = asked(location)
        equal(result.stdout, "")
        assert "a token is needed" in result.stderr, result.stderr


def test_tls():
    """TLS with a certificate of our own"""
    if not shutil.which("openssl"):
        raise Skip("no openssl")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout",
         "key.pem", "-out", "cert.pem", "-days", "2", "-subj",
         "/CN=localhost", "-addext",
         "subjectAltName=DNS:localhost,IP:127.0.0.1"],
        check=True, stderr=subprocess.DEVNULL)
    with server("--tls-cert", "cert.pem", "--tls-key", "key.pem",
                folder="served") as location:
        assert location.startswith("grpc+tls://"), location
        remote = datagrind.flight.connect(location, tls_roots="cert.pem")
        equal(len(remote.names()), 2)
        refused(datagrind.flight.connect(location).names)


def test_usage():
    """Others can only reach it with a token, or if that is wanted"""
    for words, text in ((["served", "--listen", "0.0.0.0:0"], "--token-file"),
                        (["served", "--listen", "x"], "HOST:PORT"),
                        (["served", "--tls-cert", "x"], "--tls-key"),
                        (["nowhere"], "nowhere")):
        result = subprocess.run(
            [sys.executable, "-m", "datagrind", "serve", *words],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            check=False, timeout=120)
        assert result.returncode in (1, 2) and text in result.stderr, \
            result.stderr
        assert "Traceback" not in result.stderr, result.stderr


def test_port():
    """A port that somebody else has: one line, with the reason."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        where = f"127.0.0.1:{other.getsockname()[1]}"
        done = subprocess.run(
            [sys.executable, "-m", "datagrind", "serve", ".", "--listen",
             where], capture_output=True, text=True, check=False)
    equal(done.returncode, 1)
    equal(done.stderr, f"datagrind serve: {where}: Address already in use\n")


def test_leaves():
    """Clients that go away in the middle are survived"""
    with server(folder="served") as location:
        for _ in range(5):
            remote = datagrind.flight.connect(location)
            reader = remote.client.do_get(
                datagrind.flight.open(location + "/long.dgz").accesses()
                .partitions()[0], remote.options)
            reader.read_chunk()
            reader.cancel()
            remote.client.close()
        program = ("import datagrind.flight as f, os, sys\n"
                   "next (f.open (sys.argv[1]).accesses ().to_batches ())\n"
                   "os._exit (0)\n")
        subprocess.run([sys.executable, "-c", program,
                        location + "/long.dgz"], check=True)
        log = datagrind.flight.open(location + "/long.dgz")
        equal(log.accesses(["thread"]).to_arrow().num_rows,
              log.info["accesses"])


class Recording:
    """dg record of a program that goes on when it gets a line."""

    def __init__(self, name):
        self.path = "served/" + name
        self.process = subprocess.Popen(
            [DG, "record", "-q", "-o", self.path, "--", "./phases"],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)

    def go_on(self):
        """The next phase."""
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()

    def end(self):
        """The program ends, and its archive is complete."""
        self.process.stdin.close()
        equal(self.process.wait(300), 0)


def _followed(location, name):
    """The stream of a log that is being written.  It is not one at once."""
    for _ in range(6000):
        with contextlib.suppress(pyarrow.ArrowException,
                                 pyarrow.flight.FlightError):
            return datagrind.flight.open(f"{location}/{name}").accesses(
                ["icount", "thread"], follow=True).reader()
        threading.Event().wait(0.1)
    raise AssertionError("the archive does not become readable")


def test_follow():
    """Rows come while the program is recorded, and all of them"""
    with server("--follow", folder="served") as location:
        recording = Recording("growing.dgz")
        recording.go_on()
        reader = _followed(location, "growing.dgz")
        rows = reader.read_next_batch().num_rows
        # There are rows, and it is still running.
        equal(recording.process.poll(), None)
        recording.go_on()
        recording.end()
        rows += sum(batch.num_rows for batch in reader)
        log = datagrind.open("served/growing.dgz")
        equal(rows, log.info["accesses"])
        equal(datagrind.flight.open(location + "/growing.dgz")
              .accesses(["thread"]).to_arrow().num_rows, rows)


def test_killed():
    """If the recorder is killed, the stream ends with the error's offset"""
    with server("--follow", folder="served") as location:
        recording = Recording("killed.dgz")
        recording.go_on()
        reader = _followed(location, "killed.dgz")
        reader.read_next_batch()
        recording.process.kill()
        recording.process.wait()

        def rest():
            for _ in reader:
                pass

        refused(rest, "truncated", "offset")
        recording.process.stdin.close()


main(globals())
