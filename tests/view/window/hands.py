# hands.py: mouse and keys for the window, by the XTest extension, as xdotool
# makes them, whose words it takes; without a process for each.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import ctypes
from ctypes import c_char_p, c_int, c_uint, c_ulong, c_void_p

import ping

# As xdotool calls them.
SHORT = {'alt': 'Alt_L', 'ctrl': 'Control_L', 'control': 'Control_L',
         'meta': 'Meta_L', 'shift': 'Shift_L', 'super': 'Super_L'}
SHIFT = 'Shift_L'


class Hands:
    """On the mouse and the keys of our display."""

    one = None

    @classmethod
    def shared(cls):
        cls.one = cls.one or cls()
        return cls.one

    def __init__(self):
        server = ping.Server.shared()
        self.x, self.display = server.x, server.display
        test = self.test = ctypes.CDLL('libXtst.so.6')
        for library, name, result, *arguments in (
                (self.x, 'XSync', c_int, c_void_p, c_int),
                (self.x, 'XStringToKeysym', c_ulong, c_char_p),
                (self.x, 'XkbKeycodeToKeysym', c_ulong, c_void_p, c_uint,
                 c_int, c_int),
                (test, 'XTestFakeMotionEvent', c_int, c_void_p, c_int, c_int,
                 c_int, c_ulong),
                (test, 'XTestFakeButtonEvent', c_int, c_void_p, c_uint, c_int,
                 c_ulong),
                (test, 'XTestFakeKeyEvent', c_int, c_void_p, c_uint, c_int,
                 c_ulong)):
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
        # What each key types: (its number, whether Shift is pressed).
        self.keys = {}
        for code in range(255, 7, -1):
            for level in 1, 0:
                symbol = self.x.XkbKeycodeToKeysym(self.display, code, 0,
                                                   level)
                self.keys[symbol] = code, level == 1

    def button(self, number, is_down):
        self.test.XTestFakeButtonEvent(self.display, number, is_down, 0)

    def codes(self, symbol):
        """The keys to press for one that is called so."""
        name = SHORT.get(symbol, symbol).encode()
        number = self.x.XStringToKeysym(name)
        if number == 0 and len(symbol) == 1:
            number = ord(symbol)        # Latin-1 has the numbers of Unicode
        code, is_shifted = self.keys[number]
        shift = [self.keys[self.x.XStringToKeysym(SHIFT.encode())][0]]
        return (shift if is_shifted else []) + [code]

    def press(self, codes, is_down):
        for code in codes:
            self.test.XTestFakeKeyEvent(self.display, code, is_down, 0)

    def key(self, combination):
        """Such as ctrl+shift+c."""
        codes = [code for symbol in combination.split('+')
                 for code in self.codes(symbol)]
        self.press(codes, True)
        self.press(reversed(codes), False)

    def do(self, *words):
        """All of them; the server has them when this returns."""
        words = [str(word) for word in words]
        while words:
            command, options = words.pop(0), {}
            while words and words[0].startswith('--'):
                name = words.pop(0)
                options[name] = int(words.pop(0))
            if command == 'mousemove':
                self.test.XTestFakeMotionEvent(
                    self.display, -1, int(words.pop(0)), int(words.pop(0)), 0)
            elif command in ('click', 'mousedown', 'mouseup'):
                self.click(command, int(words.pop(0)), options)
            elif command in ('key', 'keydown', 'keyup'):
                while words and words[0] not in COMMANDS:
                    self.keys_of(command, words.pop(0), options)
            elif command == 'type':
                for character in words.pop(0):
                    codes = self.codes(character)
                    self.press(codes, True)
                    self.press(reversed(codes), False)
            else:
                raise ValueError(command)
        self.x.XSync(self.display, False)

    def click(self, command, number, options):
        """Several at once: if each waited for this script, a busy machine
        would make single clicks of a double one.  The server, which says when
        an event was, has them one after the other."""
        for i in range(options.get('--repeat', 1)):
            if command != 'mouseup':
                self.button(number, True)
            if command != 'mousedown':
                self.button(number, False)

    def keys_of(self, command, combination, options):
        for _ in range(options.get('--repeat', 1)):
            if command == 'key':
                self.key(combination)
            else:
                self.press(self.codes(combination), command == 'keydown')


COMMANDS = {'mousemove', 'click', 'mousedown', 'mouseup', 'key', 'keydown',
            'keyup', 'type'}
