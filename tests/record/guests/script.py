# script.py: lines that read or write one byte of `data` each time they run.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import _thread, ctypes, sys             # threading takes longer than all this

data = bytearray(4096)
place = (ctypes.c_char * 4096).from_buffer(data)
mark = ctypes.CDLL(sys.argv[1]).mark
mark.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p
mark(ctypes.addressof(place), 4096, b"data")


def fill(n):
    for i in range(n):
        data[i] = 1                         # fill


def total(n):
    s = 0
    for i in range(n):
        s += data[i]                        # total
    return s


def recurse(n):
    if n > 0:
        recurse(n - 1)
    return data[n]                          # recurse


class Reader:
    def __init__(self, at):
        self.at = at

    def read(self):
        return data[self.at]                # read

    def all(self, n):
        return sum(data[i] for i in range(n))   # generator


def by_callback(n):
    return sorted(range(n), key=lambda i: data[i])  # callback


def made(i):
    names = {}
    exec(f"def made_{i}(data): return data[7]", names)
    return names[f"made_{i}"](data)


def fails():
    try:
        data[1] / 0                         # fails
    except ZeroDivisionError:
        return data[2]                      # fails too


def häufig():
    return data[3]                          # names


def in_thread():
    for i in range(300):
        data[i]                             # thread


fill(1000)
total(700)
recurse(200)
reader = Reader(5)
for i in range(60):
    reader.read()
reader.all(90)
by_callback(110)
for i in range(20):
    made(i)
fails()
häufig()


def thread(ended):
    in_thread()
    ended.release()


locks = [_thread.allocate_lock() for i in range(2)]
for lock in locks:
    lock.acquire()
    _thread.start_new_thread(thread, (lock,))
for lock in locks:
    lock.acquire()
print("done")
