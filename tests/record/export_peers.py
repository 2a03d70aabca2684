"""export_peers.py: exports of a recording, read by programs of others, and
compared with what dg says.  export.sh runs it.

    export_peers.py champsim LOG FILE      registers and branches: iced-x86
    export_peers.py din FILE MISSES LINES N  pycachesim; LINES: written back
    export_peers.py oracle FILE MISSES     libCacheSim's reader and LRU
    export_peers.py perfetto FILE CHROME   Perfetto's own messages
    export_peers.py firefox FILE CALLS     no program of others: by what is
                                           documented of the format

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""

import json
import os
import re
import struct
import subprocess
import sys

# At least so many different instructions are compared.
LEAST = 10000
LINE, WAYS, SETS = 64, 8, 64
# ChampSim's numbers, by numbers in machine code.
GENERAL = [10, 9, 8, 7, 6, 5, 4, 3] + list(range(11, 19))
NAMES = ("RAX RCX RDX RBX RSP RBP RSI RDI " +
         " ".join(f"R{i}" for i in range(8, 16))).split()
SEGMENTS = "ES CS SS DS FS GS".split()
RECORD = struct.Struct("<QBB2B4B2Q4Q")


def code_of(log):
    """Address -> bytes of an instruction, from the records of a log."""
    sizes, notes, code = {}, [], {}
    dump = subprocess.run([os.environ["DG"], "dump", log], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    for line in dump.splitlines():
        if match := re.match(r"\S+ BBDEF index=\d+ instrs=\[([^]]*)\]", line):
            instrs = [x.split("+") for x in match[1].split()]
            sizes[int(instrs[0][0], 16), len(instrs)] = [
                (int(a, 16), int(n)) for a, n in instrs]
        elif match := re.match(r"\S+ BBCODE address=(\S+) n_instrs=(\d+)"
                               r" n_accesses=\d+ code=(\S*)", line):
            notes.append((int(match[1], 16), int(match[2]), match[3]))
    for address, n, text in notes:
        at = 0
        for instr, size in sizes.get((address, n), ()):
            code[instr] = bytes.fromhex(text)[at:at + size]
            at += size
    return code


class Second:
    """What iced-x86 says of instructions."""

    def __init__(self):
        import iced_x86
        self.iced = iced_x86
        self.factory = iced_x86.InstructionInfoFactory()
        self.names = {
            value: name for name, value in vars(iced_x86.Register).items()
            if isinstance(value, int)}
        flow, access = iced_x86.FlowControl, iced_x86.OpAccess
        self.kinds = {
            flow.UNCONDITIONAL_BRANCH: "jump", flow.INDIRECT_BRANCH: "ijump",
            flow.CONDITIONAL_BRANCH: "conditional", flow.CALL: "call",
            flow.INDIRECT_CALL: "icall", flow.RETURN: "return"}
        # What writes on a condition keeps the old value otherwise.
        self.reading = {
            access.READ, access.READ_WRITE, access.COND_READ,
            access.READ_COND_WRITE, access.COND_WRITE}
        self.writing = {
            access.WRITE, access.READ_WRITE, access.COND_WRITE,
            access.READ_COND_WRITE}

    def number(self, register):
        full = self.iced.RegisterExt.full_register(register)
        name = self.names[full]
        if name in NAMES:
            return GENERAL[NAMES.index(name)]
        if name in SEGMENTS:
            return 19 + SEGMENTS.index(name)
        if match := re.match(r"[XYZ]MM(\d+)$", name):
            return 49 + int(match[1])
        if match := re.match(r"(?:ST|MM)(\d)$", name):
            return 32 + int(match[1])
        return name

    def look(self, address, code):
        instr = self.iced.Decoder(64, code, ip=address).decode()
        info = self.factory.info(instr)
        reads, writes = set(), set()
        for used in info.used_registers():
            if used.access in self.reading:
                reads.add(self.number(used.register))
            if used.access in self.writing:
                writes.add(self.number(used.register))
        # Of the x87, iced-x86 counts its own flags among these.
        is_x87 = str(instr).startswith("f")
        if instr.rflags_read and not is_x87:
            reads.add(25)
        if instr.rflags_modified and not is_x87:
            writes.add(25)
        if instr.is_ip_rel_memory_operand:
            reads.add(26)
        kind = self.kinds.get(instr.flow_control)
        if instr.mnemonic == self.iced.Mnemonic.SYSCALL:
            kind = None
        return instr, kind, reads, writes


def kind_of(record):
    """What ChampSim takes a record for, by its registers."""
    writes, reads = set(record[3:5]) - {0}, set(record[5:9]) - {0}
    sp, flags, ip = 6 in reads, 25 in reads, 26 in reads
    other = bool(reads - {6, 25, 26})
    if 26 not in writes:
        return None
    if not sp and not flags and not other:
        return "jump"
    if not sp and not ip and not flags:
        return "ijump"
    if not sp and ip and 6 not in writes:
        return "conditional"
    if sp and ip and 6 in writes and not flags:
        return "icall" if other else "call"
    if sp and not ip and 6 in writes:
        return "return"
    return "other"


def same(have, want, room):
    return have == want if len(want) <= room else \
        have <= want and len(have) == room


def champsim(log, path):
    code, second, seen, problems = code_of(log), Second(), set(), []
    with open(path, "rb") as file:
        records = list(RECORD.iter_unpack(file.read()))
    taken = 0
    for record, following in zip(records, records[1:] + [None]):
        address = record[0]
        is_new = address not in seen
        if is_new and address not in code:
            problems.append(f"{address:#x} has no code")
        seen.add(address)
        if record[1]:
            behind = address + len(code.get(address, b""))
            moved = following is not None and following[0] != behind
            kind = kind_of(record)
            is_taken = moved if kind == "conditional" else True
            if record[2] != is_taken and following is not None:
                problems.append(f"{address:#x} {kind} taken {record[2]}")
            taken += record[2]
        if not is_new or address not in code:
            continue
        instr, kind, reads, writes = second.look(address, code[address])
        if bool(record[1]) != (kind is not None) or kind_of(record) != kind:
            problems.append(f"{instr}: {kind_of(record)}, not {kind}")
        elif kind is None and not str(instr).startswith("vzero"):
            if not same(set(record[5:9]) - {0}, reads, 4):
                problems.append(f"{instr}: reads {record[5:9]}, not {reads}")
            if not same(set(record[3:5]) - {0}, writes, 2):
                problems.append(f"{instr}: writes {record[3:5]}, not {writes}")
    if len(seen) < LEAST:
        problems.append(f"only {len(seen)} instructions")
    print(len(records), "records,", len(seen), "instructions,", taken,
          "branches taken,", len(problems), "differ")
    print("\n".join(problems[:15]))
    return not problems


def din(path, misses, written_back, accesses):
    """An access that crosses a line is two lines of the file, but can only be
    one miss of dg cache: accesses is how many there are in all."""
    import cachesim
    memory = cachesim.MainMemory()
    cache = cachesim.Cache("D1", SETS, WAYS, LINE, "LRU")
    memory.load_to(cache)
    memory.store_from(cache)
    simulator = cachesim.CacheSimulator(cache, memory)
    with open(path, encoding="ascii") as file:
        for line in file:
            label, address = line.split()
            if label == "0":
                simulator.load(int(address, 16), 1)
            else:
                simulator.store(int(address, 16), 1)
    found = cache.stats()
    print("misses:", misses, "written back:", written_back, "not", found)
    crossing = found["LOAD_count"] + found["STORE_count"] - accesses
    most = min(crossing, misses // 100)
    return 0 <= found["MISS_count"] - misses <= most \
        and abs(found["EVICT_count"] - written_back) <= most


def oracle(path, misses):
    import libcachesim
    reader = libcachesim.TraceReader(
        trace=path, trace_type=libcachesim.TraceType.ORACLE_GENERAL_TRACE)
    cache = libcachesim.LRU(cache_size=LINE * WAYS * SETS)
    following, hits, n, problems = {}, 0, 0, []
    for request in reader:
        n += 1
        expected = following.pop(request.obj_id, None)
        if expected is not None and expected != n:
            problems.append(f"request {n} was announced as {expected}")
        following[request.obj_id] = request.next_access_vtime
        hits += cache.get(request)
    print(n, "requests,", n - hits, "misses, dg cache:", misses)
    print("\n".join(problems[:5]))
    return n - hits == misses and not problems


def perfetto(path, chrome):
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2
    trace = perfetto_trace_pb2.Trace()
    with open(path, "rb") as file:
        trace.ParseFromString(file.read())
    open_slices, slices, names, problems = {}, [], {}, []
    for packet in trace.packet:
        if packet.HasField("track_descriptor"):
            track = packet.track_descriptor
            names[track.uuid] = track.thread.thread_name
        elif packet.HasField("track_event"):
            event = packet.track_event
            stack = open_slices.setdefault(event.track_uuid, [])
            if event.type == event.TYPE_SLICE_BEGIN:
                stack.append((event.name, packet.timestamp))
            elif event.type == event.TYPE_SLICE_END and stack:
                name, start = stack.pop()
                slices.append((names[event.track_uuid], name, start,
                               packet.timestamp - start))
            else:
                problems.append(str(packet))
    with open(chrome, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    threads = {e["tid"]: e["args"]["name"] for e in events
               if e["name"] == "thread_name"}
    expected = [(threads[e["tid"]], e["name"], e["ts"], e["dur"])
                for e in events if e["ph"] == "X"]
    print(len(slices), "slices, expected:", len(expected), problems[:3],
          [s for s in open_slices.values() if s][:3])
    return sorted(slices) == sorted(expected) and not problems and \
        not any(open_slices.values()) and len(slices) > 1000


def firefox(path, calls):
    with open(path, encoding="utf-8") as file:
        profile = json.load(file)
    with open(calls, encoding="utf-8") as file:
        rows = {r["function"]: r for r in json.load(file)["rows"]}
    own, inclusive = {}, {}
    for thread in profile["threads"]:
        for table in ("samples", "stackTable", "frameTable", "funcTable"):
            for key, column in thread[table].items():
                if isinstance(column, list):
                    assert len(column) == thread[table]["length"], key
        stacks, samples = thread["stackTable"], thread["samples"]
        names = [thread["stringArray"][thread["funcTable"]["name"][f]]
                 for f in thread["frameTable"]["func"]]
        assert all(a < b for a, b in zip(samples["time"],
                                         samples["time"][1:]))
        assert samples["threadCPUDelta"] == [0] + samples["weight"][:-1]
        for stack, weight in zip(samples["stack"], samples["weight"]):
            if stack is None:
                continue
            name, on = names[stacks["frame"][stack]], set()
            own[name] = own.get(name, 0) + weight
            while stack is not None:
                on.add(names[stacks["frame"][stack]])
                assert stacks["prefix"][stack] is None or \
                    stacks["prefix"][stack] < stack
                stack = stacks["prefix"][stack]
            for name in on:
                inclusive[name] = inclusive.get(name, 0) + weight
    # Code that two functions of the C library share runs without a call.
    bad = [(name, own.get(name, 0), inclusive.get(name, 0), row)
           for name, row in rows.items() if row["module"].endswith("/export")
           if own.get(name, 0) != row["self_instructions"]
           or inclusive.get(name, 0) != row["inclusive_instructions"]]
    print(len(rows), "functions;", len(bad), "differ", bad[:3])
    return not bad and {"main", "add", "mul"} <= set(rows) and \
        profile["meta"]["preprocessedProfileVersion"] == 48


def main():
    what, *args = sys.argv[1:]
    run = {"champsim": champsim, "din": din, "oracle": oracle,
           "perfetto": perfetto, "firefox": firefox}[what]
    if what in ("din", "oracle"):
        args[1:] = map(int, args[1:])
    return 0 if run(*args) else 1


if __name__ == "__main__":
    sys.exit(main())
