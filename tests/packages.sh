#!/bin/bash
# The Debian packages have what `make install` installs: each file is in one of
# them, or in debian/not-installed, and each line of a list is of use.  Symbols
# and packages that are needed to build are those of the rest of the tree.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

debian=${abs_top_srcdir:?}/debian
if [ ! -d "$debian" ]; then
  echo '1..0 # SKIP a tarball has no debian/'
  exit 0
fi
. "$abs_top_srcdir/tests/rule.sh"
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

# ---- Files ------------------------------------------------------------------

# build NAME...: make, of the top of the build, by itself.
build ()
{
  env -u MAKEFLAGS -u MAKELEVEL make -s -C "${abs_top_builddir:?}" "$@"
}

# The folders of this build, and what they are called in packages.
cat >"$work/show.mk" <<'MAKE'
include Makefile
show:
	@test -z '$(PYTHON)' || \
	  echo 's,^$(pythondir)/,usr/lib/python3/dist-packages/,'
	@echo 's,^$(libdir)/,usr/lib/x86_64-linux-gnu/,'
	@echo 's,^$(prefix)/,usr/,'
MAKE
build -f "$work/show.mk" show >"$work/folders"
what=$(build -f - show <<'MAKE'
include Makefile
show:
	@echo '$(if $(BUILD_VIEW_TRUE),no viewer) $(if $(BUILD_PYTHON_TRUE),no module)'
MAKE
)
if [ -n "${what// /}" ]; then
  echo "1..0 # SKIP not all is built: $what"
  exit 0
fi

# The tool goes where Valgrind is, and it may not be built.
build install DESTDIR="$work/root" tool_all= tool_install= \
  >"$work/log" 2>&1 </dev/null || sed 's/^/# /' "$work/log" | tail -n 20
{ (cd "$work/root" && find . -type f -o -type l) | sed 's,^\.,,' |
    sed -f "$work/folders"
  echo usr/libexec/valgrind/exp-datagrind-amd64-linux
} | sort >"$work/installed"
[ "$(wc -l <"$work/installed")" -gt 60 ] || echo "too few files" |
  rule "make install installs something"

# A file or a folder, relative to the root; Python's glob, as of dh_install.
python3 - "$debian" "$work/installed" >"$work/bad" <<'PYTHON'
import fnmatch, glob, os, re, sys

debian, installed = sys.argv[1:]
with open(installed, encoding="utf-8") as file:
    files = file.read().split()
owners = {name: set() for name in files}


def lines(path):
    """Lines of a list, without comments."""
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                yield line.split()[0]


def matches(pattern, name):
    """dh_install: * stops at /, and a folder is all that is in it."""
    parts = [fnmatch.translate(part)[:-2] for part in pattern.split("/")]
    regex = "/".join(part.replace(".*", "[^/]*") for part in parts)
    return re.match(regex + r"(/|\Z)", name) is not None


for path in sorted(glob.glob(os.path.join(debian, "*.install"))) + [
        os.path.join(debian, "not-installed")]:
    package = os.path.basename(path)
    for pattern in lines(path):
        # Files of debian/ itself are installed as they are.
        if pattern.startswith("debian/"):
            if not os.path.exists(os.path.join(os.path.dirname(debian),
                                               pattern)):
                print(package + ": " + pattern + ": does not exist")
            continue
        found = [name for name in files if matches(pattern, name)]
        if not found:
            print(package + ": " + pattern + ": is not installed")
        for name in found:
            owners[name].add(package)
for name, packages in owners.items():
    # What not every architecture has is in both.
    some = packages - {"not-installed"}
    if not packages:
        print(name + ": in no package")
    elif len(some) > 1:
        print(name + ": in " + " and ".join(sorted(some)))
PYTHON
[ $? = 0 ] || echo "the lists cannot be compared" >>"$work/bad"
rule "the packages have what make install installs" <"$work/bad"

# ---- Symbols ----------------------------------------------------------------

# What the list should be: a new function has the version of its part.
{ sed '/^ /d' "$debian/libdatagrind1.symbols"
  awk '/^LIBDATAGRIND_/ { v = $1; number = substr (v, 14)
                          print " " v "@" v " " number }
       /^  dg_/ { sub (";", ""); print " " $1 "@" v " " number }' \
    "$abs_top_srcdir/lib/libdatagrind.map" | sort
} >"$work/symbols"
diff "$debian/libdatagrind1.symbols" "$work/symbols" |
  rule "libdatagrind1.symbols has the symbols of libdatagrind.map"

# ---- Build-Depends ----------------------------------------------------------

# Both lists say what a build needs; debhelper and tests are not of both.
sed -n '/^PACKAGES="/,/^"/p' "$abs_top_srcdir/bootstrap" |
  tr -s ' \n' '\n' | sort -u >"$work/bootstrap"
sed -n '/^Build-Depends:/,/^$/p' "$debian/control" |
  sed -n 's/^ \([a-z0-9][^ ,]*\).*/\1/p' | grep -vE '^(debhelper|dh-|pkgconf)' |
  sort -u | comm -23 - "$work/bootstrap" |
  rule "bootstrap installs what packages are built with"
grep -E -- '-dev$' "$work/bootstrap" | grep -v '^dpkg-' | while read -r package; do
  grep -q "^ $package\\b" "$debian/control" || echo "$package"
done | rule "packages are built with the libraries that bootstrap installs"

echo "1..$n"
