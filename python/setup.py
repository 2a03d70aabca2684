"""The extension of the Python module: where libdatagrind is.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""

import glob
import os
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_py import build_py


def pkg_config(*arguments):
    """What pkg-config says of libdatagrind, as words."""
    command = os.environ.get("PKG_CONFIG", "pkg-config")
    if shutil.which(command) is None:
        sys.exit("error: pkg-config is not installed (Debian: pkg-config)")
    done = subprocess.run([command, *arguments, "datagrind"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          universal_newlines=True, check=False)
    if done.returncode != 0:
        sys.exit("error: libdatagrind is not installed, or pkg-config does "
                 "not find its datagrind.pc: install Datagrind first, and set "
                 "PKG_CONFIG_PATH=PREFIX/lib/pkgconfig if its prefix is not "
                 "/usr or /usr/local")
    return done.stdout.split()


class BuildWithMethods(build_py):
    """Makes methods.py from the commands of the dg that is installed."""

    def run(self):
        super().run()
        prefix, = pkg_config("--variable=exec_prefix")
        program = os.environ.get("DATAGRIND_DG",
                                 os.path.join(prefix, "bin", "dg"))
        if shutil.which(program) is None:
            sys.exit(f"error: {program} is not installed; set DATAGRIND_DG to "
                     "the path of dg if it is elsewhere")
        folder = "datagrind"
        if not getattr(self, "editable_mode", False):
            folder = os.path.join(self.build_lib, folder)
        subprocess.run([sys.executable, "make_methods.py", program,
                        os.path.join(folder, "methods.py")], check=True)


def build():
    """The setup itself, which must be run in this folder."""
    libdir, = pkg_config("--variable=libdir")
    prefix, = pkg_config("--variable=exec_prefix")
    rpath = []
    if libdir not in ("/usr/lib", "/usr/local/lib"):
        rpath = ["-Wl,-rpath," + libdir]
    native = Extension(
        "datagrind._native",
        sorted(glob.glob("native/*.c")),
        define_macros=[("Py_LIMITED_API", "0x03090000"), ("_GNU_SOURCE", None),
                       ("DATAGRIND_BINDIR", '"%s/bin"' % prefix)],
        extra_compile_args=["-std=gnu11", "-fvisibility=hidden",
                            *pkg_config("--cflags")],
        extra_link_args=[*pkg_config("--libs"), *rpath],
        depends=sorted(glob.glob("native/*.h")),
        py_limited_api=True)
    setup(ext_modules=[native], cmdclass={"build_py": BuildWithMethods},
          options={"bdist_wheel": {"py_limited_api": "cp39"}})


build()
