# names.sh: what a log calls its functions, files, events, ranges and threads
# does nothing to the terminal, the page, the shell and the files that they are
# written to.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

assemble log < "$abs_srcdir/neighbours/names.text"

# clean FILE: only text, as far as a terminal is told.
clean ()
{
  python3 - "$1" > difference 2>&1 << 'END'
import sys, unicodedata
with open(sys.argv[1], 'rb') as file:
    data = file.read()
try:
    text = data.decode()
except UnicodeDecodeError as error:
    print('no UTF-8:', error)
    text = data.decode(errors='replace')
bad = {c for c in text if c not in '\n\t' and
       (unicodedata.category(c) in ('Cc', 'Zl', 'Zp') or
        c in '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067'
             '\u2068\u2069')}
if bad:
    print([hex(ord(c)) for c in bad])
END
  [ ! -s difference ]
  report "$1 has text only" difference
}

# ---- Terminal ----

for command in info check 'dump' 'dump --accesses' counts 'counts --by=function' \
    'counts --by=line' 'cache --by=function' 'calls' 'heap' 'heap --sites' \
    'allocs leaks' 'allocs stats' 'patterns' 'sharing' 'pages' \
    'reuse' 'invariants' 'advise' 'counts --by=thread'; do
  # shellcheck disable=SC2086
  run dg $command log
  [ "$exit_status" -lt 2 ]
  report "ends, with $exit_status" stderr
  clean stdout
  clean stderr
done
run dg counts --by=function log
out_has '<b>F1</b>&amp;\x1b[31m\x0a\xe2\x80\xae%s$(touch pwned)'
# Messages, too.
run dg counts --events="$(printf '\033[31m\342\200\256nothing')" log
[ "$exit_status" != 0 ]
report 'is refused' stderr
clean stderr
name=$(printf '\033[31m\342\200\256.dg')
cp log "$name"
run dg info "$name"
clean stdout
run dg info "$name.gone"
clean stderr

# ---- JSON and exported files ----

for command in 'counts --by=function --json' 'allocs leaks --json' 'advise --json' \
    'info --json' 'calls --json'; do
  # shellcheck disable=SC2086
  run dg $command log
  python3 -c 'import json, sys; json.load(open("stdout"))' 2> difference
  report 'is JSON' difference
done
for format in $(dg export --help | sed -n 's/^ *\(lackey\|csv\|perfetto\) .*/\1/p'); do
  run dg export --format="$format" -o out log
  [ "$exit_status" -lt 2 ]
  report "ends, with $exit_status" stderr
done
run dg calls --folded-out=folded log
if [ -e folded ]; then
  clean folded
fi

# ---- The page ----

run dg report -o page.html log
[ "$exit_status" = 0 ]
report 'makes a page' stderr
clean page.html
if grep -qE '<[bi]>[A-Z][0-9]<|<script>alert' page.html; then
  false
else
  true
fi
report 'has no markup from the log' stderr
grep -qF '&lt;b&gt;F1&lt;/b&gt;&amp;amp;' page.html
report 'shows the names' stderr

# ---- Completions ----

# What is completed is typed into a shell: it must be quoted.
complete ()
{
  cat > complete.bash << 'END'
. "$1/tools/complete/dg.bash"
PATH=$2:$PATH
COMP_LINE="dg counts log $3"
COMP_WORDS=(dg counts log "${3%=}" =)
COMP_CWORD=4
COMP_POINT=${#COMP_LINE}
COMP_TYPE=63
_dg dg
for reply in "${COMPREPLY[@]}"; do
  printf '%s\n' "$reply"
  eval "set -- $reply" 2> /dev/null
done
END
  run bash complete.bash "$abs_top_srcdir" "${dg_itself%/*}" "$1"
  title="completing $1"
  clean stdout
  out_has "$2"
  [ ! -e pwned ]
  report 'nothing is executed' stdout
}
complete --events= E2
complete --ranges= R2
# The log's own name, and that of a folder.
touch 'a$(touch pwned).dg' 'b`touch pwned`.dg' "c'; touch pwned; '.dg" \
  "$(printf 'd\ntouch pwned\n.dg')"
cat > complete.bash << 'END'
. "$1/tools/complete/dg.bash"
PATH=$2:$PATH
COMP_LINE='dg info '
COMP_WORDS=(dg info '') COMP_CWORD=2 COMP_POINT=8 COMP_TYPE=63
_dg dg
printf '%s\n' "${COMPREPLY[@]}"
END
run bash complete.bash "$abs_top_srcdir" "${dg_itself%/*}"
[ ! -e pwned ]
report 'nothing is executed' stdout

# zsh and fish quote themselves: each label, then each file, is completed and
# what the line became is executed.
mkdir bin zfunctions
cp "$abs_top_srcdir/tools/complete/_dg" zfunctions
cat > bin/dg << END
#!/bin/sh
[ "\$1" = __complete ] && exec '$dg_itself' "\$@"
printf '%s\\n' "\$@" > typed
END
chmod +x bin/dg
export HOME=$PWD XDG_CONFIG_HOME=$PWD/.config XDG_DATA_HOME=$PWD/.local
cat > complete.fish << 'END'
source $argv[2]
for line in (complete -C $argv[1] | string replace -r '\t.*' '')
    set -l words (string split -m 1 ' ' -- $argv[1])
    # As the pager of fish inserts it.
    eval dg $words[2] (string escape -- $line) 2>/dev/null
end
END
shells=
for shell in zsh fish; do
  if command -v $shell > /dev/null; then
    shells="$shells $shell"
  else
    skip "completions of $shell: it is not installed"
  fi
done
typed=()
for part in '--events=user:$' '--ranges=user:$'; do
  typed+=("dg counts log $part")
done
for part in a b c d; do
  typed+=("dg info $part")
done
for line in "${typed[@]}"; do
  for shell in $shells; do
    # complete -C prints one in a line, so not what has an end of a line.
    [ "$shell $line" != 'fish dg info d' ] || continue
    # To fish this is a variable that has no name yet.
    [ $shell = zsh ] || line=${line%\$}
    rm -f typed
    title="$shell: $line"
    case $shell in
    zsh) PATH=$PWD/bin:$PATH timeout 600 zsh -f \
      "$abs_srcdir/cli/complete/tab.zsh" "$line" > stdout 2> stderr < /dev/null
      PATH=$PWD/bin:$PATH timeout 600 zsh -f -c "$(cat stdout)" 2>> stderr ;;
    fish) PATH=$PWD/bin:$PATH timeout 600 fish -N complete.fish "$line" \
      "$abs_top_srcdir/tools/complete/dg.fish" > stdout 2> stderr ;;
    esac
    [ -s typed ]
    report 'is completed' stdout stderr
    [ ! -e pwned ]
    report 'executes nothing' stdout stderr
    rm -f pwned
  done
done

finish
