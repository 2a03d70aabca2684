"""datagrind.py: asks a log from gdb: who has written this variable?

    (gdb) source /usr/share/datagrind/gdb/datagrind.py
    (gdb) datagrind who-wrote EXPRESSION [LOG]

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""

import glob
import os
import re
import subprocess
import tempfile

import gdb


def run_dg(*args):
    """Runs dg; its own messages are shown."""
    try:
        subprocess.run(("dg",) + args, check=True)
    except FileNotFoundError:
        raise gdb.GdbError("dg is not in PATH") from None
    except subprocess.CalledProcessError as error:
        raise gdb.GdbError("dg failed (%s)" % error) from None


def cut(start, end, part, process, log):
    """The part of a log with the accesses to these addresses."""
    args = ("cut", "--addresses=%#x..%#x" % (start, end), "-o", part, log)
    if log != process.log:
        run_dg(*args)
        return
    # It has no end yet, and dg says so.
    try:
        done = subprocess.run(("dg",) + args, stderr=subprocess.PIPE,
                              text=True, check=False)
    except FileNotFoundError:
        raise gdb.GdbError("dg is not in PATH") from None
    if done.returncode not in (0, 1) or not os.path.exists(part):
        raise gdb.GdbError(done.stderr.strip())


def records(process, log, start, end):
    """The lines of dg dump with the accesses to these addresses only: each is
    (name of the record, all of the line).  There may be any number."""
    with tempfile.TemporaryDirectory() as folder:
        part = os.path.join(folder, "part")
        cut(start, end, part, process, log)
        with subprocess.Popen(("dg", "dump", part), stdout=subprocess.PIPE,
                              text=True, errors="replace") as dump:
            for line in dump.stdout:
                words = line.split(None, 2)
                if len(words) > 1:
                    yield words[1], line
        if dump.returncode != 0:
            raise gdb.GdbError("dg dump failed")


class Process:
    """What is debugged: a process of this machine, or one under Valgrind, which
    says which it is and where it writes its log."""

    def __init__(self):
        self.pid = gdb.selected_inferior().pid
        self.log = None
        self.is_recorded = False
        if self.pid == 0:
            raise gdb.GdbError("The program is not being run.")
        try:
            said = gdb.execute("monitor flush", to_string=True)
        except gdb.error:
            return
        match = re.search(r"^Process (\d+) has (?:.* ended in: (/.*))?", said,
                          re.MULTILINE)
        if match:
            self.pid, self.log = int(match[1]), match[2]
            self.is_recorded = True

    def is_of(self, log):
        """Whether the log is that of this process itself."""
        return self.log is not None and os.path.exists(self.log) \
            and os.path.samefile(log, self.log)

    def usual_log(self):
        """What is asked if no log is named."""
        if self.is_recorded and self.log is None:
            raise gdb.GdbError("This process has no log that can be read now;"
                               " add the name of another one.")
        return self.log or newest_log()

    def mappings(self):
        """(start, end, offset, path)"""
        result = []
        with open("/proc/%d/maps" % self.pid, errors="replace") as maps:
            for line in maps:
                part = line.rstrip("\n").split(None, 5)
                start, end = (int(x, 16) for x in part[0].split("-"))
                result.append((start, end, int(part[2], 16),
                               part[5] if len(part) > 5 else ""))
        return result

    def base(self, address):
        """The file that has the address, and where its beginning is mapped."""
        maps = self.mappings()
        path, last = "", None
        for start, end, _, name in maps:
            # The zeroed end of data follows its file without a name.
            if start <= address < end:
                path = name or (last[1] if last and last[0] == start else "")
                break
            last = (end, name)
        if not path.startswith("/"):
            return None, None
        for start, _, offset, name in maps:
            if name == path and offset == 0:
                return path, start
        return None, None


def build_id(path):
    """Of the file as gdb has read it; "": it has none."""
    for objfile in gdb.objfiles():
        if objfile.filename is not None \
                and os.path.realpath(objfile.filename) == path:
            return objfile.build_id or ""
    return ""


class Modules:
    """The files that were mapped in the recorded run."""

    def __init__(self, process, log):
        self.process, self.log = process, log
        # (start, length, offset, is code, path)
        self.maps = []
        # path: build-ids
        self.ids = {}
        path = ""
        for name, line in records(process, log, 0, 1):
            match = re.search(r'file="(.*)"', line)
            if name == "MAP" and match and match[1]:
                self.maps.append(self.read_map(line, match[1]))
            elif name == "TEXT_AVMA" and match:
                path = match[1]
            elif name == "MODULE":
                match = re.search(r"build_id=([0-9a-f]+)", line)
                if match:
                    self.ids.setdefault(path, set()).add(match[1])

    @staticmethod
    def read_map(line, path):
        """The tuple of a line."""
        match = re.search(r"address=(\w+) length=(\d+) protection=(\S+)"
                          r" .*offset=(\w+)", line)
        return (int(match[1], 16), int(match[2]), int(match[4], 16),
                "x" in match[3], path)

    def find(self, path):
        """The path that this file had in the recorded run."""
        paths = {x[4] for x in self.maps
                 if os.path.basename(x[4]) == os.path.basename(path)}
        here = build_id(path)
        same = {x for x in paths if here in self.ids.get(x, ())}
        if path in paths:
            paths = {path}
        elif same:
            paths = same
        if not paths:
            raise gdb.GdbError("%s: %s is not part of the recorded run."
                               % (self.log, path))
        if len(paths) > 1:
            raise gdb.GdbError("%s: which of these is %s is not known: %s."
                               % (self.log, path, ", ".join(sorted(paths))))
        found = paths.pop()
        ids = self.ids.get(found)
        if here and ids and here not in ids:
            raise gdb.GdbError(
                "%s: %s is another build than the one that was recorded (its"
                " build-id differs). Record it again." % (self.log, path))
        if not here or not ids:
            print("%s has no build-id: the log may be of another build."
                  % path)
        return found

    def base(self, path):
        """Where the beginning of a file was mapped."""
        bases = {x[0] for x in self.maps if x[4] == path and x[2] == 0}
        if len(bases) != 1:
            raise gdb.GdbError("%s: where %s was cannot be known: it was"
                               " loaded at %d addresses."
                               % (self.log, path, len(bases)))
        return bases.pop()

    def place(self, address):
        """The place of an instruction of the recorded run."""
        best = None
        for start, length, offset, is_code, path in self.maps:
            if is_code and start <= address < start + length:
                best = (path, address - start + offset)
        if best is None:
            return "%#x" % address
        for start, end, offset, path in self.process.mappings():
            if offset <= best[1] < offset + end - start \
                    and os.path.basename(path) == os.path.basename(best[0]) \
                    and self.is_same(path, best[0]):
                return place(start + best[1] - offset)
        return "%#x (%s)" % (address, best[0])

    def is_same(self, path, recorded):
        """Not so if their build-ids are known and differ."""
        here, ids = build_id(path), self.ids.get(recorded)
        return not here or not ids or here in ids


def newest_log():
    logs = sorted(glob.glob("*.dgz"), key=os.path.getmtime)
    if not logs:
        raise gdb.GdbError("There is no archive (*.dgz) in this folder;"
                           " add the name of a log.")
    return logs[-1]


def place(address):
    """ "bump (w.c:4)" of an address of code in this process."""
    line = gdb.find_pc_line(address)
    block = gdb.block_for_pc(address)
    while block is not None and block.function is None:
        block = block.superblock
    name = block.function.name if block is not None else "%#x" % address
    if line.symtab is None:
        return name
    return "%s (%s:%d)" % (name, os.path.basename(line.symtab.filename),
                           line.line)


def evaluate(text):
    """The address and the size of an expression, or of a number."""
    value = gdb.parse_and_eval(text)
    if value.address is not None:
        return int(value.address), value.type.sizeof
    if re.fullmatch(r"[A-Za-z_]\w*", text.strip()):
        raise gdb.GdbError("%s is in a register, or a constant: it has no"
                           " address." % text)
    kind = value.type.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_PTR:
        return int(value), max(kind.target().sizeof, 1)
    if kind.code == gdb.TYPE_CODE_INT:
        return int(value), 1
    raise gdb.GdbError("%s has no address." % text)


class Writes:
    """How often some bytes were written, and what is known of the last one."""

    def __init__(self, process, log, address, size):
        self.start, self.end = address, address + size
        self.by_program = self.by_kernel = 0
        # (call stack or None, number of the system call, thread, icount)
        self.last = None
        self.thread, self.icount = 1, 0
        self.blocks, self.contexts = {}, {}
        read = {"WINDOW": self.window, "THREAD_SWITCH": self.switch,
                "BBDEF": self.block, "CONTEXT": self.context,
                "BBRUN": self.run, "KERNEL_ACCESS": self.kernel}
        for name, line in records(process, log, address,
                                  address + size):
            if name in read:
                read[name](line)

    @staticmethod
    def number(line, name):
        """The value of "name=12" or "name=0x1f"."""
        match = re.search(r" %s=(\w+)" % name, line)
        return int(match[1], 0) if match else 0

    @staticmethod
    def items(line, name):
        """The words in "name=[...]"."""
        return re.search(r" %s=\[([^]]*)\]" % name, line)[1].split()

    def meets(self, start, size):
        """Whether these bytes are among those that are asked for."""
        return start < self.end and start + size > self.start

    def window(self, line):
        """Here, the count of instructions is known."""
        self.icount = self.number(line, "icount")

    def switch(self, line):
        """What follows is another thread's."""
        self.thread = self.number(line, "thread")

    def block(self, line):
        """Instructions and accesses of code."""
        starts = [int(x.split("+")[0], 16) for x in self.items(line, "instrs")]
        accesses = [(x[0], *map(int, x[1:].split("@")))
                    for x in self.items(line, "accesses")]
        self.blocks[self.number(line, "index")] = starts, accesses

    def context(self, line):
        """A block, and from where it was called."""
        stack = [int(x, 16) for x in self.items(line, "stack")]
        self.contexts[self.number(line, "index")] = \
            self.number(line, "bbdef"), stack

    def run(self, line):
        """A block ran."""
        block, stack = self.contexts[self.number(line, "context")]
        starts, accesses = self.blocks[block]
        for (kind, size, i), address in zip(accesses,
                                            self.items(line, "addresses")):
            if kind == "W" and self.meets(int(address, 16), size):
                self.by_program += 1
                self.last = ([starts[i]] + stack[1:], None, self.thread,
                             self.icount + i)
        self.icount += self.number(line, "n_instrs")

    def kernel(self, line):
        """The kernel did, in a system call."""
        if "kind=write" in line and self.meets(self.number(line, "address"),
                                               self.number(line, "length")):
            self.by_kernel += 1
            self.last = (None, self.number(line, "number"), self.thread,
                         self.icount)


