#!/bin/bash
# dg record at a terminal: which is the program's alone while that runs; then
# what was recorded.  Keys reach the program, and both end well.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"
export DATAGRIND_VALGRIND=${VALGRIND_DG%% --tool=*}
command -v python3 > /dev/null || skip_all "no python3"

# at_terminal TYPED COMMAND...: runs it at a terminal of its own.  When it says
# "ready", or (progress) how far it has come, that is typed: "^C" and "^\" are
# keys.  ./screen is what was written there; ./ended how it ended.
cat > at_terminal.py << 'END'
# What is typed is not shown.
import os, pty, signal, sys, termios
typed = sys.argv[1].encode()
typed = typed.replace(b'^C', b'\x03').replace(b'^\\', b'\x1c')
wanted = b'accesses/s' if sys.argv[2] == '--progress' else b'ready'
signal.alarm(300)
pid, master = pty.fork()
if pid == 0:
    modes = termios.tcgetattr(0)
    modes[3] &= ~termios.ECHO
    termios.tcsetattr(0, termios.TCSANOW, modes)
    os.execvp(sys.argv[3], sys.argv[3:])
seen = b''
done = False
while True:
    try:
        some = os.read(master, 65536)
    except OSError:
        break
    if not some:
        break
    seen += some
    if not done and wanted in seen:
        done = True
        os.write(master, typed)
status = os.waitpid(pid, 0)[1]
open('screen', 'wb').write(seen)
with open('ended', 'w') as ended:
    if os.WIFSIGNALED(status):
        ended.write('signal %d' % os.WTERMSIG(status))
    else:
        ended.write('status %d' % os.WEXITSTATUS(status))
END
at_terminal () # TYPED WHEN COMMAND...
{
  rm -f screen ended
  TERM=xterm timeout 400 python3 at_terminal.py "$@"
}
cat > talks.sh << 'END'
printf 'ready: half a line'
read -r answer
printf ', the other half: %s\n' "$answer"
END

at_terminal 'yes
' ready "$DG" record -o talks.dgz -- sh talks.sh
is "the exit status" "$(cat ended)" "status 0"
tr -d '\r' < screen > plain
is "the program's words stand as it wrote them" "$(head -n 1 plain)" \
  "ready: half a line, the other half: yes"
check "then the figures, grouped" grep -Eq \
  '^dg: talks\.dgz: [0-9]{1,3}(,[0-9]{3})+ instructions, 1 thread, [0-9]{1,3}(,[0-9]{3})+ accesses, [0-9.]+ [KMG]iB, [0-9.]+ m?s$' \
  plain
is "then what to do next" "$(tail -n 2 plain)" "dg: next: dg advise talks.dgz
dg:   or: dg_view talks.dgz"
is "and nothing else" "$(wc -l < plain)" 4
check "no control characters of ours" \
  test "$(tr -d '\r\n -~' < screen | wc -c)" = 0
check "the archive is good" "$DG" check talks.dgz

# Of a shell and a program, the program is what to look at.
at_terminal 'yes
' ready "$DG" record --trace-children=yes -o made.dgz -- \
  sh -c 'echo ready; read -r answer; sort -R /usr/share/common-licenses/GPL-2 | wc -l'
tr -d '\r' < screen > plain
sort_log=$(for f in made*.dgz; do
  "$DG" info --json "$f" | grep -q '"command": "[^ ]*sort ' && echo "$f"
done)
check "what to look at is the program with the most accesses" \
  grep -qx "dg: next: dg advise $sort_log" plain

at_terminal 'yes
' ready "$DG" record -q -o quiet.dgz -- sh talks.sh
is "--quiet: nothing" "$(tr -d '\r' < screen)" \
  "ready: half a line, the other half: yes"

at_terminal 'yes
' --progress "$DG" record --progress -o progress.dgz -- sh talks.sh
check "--progress: how far it has come" grep -aEq \
  'dg: [0-9,]+ access(es)?, .*, [0-9.]+ [num]?s, [0-9.,]+ ?[kMG]? accesses/s' screen
is "--progress: the exit status" "$(cat ended)" "status 0"

"$DG" record --progress -o lines.dgz -- true 2> messages
check "--progress without a terminal: no control characters" \
  test "$(tr -d '\n -~' < messages | wc -c)" = 0

# Keys.
cat > loops.sh << 'END'
echo ready
while :; do :; done
END
for key in '^C:2' '^\:3'; do
  at_terminal "${key%:*}" ready "$DG" record -o key.dgz -- sh loops.sh
  is "${key%:*} ends both" "$(cat ended)" "signal ${key#*:}"
  check "${key%:*}: the archive is good" "$DG" check key.dgz
  is "${key%:*}: it knows" "$(info key.dgz end) $(info key.dgz signal)" \
    "signal ${key#*:}"
  check "${key%:*}: its figures are shown" grep -q 'dg: key.dgz: ' screen
  check "${key%:*}: it fits together" "$DG" invariants key.dgz
done
cat > catches.sh << 'END'
trap 'echo caught; exit 5' INT
echo ready
while :; do :; done
END
at_terminal '^C' ready "$DG" record -o catch.dgz -- sh catches.sh
is "a program that catches it ends as it wants" "$(cat ended)" "status 5"
check "which it says" grep -q caught screen
check "its archive is good" "$DG" check catch.dgz

done_testing
