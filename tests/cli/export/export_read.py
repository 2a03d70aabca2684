"""export_read.py: shows binary exports as text, by what the documentation of
their formats says; shares nothing with dg.

    export_read.py champsim|oracle|drmemtrace|gem5 FILE

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""

import struct
import sys

DRMEMTRACE = {
    0: "read", 1: "write", 10: "instr", 11: "jump", 12: "indirect-jump",
    13: "conditional", 14: "call", 15: "indirect-call", 16: "return",
    22: "thread", 23: "exit", 24: "pid", 25: "header", 26: "footer",
    28: "marker", 29: "no-fetch", 47: "encoding"}


def champsim(data):
    for ip, branch, taken, d0, d1, s0, s1, s2, s3, *memory in \
            struct.iter_unpack("<QBB2B4B6Q", data):
        print(f"{ip:#x} branch={branch}{taken}",
              "writes=" + ",".join(str(r) for r in (d0, d1) if r),
              "reads=" + ",".join(str(r) for r in (s0, s1, s2, s3) if r),
              "W", *(hex(a) for a in memory[:2] if a),
              "R", *(hex(a) for a in memory[2:] if a))


def oracle(data):
    for record in struct.iter_unpack("<IQIq", data):
        print(*record)


def drmemtrace(data):
    # 32-bit programs have shorter addresses; the header's is below 2^32.
    form = "<HHQ" if struct.unpack_from("<HHIH", data)[3] == 0 else "<HHI"
    for kind, size, address in struct.iter_unpack(form, data):
        print(DRMEMTRACE[kind], size, hex(address))


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(message):
    at = 0
    while at < len(message):
        key, at = varint(message, at)
        value, at = varint(message, at)
        if key & 7 == 2:
            value, at = message[at:at + value], at + value
        yield key >> 3, value


def gem5(data):
    assert data[:4] == b"gem5"
    names = {0: ["", "obj_id", "ver", "tick_freq"],
             1: ["", "tick", "cmd", "addr", "size", "flags", "pkt_id", "pc"]}
    at, is_packet = 4, 0
    while at < len(data):
        length, at = varint(data, at)
        print(*(f"{names[is_packet][number]}={value}"
                for number, value in fields(data[at:at + length])))
        at, is_packet = at + length, 1


def main():
    with open(sys.argv[2], "rb") as file:
        data = file.read()
    {"champsim": champsim, "oracle": oracle, "drmemtrace": drmemtrace,
     "gem5": gem5}[sys.argv[1]](data)


if __name__ == "__main__":
    main()