def split(argument, process):
    """The expression and the log of a command line."""
    words = argument.split()
    log = None
    if words and (re.search(r"\.dgz?$|datagrind\.out\.", words[-1])
                  or (len(words) > 1 and os.path.isfile(words[-1]))):
        log = words.pop()
    if not words:
        raise gdb.GdbError("The expression is missing:"
                           " datagrind who-wrote EXPRESSION [LOG]")
    if log is not None and not os.path.exists(log):
        raise gdb.GdbError("%s: no such file" % log)
    return " ".join(words), log or process.usual_log()


class Datagrind(gdb.Command):
    """Ask a log of Datagrind about the program that is debugged."""

    def __init__(self):
        super().__init__("datagrind", gdb.COMMAND_DATA, prefix=True)


class WhoWrote(gdb.Command):
    """Show who wrote a variable last in a recorded run.
datagrind who-wrote EXPRESSION [LOG]

EXPRESSION is a variable, or the number of an address.  By default, LOG is what
Valgrind writes about this very process ("target remote | vgdb"), where all
addresses are the same, and otherwise the newest archive of the folder.

If the program is at other addresses now than it was when it was recorded, those
of global and static variables are translated.  Where the stack and the heap
were is not known: they differ from run to run.

Of this very process, the log has the blocks of code that have ended: not what
the one has done in which the program stands."""

    def __init__(self):
        super().__init__("datagrind who-wrote", gdb.COMMAND_DATA,
                         gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, from_tty):
        try:
            process = Process()
            self.answer(process, *split(argument, process))
        except (gdb.error, OSError) as error:
            raise gdb.GdbError(str(error)) from None

    def answer(self, process, expression, log):
        """Where the variable was then, and who wrote there."""
        address, size = evaluate(expression)
        if process.is_of(log):
            log = process.log
        modules = Modules(process, log)
        if log != process.log:
            address += self.moved(process, modules, address)
        elif not any(start <= address < end
                     for start, end, _, _ in process.mappings()):
            raise gdb.GdbError("%#x is not in the memory of the program."
                               % address)
        self.show(modules, address, size,
                  Writes(process, log, address, size))
        if log == process.log:
            print("  (not counted: what the block of code has done in which"
                  " the program stands)")

    @staticmethod
    def moved(process, modules, address):
        """How far from here it was in the recorded run."""
        path, here = process.base(address)
        if path is None:
            raise gdb.GdbError(
                "%#x is not in a program or library, but on a stack or in the"
                " heap: these are elsewhere in the recorded run, so who wrote"
                " it cannot be known." % address)
        return modules.base(modules.find(path)) - here

    @staticmethod
    def show(modules, address, size, writes):
        """The answer."""
        n = writes.by_program + writes.by_kernel
        if n == 0:
            print("%s: neither an instruction nor the kernel wrote %#x"
                  " (%d bytes)." % (modules.log, address, size))
            return
        stack, call, thread, icount = writes.last
        some = "" if writes.by_kernel == 0 else \
            " no instruction wrote it, only the kernel;" \
            if writes.by_program == 0 else \
            " %d by the kernel;" % writes.by_kernel
        print("%s: %d write%s of %#x (%d bytes);%s the last one in the run by:"
              % (modules.log, n, "" if n == 1 else "s", address, size, some))
        if stack is not None:
            print("  %s" % modules.place(stack[0]))
            if len(stack) > 1:
                print("  called by %s" % modules.place(stack[1]))
        elif call < 1 << 31:
            print("  the kernel, in system call %d" % call)
        else:
            print("  the kernel, for a signal")
        print("  thread %d, after %d instructions" % (thread, icount))


Datagrind()
WhoWrote()
