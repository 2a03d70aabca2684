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

# synopsis_of COMMAND: what the SYNOPSIS has for it.
synopsis_of ()
{
  section SYNOPSIS |
    awk -v command="dg $1" '
      /^\.SY/ { on = ($0 == ".SY \"" command "\"") } on'
}

# options_of_help: the list of options only: the text around it may speak of
# others.
options_of_help ()
{
  sed -n '/^Options:/,/^$/p' help | cut -c 1-28 | options
}

# check_synopsis COMMAND: the SYNOPSIS has it, its arguments and its options.
check_synopsis ()
{
  synopsis_of "$1" > synopsis
  args=$(sed -n "s/^Usage: dg $1 \[OPTION\]\.\.\. \([A-Z]*\).*/\1/p" help)
  [ -s synopsis ] && { [ -z "$args" ] || grep -q "^\.IR* $args" synopsis; }
  report 'the SYNOPSIS has it' synopsis
  options < synopsis > in_synopsis
  options_of_help | grep -v -x -e '--help' -e '--jobs' |
    diff - in_synopsis > difference
  report 'the SYNOPSIS has its options' difference
  ! grep -q -e '--jobs' help || grep -q '^\.OP -j N' synopsis
  report 'the SYNOPSIS has -j' synopsis
}

# check_page COMMAND: a page of its own, with the sections that such have.
check_page ()
{
  section NAME > name
  grep -q "^dg-$1 - ..." name
  report 'its NAME says what it is' name
  for needed in DESCRIPTION JSON MEMORY EXAMPLES 'SEE ALSO'; do
    # Export writes the formats of others only, others what people read.
    [ "$needed" != JSON ] || [ "$1" = info ] || [ "$1" = report ] ||
      { [ "$1" != export ] && grep -q -e '--json' help; } || continue
    # Its members are with the option.
    [ "$1 $needed" != 'info JSON' ] || continue
    [ -n "$(section "$needed" || section "\"$needed\"")" ]
    report "has a section $needed"
  done
}

# check_members: the JSON in the file told is described.
check_members ()
{
  grep -o '"[A-Za-z_0-9]*" *: ' told | tr -d '": ' | sort -u > in_json
  # With their parts.
  awk '/^\.SH/ { on = /JSON|OPTIONS/ } on' "$page" | plain |
    tr -cs 'A-Za-z0-9_' '\n' | sort -u > words
  comm -23 in_json words > difference
  [ -s in_json ] && [ ! -s difference ]
  report 'the page describes the members of --json' difference
}

assemble_small log
# Commands that have a page of their own, and those in the page of dg.
pages=
for command in $("$DG" --help |
  sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
  page=$abs_top_srcdir/docs/man/dg-$command.1
  title="dg $command"
  if [ -e "$page" ]; then
    pages="$pages $page"
    page=$abs_top_srcdir/docs/man/dg.1
    section $command | grep -q "dg-$command (1)"
    report 'dg(1) says where it is described'
    page=$abs_top_srcdir/docs/man/dg-$command.1
    "$DG" $command --help > help
    check_page $command
    # What --help of a command with parts lists; else it itself.
    parts=$(sed -n "s/^Usage: dg $command \([a-z|]*\).*/\1/p" help |
      tr '|' ' ')
    : > in_help
    for part in ${parts:-''}; do
      title="dg $command${part:+ $part}"
      "$DG" $command $part --help > help
      options_of_help >> in_help
      check_synopsis "$command${part:+ $part}"
    done
    title="dg $command"
    awk '/^\.TP/ { tag = 1; next } tag { print; tag = 0 }' "$page" | plain |
      options | grep -v -x -e --help > in_page
    grep -v -x -e --help in_help | sort -u | diff - in_page > difference
    report 'the page describes the options of --help' difference
    case $command in
      # Figures and tables are described where their analysis is.
      advise) "$DG" advise --json log ;;
      diff) "$DG" diff counts --json log log ;;
      export | record | check | dump | pack | unpack | bundle | cut | index | import)
        continue ;;
      info) "$DG" info --json log ;;
      # A busy machine is not measured.
      calibrate)
        "$DG" calibrate --quick --json --keep-in="$PWD/machine" ||
          cat "$abs_srcdir/cli/calibrate/document.json" ;;
      heap) "$DG" heap --sites --blocks --untouched --late --json log ;;
      *) for part in $parts; do "$DG" $command $part --json log; done ;;
    esac > told 2> stderr
    # A page has none.
    [ $command = report ] || check_members
  else
    page=$abs_top_srcdir/docs/man/dg.1
    "$DG" $command --help > help
    options_of_help > in_help
    described $command > in_page
    diff in_help in_page > difference
    report 'the page describes the options of --help' difference
    check_synopsis $command
  fi
