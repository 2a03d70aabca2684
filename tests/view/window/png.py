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


def read(name):
    """Width, height, and rows of (r, g, b) of an 8-bit RGB or RGBA file."""
    data = open(name, 'rb').read()
    assert data[:8] == b'\x89PNG\r\n\x1a\n', 'not a PNG'
    at, packed = 8, b''
    while at < len(data):
        length, kind = struct.unpack('>I4s', data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b'IHDR':
            width, height, depth, colour = struct.unpack('>IIBB', body[:10])
        elif kind == b'IDAT':
            packed += body
        at += length + 12
    assert depth == 8 and colour in (2, 6)
    n = 3 if colour == 2 else 4
    raw, stride = zlib.decompress(packed), width * n
    rows, before = [], bytearray(stride)
    for y in range(height):
        start = y * (stride + 1)
        row = unfilter(raw[start], bytearray(raw[start + 1:start + 1 +
                                                 stride]), before, n)
        rows.append([tuple(row[i:i + 3]) for i in range(0, stride, n)])
        before = row
    return width, height, rows


def unfilter(kind, row, before, n):
    for i in range(len(row)):
        a = row[i - n] if i >= n else 0
        b = before[i]
        c = before[i - n] if i >= n else 0
        if kind == 1:
            row[i] = (row[i] + a) & 255
        elif kind == 2:
            row[i] = (row[i] + b) & 255
        elif kind == 3:
            row[i] = (row[i] + (a + b) // 2) & 255
        elif kind == 4:
            p = a + b - c
            nearest = min((abs(p - v), k) for k, v in enumerate((a, b, c)))[1]
            row[i] = (row[i] + (a, b, c)[nearest]) & 255
    return row


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
    return sum(word(pixel) == wanted for row in rows[y:y + height]
               for pixel in row[x:x + width])


if __name__ == '__main__':
    width, height, rows = read(sys.argv[1])
    if sys.argv[2] == 'size':
        print('%dx%d' % (width, height))
    elif sys.argv[2] == 'count':
        print(count(rows, sys.argv[3], *map(int, sys.argv[4:])))
    else:
        numbers = list(map(int, sys.argv[2:]))
        print(' '.join(word(rows[y][x])
                       for x, y in zip(numbers[::2], numbers[1::2])))
