# window.sh: runs a drive_NAME.py, which drives the window: mouse and keys by
# xdotool, what it shows by the accessibility tree (drive.py).  Each has a
# display, a session and a folder of its own, so all can run at once.
#
#   window.sh drive_NAME.py
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

skip_all ()
{
  echo "1..0 # SKIP $1"
  exit 0
}

[ -n "$DG_VIEW" ] || skip_all 'dg_view is not built (--disable-view)'
for command in Xvfb xdotool dbus-run-session; do
  command -v $command > /dev/null || skip_all "$command is not installed"
done
# The distribution's python has its packages; the first in PATH need not.
python=
for candidate in python3 /usr/bin/python3; do
  "$candidate" -c 'import gi
gi.require_version ("Atspi", "2.0")
from gi.repository import Atspi' 2> /dev/null && python=$candidate && break
done
[ -n "$python" ] || skip_all \
  'python3 has no Atspi (Debian: python3-gi gir1.2-atspi-2.0)'

script=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
work=$(mktemp -d) || exit 99
server=
trap 'cd /; [ -z "$server" ] || kill $server 2> /dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 99

# It writes its number when it is ready; its end ends the wait, too.
mkfifo display
Xvfb -displayfd 3 -noreset -fbdir "$work" -screen 0 1400x900x24 3> display > /dev/null 2>&1 &
server=$!
read -r number < display || skip_all 'Xvfb does not start'
DISPLAY=:$number
export DISPLAY DG_VIEW_SCREEN=$work/Xvfb_screen0
unset WAYLAND_DISPLAY
# The theme is GTK's own, light or dark as the program says.
unset GTK_THEME
export GDK_BACKEND=x11 LIBGL_ALWAYS_SOFTWARE=1 GSETTINGS_BACKEND=memory
# In a build with sanitizers: GTK keeps what it has read.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
# Nothing of the user's session.
export HOME=$work XDG_RUNTIME_DIR=$work XDG_CONFIG_HOME=$work
export XDG_DATA_HOME=$work XDG_CACHE_HOME=$work
unset LANGUAGE DEBUGINFOD_URLS NO_AT_BRIDGE GTK_A11Y AT_SPI_BUS_ADDRESS DG_EDITOR

# What the session's services print is no TAP.
dbus-run-session -- sh -c 'exec "$@" >&3' sh \
  "$python" -B "$script" 3>&1 > messages 2>&1
result=$?
[ $result = 0 ] || sed 's/^/# /' messages | tail -n 30
exit $result
