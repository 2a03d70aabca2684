# tree.py: what is in a window, all of it by one question: the one by which a
# screen reader fills its cache.  To go from node to node takes three questions
# for each of some hundred.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import functools
import struct
import sys

import gi

gi.require_version('Atspi', '2.0')
from gi.repository import Atspi, Gio, GLib  # noqa: E402

SHOWING = 1 << int(Atspi.StateType.SHOWING)
NUMBER = struct.Struct('=I')


@functools.cache
def role_name(role):
    """The same in all versions: AT-SPI 2.54 calls a push button "button"."""
    name = Atspi.role_get_name(role)
    return 'push button' if name == 'button' else name


Atspi.Accessible.get_role_name = lambda node: role_name(node.get_role())


class Bus:
    """The bus of assistive programs."""

    one = None

    @classmethod
    def shared(cls):
        cls.one = cls.one or cls()
        return cls.one

    def __init__(self):
        session = Gio.bus_get_sync(Gio.BusType.SESSION, None)
        address, = self.ask(session, 'org.a11y.Bus', '/org/a11y/bus',
                            'org.a11y.Bus', 'GetAddress').unpack()
        self.bus = Gio.DBusConnection.new_for_address_sync(
            address, Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT |
            Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)

    @staticmethod
    def ask(bus, name, path, interface, method, arguments=None,
            patience=GLib.MAXINT):
        return bus.call_sync(name, path, interface, method, arguments, None,
                             Gio.DBusCallFlags.NONE, patience, None)

    def of_bus(self, method, *words):
        name = 'org.freedesktop.DBus'
        return self.ask(self.bus, name, '/org/freedesktop/DBus', name, method,
                        GLib.Variant('(s)', words) if words else None
                        ).unpack()[0]

    def name_of(self, pid):
        """The process's name on the bus."""
        for name in self.of_bus('ListNames'):
            try:
                if name[0] == ':' and \
                        self.of_bus('GetConnectionUnixProcessID', name) == pid:
                    return name
            except GLib.Error:
                pass                    # it has just left
        return None

    def items(self, name):
        """What all the nodes of a program are: a((so)(so)(so)iiassusau), as
        GVariant has it in memory."""
        return self.ask(self.bus, name, '/org/a11y/atspi/cache',
                        'org.a11y.atspi.Cache', 'GetItems'
                        ).get_data_as_bytes().get_data()


class Node:
    """What it was when it was asked for."""

    __slots__ = 'item', 'ends', 'number', 'states'

    def __init__(self, item):
        # The ends of its members, but of the last one, stand behind it, that
        # of the first one last.
        size = 1 if len(item) < 1 << 8 else 2 if len(item) < 1 << 16 else 4
        ends = struct.unpack_from({1: '=6B', 2: '=6H', 4: '=6I'}[size], item,
                                  len(item) - 6 * size)
        self.item, self.ends = item, ends
        self.number, = NUMBER.unpack_from(item, aligned(ends[1]))
        self.states, = NUMBER.unpack_from(item, aligned(ends[0]))

    def path(self):
        return self.item[:self.ends[5]].split(b'\0', 2)[1].decode()

    def get_name(self):
        return self.item[self.ends[2]:self.ends[1] - 1].decode(
            errors='replace')

    def get_role_name(self):
        return role_name(Atspi.Role(self.number))

    def get_description(self):
        return self.item[aligned(self.ends[1]) + 4:self.ends[0] - 1].decode(
            errors='replace')

    def is_showing(self):
        return bool(self.states & SHOWING)


def aligned(at):
    return (at + 3) & ~3


def elements(data):
    """Of an array whose elements have different sizes: their ends follow
    them, in words that are as long as they must be."""
    if not data:
        return
    size = 1 if len(data) < 1 << 8 else 2 if len(data) < 1 << 16 else 4
    start = int.from_bytes(data[-size:], sys.byteorder)
    at = 0
    for end, in struct.iter_unpack({1: '=B', 2: '=H', 4: '=I'}[size],
                                   data[start:]):
        yield data[at:end]
        at = aligned(end)


def nodes(bus_name, text=''):
    """All of a program that have a text, in no order: what is their parent is
    not always what leads to them.  Cells of tables are not among them, nor
    headers."""
    data, text = Bus.shared().items(bus_name), text.encode()
    return [Node(item) for item in elements(data) if text in item] \
        if text in data else []
