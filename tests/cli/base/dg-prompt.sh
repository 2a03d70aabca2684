# dg-prompt.sh: dg at the prompt: the logs of a folder, what was meant by a
# mistyped word, help, and colours.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

# ---- Logs of a folder ----------------------------------------------------------

run dg
status 2
no_out
err << 'END'
dg: no command is given, and there are no logs in this folder
Try 'dg --help'.
END

mkdir logs && cd logs || exit 99
assemble_small raw
"$DG" pack raw -o old.dgz
assemble_small 'a name
with a line'
head -c 200 raw > cut
head -c 100 old.dgz > short.dgz
printf 'no log\n' > notes.txt
: > empty
mkfifo pipe
mkdir folder
touch -d '2020-01-02 03:04' old.dgz
touch -d '2021-01-02 03:04' raw
touch -d '2022-01-02 03:04' cut
touch -d '2023-01-02 03:04' short.dgz
touch -d '2024-01-02 03:04' 'a name
with a line'
run dg
status 0
no_err
sed '1,/^Log /d; /^$/,$d; s/ .*//' stdout | tr '\n' ' ' > order
[ "$(cat order)" = 'a short.dgz cut raw old.dgz ' ]
report 'the newest is first, other files are not there' stdout order
grep -Eq '^raw +prog +2021-01-02 03:04 +[0-9]+ +[0-9]+ B *$' stdout
report 'program, time, accesses and size' stdout
grep -Eq '^cut .* cut short$' stdout && grep -Eq '^short.dgz .* cut short$' \
  stdout
report 'those that are not whole' stdout
out_has 'a name\x0awith a line'
"$DG" info raw | sed -n 's/^Accesses *\([0-9,]*\).*/\1/p' > accesses
grep -E '^old.dgz' stdout | grep -q " $(cat accesses) "
report 'an archive has the same figures' stdout accesses
rm -f accesses order
title='hundreds of archives'
for ((i = 0; i < 300; i++)); do ln old.dgz "copy$i.dgz"; done
run dg
[ "$(grep -c '^copy.*2020-01-02' stdout)" = 300 ]
report 'are listed' stdout
cd .. || exit 99

# ---- What was meant ------------------------------------------------------------

assemble_small log
while IFS='|' read -r words hint; do
  # shellcheck disable=SC2086
  run dg $words
  status 2
  err_has "$hint"
done << 'END'
inof log|there is no command 'inof'; did you mean 'info'?
cuonts log|did you mean 'counts'
hlep log|did you mean 'help'
counts,cahce log|did you mean 'cache'
help cuonts|did you mean 'counts'
--versoin|unknown option '--versoin'; did you mean 'version'?
info --jsno log|Unknown option --jsno; did you mean 'json'
counts --programm log|Unknown option --programm; did you mean 'program'?
heap --alloc-fm=x log|did you mean 'alloc-fn'
record -z -- log|unknown option '-z'
diff|no BEFORE is given
diff counts|no BEFORE is given
diff counts log|no AFTER is given
advise --format=gc log|did you mean 'gcc'?
END
run dg counts --xyzzy log
status 2
err << 'END'
dg: counts: Unknown option --xyzzy
Try 'dg counts --help'.
END
run dg counts -Z log
status 2
err << 'END'
dg: counts: Unknown option -Z
Try 'dg counts --help'.
END

# ---- Help ----------------------------------------------------------------------

"$DG" counts --help > wanted
run dg help counts
status 0
diff wanted stdout > difference
report 'is that of --help' difference
mkdir bin
cat > bin/man << 'END'
#!/bin/sh
case "$*" in
'-w dg-counts') exit 0 ;;
-w*) exit 16 ;;
*) echo "man $*" ;;
esac
END
chmod +x bin/man
while read -r command page; do
  run env PATH="$work/bin:$PATH" "$DG" help --man $command
  title="dg help --man $command"
  out_has "man $page"
done << 'END'
counts dg-counts
info dg
END

# ---- Colours -------------------------------------------------------------------

command -v python3 > /dev/null || {
  skip 'no python3'
  finish
  exit 0
}
cat > at_terminal.py << 'END'
"""Runs a command with a terminal as its standard output; prints what came."""
import os, pty, sys
pid, master = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
seen = b''
while True:
    try:
        part = os.read(master, 65536)
    except OSError:
        break
    if not part:
        break
    seen += part
os.waitpid(pid, 0)
sys.stdout.buffer.write(seen.replace(b'\r\n', b'\n'))
END
# at_terminal VARIABLE=VALUE... COMMAND...
at_terminal ()
{
  env -u NO_COLOR TERM=xterm COLUMNS=80 "$@" > screen
}
escape=$(printf '\033')
title='a terminal'
"$DG" reuse log > piped
at_terminal NO_COLOR=1 python3 at_terminal.py "$DG" reuse log
cp screen plain
at_terminal python3 at_terminal.py "$DG" reuse log
grep -q "^$escape\[1mDistances" screen &&
  grep -q "$escape\[4mMisses$escape\[0m" screen &&
  grep -q "$escape\[36m█" screen
report 'has titles, heads and bars' screen
sed "s/$escape\[[0-9]*m//g" screen | diff plain - > difference
report 'has the same text' difference
head -c 300 log > cut
at_terminal python3 at_terminal.py "$DG" counts cut
grep -q "$escape\[33mCaution: " screen
report 'has cautions' screen
for unwanted in NO_COLOR=1 TERM=dumb; do
  title=$unwanted
  at_terminal $unwanted python3 at_terminal.py "$DG" reuse log
  ! grep -q "$escape" screen && [ -s screen ]
  report 'has no colours' screen
done
title='a terminal, --json'
at_terminal python3 at_terminal.py "$DG" reuse --json log
! grep -q "$escape" screen && [ -s screen ]
report 'has no colours' screen
title='a pipe'
! grep -q "$escape" piped && [ -s piped ]
report 'has no colours' piped
finish
