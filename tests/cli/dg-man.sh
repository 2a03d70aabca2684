# dg-man.sh: the manual page and --help tell of the same things.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"
page=${abs_top_srcdir:?}/docs/man/dg.1

# plain: roff without its escapes.
plain ()
{
  sed 's/\\f[A-Z]//g; s/\\-/-/g'
}

# section NAME: the lines of a .SH or .SS.
section ()
{
  awk -v name="$1" '
    /^\.S[HS] / { on = ($0 == ".SH " name || $0 == ".SS " name); next }
    on' "$page" | plain
}

# options: the long options in a text, each once.
options ()
{
  grep -o -E -- '--[a-z][a-z-]*' | sort -u
}

# described NAME: the options that a section describes, in its tags.
described ()
{
  section "$1" | awk '/^\.TP/ { tag = 1; next } tag { print; tag = 0 }' |
    options
}

for command in $("$DG" --help |
  sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
  "$DG" $command --help > help
  title="dg $command"

  # The list of options only: the text around it may speak of others.
  sed -n '/^Options:/,/^$/p' help | cut -c 1-28 | options > in_help
  described $command > in_page
  diff in_help in_page > difference
  report 'the page describes the options of --help' difference

  # Its arguments, and all of its options, are in the SYNOPSIS.
  section SYNOPSIS |
    awk -v command="dg $command" '
      /^\.SY/ { on = ($0 == ".SY \"" command "\"") } on' > synopsis
  args=$(sed -n "s/^Usage: dg $command \[OPTION\]\.\.\. \([A-Z]*\).*/\1/p" help)
  [ -s synopsis ] && grep -q "^\.I $args" synopsis
  report 'the SYNOPSIS has it' synopsis
  options < synopsis > in_synopsis
  grep -v -x -e '--help' -e '--jobs' in_help | diff - in_synopsis > difference
  report 'the SYNOPSIS has its options' difference
  grep -q '^\.OP -j N' synopsis
  report 'the SYNOPSIS has -j' synopsis
done

title='dg'
"$DG" --help | sed -n '/^Options:/,/^$/p' | cut -c 1-28 | options > in_help
described OPTIONS > in_page
diff in_help in_page > difference
report 'the page describes the options of --help' difference

# The conditions of --events and --ranges.
"$DG" dump --help | sed -n '/^CONDITIONS/,$s/^  \([a-z]*\)[: ].*/\1/p' |
  sort > in_help
section CONDITIONS |
  awk '/^\.TP/ { tag = 1; next } tag { print $2; tag = 0 }' | tr -d ':' |
  sort > in_page
diff in_help in_page > difference && [ "$(wc -l < in_page)" = 6 ]
report 'the page describes the conditions' difference

# Every member of the JSON object.
assemble_small log
"$DG" info --json log | sed -n 's/^  "\([a-z_]*\)" :.*/\1/p' | sort > in_json
section info | awk '/^\.TP/ { tag = 1; next } tag { print; tag = 0 }' |
  grep -v -e '--' | sed 's/^\.BR* //' | tr -cs 'a-z_\n' '\n' | sed '/^$/d' |
  sort > in_page
diff in_json in_page > difference
report 'the page describes all members of --json' difference

if command -v groff > /dev/null; then
  groff -man -Tutf8 -ww "$page" 2> stderr > stdout
  [ ! -s stderr ] && [ -s stdout ]
  report 'the page is good roff' stderr
else
  skip 'no groff'
fi
finish
