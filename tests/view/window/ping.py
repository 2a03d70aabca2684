# ping.py: asks a window whether it has handled its mouse and keys, by the
# window managers' _NET_WM_PING: the question stands in the same queue as these.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import ctypes
import select
import time
from ctypes import POINTER, byref, c_char_p, c_int, c_long, c_uint, \
    c_ulong, c_void_p

CLIENT_MESSAGE = 33
SUBSTRUCTURE_NOTIFY = 1 << 19


class Message(ctypes.Structure):
    """XClientMessageEvent; an XEvent is this large."""
    _fields_ = [('type', c_int), ('serial', c_ulong), ('send_event', c_int),
                ('display', c_void_p), ('window', c_ulong),
                ('message_type', c_ulong), ('format', c_int),
                ('data', c_long * 5), ('pad', c_long * 24)]


class Server:
    """A connection to the X server of our display."""

    one = None

    @classmethod
    def shared(cls):
        cls.one = cls.one or cls()
        return cls.one

    def __init__(self):
        x = self.x = ctypes.CDLL('libX11.so.6')
        for name, result, *arguments in (
                ('XOpenDisplay', c_void_p, c_char_p),
                ('XDefaultRootWindow', c_ulong, c_void_p),
                ('XInternAtom', c_ulong, c_void_p, c_char_p, c_int),
                ('XSelectInput', c_int, c_void_p, c_ulong, c_long),
                ('XConnectionNumber', c_int, c_void_p),
                ('XPending', c_int, c_void_p),
                ('XNextEvent', c_int, c_void_p, POINTER(Message)),
                ('XSendEvent', c_int, c_void_p, c_ulong, c_int, c_long,
                 POINTER(Message)),
                ('XFree', c_int, c_void_p),
                ('XQueryTree', c_int, c_void_p, c_ulong, POINTER(c_ulong),
                 POINTER(c_ulong), POINTER(POINTER(c_ulong)),
                 POINTER(c_uint)),
                ('XGetWindowProperty', c_int, c_void_p, c_ulong, c_ulong,
                 c_long, c_long, c_int, c_ulong, POINTER(c_ulong),
                 POINTER(c_int), POINTER(c_ulong), POINTER(c_ulong),
                 POINTER(POINTER(c_ulong)))):
            function = getattr(x, name)
            function.restype, function.argtypes = result, arguments
        # Windows may go away between two questions.
        self.ignore = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p)(
            lambda display, error: 0)
        x.XSetErrorHandler(self.ignore)
        self.display = x.XOpenDisplay(None)
        if not self.display:
            raise RuntimeError('no display')
        self.root = x.XDefaultRootWindow(self.display)
        self.protocols, self.ping_atom, self.pid_atom = (
            x.XInternAtom(self.display, name, 0)
            for name in (b'WM_PROTOCOLS', b'_NET_WM_PING', b'_NET_WM_PID'))
        # The answers come here, and what windows go away.
        x.XSelectInput(self.display, self.root, SUBSTRUCTURE_NOTIFY)
        self.number = 0

    def process_of(self, window):
        kind, size, n, left = c_ulong(), c_int(), c_ulong(), c_ulong()
        value = POINTER(c_ulong)()
        self.x.XGetWindowProperty(
            self.display, window, self.pid_atom, 0, 1, 0, 0, byref(kind),
            byref(size), byref(n), byref(left), byref(value))
        pid = value[0] if value and n.value == 1 else None
        if value:
            self.x.XFree(value)
        return pid

    def window_of(self, pid):
        """The lowest window of the process: the one that stays."""
        root, parent, n = c_ulong(), c_ulong(), c_uint()
        children = POINTER(c_ulong)()
        self.x.XQueryTree(self.display, self.root, byref(root), byref(parent),
                          byref(children), byref(n))
        windows = children[:n.value] if children else []
        if children:
            self.x.XFree(children)
        return next((window for window in windows
                     if self.process_of(window) == pid), None)

    def ping(self, pid, patience):
        """True when it has answered, False when it has no window to ask, None
        when it does not answer."""
        end = time.time() + patience
        while True:
            window = self.window_of(pid)
            if window is None:
                return False
            self.number += 1
            question = Message(type=CLIENT_MESSAGE, window=window,
                               message_type=self.protocols, format=32)
            question.data[:3] = self.ping_atom, self.number, window
            self.x.XSendEvent(self.display, window, 0, 0, byref(question))
            answer = self.wait(window, end)
            if answer is not False:
                return answer

    def wait(self, window, end):
        """True when the answer is there, False when the window is not."""
        event = Message()
        descriptor = self.x.XConnectionNumber(self.display)
        while True:
            is_there = self.process_of(window) is not None
            while self.x.XPending(self.display):
                self.x.XNextEvent(self.display, byref(event))
                if event.type == CLIENT_MESSAGE and \
                        event.message_type == self.protocols and \
                        event.data[0] == self.ping_atom and \
                        event.data[1] == self.number:
                    return True
            if not is_there:
                return False
            left = end - time.time()
            if left <= 0:
                return None
            select.select([descriptor], [], [], left)
