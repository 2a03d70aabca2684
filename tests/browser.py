# browser.py: a page in a browser without a window, until the page has told what
# was asked of it.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later
#
#     browser.py BROWSER PAGE FOLDER
#
# The page is served at /, and what is in the folder beside it, to this machine
# alone.  It says `fetch ("/told", { method: "POST", body: TEXT })`; the text is
# printed.  Exit status 3: the browser did not start.

import functools
import http.server
import subprocess
import sys
import tempfile
import threading

browser, page, folder = sys.argv[1:]
told = []
asked = threading.Event()
ended = threading.Event()


class Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        if self.path != '/':
            super().do_GET()
            return
        asked.set()
        text = open(page, 'rb').read()
        self.send_response(200)
        self.send_header('Content-Type', 'text/html; charset=utf-8')
        self.send_header('Content-Length', str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_POST(self):
        told.append(self.rfile.read(int(self.headers['Content-Length'])))
        self.send_response(204)
        self.end_headers()
        ended.set()

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(
    ('127.0.0.1', 0), functools.partial(Handler, directory=folder))
threading.Thread(target=server.serve_forever, daemon=True).start()
with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
    child = subprocess.Popen(
        [browser, '--headless', '--no-sandbox', '--disable-quic',
         '--no-first-run', '--no-proxy-server', '--use-gl=angle',
         '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
         '--disable-background-networking', '--disable-sync',
         '--disable-component-update', '--window-size=1200,900',
         '--remote-debugging-port=0', '--user-data-dir=' + profile,
         'http://127.0.0.1:%d/' % server.server_port],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def watch():
        child.wait()
        ended.set()

    threading.Thread(target=watch, daemon=True).start()
    # No more than a limit on what never ends.
    ended.wait(600)
    child.kill()
    child.wait()
if not asked.is_set():
    sys.exit(3)
sys.stdout.buffer.write(b''.join(told))
