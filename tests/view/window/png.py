# png.py: what is in a picture, for tests.
#   png.py FILE size          prints WIDTHxHEIGHT
#   png.py FILE X Y...        prints the colour of each pixel as a word:
#                             green red yellow dark white blue other
#   png.py FILE count WORD X Y WIDTH HEIGHT
#                             prints how many pixels there have it
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import struct
import sys
import zlib
from collections import Counter
from itertools import accumulate


def read(name, most=None):
    """Width, height, and rows of (r, g, b) of an 8-bit RGB or RGBA file, the
    first `most` of them."""
    with open(name, 'rb') as file:
        data = file.read()
    assert data[:8] == b'\x89PNG\r\n\x1a\n', 'not a PNG'
    at, packed = 8, []
    while at < len(data):
        length, kind = struct.unpack('>I4s', data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b'IHDR':
            width, height, depth, colour = struct.unpack('>IIBB', body[:10])
        elif kind == b'IDAT':
            packed.append(body)
        at += length + 12
    assert depth == 8 and colour in (2, 6)
    n = 3 if colour == 2 else 4
    raw, stride = zlib.decompress(b''.join(packed)), width * n
    assert len(raw) == height * (stride + 1), 'rows are missing'
    rows, before, pixels = [], bytes(stride), None
    for y in range(height if most is None else min(most, height)):
        start = y * (stride + 1)
        row = unfilter(raw[start], raw[start + 1:start + 1 + stride], before,
                       n)
        if pixels is None or row != before:
            pixels = list(zip(row[0::n], row[1::n], row[2::n]))
        rows.append(pixels)
        before = row
    return width, height, rows


def unfilter(kind, row, before, n):
    """Rows are long, and many: the two filters that most of them have are not
    undone byte by byte here."""
    if kind == 0:
        return row
    if kind == 1:
        sums = bytearray(len(row))
        for i in range(n):
            sums[i::n] = bytes(x & 255 for x in accumulate(row[i::n]))
        return bytes(sums)
    if kind == 2:
        return add(row, before)
    row = bytearray(row)
    for i in range(len(row)):
        a = row[i - n] if i >= n else 0
        b = before[i]
        if kind == 3:
            row[i] = (row[i] + (a + b) // 2) & 255
        elif kind == 4:
            c = before[i - n] if i >= n else 0
            if b == c:
                best = a
            elif a == c:
                best = b
            else:
                p = a + b - c
                best = min((abs(p - v), k, v)
                           for k, v in enumerate((a, b, c)))[2]
            row[i] = (row[i] + best) & 255
    return bytes(row)


def add(row, other):
    """Byte by byte, modulo 256: all at once, the highest bits apart."""
    n = len(row)
    high = int.from_bytes(b'\x80' * n, 'big')
    a, b = int.from_bytes(row, 'big'), int.from_bytes(other, 'big')
    return (((a & ~high) + (b & ~high)) ^ ((a ^ b) & high)).to_bytes(n, 'big')


def word(rgb):
    r, g, b = rgb
    if max(rgb) < 40:
        return 'dark'
    if min(rgb) > 200:
        return 'white'
    if b < 130 and r > 1.5 * g:
        return 'red'
    if b < 130 and g > 1.5 * r:
        return 'green'
    if b < 130 and r > 1.5 * b and g > 1.5 * b:
        return 'yellow'
    if r < 100 and b > 1.5 * g:
        return 'blue'
    return 'other'


def count(rows, wanted, x, y, width, height):
    """Pixels of a rectangle with that word."""
    colours = Counter(pixel for row in rows[y:y + height]
                      for pixel in row[x:x + width])
    return sum(n for rgb, n in colours.items() if word(rgb) == wanted)


def main(name, what, *words):
    if what == 'size':
        print('%dx%d' % read(name, 0)[:2])
    elif what == 'count':
        x, y, width, height = map(int, words[1:])
        print(count(read(name, y + height)[2], words[0], x, y, width, height))
    else:
        numbers = [int(what), *map(int, words)]
        rows = read(name, max(numbers[1::2]) + 1)[2]
        print(' '.join(word(rows[y][x])
                       for x, y in zip(numbers[::2], numbers[1::2])))


if __name__ == '__main__':
    main(*sys.argv[1:])