done

page=$abs_top_srcdir/docs/man/dg.1
title='dg'
"$DG" --help | sed -n '/^Options:/,/^$/p' | cut -c 1-28 | options > in_help
described OPTIONS > in_page
diff in_help in_page > difference
report 'the page describes the options of --help' difference

# ---- Analyses: a page each --------------------------------------------------

analyses=$("$DG" --help |
  sed -n '/^Analyses/,/^$/s/^  \([a-z][a-z0-9-]*\) .*/\1/p')
for analysis in $analyses; do
  title="dg $analysis"
  page=$abs_top_srcdir/docs/man/dg-$analysis.1
  [ -s "$page" ]
  report 'has a manual page'
  [ -s "$page" ] || continue
  pages="$pages $page"
  "$DG" $analysis --help > help

  # Its own options; if it has none, the list begins with those of all.
  sed -n '/^Options:/,/^$/p' help | cut -c 1-28 > own
  grep -q '^Common options:' help || : > own
  options < own > in_help
  described OPTIONS > in_page
  diff in_help in_page > difference
  report 'the page describes the options of --help' difference
  section SYNOPSIS > synopsis
  options < synopsis | diff in_help - > difference
  report 'the SYNOPSIS has its options' difference
  check_page $analysis

  # --help names --interval where it is supported, and only there.
  "$DG" $analysis --interval=1000 log > told 2> refused
  refused=$(grep -c 'does not support intervals' refused)
  [ $((refused + $(grep -c '^ *--interval' help))) = 1 ]
  report '--interval is in --help if it is supported' refused help

  # What it tells of a small log, and with each of the choices of --by.
  {
    "$DG" $analysis --json log
    for by in $(sed -n '/--by=/,/^ *--/p' help | tr -d '\n' |
      sed 's/.*(\([a-z, ]*\).*/\1/' | tr -d ','); do
      "$DG" $analysis --json --by=$by log
    done
  } 2> /dev/null > told
  check_members
done

# What is common to all of them.
title='analyses'
page=$abs_top_srcdir/docs/man/dg.1
"$DG" counts --help | sed -n '/^Common options:/,/^$/p' | cut -c 1-28 |
  options > in_help
described ANALYSES > in_page
diff in_help in_page > difference
report 'the page describes their common options' difference
section SYNOPSIS |
  awk '/^\.SY/ { on = 0 } on; /^\.SY "dg"$/ { on = 1 }' > synopsis
options < synopsis | grep -v -x -e --version -e --help -e --schema \
  > in_synopsis
grep -v -x -e '--help' -e '--jobs' in_help | diff - in_synopsis > difference
report 'the SYNOPSIS has their common options' difference

# The conditions of --events and --ranges.
"$DG" dump --help | sed -n '/^CONDITIONS/,$s/^  \([a-z]*\)[: ].*/\1/p' |
  sort > in_help
section CONDITIONS |
  awk '/^\.TP/ { tag = 1; next } tag { print $2; tag = 0 }' | tr -d ':' |
  sort > in_page
diff in_help in_page > difference && [ "$(wc -l < in_page)" = 10 ]
report 'the page describes the conditions' difference

# Every member of the JSON object.
assemble_small log
"$DG" info --json log | sed -n 's/^  "\([a-z_]*\)":.*/\1/p' | sort > in_json
page=$abs_top_srcdir/docs/man/dg-info.1
title='dg info'
section OPTIONS | awk '/^\.TP/ { tag = 1; next } tag { print; tag = 0 }' |
  grep -v -e '--' | sed 's/^\.BR* //' | tr -cs 'a-z_\n' '\n' | sed '/^$/d' |
  sort > in_page
diff in_json in_page > difference
report 'the page describes all members of --json' difference

page=$abs_top_srcdir/docs/man/dg.1
if command -v groff > /dev/null; then
  for page in "$page" $pages; do
    title=${page##*/}
    groff -t -man -Tutf8 -ww "$page" 2> stderr > stdout
    [ ! -s stderr ] && [ -s stdout ]
    report 'the page is good roff' stderr
  done
else
  skip 'no groff'
fi
finish
